package mimus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/redact"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Asked is what the mock was asked, narrowed by matchers. Its checks fail the test.
type Asked struct {
	tb        testing.TB
	requests  []*wire.Request
	total     int
	forgotten bool
	about     string
}

// Asked gives the chat requests so far that meet all the matchers, unanswered ones included.
func (m *Mock) Asked(matchers ...Matcher) Asked {
	var s stub.Stub
	for _, matcher := range matchers {
		matcher.apply(&s)
	}
	entries, forgotten := m.journal.Entries()
	a := Asked{tb: m.tb, forgotten: forgotten}
	for _, c := range s.When {
		a.about += fmt.Sprintf(" %s %s", c.Key, c.Want)
	}
	for _, e := range entries {
		if e.Request == nil || e.Request.Kind != s.Kind {
			continue
		}
		a.total++
		if !slices.ContainsFunc(s.When, func(c stub.Condition) bool { return !c.Match(e.Request) }) {
			a.requests = append(a.requests, e.Request)
		}
	}
	return a
}

// Requests are the requests themselves, oldest first.
func (a Asked) Requests() []*wire.Request { return a.requests }

// Times wants exactly n requests.
func (a Asked) Times(n int) {
	a.tb.Helper()
	switch {
	case a.forgotten:
		a.tb.Errorf("mimus: not provable: the journal has forgotten older requests")
	case len(a.requests) != n:
		a.tb.Errorf("mimus: asked%s %d times, want %d (%d requests in all)", a.about, len(a.requests), n, a.total)
	}
}

// OfferedTool wants some request to offer a tool of that name.
func (a Asked) OfferedTool(name string) {
	a.tb.Helper()
	offered := map[string]bool{}
	for _, r := range a.requests {
		if r.Offers(name) {
			return
		}
		for _, t := range r.Tools {
			offered[t.Name] = true
		}
	}
	names := make([]string, 0, len(offered))
	for n := range offered {
		names = append(names, n)
	}
	slices.Sort(names)
	a.tb.Errorf("mimus: the tool %s was not offered by the %d requests%s; offered: %s", name, len(a.requests), a.about, strings.Join(names, ", "))
}

// Contains wants some request to have sent a text, anywhere in its body or in what it continues.
func (a Asked) Contains(text string) {
	a.tb.Helper()
	for _, r := range a.requests {
		if r.Sent(text) {
			return
		}
	}
	a.tb.Errorf("mimus: %q was not sent by the %d requests%s", redact.Text(text), len(a.requests), a.about)
}

// Omits wants no request to have sent a text. It fails where nothing was asked, or where the journal has forgotten.
func (a Asked) Omits(text string) {
	a.tb.Helper()
	switch {
	case a.forgotten:
		a.tb.Errorf("mimus: not provable: the journal has forgotten older requests")
		return
	case len(a.requests) == 0:
		a.tb.Errorf("mimus: nothing was asked%s (%d requests in all), so nothing is proven", a.about, a.total)
		return
	}
	for i, r := range a.requests {
		if r.Sent(text) {
			a.tb.Errorf("mimus: request %d%s sent %q", i+1, a.about, redact.Text(text))
		}
	}
}
