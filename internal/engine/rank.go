package engine

import (
	"cmp"
	"slices"
	"sync"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// entry is a stub in a space, with what it has used up.
type entry struct {
	stub       *stub.Stub
	conditions []stub.Condition
	weight     int
	order      int // of arrival

	// mu guards uses and next.
	mu   sync.Mutex
	uses int // answers given or leased
	next int // step of the sequence
}

func newEntry(s *stub.Stub, order int) *entry {
	return &entry{stub: s, conditions: s.Conditions(), weight: s.Weight(), order: order}
}

// stateful says whether an answer uses something up.
func (e *entry) stateful() bool {
	return e.stub.Times > 0 || len(e.stub.Answers) > 1 || e.stub.Then == stub.ThenFail
}

// ready says whether the stub still answers.
func (e *entry) ready() bool {
	if !e.stateful() {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.readyLocked()
}

func (e *entry) readyLocked() bool {
	if e.stub.Times > 0 && e.uses >= e.stub.Times {
		return false
	}
	return e.stub.Then != stub.ThenFail || e.next < max(1, len(e.stub.Answers))
}

// take uses one step up; ok is false where none is left.
func (e *entry) take() (step int, ok bool) {
	if !e.stateful() {
		return 0, true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.readyLocked() {
		return 0, false
	}
	step = e.next
	e.uses++
	e.next++
	n := max(1, len(e.stub.Answers))
	switch {
	case e.stub.Then == stub.ThenCycle:
		e.next %= n
	case e.next >= n && e.stub.Then != stub.ThenFail:
		e.next = n - 1
	}
	return min(step, n-1), true
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

// sortByRank puts the stub that is asked first first: lower priority; ours before WireMock's; ours with more conditions;
// ours added at run time before files; files in written order, run-time and WireMock stubs newest first.
func sortByRank(entries []*entry) {
	slices.SortStableFunc(entries, func(a, b *entry) int {
		if c := cmp.Compare(a.stub.Priority, b.stub.Priority); c != 0 {
			return c
		}
		wa, wb := a.stub.Origin == stub.WireMock, b.stub.Origin == stub.WireMock
		switch {
		case wa != wb:
			if wb {
				return -1
			}
			return 1
		case wa:
			return cmp.Compare(b.order, a.order)
		}
		if c := cmp.Compare(b.weight, a.weight); c != 0 {
			return c
		}
		if c := cmp.Compare(a.stub.Origin, b.stub.Origin); c != 0 {
			return c
		}
		if a.stub.Origin == stub.Runtime {
			return cmp.Compare(b.order, a.order)
		}
		return cmp.Compare(a.order, b.order)
	})
}
