package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Space is one namespace. It is safe for concurrent use.
type Space struct {
	seed  uint64
	store *store

	current atomic.Pointer[index] // nil: to be made
	script  script
	counts  counts

	// mu guards what follows.
	mu      sync.Mutex
	entries []*entry
	order   int
	calls   *lru[string, string] // call id -> tool
	owed    owed
}

// NewSpace makes an empty namespace. Its ids come from the seed and its name.
func NewSpace(name string, seed uint64) *Space {
	s := &Space{seed: mix(mixInt(0, seed), name), store: newStore()}
	s.forget()
	return s
}

func (s *Space) forget() {
	s.calls = newLRU[string, string](maxCalls, 0)
	s.owed.reset()
	s.counts.reset()
}

// Store is the provider's memory in this namespace.
func (s *Space) Store() wire.Store { return s.store }

// Set replaces all stubs of an origin by these; others stay, with what they have used up.
func (s *Space) Set(origin stub.Origin, stubs []*stub.Stub) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removeLocked(func(e *entry) bool { return e.stub.Origin == origin })
	s.addLocked(stubs)
}

// Add adds stubs. A stub must not be changed any more.
func (s *Space) Add(stubs ...*stub.Stub) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addLocked(stubs)
}

func (s *Space) addLocked(stubs []*stub.Stub) {
	for _, st := range stubs {
		s.order++
		s.entries = append(s.entries, newEntry(st, s.order))
	}
	s.current.Store(nil)
}

// Remove takes a stub away; it is false where it is not there.
func (s *Space) Remove(st *stub.Stub) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.removeLocked(func(e *entry) bool { return e.stub == st })
}

func (s *Space) removeLocked(unwanted func(*entry) bool) bool {
	n := len(s.entries)
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool {
		e.gone = e.gone || unwanted(e)
		return e.gone
	})
	s.dropOwed()
	s.current.Store(nil)
	return len(s.entries) < n
}

// Reset makes every stub new, and forgets calls, counts and the provider's objects.
func (s *Space) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range s.entries {
		e.gone = true // an answer that is still on its way owes nothing
		s.entries[i] = newEntry(e.stub, e.order)
	}
	s.forget()
	s.store.reset()
	s.current.Store(nil)
}

// Stubs are all stubs, in the order in which they are asked.
func (s *Space) Stubs() []*stub.Stub {
	x := s.index()
	out := make([]*stub.Stub, len(x.all))
	for i, e := range x.all {
		out[i] = e.stub
	}
	return out
}

// Uses is how often a stub has answered; answers that were returned do not count until they are given after all.
func (s *Space) Uses(st *stub.Stub) int {
	for _, e := range s.index().all {
		if e.stub == st {
			return int(e.given.Load())
		}
	}
	return 0
}

func (s *Space) index() *index {
	if x := s.current.Load(); x != nil {
		return x
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.current.Load(); x != nil {
		return x
	}
	x := newIndex(slices.Clone(s.entries))
	s.current.Store(x)
	return x
}

// Key is the hash of a request: method, path and body.
func (s *Space) Key(p *wire.Probe) uint64 {
	return mixBytes(mix(mix(s.seed, p.Method), p.Path), p.Body)
}

// CallSeed is what the ids of an answer are made of: the request's key, and how often it came before.
func (s *Space) CallSeed(key uint64) uint64 { return mixInt(key, s.counts.next(key)) }

// ToolOf names the tool of a call that this namespace made.
func (s *Space) ToolOf(id string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls.get(id)
}

// RememberCalls keeps the tools of the calls that a reply makes.
func (s *Space) RememberCalls(r wire.Reply) {
	for _, a := range r.Choices {
		for _, p := range a.Parts {
			if c, ok := p.(wire.ToolCall); ok && c.ID != "" {
				s.mu.Lock()
				s.calls.put(c.ID, c.Name, 0)
				s.mu.Unlock()
			}
		}
	}
}
