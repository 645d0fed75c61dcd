package pipeline_test

import (
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a provider with the simplest of wires: a request is a JSON object, an answer its text, a word a frame.
type fake struct {
	name string
	// panics lets Refuse panic, as a codec with a bug would.
	panics bool
}

func (f fake) Name() string { return f.name }

func (f fake) Endpoints() []wire.Endpoint {
	return []wire.Endpoint{
		{Name: f.name + ".chat", Kind: wire.Chat, Method: http.MethodPost, Suffix: "/" + f.name, Codec: fakeCodec{f}},
		{Name: f.name + ".models", Kind: wire.Models, Method: http.MethodGet, Suffix: "/" + f.name + "/list", Codec: fakeCodec{f}},
		{Name: f.name + ".count", Kind: wire.Resource, Method: http.MethodPost, Suffix: "/" + f.name + "/ask", Serve: func(c *wire.Call) wire.Response {
			p := *c.Probe
			p.Path = "/" + f.name
			return c.Env.Ask(&p)
		}},
	}
}

func (f fake) Owns(p *wire.Probe) int { return strings.Count(p.Host, f.name) }

func (f fake) Dialect(p *wire.Probe) string { return p.Header.Get("Dialect") }

func (f fake) Dialects() []string { return []string{"cousin of " + f.name} }

func (f fake) Refuse(_ *wire.Probe, failure *wire.Failure) wire.Response {
	if f.panics {
		panic("no voice")
	}
	status := map[wire.FailureKind]int{
		wire.NotFound: 404, wire.Invalid: 400, wire.TooLarge: 413, wire.Auth: 401, wire.RateLimit: 429, wire.ServerError: 500,
	}[failure.Kind]
	if status == 0 {
		status = 503
	}
	return wire.Response{Status: status, Body: []byte(f.name + " " + failure.Rule + ": " + failure.Message + failure.Param)}
}

// fakeCodec panics, refuses and admits as the request's fields say.
type fakeCodec struct{ fake }

type fakeRequest struct {
	Text, Model, Panic, Refuse, Result string
	Stream                             bool
	Max                                *int64
	Stop                               []string
}

func (f fakeCodec) Decode(c *wire.Call) *wire.Failure {
	c.Request = c.NewRequest(f.fake)
	if c.Request.Kind == wire.Models {
		return nil
	}
	var r fakeRequest
	if err := json.Unmarshal(c.Probe.Body, &r); err != nil {
		return &wire.Failure{Kind: wire.Invalid, Rule: "json"}
	}
	if r.Panic == "decode" {
		panic("decode")
	}
	c.Request.Model, c.Request.Stream = r.Model, r.Stream
	c.Request.Settings.MaxTokens, c.Request.Settings.Stop = r.Max, r.Stop
	parts := []wire.Part{wire.Text{Text: r.Text}}
	if r.Result != "" {
		parts = []wire.Part{wire.ToolResult{ID: r.Result, Text: "ok"}}
	}
	c.Request.Messages = []wire.Message{{Role: wire.User, Parts: parts}}
	c.Request.Native = &r
	return nil
}

// Gate wants a key.
func (f fake) Gate(c *wire.Call) *wire.Failure {
	if c.Probe.Header.Get("Key") != "good" {
		return &wire.Failure{Kind: wire.Auth, Rule: "key"}
	}
	return nil
}

func (f fakeCodec) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		if r, ok := c.Request.Native.(*fakeRequest); ok && r.Refuse != "" {
			yield(wire.Violation{Rule: r.Refuse, Sure: true, Failure: &wire.Failure{Kind: wire.Invalid}})
		}
	}
}

func (f fakeCodec) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	return wire.Complete(c, r, "call_"), nil
}

func (f fakeCodec) Encode(c *wire.Call) wire.Encoder { return &fakeEncoder{} }

func (f fakeCodec) Refuse(c *wire.Call, failure *wire.Failure) wire.Response {
	return f.fake.Refuse(c.Probe, failure)
}

func (f fakeCodec) Read(*wire.ResponseHead, io.Reader) iter.Seq2[wire.Event, error] {
	return func(func(wire.Event, error) bool) {}
}

type fakeEncoder struct{ folder wire.Folder }

func (e *fakeEncoder) Head() (int, wire.Header, wire.Framing) { return 200, nil, wire.NDJSON{} }

func (e *fakeEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	e.folder.Add(ev)
	if ev.Op == wire.Delta {
		dst = append(dst, wire.Frame{Data: []byte(ev.Text), Tokens: ev.Tokens})
	}
	return dst
}

func (e *fakeEncoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	return append(dst, wire.Frame{Data: []byte("error " + f.Kind)})
}

func (e *fakeEncoder) Whole() wire.Response {
	var text strings.Builder
	text.WriteString(strings.Join(e.folder.Reply.Models, ","))
	for _, a := range e.folder.Reply.Choices {
		for _, p := range a.Parts {
			switch p := p.(type) {
			case wire.Text:
				text.WriteString(p.Text)
			case wire.ToolCall:
				text.WriteString(p.ID)
			}
		}
		text.WriteString("|" + string(a.Stop))
	}
	return wire.Response{Status: 200, Body: []byte(text.String())}
}

// bench is a handler with all that it works with.
type bench struct {
	*pipeline.Handler

	space     *engine.Space
	journal   *journal.Journal
	unmatched []string
}

func newBench(t *testing.T, change func(*pipeline.Config), stubs ...*stub.Stub) *bench {
	t.Helper()
	b := &bench{space: engine.NewSpace("", 1), journal: journal.New(0, 0)}
	c := pipeline.Config{
		Providers: []wire.Provider{fake{name: "finch"}, fake{name: "wren"}}, Space: b.space, Journal: b.journal,
		Unmatched: func(err error) { b.unmatched = append(b.unmatched, err.Error()) },
	}
	if change != nil {
		change(&c)
	}
	b.Handler = pipeline.New(c)
	for _, s := range stubs {
		s.Origin = stub.File
		if s.Priority == 0 {
			s.Priority = stub.DefaultPriority
		}
		b.space.Add(s)
	}
	return b
}

// ask sends a request that the provider would accept, but for what change does to it.
func (b *bench) ask(t *testing.T, path, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Key", "good")
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w
}

// last is the newest entry of the journal.
func (b *bench) last(t *testing.T) journal.Entry {
	t.Helper()
	entries, _ := b.journal.Entries()
	if len(entries) == 0 {
		t.Fatal("nothing is in the journal")
	}
	return entries[len(entries)-1]
}

// answers is a stub for everything that gives these one after the other.
func answers(list ...stub.Answer) *stub.Stub { return &stub.Stub{Name: "it", Answers: list} }

func text(s string) stub.Answer {
	return stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: s}}}}}
}

func failure(kind wire.FailureKind) stub.Answer { return stub.Answer{Error: &stub.Error{Kind: kind}} }
