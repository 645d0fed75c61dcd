package mimus

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// On begins a stub: it answers the requests that meet all the matchers. Stubs with more matchers are asked first, then
// those written first.
func (m *Mock) On(matchers ...Matcher) *Stub {
	m.tb.Helper()
	s := &Stub{mock: m, where: caller(), stub: &stub.Stub{Origin: stub.File, Priority: stub.DefaultPriority}}
	if err := m.over(); err != nil {
		s.misuse("%v", err)
		return s
	}
	if m.space.ScriptBegun() {
		s.misuse("On after the first call of a Script: a Script never falls through to stubs; give Script this reply instead, or a Mock of its own to what shall use stubs")
		return s
	}
	for i, matcher := range matchers {
		if matcher == nil {
			s.misuse("matcher %d is nil; to match every request, give none", i+1)
			return s
		}
		matcher.apply(s.stub)
	}
	m.mu.Lock()
	m.begun = append(m.begun, s)
	m.mu.Unlock()
	return s
}

// caller is the line of the test that called On.
func caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return "a stub"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// Stub is a stub that is being written: [Mock.On] begins it, and [Stub.Reply] puts it in place.
type Stub struct {
	mock  *Mock
	stub  *stub.Stub
	where string
	// done says that the stub is in place; wrong that it was misused, and never will be.
	done, wrong bool
}

// misuse fails the test, and keeps the stub from ever being put in place.
func (s *Stub) misuse(format string, args ...any) {
	s.mock.tb.Helper()
	s.wrong = true
	s.forget()
	s.mock.tb.Errorf("mimus: "+format, args...)
}

// forget takes the stub off the list of those without a reply.
func (s *Stub) forget() {
	m := s.mock
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun = slices.DeleteFunc(m.begun, func(other *Stub) bool { return other == s })
}

// before says whether the stub can still be changed.
func (s *Stub) before(method string) bool {
	s.mock.tb.Helper()
	if s.done {
		s.misuse("%s after Reply: Reply puts the stub in place, so it comes last", method)
	}
	return !s.wrong
}

// Times is how often the stub answers; after that it is no longer there.
func (s *Stub) Times(n int) *Stub {
	s.mock.tb.Helper()
	if s.before("Times") {
		if n < 1 {
			s.misuse("Times(%d): a stub answers at least once; leave Times out for a stub that always answers, and the stub for one that never does", n)
		}
		s.stub.Times = n
	}
	return s
}

// Named gives the stub a name for messages.
func (s *Stub) Named(name string) *Stub {
	s.mock.tb.Helper()
	if s.before("Named") {
		s.stub.Name = name
	}
	return s
}

// Priority decides first which stub answers; lower wins, and 5 is usual.
func (s *Stub) Priority(n int) *Stub {
	s.mock.tb.Helper()
	if s.before("Priority") {
		s.stub.Priority = n
	}
	return s
}

// EnforceLimits cuts the answers at the request's max_tokens and stop sequences, as the provider would.
func (s *Stub) EnforceLimits() *Stub {
	s.mock.tb.Helper()
	if s.before("EnforceLimits") {
		s.stub.EnforceLimits = true
	}
	return s
}

// Reply puts the stub in place. Several replies are given one after the other, each a step as in a [Mock.Script], and the
// last one is repeated.
func (s *Stub) Reply(replies ...Replier) {
	s.mock.tb.Helper()
	switch {
	case !s.before("a second Reply"):
		return
	case len(replies) == 0:
		s.misuse("Reply without a reply; an empty answer is mimus.Text(\"\")")
		return
	}
	for i, r := range replies {
		if r == nil {
			s.misuse("reply %d is nil", i+1)
			return
		}
		g := r.reply()
		if len(g.matchers) > 0 {
			s.misuse("an Exchange belongs into a Script; give On its matchers, and Reply its reply")
			return
		}
		if s.stub.Kind == wire.Chat {
			s.stub.Kind = g.kind
		}
		s.stub.Answers = append(s.stub.Answers, s.mock.guarded(g.answer))
	}
	s.mock.guardConditions(s.stub.When)
	s.done = true
	s.forget()
	s.mock.space.Add(s.stub)
}

// guarded lets a function of the test that panics fail the test, and answers with a server error in its place.
func (m *Mock) guarded(a stub.Answer) stub.Answer {
	f := a.Make
	if f == nil {
		return a
	}
	a.Make = func(r *wire.Request) (made stub.Answer) {
		defer func() {
			if v := recover(); v != nil {
				m.fail(fmt.Sprintf("mimus: the function of a reply panicked: %v", v))
				made = stub.Answer{Error: &stub.Error{Kind: wire.ServerError, Message: fmt.Sprintf("mimus: the function of a reply panicked: %v", v)}}
			}
		}()
		return f(r)
	}
	return a
}

// guardConditions does the same for the functions of matchers, which then don't match.
func (m *Mock) guardConditions(conditions []stub.Condition) {
	for i := range conditions {
		f, want := conditions[i].Match, conditions[i].Want
		conditions[i].Match = func(r *wire.Request) (ok bool) {
			defer func() {
				if v := recover(); v != nil {
					m.fail(fmt.Sprintf("mimus: the function of a matcher panicked (%s): %v", want, v))
					ok = false
				}
			}()
			return f(r)
		}
	}
}
