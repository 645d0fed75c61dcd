package engine

import (
	"sync"
	"sync/atomic"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// entry is a stub in a space, with what it has used up.
type entry struct {
	stub       *stub.Stub
	conditions []stub.Condition
	weight     int
	order      int // of arrival
	stateful   bool

	given atomic.Int64 // answers that were not returned
	spent atomic.Bool  // set once no step is left: a look that needs no lock

	// mu guards taken and next.
	mu    sync.Mutex
	taken int // steps taken so far, those that are owed included
	next  int // step of the sequence

	// gone says that the stub was removed, or made new by a reset. Space.mu guards it.
	gone bool
}

func newEntry(s *stub.Stub, order int) *entry {
	return &entry{
		stub: s, conditions: s.Conditions(), weight: s.Weight(), order: order,
		stateful: s.Times > 0 || len(s.Answers) > 1 || s.Then == stub.ThenFail,
	}
}

// peek is the step that comes next; ok is false where none is left.
func (e *entry) peek() (step int, ok bool) {
	if !e.stateful {
		return 0, true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.next, !e.spent.Load()
}

// take uses a step up. It is false where another request took it first.
func (e *entry) take(step int) bool {
	if !e.stateful {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.spent.Load() || e.next != step {
		return false
	}
	e.taken++
	e.next++
	last := e.next >= max(1, len(e.stub.Answers))
	switch {
	case e.stub.Times > 0 && e.taken >= e.stub.Times, last && e.stub.Then == stub.ThenFail:
		e.spent.Store(true)
	case last && e.stub.Then == stub.ThenCycle:
		e.next = 0
	case last:
		e.next--
	}
	return true
}

// answer is a step's.
func (e *entry) answer(step int) *stub.Answer {
	if len(e.stub.Answers) == 0 {
		return &stub.Answer{}
	}
	return &e.stub.Answers[step]
}

// matches says whether a request meets every condition.
func (e *entry) matches(r *wire.Request) bool {
	if e.stub.Kind != r.Kind {
		return false
	}
	for i := range e.conditions {
		if !e.conditions[i].Match(r) {
			return false
		}
	}
	return true
}
