package mimus_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// asks sends requests with these texts, and a conversation that went to a tool.
func asks(t *testing.T, m *mimus.Mock, texts ...string) {
	t.Helper()
	m.On().Reply(mimus.Text("ok"))
	m.On(mimus.AfterTool(mimus.AnyTool)).Reply(mimus.Text("ok"))
	for _, text := range texts {
		if text == "a tool" {
			do(m.Client(), chatBody(t, conversation)).text(t)
			continue
		}
		askChat(t, m.Client(), text).text(t)
	}
}

func TestAsked(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"eta":{"type":"integer","minimum":1}},"required":["eta"]}`
	cases := []struct {
		name  string
		check func(m *mimus.Mock)
		says  []string // nil where the check passes
	}{
		{"times", func(m *mimus.Mock) { m.Asked(mimus.About("first")).Times(1) }, nil},
		{"no times", func(m *mimus.Mock) { m.Asked(mimus.About("nobody")).Times(0) }, nil},
		{"too few", func(m *mimus.Mock) { m.Asked(mimus.About("first")).Times(2) }, []string{"want 2 requests", `about "first"`, "got 1", "request 1, openai.chat gpt-4.1-mini", `user "the first"`}},
		{"too many", func(m *mimus.Mock) { m.Asked().Times(1) }, []string{"want 1 request for chat, got 3"}},
		{"never", func(m *mimus.Mock) { m.Asked(mimus.About("nobody"), mimus.User("the first")).Times(1) }, []string{
			"got 0", "the nearest of 3 requests", "request 1, openai.chat", `user "the first"`, `about wants "nobody", got "the first"`, `user wants "the first", got "the second"`,
		}},
		{"at least", func(m *mimus.Mock) { m.Asked().AtLeast(3) }, nil},
		{"less", func(m *mimus.Mock) { m.Asked().AtLeast(4) }, []string{"at least 4 requests", "got 3"}},
		{"contains", func(m *mimus.Mock) { m.Asked().Contains("Hauptstraße") }, nil},
		{"contains no key", func(m *mimus.Mock) { m.Asked().Contains("tool_call_id") }, []string{`no request of 3 for chat contains "tool_call_id"`, "the last requests"}},
		{"contains, of none", func(m *mimus.Mock) { m.Asked(mimus.About("nobody")).Contains("x") }, []string{"no request with about", `none that contains "x"`}},
		{"omits", func(m *mimus.Mock) { m.Asked().Omits("Lindenweg 14") }, nil},
		{"does not omit", func(m *mimus.Mock) { m.Asked().Omits("Hauptstraße") }, []string{"request 3 for chat contains", "Hauptstraße"}},
		{"omits, of none", func(m *mimus.Mock) { m.Asked(mimus.About("nobody")).Omits("x") }, []string{"nothing is proven"}},
		{"offered", func(m *mimus.Mock) { m.Asked().OfferedTool("track_parcel") }, nil},
		{"not offered", func(m *mimus.Mock) { m.Asked().OfferedTool("get_weather") }, []string{"offers the tool get_weather", "offered were track_parcel"}},
		{"nothing offered", func(m *mimus.Mock) { m.Asked(mimus.About("first")).OfferedTool("f") }, []string{"no tools were offered"}},
		{"in order", func(m *mimus.Mock) { m.Asked().InOrder(mimus.About("first"), mimus.AfterTool("track_parcel")) }, nil},
		{"out of order", func(m *mimus.Mock) { m.Asked().InOrder(mimus.About("second"), mimus.About("first")) }, []string{"no request for matcher 2 of 2 after that of matcher 1", `about "first"`}},
		{"no retry", func(m *mimus.Mock) { m.Asked().Retried(0) }, nil},
		{"a retry", func(m *mimus.Mock) { m.Asked().Retried(1) }, []string{"want 1 retry", "got 0"}},
		{"nobody hung up", func(m *mimus.Mock) { m.Asked().HungUp() }, []string{"did not hang up", "3 answers to the end"}},
		{"no schema", func(m *mimus.Mock) { m.Asked().AskedForSchema(schema) }, []string{"asks for structured output"}},
		{"no JSON", func(m *mimus.Mock) { m.Asked().AskedForSchema("{") }, []string{"the schema is no JSON"}},
		{"another kind", func(m *mimus.Mock) { m.Asked(mimus.Embeddings()).AtLeast(1) }, []string{"none was for embeddings", "request 3, POST api.openai.com/v1/chat/completions: 200"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ft := fake(t)
			m := mimus.New(ft)
			asks(t, m, "the first", "the second", "a tool")
			c.check(m)
			if c.says == nil {
				ft.wantNone(t)
			} else {
				ft.wantFailure(t, c.says...)
			}
		})
	}
}

func TestNothingWasAsked(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	mimus.New(ft).Asked(mimus.About("x")).Times(1)
	ft.wantFailure(t, "nothing was asked at all", "m.Client()")
}

func TestAskedForSchema(t *testing.T) {
	t.Parallel()
	const format = `{"model":"gpt-4.1-mini","messages":[{"role":"user","content":"When?"}],"response_format":{"type":"json_schema","json_schema":{"name":"eta","schema":%s}}}`
	const sent = `{"type":"object","properties":{"eta":{"type":["integer","null"],"minimum":1.0},"type":{"type":"string","enum":["a","b"]}},"required":["eta"],"additionalProperties":false}`
	cases := []struct {
		name, schema string
		same         bool
	}{
		{"itself", sent, true},
		{"other order of keys", `{"additionalProperties":false,"required":["eta"],"type":"object","properties":{"type":{"enum":["a","b"],"type":"string"},"eta":{"minimum":1,"type":["integer","null"]}}}`, true},
		{"capitals of Gemini", strings.NewReplacer(`"object"`, `"OBJECT"`, `"integer"`, `"INTEGER"`).Replace(sent), true},
		{"other capitals", strings.ReplaceAll(sent, `["eta"]`, `["ETA"]`), false},
		{"another order of a list", strings.ReplaceAll(sent, `["a","b"]`, `["b","a"]`), false},
		{"a longer list", strings.ReplaceAll(sent, `["a","b"]`, `["a","b","c"]`), false},
		{"another number", strings.ReplaceAll(sent, "1.0", "2"), false},
		{"one key more", strings.ReplaceAll(sent, `"additionalProperties"`, `"description":"x","additionalProperties"`), false},
		{"one key less", strings.ReplaceAll(sent, `,"additionalProperties":false`, ""), false},
		{"another kind", `[]`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ft := fake(t)
			m := mimus.New(ft)
			m.On().Reply(mimus.JSON(map[string]int{"eta": 1}))
			do(m.Client(), chatBody(t, strings.Replace(format, "%s", sent, 1))).text(t)
			m.Asked().AskedForSchema(c.schema)
			if c.same {
				ft.wantNone(t)
			} else {
				ft.wantFailure(t, "asks for this schema", "the last one asked for")
			}
		})
	}
	t.Run("a value", func(t *testing.T) {
		t.Parallel()
		m := mimus.New(t)
		m.On().Reply(mimus.Text("{}"))
		do(m.Client(), chatBody(t, strings.Replace(format, "%s", `{"type":"object"}`, 1))).text(t)
		m.Asked().AskedForSchema(map[string]string{"type": "object"})
		m.Asked().AskedForSchema([]byte(`{"type":"object"}`))
	})
}

// Secrets are hidden in what a failure shows.
func TestFailuresHideSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-proj-abcdefghijklmnop1234"
	ft := fake(t)
	m := mimus.New(ft)
	asks(t, m, "my key is "+key)
	m.Asked(mimus.About("nobody")).Times(1)
	m.Asked().Omits(key)
	said := strings.Join(ft.said(), "\n")
	if strings.Contains(said, key) || !strings.Contains(said, "my key is REDACTED") {
		t.Errorf("got %s", said)
	}
	ft.mu.Lock()
	ft.failures = nil
	ft.mu.Unlock()
}

// Nothing passes by forgetting.
func TestNotProvable(t *testing.T) {
	t.Parallel()
	forgot := func(ft *fakeT) *mimus.Mock {
		m := mimus.New(ft, mimus.Keep(2))
		asks(t, m, "the first", "the second", "the third")
		return m
	}
	broken := func(ft *fakeT) *mimus.Mock {
		m := mimus.New(ft)
		asks(t, m, "the second", "the third")
		r := question(t, "openai.chat", false, "")
		r.Header.Set("Content-Encoding", "br")
		do(m.Client(), r)
		return m
	}
	cases := []struct {
		name  string
		check func(m *mimus.Mock)
		says  string // "" where the check passes all the same
	}{
		{"times", func(m *mimus.Mock) { m.Asked(mimus.About("second")).Times(1) }, "not provable"},
		{"no times", func(m *mimus.Mock) { m.Asked(mimus.About("first")).Times(0) }, "not provable"},
		{"more than wanted", func(m *mimus.Mock) { m.Asked().Times(1) }, "got 2"},
		{"at least what is known", func(m *mimus.Mock) { m.Asked().AtLeast(2) }, ""},
		{"at least more", func(m *mimus.Mock) { m.Asked().AtLeast(3) }, "not provable"},
		{"contains what is known", func(m *mimus.Mock) { m.Asked().Contains("third") }, ""},
		{"contains what is not", func(m *mimus.Mock) { m.Asked().Contains("first") }, "not provable"},
		{"omits", func(m *mimus.Mock) { m.Asked().Omits("Lindenweg") }, "not provable"},
		{"does not omit", func(m *mimus.Mock) { m.Asked().Omits("second") }, "contains \"second\""},
		{"offered", func(m *mimus.Mock) { m.Asked().OfferedTool("f") }, "not provable"},
		{"in order", func(m *mimus.Mock) { m.Asked().InOrder(mimus.About("first"), mimus.About("second")) }, "not provable"},
		{"schema", func(m *mimus.Mock) { m.Asked().AskedForSchema("{}") }, "not provable"},
		{"hung up", func(m *mimus.Mock) { m.Asked().HungUp() }, "not provable"},
		{"retried", func(m *mimus.Mock) { m.Asked().Retried(0) }, "not provable"},
	}
	for _, c := range cases {
		for name, ask := range map[string]func(*fakeT) *mimus.Mock{"forgotten": forgot, "not whole": broken} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				ft := fake(t)
				c.check(ask(ft))
				if c.says == "" {
					ft.wantNone(t)
				} else {
					ft.wantFailure(t, c.says)
				}
			})
		}
	}
}

// What a request that could not be read held was sent, too.
func TestOmitsInUnreadableRequests(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	asks(t, m, "the first")
	if got := do(m.Client(), chatBody(t, `{"Lindenweg 14`)); got.status != http.StatusBadRequest {
		t.Errorf("got %+v", got)
	}
	m.Asked().Omits("Lindenweg 14")
	ft.wantFailure(t, "request 2, which could not be read")
}

