package pipeline_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func noKey(r *http.Request) { r.Header.Del("Key") }

// TestGates holds their order: credentials, also where the body says nothing; the failures that a provider gives before it
// looks; what it refuses; and that no stub matched. What is refused consumes nothing.
func TestGates(t *testing.T) {
	t.Parallel()
	early := []stub.Answer{
		failure(wire.RateLimit), failure(wire.Quota), failure(wire.Overloaded), failure(wire.Auth), failure(wire.Permission),
		failure(wire.ServerError), failure(wire.Timeout), failure(wire.TooLarge),
		{Raw: &stub.Raw{Status: 503}},
	}
	late := []stub.Answer{text("a"), failure(wire.ContextLength), failure(wire.ContentFilter), {Error: &stub.Error{Kind: wire.RateLimit, AfterEvents: new(0)}}}
	for _, tt := range []struct {
		name   string
		body   string
		change func(*http.Request)
		answer []stub.Answer // each in a stub of its own
		reason string        // "": the stub answers
	}{
		{"no key", `{}`, noKey, append(early, late...), "key"},
		{"no key, no JSON", `{`, noKey, append(early, late...), "key"},
		{"no JSON", `{`, func(*http.Request) {}, append(early, late...), "json"},
		{"an early failure comes before the rules", `{"refuse":"rule"}`, func(*http.Request) {}, early, ""},
		{"a late one does not", `{"refuse":"rule"}`, func(*http.Request) {}, late, "rule"},
		{"all is well", `{}`, func(*http.Request) {}, append(early, late...), ""},
	} {
		for i, a := range tt.answer {
			s := answers(a, text("second"))
			s.Times = 1
			b := newBench(t, nil, s)
			b.ask(t, "/v1/finch", tt.body, tt.change)
			if got := b.last(t).Reason; got != tt.reason {
				t.Errorf("%s, answer %d: reason %q, want %q", tt.name, i, got, tt.reason)
			}
			if used := b.space.Uses(s) == 1; used != (tt.reason == "") {
				t.Errorf("%s, answer %d: the stub is used: %t", tt.name, i, used)
			}
		}
	}
	b := newBench(t, nil)
	if w := b.ask(t, "/v1/finch", `{"refuse":"rule"}`); w.Code != 400 || b.last(t).Reason != "rule" {
		t.Errorf("without a stub: %d %q, want the provider's refusal", w.Code, b.last(t).Reason)
	}
}

func TestNoStub(t *testing.T) {
	t.Parallel()
	near := answers(text("a"))
	near.Name, near.When = "parcels", stub.About("PX-AI-8102")
	b := newBench(t, nil, near)
	w := b.ask(t, "/v1/wren", `{"text":"Where is my parcel?","model":"wren-1"}`)
	const want = `wren no-stub: mimus: no stub answers this wren.chat request for wren-1; the nearest:
- parcels: about wants "PX-AI-8102", got "Where is my parcel?"`
	if w.Code != 404 || w.Body.String() != want || w.Header().Get("X-Mimus-Reason") != "no-stub" || w.Header().Get("X-Should-Retry") != "false" {
		t.Errorf("got %d %v\n%s\nwant %s", w.Code, w.Header(), w.Body, want)
	}
	e := b.last(t)
	if e.Matched || e.Reason != "no-stub" || len(e.Near) != 1 || e.Request == nil || len(b.unmatched) != 1 {
		t.Errorf("the journal has %+v, and %q was called", e, b.unmatched)
	}
	if w := newBench(t, nil).ask(t, "/v1/wren", `{}`); !strings.HasSuffix(w.Body.String(), "request; there are no stubs") {
		t.Errorf("without stubs: %s", w.Body)
	}
}

