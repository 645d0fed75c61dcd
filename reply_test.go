package mimus_test

import (
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// TestReplies reads every kind of answer back with each codec's own reader, streamed and whole.
func TestReplies(t *testing.T) {
	t.Parallel()
	call := func(id, name, arguments string) wire.Part {
		return wire.ToolCall{ID: id, Name: name, Arguments: arguments}
	}
	cases := []struct {
		name  string
		reply mimus.Reply
		text  string
		parts []wire.Part // besides texts
		stop  wire.Stop
		usage *wire.Usage
		// only are the endpoints that can carry it; all where it is nil.
		only []string
	}{
		{name: "text", reply: mimus.Text("Out for delivery in Köln 🚚."), text: "Out for delivery in Köln 🚚.", stop: wire.StopComplete},
		{name: "an empty text", reply: mimus.Text(""), stop: wire.StopComplete},
		{name: "JSON", reply: mimus.JSON(map[string]any{"b": 1, "a": nil}), text: `{"a":null,"b":1}`, stop: wire.StopComplete},
		{name: "usage", reply: mimus.Text("Hi").Usage(180, 24), text: "Hi", stop: wire.StopComplete, usage: &wire.Usage{Input: 180, Output: 24}},
		{
			name: "one call", reply: mimus.CallTool("track", `{"reference":"PX"}`), parts: []wire.Part{call("", "track", `{"reference":"PX"}`)},
			stop: wire.StopTools,
		},
		{
			name: "several calls after a text", reply: mimus.Text("Let me look.").CallTool("track", `{"n":1}`).CallTool("track", `{"n":2}`), text: "Let me look.",
			parts: []wire.Part{call("", "track", `{"n":1}`), call("", "track", `{"n":2}`)}, stop: wire.StopTools,
		},
		{
			name: "an id of one's own", reply: mimus.CallTools(mimus.Call{ID: "call_1", Name: "track", Arguments: `{}`}),
			parts: []wire.Part{call("call_1", "track", `{}`)}, stop: wire.StopTools,
		},
		{
			name: "arguments that are no JSON", reply: mimus.CallTool("track", `{"reference":`), parts: []wire.Part{call("", "track", `{"reference":`)},
			stop: wire.StopTools, only: []string{"openai.chat", "openai.responses"},
		},
		{
			name: "a refusal", reply: mimus.Refusal("I can't help with that."), parts: []wire.Part{wire.Refusal{Text: "I can't help with that."}},
			stop: wire.StopRefusal, only: []string{"openai.chat", "openai.responses"},
		},
		{
			name: "reasoning", reply: mimus.Text("No.").Reasoning("Hm"), text: "No.", parts: []wire.Part{wire.Reasoning{Text: "Hm"}}, stop: wire.StopComplete,
			only: []string{"openai.responses", "anthropic.messages", "gemini.generate"},
		},
		{name: "the limit of tokens", reply: mimus.OutputLimited("Out for"), text: "Out for", stop: wire.StopLength},
		{name: "a filter", reply: mimus.ContentFiltered("Out"), text: "Out", stop: wire.StopSafety, only: []string{"openai.chat", "openai.responses", "gemini.generate"}},
		{name: "a filter of Anthropic", reply: mimus.ContentFiltered("Out"), text: "Out", stop: wire.StopRefusal, only: []string{"anthropic.messages"}},
		{name: "a stop of one's own", reply: mimus.CallTool("track", `{}`).Stop(wire.StopComplete), parts: []wire.Part{call("", "track", `{}`)}, stop: wire.StopComplete, only: []string{"openai.chat", "anthropic.messages"}},
		{name: "a stop sequence", reply: mimus.Text("Out").StopSequence("END"), text: "Out", stop: wire.StopSequence, only: []string{"anthropic.messages"}},
		{name: "no valid output", reply: mimus.InvalidOutput(), text: "this is not valid structured output", stop: wire.StopComplete},
		{name: "parts", reply: mimus.Parts(wire.Text{Text: "one"}, wire.ToolCall{Name: "f", Arguments: "{}"}), text: "one", parts: []wire.Part{call("", "f", "{}")}, stop: wire.StopTools},
		{name: "split bytes", reply: mimus.Text("Köln 🚚").SplitBytes(1), text: "Köln 🚚", stop: wire.StopComplete},
	}
	for _, c := range cases {
		for _, endpoint := range chatEndpoints {
			if c.only != nil && !strings.Contains(strings.Join(c.only, " "), endpoint) {
				continue
			}
			for _, stream := range []bool{false, true} {
				t.Run(c.name+"/"+endpoint+streamWord(stream), func(t *testing.T) {
					t.Parallel()
					m := mimus.New(t)
					m.On().Reply(c.reply)
					a := do(m.Client(), question(t, endpoint, stream, ""))
					got, err := a.fold(endpoint, stream)
					if err != nil {
						t.Fatalf("%v\n%s", err, a.body)
					}
					if text := textIn(got); text != c.text {
						t.Errorf("got the text %q, want %q", text, c.text)
					}
					compareParts(t, got.Choices[0].Parts, c.parts)
					if got.Choices[0].Stop != c.stop {
						t.Errorf("got the stop %q, want %q", got.Choices[0].Stop, c.stop)
					}
					if c.usage != nil && (got.Usage == nil || *got.Usage != *c.usage) {
						t.Errorf("got the usage %+v, want %+v", got.Usage, c.usage)
					}
				})
			}
		}
	}
}

func streamWord(stream bool) string {
	if stream {
		return "/stream"
	}
	return "/whole"
}

// compareParts leaves out texts, ids that nobody gave, and signatures, which providers make.
func compareParts(t *testing.T, got, want []wire.Part) {
	t.Helper()
	var parts []wire.Part
	for _, p := range got {
		switch p := p.(type) {
		case wire.Text:
			continue
		case wire.ToolCall:
			if n := len(parts); n < len(want) {
				if w, ok := want[n].(wire.ToolCall); ok && w.ID == "" {
					p.ID = ""
				}
			}
			parts = append(parts, p)
		case wire.Reasoning:
			if p.Text == "" {
				continue // Gemini signs calls
			}
			parts = append(parts, wire.Reasoning{Text: p.Text})
		default:
			parts = append(parts, p)
		}
	}
	if len(parts) != len(want) {
		t.Fatalf("got the parts %+v, want %+v", parts, want)
	}
	for i := range want {
		if parts[i] != want[i] {
			t.Errorf("part %d: got %+v, want %+v", i, parts[i], want[i])
		}
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On(mimus.About("events")).Reply(mimus.Raw("data: {\"cho", "ices\":[]}\n\n").Header("x-team", "parcels"))
	m.On(mimus.About("page")).Reply(mimus.RawBody(502, "<html>Bad gateway</html>").Header("Retry-After", "3"))
	m.On(mimus.About("object")).Reply(mimus.RawBody(201, `{"a":1}`).Status(202))
	events := askStream(t, m.Client(), "events")
	if events.status != 200 || events.body != "data: {\"choices\":[]}\n\n" || events.header.Get("Content-Type") != "text/event-stream" || events.header.Get("X-Team") != "parcels" {
		t.Errorf("got %+v", events)
	}
	page := askChat(t, m.Client(), "page")
	if page.status != 502 || page.body != "<html>Bad gateway</html>" || !strings.HasPrefix(page.header.Get("Content-Type"), "text/plain") || page.header.Get("Retry-After") != "3" {
		t.Errorf("got %+v", page)
	}
	object := askChat(t, m.Client(), "object")
	if object.status != 202 || object.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %+v", object)
	}
}

func TestEmbedding(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On(mimus.About("PX")).Reply(mimus.Embedding(0.25, -0.5))
	m.On(mimus.Embeddings()).Reply(mimus.Embedding().Dimensions(8))
	vector := func(say string) []float32 {
		t.Helper()
		got, err := do(m.Client(), question(t, "openai.embeddings", false, say)).fold("openai.embeddings", false)
		if err != nil || len(got.Vectors) != 1 {
			t.Fatalf("got %+v, %v", got, err)
		}
		return got.Vectors[0]
	}
	if v := vector("Where is PX?"); len(v) != 2 || v[0] != 0.25 || v[1] != -0.5 {
		t.Errorf("got %v", v)
	}
	// The golden vector of docs/design.md.
	if v := vector("Lindenweg 14, 04109 Leipzig"); len(v) != 8 || !near(v[0], -0.2783799) || !near(v[7], 0.2358102) {
		t.Errorf("got %v", v)
	}
	m.Asked(mimus.Embeddings()).Times(2)
	m.Asked().Times(0)
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }

func TestModels(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	list := func() string { return do(m.Client(), question(t, "openai.models", false, "")).body }
	if usual := list(); !strings.Contains(usual, "gpt-") {
		t.Errorf("without a stub: %s", usual)
	}
	m.On(mimus.ModelLists()).Reply(mimus.Models("parcels-1"))
	if own := list(); !strings.Contains(own, `"parcels-1"`) || strings.Contains(own, "gpt-") {
		t.Errorf("with a stub: %s", own)
	}
	m.Asked(mimus.ModelLists()).Times(2)
}

func TestFunctionOfTheRequest(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Func(func(r *wire.Request) mimus.Replier {
		if strings.Contains(r.LastUser(), "weather") {
			return mimus.StatusError(http.StatusConflict, "no weather here")
		}
		return mimus.Text("You said: " + r.LastUser())
	}))
	if got := askStream(t, m.Client(), "Hi there").text(t); got != "You said: Hi there" {
		t.Errorf("got %q", got)
	}
	if got := askChat(t, m.Client(), "the weather"); got.status != http.StatusConflict || !strings.Contains(got.body, "no weather here") {
		t.Errorf("got %+v", got)
	}
}

