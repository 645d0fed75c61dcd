package mimus

import (
	"fmt"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Script answers in strict order, before every stub: the first request gets the first reply, and so on, in the order in
// which requests arrive. One more call than there are replies fails the test, and so does a reply that is left over.
//
// A step may be an [Exchange], with matchers. A request that doesn't fit the next step fails the test and gets a 404; the
// step waits for its own. A further call of Script goes on with the script.
//
// A failure that was asked for is a step, so that a retry gets the next one. A whole answer that did not leave whole,
// because the client timed out or hung up, is owed to the same request; others go on with the next step. Model lists are
// answered as usual, unless a step is one.
func (m *Mock) Script(replies ...Replier) {
	m.tb.Helper()
	if len(replies) == 0 {
		m.tb.Errorf("mimus: Script without replies: give it at least one, or leave it out to use stubs")
		return
	}
	if err := m.over(); err != nil {
		m.tb.Error(err)
		return
	}
	steps := make([]*stub.Stub, len(replies))
	_, before := m.space.Unasked()
	for i, r := range replies {
		if r == nil {
			m.tb.Errorf("mimus: reply %d of the Script is nil", i+1)
			return
		}
		g := r.reply()
		s := &stub.Stub{Kind: g.kind, AnyKind: g.any, Times: 1, Answers: []stub.Answer{m.guarded(g.answer)}}
		s.Name = fmt.Sprintf("reply %d of the script, %s", before+i+1, describe(&g.answer))
		for _, matcher := range g.matchers {
			if matcher == nil {
				m.tb.Errorf("mimus: the matcher of reply %d of the Script is nil", i+1)
				return
			}
			matcher.apply(s)
		}
		s.AnyKind = s.AnyKind && s.Kind == wire.Chat
		m.guardConditions(s.When)
		steps[i] = s
	}
	m.space.Script(steps...)
}

// Exchange is a step of a script that only a request with that condition may take.
func Exchange(matcher Matcher, r Replier) Replier { return exchange{matcher, r} }

type exchange struct {
	matcher Matcher
	r       Replier
}

func (e exchange) reply() given {
	if e.r == nil {
		return given{matchers: []Matcher{e.matcher}, any: true}
	}
	g := e.r.reply()
	g.matchers = append([]Matcher{e.matcher}, g.matchers...)
	return g
}

// scriptEnd fails the test for what is left of the script.
func (m *Mock) scriptEnd() {
	m.tb.Helper()
	left, steps := m.space.Unasked()
	for _, s := range left {
		m.tb.Errorf("mimus: the script of %d replies was not used up; nobody asked for %s", steps, s.Name)
	}
}