func TestRouting(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *pipeline.Config) { c.As = "cousin of wren" }, answers(text("hello")))
	get := func(r *http.Request) { r.Method = http.MethodGet }
	for _, tt := range []struct {
		name, path string
		change     func(*http.Request)
		status     int
		body       string
		dialect    string
	}{
		{"any prefix", "/any/thing/wren", nil, 200, "hello|complete", "cousin of wren"},
		{"as somebody", "/as/cousin%20of%20finch/v1/wren", nil, 200, "hello|complete", "cousin of finch"},
		{"as nobody", "/as/nobody/v1/wren", nil, 404, "finch unknown-dialect: mimus: /as/nobody: no provider or vendor of that name; there are finch, cousin of finch, wren, cousin of wren", ""},
		{"an unknown path", "/v1/eagle", nil, 404, "finch unknown-path: ", "cousin of wren"},
		{"an unknown path of a known host", "/v1/eagle", func(r *http.Request) { r.Host = "API.wren.test:443" }, 404, "wren unknown-path: ", "cousin of wren"},
		{"a wrong method", "/v1/wren", get, 400, "finch wrong-method: ", "cousin of wren"},
		{"a model list without a stub", "/v1/wren/list", get, 200, "wren-1,wren-2", "cousin of wren"},
		{"a service made of another", "/v1/finch/ask", nil, 200, "hello|complete", "cousin of wren"},
	} {
		b.journal.Reset()
		b2 := newBench(t, func(c *pipeline.Config) {
			c.Journal, c.As, c.Models = b.journal, "cousin of wren", []string{"wren-1", "wren-2"}
		}, answers(text("hello")))
		change := tt.change
		if change == nil {
			change = func(*http.Request) {}
		}
		w := b2.ask(t, tt.path, `{}`, change)
		if got := b.last(t).Probe.Dialect; w.Code != tt.status || w.Body.String() != tt.body || got != tt.dialect {
			t.Errorf("%s: got %d %q as %q; want %d %q as %q", tt.name, w.Code, w.Body, got, tt.status, tt.body, tt.dialect)
		}
	}
}

// TestAsk puts both requests into the journal: the one that came, and the one that it was made of.
func TestAsk(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil, answers(text("hello")))
	b.ask(t, "/v1/finch/ask", `{}`)
	entries, _ := b.journal.Entries()
	if len(entries) != 2 || entries[0].Endpoint != "finch.chat" || entries[1].Endpoint != "finch.count" || string(entries[0].Body()) != "hello|complete" {
		t.Errorf("got %+v", entries)
	}
}

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, s)
	_ = z.Close()
	return b.String()
}

func TestBodies(t *testing.T) {
	t.Parallel()
	encoding := func(name string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Content-Encoding", name) }
	}
	chunked := func(r *http.Request) { r.ContentLength = -1 }
	cut := func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(`{"te`), failing{})), 100
	}
	long := `{"text":"` + strings.Repeat("x", 2000) + `"}`
	for _, tt := range []struct {
		name, body string
		change     func(*http.Request)
		status     int
		reason     string
	}{
		{"plain", `{}`, nil, 200, ""},
		{"in chunks", `{}`, chunked, 200, ""},
		{"empty", ``, nil, 400, "json"},
		{"gzip", zipped(`{}`), encoding("gzip"), 200, ""},
		{"gzip by its old name, in chunks", zipped(`{}`), func(r *http.Request) { encoding("X-GZIP")(r); chunked(r) }, 200, ""},
		{"identity", `{}`, encoding("identity"), 200, ""},
		{"no gzip", `{}`, encoding("gzip"), 400, "content-encoding"},
		{"half a gzip", zipped(`{}`)[:20], encoding("gzip"), 400, "content-encoding"},
		{"another encoding", `{}`, encoding("br"), 400, "content-encoding"},
		{"too long", long, nil, 413, "too-large"},
		{"too long, in chunks", long, chunked, 413, "too-large"},
		{"too long once unpacked", zipped(long), encoding("gzip"), 413, "too-large"},
		{"cut off", ``, cut, 400, "cut-off"},
	} {
		b := newBench(t, func(c *pipeline.Config) { c.MaxBody = 1000 }, answers(text("a")))
		change := tt.change
		if change == nil {
			change = func(*http.Request) {}
		}
		w := b.ask(t, "/v1/finch", tt.body, change)
		e := b.last(t)
		if w.Code != tt.status || e.Reason != tt.reason || e.HungUp != (tt.name == "cut off") {
			t.Errorf("%s: got %d, reason %q, hung up %t; want %d, %q", tt.name, w.Code, e.Reason, e.HungUp, tt.status, tt.reason)
		}
		if tt.status == 400 && !strings.HasPrefix(w.Body.String(), "finch ") {
			t.Errorf("%s: the refusal is not the provider's: %s", tt.name, w.Body)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

// TestPanics answer as the provider would, or plainly; the server goes on.
func TestPanics(t *testing.T) {
	t.Parallel()
	makes := answers(stub.Answer{Make: func(*wire.Request) stub.Answer { panic("make") }}, text("second"))
	b := newBench(t, nil, makes)
	if w := b.ask(t, "/v1/finch", `{"panic":"decode"}`); w.Code != 500 || w.Body.String() != "finch panic: mimus: internal error: decode" {
		t.Errorf("a codec that panics: %d %s", w.Code, w.Body)
	}
	if w := b.ask(t, "/v1/finch", `{}`); w.Code != 500 || b.last(t).Reason != "panic" {
		t.Errorf("a function that panics: %d %s", w.Code, w.Body)
	}
	if w := b.ask(t, "/v1/finch", `{}`); w.Body.String() != "second|complete" {
		t.Errorf("the next answer: %d %s", w.Code, w.Body)
	}
	b = newBench(t, func(c *pipeline.Config) { c.Providers = []wire.Provider{fake{name: "finch", panics: true}} })
	if w := b.ask(t, "/v1/nowhere", `{}`); w.Code != 500 || w.Body.String() != "mimus: internal error: no voice\n" {
		t.Errorf("a provider that panics whatever it is asked: %d %s", w.Code, w.Body)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	const answer = "one two three four five" // six tokens of four characters
	for _, tt := range []struct {
		name, body string
		enforce    bool
		want       string
		warned     bool
	}{
		{"none", `{}`, true, answer + "|complete", false},
		{"within", `{"max":6,"stop":["nine"]}`, true, answer + "|complete", false},
		{"tokens", `{"max":2}`, true, "one two |length", false},
		{"no token at all", `{"max":0}`, true, "|length", false},
		{"a stop sequence", `{"stop":["four","three"]}`, true, "one two |stop_sequence", false},
		{"a stop sequence before the tokens end", `{"max":3,"stop":["two"]}`, true, "one |stop_sequence", false},
		{"a stop sequence after the tokens end", `{"max":2,"stop":["four"]}`, true, "one two |length", false},
		{"beyond, sent whole", `{"max":2}`, false, answer + "|complete", true},
	} {
		s := answers(text(answer))
		s.EnforceLimits = tt.enforce
		b := newBench(t, nil, s)
		w := b.ask(t, "/v1/finch", tt.body)
		if w.Body.String() != tt.want || len(b.last(t).Warnings) > 0 != tt.warned {
			t.Errorf("%s: got %q, warnings %q; want %q", tt.name, w.Body, b.last(t).Warnings, tt.want)
		}
	}
}

// TestCallsAreRemembered knows the tool of a call that another request was answered with.
func TestCallsAreRemembered(t *testing.T) {
	t.Parallel()
	call := answers(stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.ToolCall{Name: "track", Arguments: "{}"}}}}})
	after := answers(text("out for delivery"))
	after.When = []stub.Condition{stub.AfterTool("track")}
	b := newBench(t, nil, call, after)
	id, _, _ := strings.Cut(b.ask(t, "/v1/finch", `{"text":"where?"}`).Body.String(), "|")
	if w := b.ask(t, "/v1/finch", `{"result":"`+id+`"}`); w.Body.String() != "out for delivery|complete" {
		t.Errorf("after the result of %s: %d %s", id, w.Code, w.Body)
	}
	if w := b.ask(t, "/v1/finch", `{"result":"call_unknown"}`); w.Code != 404 {
		t.Errorf("after the result of a call that nobody made: %d %s", w.Code, w.Body)
	}
}

