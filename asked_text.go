package mimus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/redact"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// view is what a check looks at.
type view struct {
	// found meet the matchers; others are of the same kind and don't.
	found, others []*journal.Entry
	// unread could not be read as a request, but their bodies are known; broken are not even known whole.
	unread, broken []*journal.Entry
	total          int
	forgotten      bool
}

func (a Asked) look() view {
	entries, forgotten := a.m.journal.Entries()
	v := view{total: len(entries), forgotten: forgotten}
	for i := range entries {
		e := &entries[i]
		switch {
		case e.Request == nil && (e.Reason == "too-large" || e.Reason == "cut-off" || e.Reason == "content-encoding"):
			v.broken = append(v.broken, e)
		case e.Request == nil && e.Endpoint == "" && e.Reason == "unknown-path", e.Request != nil && e.Request.Kind != a.kind:
		case e.Request == nil:
			v.unread = append(v.unread, e)
		case len(misses(a.conditions, e.Request)) == 0:
			v.found = append(v.found, e)
		default:
			v.others = append(v.others, e)
		}
	}
	return v
}

// misses are the conditions that a request doesn't meet.
func misses(conditions []stub.Condition, r *wire.Request) []stub.Condition {
	var failed []stub.Condition
	for _, c := range conditions {
		if !c.Match(r) {
			failed = append(failed, c)
		}
	}
	return failed
}

// unproven says why nothing can be said about all requests, "" where something can.
func (v view) unproven() string {
	switch {
	case v.forgotten:
		return "older requests are forgotten; mimus.Keep(n) remembers more"
	case len(v.broken) > 0:
		return fmt.Sprintf("%s did not come whole (%s)", count(len(v.broken), "request"), v.broken[0].Reason)
	}
	return ""
}

// unsure begins the message of a check that fails, but might not if everything were known.
func (v view) unsure() string {
	if why := v.unproven(); why != "" {
		return "not provable, for " + why + ": "
	}
	return ""
}

// mostShown is how many requests a message shows.
const mostShown = 3

// fail says what is wrong, and shows the requests that help to see why. Secrets are hidden.
func (a Asked) fail(v view, format string, args ...any) {
	a.m.tb.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "mimus: "+format, args...)
	switch {
	case v.total == 0:
		b.WriteString("\nnothing was asked at all: is the code under test given m.Client(), or m.URL?")
	case len(v.found) > 0:
		fmt.Fprintf(&b, "\nthe last requests %s:", a.about())
		for _, e := range v.found[max(0, len(v.found)-mostShown):] {
			b.WriteString("\n- " + a.line(e))
		}
	case len(v.others) > 0:
		fmt.Fprintf(&b, "\nthe nearest of %s:", count(v.total, "request"))
		for _, e := range a.nearest(v.others) {
			b.WriteString("\n- " + a.line(e))
		}
	default:
		fmt.Fprintf(&b, "\nof %s, none was for %s:", count(v.total, "request"), a.kind)
		entries, _ := a.m.journal.Entries()
		for i := max(0, len(entries)-mostShown); i < len(entries); i++ {
			e := &entries[i]
			fmt.Fprintf(&b, "\n- request %d, %s %s%s: %d %s", e.Seq, e.Probe.Method, e.Probe.Host, e.Probe.Path, e.Status, e.Reason)
		}
	}
	a.m.tb.Error(redact.Text(b.String()))
}

// nearest are those that miss the fewest conditions, the later ones first where they miss as many.
func (a Asked) nearest(entries []*journal.Entry) []*journal.Entry {
	near := slices.Clone(entries)
	slices.SortStableFunc(near, func(x, y *journal.Entry) int {
		return cmp.Or(
			cmp.Compare(len(misses(a.conditions, x.Request)), len(misses(a.conditions, y.Request))),
			cmp.Compare(y.Seq, x.Seq))
	})
	return near[:min(mostShown, len(near))]
}

// line shows one request: what was said in it, and why it is not one of those looked for.
func (a Asked) line(e *journal.Entry) string {
	const mostSaid = 300
	r := e.Request
	var b strings.Builder
	fmt.Fprintf(&b, "request %d, %s", e.Seq, r.Endpoint)
	if r.Model != "" {
		b.WriteString(" " + r.Model)
	}
	if said := r.LastUser(); said != "" {
		fmt.Fprintf(&b, ", user %q", shortened(said, mostSaid))
	} else if len(r.Inputs) > 0 {
		fmt.Fprintf(&b, ", texts %q", shortened(strings.Join(r.Inputs, ", "), mostSaid))
	}
	if tool, ok := r.AfterTool(); ok {
		fmt.Fprintf(&b, ", after the tool %q", tool)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, ", refused (%s)", e.Reason)
	}
	for _, c := range misses(a.conditions, r) {
		fmt.Fprintf(&b, "\n    %s wants %s", c.Key, c.Want)
		if c.Got != nil {
			b.WriteString(", got " + c.Got(r))
		}
	}
	return b.String()
}
