package engine

import (
	"regexp"
	"slices"
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestSelection holds the one key by which stubs are chosen, part by part.
func TestSelection(t *testing.T) {
	t.Parallel()
	about := stub.About
	with := func(s *stub.Stub, change func(*stub.Stub)) *stub.Stub {
		change(s)
		return s
	}
	priority := func(n int) func(*stub.Stub) { return func(s *stub.Stub) { s.Priority = n } }
	origin := func(o stub.Origin) func(*stub.Stub) { return func(s *stub.Stub) { s.Origin = o } }
	for _, tt := range []struct {
		name  string
		stubs []*stub.Stub
		want  string
	}{
		{"no stub", nil, ""},
		{"the text must be there", []*stub.Stub{textStub("other", about("PX-AI-9")...)}, ""},
		{"letter case counts", []*stub.Stub{textStub("lower", about("px-ai-8102")...)}, ""},
		{"all texts must be there", []*stub.Stub{textStub("both", about("PX-AI-8102", "Leipzig")...)}, ""},
		{"files in written order", []*stub.Stub{textStub("first"), textStub("second")}, "first"},
		{"a catch-all hides no precise stub", []*stub.Stub{textStub("any"), textStub("precise", about("PX-AI-8102")...)}, "precise"},
		{"more texts are more conditions", []*stub.Stub{textStub("one", about("PX-AI-8102")...), textStub("two", about("PX-AI-8102", "Where")...)}, "two"},
		{"each entry of not is a condition", []*stub.Stub{
			textStub("one", about("PX-AI-8102")...), textStub("two", append(about("PX-AI-8102"), stub.Not(about("Berlin")...)...)...),
		}, "two"},
		{"any model counts nothing", []*stub.Stub{textStub("first"), textStub("second", stub.Model("*"))}, "first"},
		{"a model counts", []*stub.Stub{textStub("first"), textStub("second", stub.Model("gpt-*"))}, "second"},
		{"priority comes before everything", []*stub.Stub{
			textStub("precise", about("PX-AI-8102")...), with(textStub("urgent"), priority(1)),
		}, "urgent"},
		{"a fallback has a higher number", []*stub.Stub{with(textStub("fallback", about("PX-AI-8102")...), priority(9)), textStub("usual")}, "usual"},
		{"run-time stubs come before files", []*stub.Stub{textStub("file"), with(textStub("admin"), origin(stub.Runtime))}, "admin"},
		{"but not before more conditions", []*stub.Stub{textStub("file", about("PX-AI-8102")...), with(textStub("admin"), origin(stub.Runtime))}, "file"},
		{"the newest run-time stub comes first", []*stub.Stub{
			with(textStub("older"), origin(stub.Runtime)), with(textStub("newer"), origin(stub.Runtime)),
		}, "newer"},
		{"ours come before WireMock's", []*stub.Stub{with(textStub("wiremock", about("PX-AI-8102")...), origin(stub.WireMock)), textStub("ours")}, "ours"},
		{"WireMock's priority still comes first", []*stub.Stub{
			with(with(textStub("wiremock"), origin(stub.WireMock)), priority(1)), textStub("ours", about("PX-AI-8102")...),
		}, "wiremock"},
		{"WireMock's newest comes first, however many conditions", []*stub.Stub{
			with(textStub("older", about("PX-AI-8102")...), origin(stub.WireMock)), with(textStub("newer"), origin(stub.WireMock)),
		}, "newer"},
		{"another kind of endpoint", []*stub.Stub{with(textStub("vectors"), func(s *stub.Stub) { s.Kind = wire.Embeddings })}, ""},
		{"a stub that wants a tool result", []*stub.Stub{textStub("after", stub.AfterTool("any"))}, ""},
		{"a regular expression", []*stub.Stub{textStub("re", stub.User(stub.Matches(regexp.MustCompile(`\d{4}\?$`))))}, "re"},
		{"an equal text", []*stub.Stub{textStub("eq", stub.User(stub.Equals("Where is PX-AI-8102?")))}, "eq"},
		{"a part is not equal", []*stub.Stub{textStub("eq", stub.User(stub.Equals("PX-AI-8102")))}, ""},
		{"a short text", []*stub.Stub{textStub("short", about("?")...)}, "short"},
		{"the wire", []*stub.Stub{textStub("wire", stub.Wire("openai"))}, "wire"},
		{"the endpoint", []*stub.Stub{textStub("endpoint", stub.Wire("openai.chat"))}, "endpoint"},
		{"another wire", []*stub.Stub{textStub("wire", stub.Wire("anthropic"))}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := NewSpace("", 1)
			s.Add(tt.stubs...)
			if _, got := ask(s, chatRequest("Where is PX-AI-8102?")); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAfterTool holds which stub answers before, and which after a tool's result.
func TestAfterTool(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	s.Add(textStub("before"), textStub("after track", stub.AfterTool("track")), textStub("after any", stub.AfterTool(stub.AnyTool)))
	result := func(name string) wire.Message {
		return wire.Message{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{ID: "call_1", Name: name, Text: "ok"}}}
	}
	user := chatRequest("").Messages[0]
	user.Parts = []wire.Part{wire.Text{Text: "go on"}}
	for _, tt := range []struct {
		name string
		more []wire.Message
		want string
	}{
		{"no result", nil, "before"},
		{"the named tool", []wire.Message{result("track")}, "after track"},
		{"another tool", []wire.Message{result("weather")}, "after any"},
		{"a call that nobody knows", []wire.Message{result("")}, ""},
		{"the user wrote since", []wire.Message{result("track"), user}, "before"},
		{"the last result counts", []wire.Message{result("track"), result("weather")}, "after any"},
	} {
		r := chatRequest("hello")
		r.Messages = append(r.Messages, tt.more...)
		if _, got := ask(s, r); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestIndexAgrees asks for every kind of stub by the index, and by looking at all of them.
func TestIndexAgrees(t *testing.T) {
	t.Parallel()
	weather := stub.Condition{
		Key: "tool", Weight: 1, Label: stub.Label{Of: stub.OfTool, Value: "weather"},
		Match: func(r *wire.Request) bool { return r.Offers("weather") },
	}
	var stubs []*stub.Stub
	for _, when := range [][]stub.Condition{
		nil,
		{stub.Model("gpt-4.1-mini")},
		{stub.Model("gpt-*")},
		{stub.Model("other")},
		{stub.Wire("openai")},
		{stub.Wire("openai.chat")},
		{stub.Wire("anthropic")},
		{weather},
		{stub.AfterTool("track")},
		{stub.AfterTool(stub.AnyTool)},
		{stub.Stream(true)},
		{stub.System(stub.Contains("polite"))},
		{stub.User(stub.Contains("hello"))},
		{stub.User(stub.Equals("hello"))},
		stub.About("he", "lo"),
		stub.About("h"), stub.About("hello, you there"), stub.Not(stub.Model("other")),
		{stub.Model("gpt-4.1-mini"), weather},
	} {
		stubs = append(stubs, textStub("", when...))
	}
	tools := []wire.Tool{{Name: "weather"}, {Name: "weather"}, {Name: "other"}}
	for _, change := range []func(*wire.Request){
		func(*wire.Request) {},
		func(r *wire.Request) { r.Stream, r.Tools = true, tools },
		func(r *wire.Request) { r.System = "Be polite." },
		func(r *wire.Request) { r.Model = "other" },
		func(r *wire.Request) { r.Provider, r.Endpoint = "anthropic", "anthropic.messages" },
		func(r *wire.Request) { r.Kind = wire.Embeddings },
		func(r *wire.Request) {
			r.Messages = append(r.Messages, wire.Message{Parts: []wire.Part{wire.ToolResult{Name: "track"}}})
		},
	} {
		for _, text := range []string{"hello", "", "h", "oh, hello, you there!"} {
			r := chatRequest(text)
			change(r)
			var entries []*entry
			for i, st := range stubs {
				entries = append(entries, newEntry(st, i))
			}
			x := newIndex(entries)
			for range stubs {
				want := slices.IndexFunc(x.all, func(e *entry) bool { return !e.spent.Load() && e.matches(r) })
				got, _ := x.find(r)
				if want < 0 && got != nil || want >= 0 && got != x.all[want] {
					t.Fatalf("%q of %s: the index finds another stub than a look at all of them", text, r.Endpoint)
				}
				if got == nil {
					break
				}
				got.spent.Store(true) // and the next one
			}
		}
	}
}

// TestStubs shows the order of asking, and that a space can be changed.
func TestStubs(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	a, b, c := textStub("a"), textStub("b", stub.Stream(false)), textStub("c")
	c.Origin = stub.Runtime
	s.Add(a, b, c)
	if got, want := s.Stubs(), []*stub.Stub{b, c, a}; !slices.Equal(got, want) {
		t.Errorf("got %v, want b, c, a", got)
	}
	if !s.Remove(b) || s.Remove(b) {
		t.Error("a stub can be removed once")
	}
	s.Set(stub.File, []*stub.Stub{b})
	if got, want := s.Stubs(), []*stub.Stub{b, c}; !slices.Equal(got, want) {
		t.Errorf("got %v, want b, c", got)
	}
	if _, got := ask(s, chatRequest("hello")); got != "b" || s.Uses(b) != 1 || s.Uses(a) != 0 {
		t.Errorf("got %q, b used %d times, a %d times; want b once", got, s.Uses(b), s.Uses(a))
	}
}