// TestHeaders lets a stub add to the provider's headers, but not frame the message.
func TestHeaders(t *testing.T) {
	t.Parallel()
	a := text("hello")
	a.Headers = wire.Header{{Name: "X-Team", Value: "a"}, {Name: "X-Team", Value: "b"}, {Name: "Content-Length", Value: "1"}}
	raw := stub.Answer{Raw: &stub.Raw{Status: 418, Headers: a.Headers, Chunks: []string{"I'm a ", "teapot"}}}
	b := newBench(t, nil, answers(a, raw))
	for _, want := range []string{`200 "hello|complete" ["a" "b"]`, `418 "I'm a teapot" ["a" "b"]`} {
		w := b.ask(t, "/v1/finch", `{}`)
		if got := fmt.Sprintf("%d %q %q", w.Code, w.Body, w.Header()["X-Team"]); got != want || w.Header().Get("Content-Length") == "1" {
			t.Errorf("got %s %v, want %s", got, w.Header(), want)
		}
	}
}

// TestJournalWhileAnswering reads the journal while requests are answered, for the race detector.
func TestJournalWhileAnswering(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(c *pipeline.Config) { c.Unmatched = nil }, answers(text("hello")))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				b.ask(t, "/v1/finch", `{"text":"hello","stream":true}`)
				b.ask(t, "/v1/finch", `{"refuse":"rule"}`)
				b.ask(t, "/v1/nowhere", `{}`)
			}
		})
		all.Go(func() {
			for range 100 {
				entries, _ := b.journal.Entries()
				for _, e := range entries {
					if e.Outcome != journal.Open && e.Status == 0 {
						t.Errorf("an entry that is over has no status: %+v", e)
					}
					if e.Request != nil {
						_ = e.Request.Conversation()
					}
				}
			}
		})
	}
	all.Wait()
}
