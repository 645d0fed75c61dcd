package mimus_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// conversation is a chat that went to a tool and back.
const conversation = `{"model":"gpt-4.1-mini","stream":true,"tools":[{"type":"function","function":{"name":"track_parcel","parameters":{"type":"object"}}}],"messages":[
	{"role":"system","content":"You are terse."},
	{"role":"user","content":"Where is PX-AI-8102 now?"},
	{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"track_parcel","arguments":"{\"street\":\"Hauptstra\\u00dfe\"}"}}]},
	{"role":"tool","tool_call_id":"call_1","content":"{\"state\":\"OUT\"}"}]}`

func chatBody(tb testing.TB, body string) *http.Request {
	tb.Helper()
	r := question(tb, "openai.chat", false, "")
	r.Body, r.ContentLength, r.GetBody = io.NopCloser(strings.NewReader(body)), int64(len(body)), nil
	return r
}

func TestMatchers(t *testing.T) {
	t.Parallel()
	// afterwards lets the conversation above match although a tool result came last.
	afterwards := mimus.AfterTool("track_parcel")
	cases := []struct {
		name    string
		matches []mimus.Matcher
		not     []mimus.Matcher
	}{
		{"about", []mimus.Matcher{mimus.About("PX-AI-8102", "terse"), afterwards}, []mimus.Matcher{mimus.About("PX-AI-8102", "Verbose"), afterwards}},
		{"about, in JSON inside JSON", []mimus.Matcher{mimus.About("Hauptstraße"), afterwards}, []mimus.Matcher{mimus.About("hauptstraße"), afterwards}},
		{"about an expression", []mimus.Matcher{mimus.About(regexp.MustCompile(`PX-AI-\d{4}`)), afterwards}, []mimus.Matcher{mimus.About(regexp.MustCompile(`PX-AI-\d{5}`)), afterwards}},
		{"after a tool", []mimus.Matcher{mimus.AfterTool("track_parcel")}, []mimus.Matcher{mimus.AfterTool("get_weather")}},
		{"after any tool", []mimus.Matcher{mimus.AfterTool(mimus.AnyTool)}, []mimus.Matcher{mimus.AfterTool("any tool")}},
		{"tool result", []mimus.Matcher{mimus.ToolResult("OUT")}, []mimus.Matcher{mimus.ToolResult("IN_TRANSIT")}},
		{"offers", []mimus.Matcher{mimus.Offers("track_parcel"), afterwards}, []mimus.Matcher{mimus.Offers("get_weather"), afterwards}},
		{"provider", []mimus.Matcher{mimus.Wire("openai"), afterwards}, []mimus.Matcher{mimus.Wire("anthropic"), afterwards}},
		{"endpoint", []mimus.Matcher{mimus.Wire("openai.chat"), afterwards}, []mimus.Matcher{mimus.Wire("openai.responses"), afterwards}},
		{"model", []mimus.Matcher{mimus.Model("gpt-4*"), afterwards}, []mimus.Matcher{mimus.Model("gpt-4"), afterwards}},
		{"streamed", []mimus.Matcher{mimus.Streamed(), afterwards}, []mimus.Matcher{mimus.Whole(), afterwards}},
		{"system", []mimus.Matcher{mimus.System("terse"), afterwards}, []mimus.Matcher{mimus.System(mimus.Exactly("terse")), afterwards}},
		{"user", []mimus.Matcher{mimus.User(mimus.Exactly("Where is PX-AI-8102 now?")), afterwards}, []mimus.Matcher{mimus.User("terse"), afterwards}},
		{"header", []mimus.Matcher{mimus.Header("x-team", "parcels"), afterwards}, []mimus.Matcher{mimus.Header("X-Team", mimus.Exactly("parcel")), afterwards}},
		{"query", []mimus.Matcher{mimus.Query("lang", mimus.Exactly("de")), afterwards}, []mimus.Matcher{mimus.Query("lang", mimus.Exactly("d")), afterwards}},
		{"not", []mimus.Matcher{mimus.Not(mimus.About("weather")), afterwards}, []mimus.Matcher{mimus.Not(mimus.About("parcel"), mimus.About("PX")), afterwards}},
		{"all", []mimus.Matcher{mimus.All(mimus.About("PX"), afterwards)}, []mimus.Matcher{mimus.All(mimus.About("weather"), afterwards)}},
		{
			"a function",
			[]mimus.Matcher{mimus.Where("four messages or so", func(r *wire.Request) bool { return len(r.Messages) >= 3 }), afterwards},
			[]mimus.Matcher{mimus.Where("no tools", func(r *wire.Request) bool { return len(r.Tools) == 0 }), afterwards},
		},
		{"embeddings", []mimus.Matcher{afterwards}, []mimus.Matcher{mimus.Embeddings()}},
		{"model lists", []mimus.Matcher{afterwards}, []mimus.Matcher{mimus.ModelLists()}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := mimus.New(t, mimus.AllowUnmatched())
			m.On(c.not...).Priority(1).Reply(mimus.Text("wrong"))
			m.On(c.matches...).Priority(2).Reply(mimus.Text("right"))
			r := chatBody(t, conversation)
			r.URL.RawQuery = "lang=de"
			r.Header.Set("X-Team", "parcels")
			if got := do(m.Client(), r).text(t); got != "right" {
				t.Errorf("got %q", got)
			}
			m.Asked(c.matches...).Times(1)
			m.Asked(c.not...).Times(0)
		})
	}
}

// A stub that names no tool answers only where no result came since the user wrote; what was asked is not narrowed so.
func TestStubWithoutAfterTool(t *testing.T) {
	t.Parallel()
	m := mimus.New(t, mimus.AllowUnmatched())
	m.On(mimus.About("PX")).Reply(mimus.Text("wrong"))
	if got := do(m.Client(), chatBody(t, conversation)); got.status != http.StatusNotFound || !strings.Contains(got.body, "no tool result since the user wrote") {
		t.Errorf("got %+v", got)
	}
	m.Asked(mimus.About("PX")).Times(1)
}

// A matcher counts its conditions, so that a catch-all never hides a precise stub, and a function counts as one.
func TestWhichStubAnswers(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("none"))
	m.On(mimus.About("parcel")).Reply(mimus.Text("first of one"))
	m.On(mimus.Where("any", func(*wire.Request) bool { return true })).Reply(mimus.Text("second of one"))
	m.On(mimus.About("parcel", "twice")).Times(1).Reply(mimus.Text("two"))
	for _, c := range []struct{ say, want string }{
		{"hello", "second of one"}, {"a parcel", "first of one"}, {"a parcel, twice", "two"}, {"a parcel, twice", "first of one"},
	} {
		if got := askChat(t, m.Client(), c.say).text(t); got != c.want {
			t.Errorf("%s: got %q, want %q", c.say, got, c.want)
		}
	}
}

func TestSeveralReplies(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Named("steps").Reply(mimus.Text("one"), mimus.RateLimited(), mimus.Text("last"))
	var got []string
	for range 4 {
		a := askChat(t, m.Client(), "")
		if a.status != http.StatusOK {
			got = append(got, http.StatusText(a.status))
			continue
		}
		got = append(got, a.text(t))
	}
	if want := "one, Too Many Requests, last, last"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
