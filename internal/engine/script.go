package engine

import (
	"sync/atomic"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// script is a strict sequence: only its next step can answer, whatever stubs there are.
type script struct {
	// steps is replaced, never changed, when steps are added; Space.mu guards that.
	steps atomic.Pointer[[]*entry]
}

func (s *script) load() []*entry {
	if p := s.steps.Load(); p != nil {
		return *p
	}
	return nil
}

// next is the first step that was not taken, and its position. It is nil where all were.
func (s *script) next() (*entry, int) {
	steps := s.load()
	for i, e := range steps {
		if !e.spent.Load() {
			return e, i
		}
	}
	return nil, len(steps)
}

// Script adds steps to the namespace's script. Each stub is one step: it has one answer, and only the conditions that it
// names. Once there is a script, no other stub answers. Lists of models are no part of it, unless a step is one.
func (s *Space) Script(steps ...*stub.Stub) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append([]*entry(nil), s.script.load()...)
	for _, st := range steps {
		e := newEntry(st, len(all))
		e.conditions, e.stateful = st.When, true
		all = append(all, e)
	}
	s.script.steps.Store(&all)
}

// ScriptBegun says whether a step of the script was taken.
func (s *Space) ScriptBegun() bool {
	steps := s.script.load()
	return len(steps) > 0 && steps[0].spent.Load()
}

// Unasked are the steps of the script that were not taken, and how many steps there are.
func (s *Space) Unasked() (left []*stub.Stub, steps int) {
	all := s.script.load()
	for _, e := range all {
		if !e.spent.Load() {
			left = append(left, e.stub)
		}
	}
	return left, len(all)
}

// scripted is the step that a request gets. mine is false where the request is no business of the script's.
func (s *Space) scripted(r *wire.Request) (e *entry, mine bool) {
	if s.script.steps.Load() == nil {
		return nil, false
	}
	e, _ = s.script.next()
	if r.Kind == wire.Models && (e == nil || e.stub.Kind != wire.Models) {
		return nil, false
	}
	if e == nil || !e.fits(r) {
		return nil, true
	}
	return e, true
}

// fits says whether a request meets a step of the script. A step without content of its own fits every kind of endpoint.
func (e *entry) fits(r *wire.Request) bool {
	if e.stub.AnyKind && r.Kind != wire.Models {
		return !anyFails(e.conditions, r)
	}
	return e.matches(r)
}

func anyFails(conditions []stub.Condition, r *wire.Request) bool {
	for _, c := range conditions {
		if !c.Match(r) {
			return true
		}
	}
	return false
}

// Misfit says why the script has no answer to a request.
type Misfit struct {
	// Step is the number of the next step, from 1, and Steps how many there are. A script that is used up has no next one:
	// Step is then more than Steps.
	Step, Steps int
	NearMiss
}

// Misfit is nil where the request is no business of a script.
func (s *Space) Misfit(r *wire.Request) *Misfit {
	if _, mine := s.scripted(r); !mine {
		return nil
	}
	e, at := s.script.next()
	m := &Misfit{Step: at + 1, Steps: len(s.script.load())}
	if e != nil {
		m.NearMiss = nearMiss(e, r)
	}
	return m
}
