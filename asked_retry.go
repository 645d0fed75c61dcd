package mimus

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/journal"
)

// retry is a request that came again after an answer that was none.
type retry struct {
	of, by *journal.Entry
	wait   time.Duration
}

// retries are in the order in which they came. The same request after an answer that was good is no retry.
func (a Asked) retries(v view) []retry {
	last := map[uint64]*journal.Entry{}
	var out []retry
	for _, e := range v.found {
		key := a.m.space.Key(e.Probe)
		if before := last[key]; before != nil && failed(before) {
			out = append(out, retry{before, e, waited(before, e)})
		}
		last[key] = e
	}
	return out
}

// failed says whether a client may take an answer for a failure.
func failed(e *journal.Entry) bool {
	const firstError = 400
	return e.Outcome != journal.Whole || e.HungUp || e.Fault != "" || e.Status >= firstError
}

// waited is from the end of one answer to the next request.
func waited(before, e *journal.Entry) time.Duration {
	if before.Ended.IsZero() || before.Ended.After(e.Time) {
		return 0
	}
	return e.Time.Sub(before.Ended)
}

// Retried wants requests to have come again n times after an answer that was an error, or that broke. Retry i must have
// waited for at least waits[i] since then, and for the last of waits where there are more retries. [Asked.Waits] tells
// how long it was.
func (a Asked) Retried(n int, waits ...time.Duration) {
	a.m.tb.Helper()
	v := a.look()
	retries := a.retries(v)
	if len(retries) != n || v.unproven() != "" {
		a.fail(v, "%swant %s of requests %s, got %d%s", v.unsure(), count(n, "retry"), a.about(), len(retries), listWaits(retries))
		return
	}
	for i, r := range retries {
		if len(waits) == 0 {
			return
		}
		if least := waits[min(i, len(waits)-1)]; r.wait < least {
			a.fail(v, "retry %d of %d came after %s, want at least %s%s", i+1, n, r.wait, least, listWaits(retries))
			return
		}
	}
}

// Waits is how long each retry waited after the answer that failed.
func (a Asked) Waits() []time.Duration {
	var waits []time.Duration
	for _, r := range a.retries(a.look()) {
		waits = append(waits, r.wait)
	}
	return waits
}

func listWaits(retries []retry) string {
	if len(retries) == 0 {
		return ""
	}
	words := make([]string, len(retries))
	for i, r := range retries {
		words[i] = fmt.Sprintf("%s after a %d", r.wait, r.of.Status)
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// patience is how long a check waits for the mock to see that a client is gone. Nothing else is waited for.
const patience = 5 * time.Second

// HungUp wants the client to have closed the connection of some request before its answer had ended, so that a provider
// would stop there. It waits a little for the news to arrive.
func (a Asked) HungUp() {
	a.m.tb.Helper()
	var v view
	hungUp := false
	a.m.settled(patience, func() bool {
		v = a.look()
		hungUp = slices.ContainsFunc(v.found, func(e *journal.Entry) bool { return e.HungUp })
		open := slices.ContainsFunc(v.found, func(e *journal.Entry) bool { return e.Outcome == journal.Open })
		return hungUp || !open
	})
	switch open := slices.ContainsFunc(v.found, func(e *journal.Entry) bool { return e.Outcome == journal.Open }); {
	case hungUp:
	case open:
		a.fail(v, "%sthe client did not hang up on a request %s: it still holds the connection", v.unsure(), a.about())
	default:
		a.fail(v, "%sthe client did not hang up on a request %s: %s to the end", v.unsure(), a.about(), count(len(v.found), "answer"))
	}
}
