package engine

import (
	"iter"
	"sync"

	"github.com/mimus-go/mimus/wire"
)

// Limits of what a namespace remembers.
const (
	maxObjects     = 10_000
	maxObjectBytes = 64 << 20
	maxCalls       = 10_000
	maxRequests    = 10_000
	maxOwed        = 1_000
)

// store is a provider's objects.
type store struct {
	// mu guards objects.
	mu      sync.Mutex
	objects *lru[storeKey, wire.Object]
}

type storeKey struct{ kind, id string }

func newStore() *store {
	return &store{objects: newLRU[storeKey, wire.Object](maxObjects, maxObjectBytes)}
}

// Put keeps an object, and lets the least recently used ones go.
func (s *store) Put(kind, id string, o wire.Object) {
	size := len(id) + len(o.Body) + 512
	for _, f := range o.Frames {
		size += len(f.Data) + 64
	}
	if o.Turn != nil && o.Turn.Request != nil && o.Turn.Request.Probe != nil {
		size += 2 * len(o.Turn.Request.Probe.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects.put(storeKey{kind, id}, o, size)
}

// Get finds an object, which makes it the most recently used.
func (s *store) Get(kind, id string) (wire.Object, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects.get(storeKey{kind, id})
}

// Delete forgets an object; it is false where there was none.
func (s *store) Delete(kind, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects.delete(storeKey{kind, id})
}

// List gives the objects of a kind, the most recently used first, as they were when it was called.
func (s *store) List(kind string) iter.Seq2[string, wire.Object] {
	type item struct {
		id string
		o  wire.Object
	}
	var items []item
	s.mu.Lock()
	for e := s.objects.order.Front(); e != nil; e = e.Next() {
		if entry := e.Value.(*lruEntry[storeKey, wire.Object]); entry.key.kind == kind {
			items = append(items, item{entry.key.id, entry.value})
		}
	}
	s.mu.Unlock()
	return func(yield func(string, wire.Object) bool) {
		for _, it := range items {
			if !yield(it.id, it.o) {
				return
			}
		}
	}
}
