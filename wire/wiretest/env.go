package wiretest

import (
	"iter"
	"sync"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Env is a fixed world: it is noon of 30 November 2026.
type Env struct {
	store store
	// Time, where it is set, is now.
	Time time.Time
	// Names are the models that exist.
	Names []string
}

// Now is the fixed time.
func (e *Env) Now() time.Time {
	if e.Time.IsZero() {
		return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	}
	return e.Time
}

// Store is an unbounded store.
func (e *Env) Store() wire.Store { return &e.store }

// Models are the Names, or one.
func (e *Env) Models() []string {
	if e.Names == nil {
		return []string{"mimus-1"}
	}
	return e.Names
}

// Ask answers nothing.
func (e *Env) Ask(*wire.Probe) wire.Response { return wire.Response{Status: 501} }

type store struct {
	// mu guards objects and order.
	mu      sync.Mutex
	objects map[[2]string]wire.Object
	order   [][2]string
}

func (s *store) Put(kind, id string, o wire.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.objects == nil {
		s.objects = map[[2]string]wire.Object{}
	}
	key := [2]string{kind, id}
	if _, ok := s.objects[key]; !ok {
		s.order = append(s.order, key)
	}
	s.objects[key] = o
}

func (s *store) Get(kind, id string) (wire.Object, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.objects[[2]string{kind, id}]
	return o, ok
}

func (s *store) Delete(kind, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.objects[[2]string{kind, id}]
	delete(s.objects, [2]string{kind, id})
	return ok
}

func (s *store) List(kind string) iter.Seq2[string, wire.Object] {
	return func(yield func(string, wire.Object) bool) {
		s.mu.Lock()
		order := append([][2]string(nil), s.order...)
		s.mu.Unlock()
		for _, key := range order {
			if key[0] != kind {
				continue
			}
			if o, ok := s.Get(kind, key[1]); ok && !yield(key[1], o) {
				return
			}
		}
	}
}
