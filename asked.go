package mimus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Asked is what the mock was asked, narrowed by matchers. Its checks fail the test, and look at everything that came up to
// when they are made. A check that would need a request that the mock has forgotten fails as not provable.
type Asked struct {
	m          *Mock
	kind       wire.Kind
	conditions []stub.Condition
}

// Asked gives the chat requests that meet all the matchers: with [Embeddings] or [ModelLists] among them, those requests.
// Requests that nothing answered and that the provider refused count too.
func (m *Mock) Asked(matchers ...Matcher) Asked {
	m.tb.Helper()
	var s stub.Stub
	for i, matcher := range matchers {
		if matcher == nil {
			m.tb.Errorf("mimus: matcher %d of Asked is nil; to look at every request, give none", i+1)
			continue
		}
		matcher.apply(&s)
	}
	m.guardConditions(s.When)
	return Asked{m: m, kind: s.Kind, conditions: s.When}
}

// Requests are all requests so far that could be read, oldest first, whatever they ask for.
func (m *Mock) Requests() []*wire.Request {
	var requests []*wire.Request
	entries, _ := m.journal.Entries()
	for i := range entries {
		if r := entries[i].Request; r != nil {
			requests = append(requests, r)
		}
	}
	return requests
}

// Requests are the requests, oldest first.
func (a Asked) Requests() []*wire.Request {
	v := a.look()
	requests := make([]*wire.Request, len(v.found))
	for i, e := range v.found {
		requests[i] = e.Request
	}
	return requests
}

// Times wants exactly n requests.
func (a Asked) Times(n int) {
	a.m.tb.Helper()
	v := a.look()
	switch got := len(v.found); {
	case got > n:
		a.fail(v, "want %s %s, got %d", count(n, "request"), a.about(), got)
	case v.unproven() != "":
		a.fail(v, "not provable: want %s %s, and know of %d; %s", count(n, "request"), a.about(), got, v.unproven())
	case got < n:
		a.fail(v, "want %s %s, got %d", count(n, "request"), a.about(), got)
	}
}

// AtLeast wants n requests or more.
func (a Asked) AtLeast(n int) {
	a.m.tb.Helper()
	if v := a.look(); len(v.found) < n {
		a.fail(v, "%swant at least %s %s, got %d", v.unsure(), count(n, "request"), a.about(), len(v.found))
	}
}

// Contains wants some request to have sent a text, anywhere in its body, JSON inside strings included, or in what it
// continues. Names of JSON members are not searched.
func (a Asked) Contains(text string) {
	a.m.tb.Helper()
	v := a.look()
	for _, e := range v.found {
		if e.Request.Sent(text) {
			return
		}
	}
	if len(v.found) == 0 {
		a.fail(v, "%sno request %s, so none that contains %q", v.unsure(), a.about(), text)
		return
	}
	a.fail(v, "%sno request of %d %s contains %q", v.unsure(), len(v.found), a.about(), text)
}

// Omits wants no request to have sent a text. It fails where nothing was asked, for then nothing is proven.
func (a Asked) Omits(text string) {
	a.m.tb.Helper()
	v := a.look()
	for _, e := range v.found {
		if e.Request.Sent(text) {
			a.fail(v, "request %d %s contains %q", e.Seq, a.about(), text)
			return
		}
	}
	for _, e := range v.unread {
		if strings.Contains(string(e.Probe.Body), text) {
			a.fail(v, "request %d, which could not be read, contains %q", e.Seq, text)
			return
		}
	}
	switch {
	case v.unproven() != "":
		a.fail(v, "not provable: that no request %s contains %q; %s", a.about(), text, v.unproven())
	case len(v.found) == 0:
		a.fail(v, "no request %s, so that nothing is proven about %q", a.about(), text)
	}
}

// OfferedTool wants some request to offer the model a tool of that name.
func (a Asked) OfferedTool(name string) {
	a.m.tb.Helper()
	v := a.look()
	var offered []string
	for _, e := range v.found {
		if e.Request.Offers(name) {
			return
		}
		for _, t := range e.Request.Tools {
			offered = append(offered, t.Name)
		}
	}
	slices.Sort(offered)
	tools := "no tools were offered"
	if offered = slices.Compact(offered); len(offered) > 0 {
		tools = "offered were " + strings.Join(offered, ", ")
	}
	a.fail(v, "%sno request of %d %s offers the tool %s; %s", v.unsure(), len(v.found), a.about(), name, tools)
}

// InOrder wants a request for each of the matchers, each after the one before.
func (a Asked) InOrder(matchers ...Matcher) {
	a.m.tb.Helper()
	v := a.look()
	at := 0
	for i, matcher := range matchers {
		var s stub.Stub
		matcher.apply(&s)
		a.m.guardConditions(s.When)
		for at < len(v.found) && len(misses(s.When, v.found[at].Request)) > 0 {
			at++
		}
		if at == len(v.found) {
			after := ""
			if i > 0 {
				after = fmt.Sprintf(" after that of matcher %d", i)
			}
			a.fail(v, "%sno request for matcher %d of %d%s: %s", v.unsure(), i+1, len(matchers), after, describeConditions(s.When))
			return
		}
		at++
	}
}

// about says what the requests are narrowed to.
func (a Asked) about() string {
	if len(a.conditions) == 0 {
		return "for " + a.kind.String()
	}
	return "with " + describeConditions(a.conditions)
}

func describeConditions(conditions []stub.Condition) string {
	words := make([]string, len(conditions))
	for i, c := range conditions {
		words[i] = c.Key + " " + c.Want
	}
	if len(words) == 0 {
		return "any request"
	}
	return strings.Join(words, ", ")
}

func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case what == "retry":
		return fmt.Sprintf("%d retries", n)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
