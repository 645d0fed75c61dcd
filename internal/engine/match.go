package engine

import (
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Match is the stub that would answer a request, and the step of it that would be used.
type Match struct {
	Stub *stub.Stub

	entry *entry
	step  int
	owed  bool
}

// Peek finds the stub that would answer, without using it up. It is nil where none would. What a request is owed comes
// first, then the script, which never falls through, then the stubs.
func (s *Space) Peek(r *wire.Request, key uint64) *Match {
	if owed, ok := s.owing(key); ok {
		return &Match{Stub: owed.entry.stub, entry: owed.entry, step: owed.step, owed: true}
	}
	if e, mine := s.scripted(r); mine {
		if e == nil {
			return nil
		}
		return &Match{Stub: e.stub, entry: e}
	}
	e, step := s.index().find(r)
	if e == nil {
		return nil
	}
	return &Match{Stub: e.stub, entry: e, step: step}
}

// Next is the answer that the match would give.
func (m *Match) Next() *stub.Answer { return m.entry.answer(m.step) }

// Lease is a step of a stub that was taken for one answer.
type Lease struct {
	// Answer is the step's.
	Answer *stub.Answer

	space *Space
	entry *entry
	step  int
	key   uint64
}

// Commit uses the match up. It is nil where another request was faster, so that Next is no longer what would be given:
// then Peek again.
func (s *Space) Commit(m *Match, key uint64) *Lease {
	if m.owed && !s.pay(m, key) || !m.owed && !m.entry.take(m.step) {
		return nil
	}
	m.entry.given.Add(1)
	return &Lease{Answer: m.entry.answer(m.step), space: s, entry: m.entry, step: m.step, key: key}
}

// Stateful says whether it matters if the answer leaves whole.
func (l *Lease) Stateful() bool { return l.entry.stateful }

// Return gives the step back: a whole answer did not leave whole, so it is owed to the same request when it comes again,
// and other requests go on. It is called at most once.
func (l *Lease) Return() {
	l.entry.given.Add(-1)
	if l.Stateful() {
		l.space.owe(l.key, owedStep{l.entry, l.step})
	}
}
