package engine

import (
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Match is the stub that would answer a request.
type Match struct {
	Stub *stub.Stub

	entry *entry
	owed  bool
	step  int
}

// Peek finds the stub that would answer, without using it up. It is nil where none would.
func (s *Space) Peek(r *wire.Request, key uint64) *Match {
	if step, ok := s.owing(key); ok {
		return &Match{Stub: step.entry.stub, entry: step.entry, owed: true, step: step.step}
	}
	e := s.index().find(r)
	if e == nil {
		return nil
	}
	return &Match{Stub: e.stub, entry: e}
}

// Next is the answer that the match would give.
func (m *Match) Next() *stub.Answer {
	answers := m.entry.stub.Answers
	if len(answers) == 0 {
		return &stub.Answer{}
	}
	if m.owed || !m.entry.stateful() {
		return &answers[m.step]
	}
	m.entry.mu.Lock()
	defer m.entry.mu.Unlock()
	return &answers[min(m.entry.next, len(answers)-1)]
}

func (s *Space) owing(key uint64) (owedStep, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.owed.entries) == 0 {
		return owedStep{}, false
	}
	return s.owed.get(key)
}

// Lease is a step of a stub that was taken for one answer.
type Lease struct {
	// Answer is the step's.
	Answer *stub.Answer

	space *Space
	entry *entry
	step  int
	key   uint64
}

// Commit uses the match up. It is nil where another request was faster: then Peek again.
func (s *Space) Commit(m *Match, key uint64) *Lease {
	step := m.step
	if m.owed {
		s.mu.Lock()
		ok := s.owed.delete(key)
		s.mu.Unlock()
		if !ok {
			return nil
		}
	} else {
		var ok bool
		if step, ok = m.entry.take(); !ok {
			return nil
		}
	}
	l := &Lease{space: s, entry: m.entry, step: step, key: key}
	if answers := m.entry.stub.Answers; len(answers) > 0 {
		l.Answer = &answers[step]
	} else {
		l.Answer = &stub.Answer{}
	}
	return l
}

// Stateful says whether it matters if the answer leaves whole.
func (l *Lease) Stateful() bool { return l.entry.stateful() }

// Return gives the step back: a whole answer did not leave whole, so it is owed to the same request when it comes again.
func (l *Lease) Return() {
	if !l.Stateful() {
		return
	}
	l.space.mu.Lock()
	defer l.space.mu.Unlock()
	l.space.owed.put(l.key, owedStep{l.entry, l.step}, 0)
}