// A modifier changes a copy, never the reply that it is called on.
func TestRepliesAreValues(t *testing.T) {
	t.Parallel()
	base := mimus.Text("Hello")
	_ = base.Reasoning("Hm").Text(" and more").CallTool("f", "{}").Usage(1, 2).CutAfter(0).Header("X-A", "b").Stop(wire.StopLength).Interrupted().Hang()
	failure := mimus.RateLimited()
	_ = failure.Message("other").RetryAfter(1).Header("X-A", "b").Code("c")
	m := mimus.New(t)
	m.Script(base, failure)
	a := askStream(t, m.Client(), "")
	if got := a.text(t); got != "Hello" || a.header.Get("X-A") != "" || !strings.HasSuffix(a.body, "[DONE]\n\n") {
		t.Errorf("got %+v", a)
	}
	if a := askChat(t, m.Client(), ""); strings.Contains(a.body, "other") || a.header.Get("X-A") != "" || !strings.Contains(a.body, "rate_limit_exceeded") {
		t.Errorf("got %+v", a)
	}
}

func TestChoices(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Choices(mimus.Text("one"), mimus.Text("two")))
	a := do(m.Client(), chatBody(t, `{"model":"gpt-4.1-mini","n":3,"messages":[{"role":"user","content":"Hi"}]}`))
	got, err := a.fold("openai.chat", false)
	if err != nil || len(got.Choices) != 3 || textIn(got) != "onetwotwo" {
		t.Errorf("got %+v, %v", got, err)
	}
}