func TestRequests(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On(mimus.Embeddings()).Reply(mimus.Embedding(1))
	asks(t, m, "the first")
	do(m.Client(), question(t, "openai.embeddings", false, ""))
	all, chats := m.Requests(), m.Asked().Requests()
	if len(all) != 2 || len(chats) != 1 || all[0].LastUser() != "the first" || all[1].Kind != wire.Embeddings || chats[0].LastUser() != "the first" {
		t.Errorf("got %+v, %+v", all, chats)
	}
}

// How often a client asked again, and after what wait.
func TestRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ft := fake(t)
		m := mimus.New(ft)
		m.Script(mimus.RateLimited().RetryAfter(2*time.Minute), mimus.Text("slow").StallAfter(1, time.Hour), mimus.Text("ok"), mimus.Text("again"), mimus.Text("another"))
		askStream(t, m.Client(), "")
		pass(2 * time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		do(m.Client(), in(ctx, question(t, "openai.chat", true, "")))
		cancel()
		pass(500 * time.Millisecond)
		askStream(t, m.Client(), "").text(t)
		pass(time.Minute)
		askStream(t, m.Client(), "").text(t) // the same once more, after an answer that was good: no retry
		askStream(t, m.Client(), "another question").text(t)

		m.Asked().Retried(2, 2*time.Minute, 500*time.Millisecond)
		m.Asked(mimus.About("another")).Retried(0)
		if waits := m.Asked().Waits(); len(waits) != 2 || waits[0] != 2*time.Minute || waits[1] != 500*time.Millisecond {
			t.Errorf("waits: %v", waits)
		}
		ft.wantNone(t)
		m.Asked().Retried(2, 2*time.Minute)
		ft.wantFailure(t, "retry 2 of 2 came after 500ms, want at least 2m0s", "(2m0s after a 429, 500ms after a 200)")
		m.Asked().Retried(3)
		ft.wantFailure(t, "want 3 retries", "got 2")
	})
}

// A client that stays is not said to have hung up, and the check does not wait for it.
func TestHungUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ft := fake(t)
		m := mimus.New(ft)
		s := mimus.Stream()
		m.On().Reply(s)
		ctx, cancel := context.WithCancel(t.Context())
		g := read(m.Client(), in(ctx, question(t, "openai.chat", true, "")))
		g.now()
		m.Asked().HungUp()
		ft.wantFailure(t, "it still holds the connection")
		go func() {
			pass(time.Second)
			cancel()
		}()
		m.Asked().HungUp()
		ft.wantNone(t)
	})
}
