package pipeline_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/memnet"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestRetries holds what the second request gets when the first had no luck: a failure that was asked for is a step, a
// whole answer that did not leave whole is owed.
func TestRetries(t *testing.T) {
	t.Parallel()
	slow := &stub.Pace{TokensPerSecond: 1}
	with := func(change func(*stub.Answer)) stub.Answer {
		a := text("one two three")
		change(&a)
		return a
	}
	for _, tt := range []struct {
		name    string
		first   stub.Answer
		body    string
		seen    string // by a client that waits for a second and a half
		outcome journal.Outcome
		hungUp  bool
		fault   string
		owed    bool
	}{
		{"whole", text("one two three"), `{"stream":true}`, "one \ntwo \nthree\n", journal.Whole, false, "", false},
		{"too late", with(func(a *stub.Answer) { a.Delay = time.Hour }), `{}`, "", journal.ClientGone, true, "", true},
		{"too slow", with(func(a *stub.Answer) { a.Pace = slow }), `{"stream":true}`, "one \ntwo \n", journal.ClientGone, true, "", true},
		{"an error", failure(wire.RateLimit), `{}`, "finch : ", journal.Whole, false, "error: rate_limit", false},
		{"a late error", with(func(a *stub.Answer) { a.Delay, a.Error = time.Hour, &stub.Error{Kind: wire.RateLimit} }), `{}`, "", journal.ClientGone, true, "error: rate_limit", false},
		{"a drop", with(func(a *stub.Answer) { a.DropAfter = new(1) }), `{"stream":true}`, "one \n", journal.Whole, false, "drop", false},
		{"a cut", with(func(a *stub.Answer) { a.CutOffAfter = new(1) }), `{"stream":true}`, "one \n", journal.Whole, false, "cut off", false},
		{"a hang", with(func(a *stub.Answer) { a.HangAfter = new(2) }), `{"stream":true}`, "one \ntwo \n", journal.Whole, true, "hang", false},
		{"a stall", with(func(a *stub.Answer) { a.StallAfter, a.StallFor = new(1), time.Hour }), `{"stream":true}`, "one \n", journal.ClientGone, true, "stall", false},
		{
			"too slow for a stall to begin", with(func(a *stub.Answer) { a.Pace, a.StallAfter, a.StallFor = slow, new(3), time.Hour }),
			`{"stream":true}`, "one \ntwo \n", journal.ClientGone, true, "stall", true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := answers(tt.first, text("second"), text("third"))
				b := newBench(t, nil, s)
				client := overMemory(t, b)
				ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
				defer cancel()
				if got := post(ctx, t, client, tt.body); got != tt.seen {
					t.Errorf("the client sees %q, want %q", got, tt.seen)
				}
				synctest.Wait()
				e := b.last(t)
				if e.Outcome != tt.outcome || e.HungUp != tt.hungUp || e.Fault != tt.fault || string(e.Body()) != tt.seen {
					t.Errorf("the journal says %v, hung up %t, fault %q, %q; want %v, %t, %q", e.Outcome, e.HungUp, e.Fault, e.Body(), tt.outcome, tt.hungUp, tt.fault)
				}
				if got := post(t.Context(), t, client, `{"text":"another"}`); got != "second|complete" {
					t.Errorf("another request gets %q", got)
				}
				want := "third|complete"
				if tt.owed {
					want = strings.Join(strings.Fields("one two three"), " ") + "|complete"
				}
				got := post(t.Context(), t, client, tt.body)
				if got = strings.ReplaceAll(got, "\n", ""); strings.TrimSuffix(got, "|complete") != strings.TrimSuffix(want, "|complete") {
					t.Errorf("the same request gets %q, want %q", got, want)
				}
			})
		})
	}
}

// overMemory serves a handler in memory, and gives a client.
func overMemory(t *testing.T, h http.Handler) *http.Client {
	t.Helper()
	n := memnet.New()
	s := &http.Server{Handler: h}
	transport := n.Transport()
	var served sync.WaitGroup
	served.Go(func() { _ = s.Serve(n.Listen()) })
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
		n.Close()
		served.Wait()
	})
	return &http.Client{Transport: transport}
}

// post is what a client reads of an answer, until that ends in whatever way.
func post(ctx context.Context, t *testing.T, client *http.Client, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://finch.test/v1/finch", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Key", "good")
	resp, err := client.Do(r)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return string(b)
}
