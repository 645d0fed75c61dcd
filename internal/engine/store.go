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

// store is a provider's objects. Continued conversations share their earlier turns, so each turn is weighed once, for as
// long as an object leads to it; else a chain would keep turns alive that nobody counts.
type store struct {
	// mu guards what follows.
	mu      sync.Mutex
	objects *lru[storeKey, wire.Object]
	turns   map[*wire.Turn]*heldTurn
}

type storeKey struct{ kind, id string }

// heldTurn is a turn that the store leads to. refs counts the objects and the held turns that point at it.
type heldTurn struct{ refs, weight int }

func newStore() *store {
	s := &store{}
	s.reset()
	return s
}

func (s *store) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = map[*wire.Turn]*heldTurn{}
	s.objects = newLRU[storeKey, wire.Object](maxObjects, maxObjectBytes)
	s.objects.dropped = func(_ storeKey, o wire.Object) { s.release(o.Turn) }
}

// Put keeps an object, and lets the least recently used ones go.
func (s *store) Put(kind, id string, o wire.Object) {
	const overhead = 512
	weight := overhead + len(id) + len(o.Body)
	for i := range o.Frames {
		weight += len(o.Frames[i].Data) + 64
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold(o.Turn)
	s.objects.put(storeKey{kind, id}, o, weight)
}

// hold counts a turn and what it leads to. The caller holds mu.
func (s *store) hold(t *wire.Turn) {
	for ; t != nil; t = t.Before {
		if held := s.turns[t]; held != nil {
			held.refs++
			return
		}
		held := &heldTurn{refs: 1, weight: turnWeight(t)}
		s.turns[t] = held
		s.objects.weight += held.weight
	}
}

// release undoes hold. The caller holds mu.
func (s *store) release(t *wire.Turn) {
	for ; t != nil; t = t.Before {
		held := s.turns[t]
		if held.refs--; held.refs > 0 {
			return
		}
		delete(s.turns, t)
		s.objects.weight -= held.weight
	}
}

// turnWeight is roughly what a turn weighs: a request's texts are there twice, as they came and decoded.
func turnWeight(t *wire.Turn) int {
	const overhead = 4096
	n := overhead
	if t.Request != nil && t.Request.Probe != nil {
		n += 2 * len(t.Request.Probe.Body)
	}
	if t.Answer == nil {
		return n
	}
	for _, p := range t.Answer.Parts {
		switch p := p.(type) {
		case wire.Text:
			n += len(p.Text)
		case wire.Refusal:
			n += len(p.Text)
		case wire.Reasoning:
			n += len(p.Text) + len(p.Signature)
		case wire.ToolCall:
			n += len(p.Arguments)
		case wire.Media:
			n += len(p.Data)
		case wire.Opaque:
			n += len(p.Raw)
		}
	}
	return n
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
