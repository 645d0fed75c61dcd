package anthropic_test

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func get(path, query string) *wire.Probe {
	q, _ := url.ParseQuery(query)
	return &wire.Probe{
		Method: http.MethodGet, Host: "api.anthropic.com", Path: path, Query: q,
		Header: http.Header{"X-Api-Key": {"sk-ant-test"}, "Anthropic-Version": {"2026-10-21"}},
	}
}

func listed(t *testing.T, query string) (ids []string, more bool, first, last string) {
	t.Helper()
	c := open(t, get("/v1/models", query))
	r := render(c, wire.Reply{Models: []string{"a", "b", "c", "d", "e"}}, "", wire.NoCut())
	v := parse(t, r.Body)
	for _, m := range v.Get("data").Items() {
		ids = append(ids, m.Get("id").Str())
	}
	more, _ = v.Get("has_more").Bool()
	return ids, more, v.Get("first_id").Str(), v.Get("last_id").Str()
}

func TestModelPages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		query string
		ids   string
		more  bool
	}{
		{"", "a b c d e", false},
		{"limit=2", "a b", true},
		{"limit=5", "a b c d e", false},
		{"limit=2&after_id=b", "c d", true},
		{"limit=2&after_id=c", "d e", false},
		{"after_id=e", "", false},
		{"limit=2&before_id=e", "c d", true},
		{"limit=2&before_id=c", "a b", false},
		{"before_id=a", "", false},
		{"after_id=unknown", "a b c d e", false},
	} {
		ids, more, first, last := listed(t, tc.query)
		if got := strings.Join(ids, " "); got != tc.ids || more != tc.more {
			t.Errorf("%q: %q more=%t, want %q more=%t", tc.query, got, more, tc.ids, tc.more)
		}
		if len(ids) > 0 && (first != ids[0] || last != ids[len(ids)-1]) {
			t.Errorf("%q: first %q, last %q", tc.query, first, last)
		}
	}
	c := open(t, get("/v1/models", ""))
	if r := render(c, wire.Reply{}, "", wire.NoCut()); string(r.Body) != `{"data":[],"has_more":false,"first_id":null,"last_id":null}` {
		t.Errorf("an empty list: %s", r.Body)
	}
}

func TestModelLimits(t *testing.T) {
	t.Parallel()
	for query, message := range map[string]string{
		"limit=0":    "limit: Input should be greater than or equal to 1",
		"limit=1001": "limit: Input should be less than or equal to 1000",
		"limit=many": "limit: Input should be a valid integer, unable to parse string as an integer",
		"limit=1000": "",
		"":           "",
	} {
		if got := first(open(t, get("/v1/models", query))); got != message {
			t.Errorf("%q: got %q, want %q", query, got, message)
		}
	}
	p := get("/v1/models", "")
	p.Header.Set("Anthropic-Version", "x")
	if got := first(open(t, p)); !strings.HasPrefix(got, "anthropic-version") {
		t.Errorf("got %q", got)
	}
}

func TestModelByAlias(t *testing.T) {
	t.Parallel()
	names := []string{"claude-opus-5", "claude-haiku-4-5-20251001"}
	for id, want := range map[string]string{
		"claude-opus-5":             "claude-opus-5",
		"claude-haiku-4-5":          "claude-haiku-4-5-20251001",
		"claude-haiku-4-5-latest":   "claude-haiku-4-5-20251001",
		"claude-haiku-4-5-20251001": "claude-haiku-4-5-20251001",
		"claude-haiku":              "",
		"gpt-4o":                    "",
	} {
		c := open(t, get("/v1/models/"+id, ""))
		r := render(c, wire.Reply{Models: names}, "", wire.NoCut())
		v := parse(t, r.Body)
		if want == "" {
			if r.Status != 404 || v.At("error", "message").Str() != "model: "+id {
				t.Errorf("%s: %d %s", id, r.Status, r.Body)
			}
			continue
		}
		if r.Status != 200 || v.Get("id").Str() != want || v.Get("type").Str() != "model" {
			t.Errorf("%s: %d %s", id, r.Status, r.Body)
		}
	}
}

func TestModelItem(t *testing.T) {
	t.Parallel()
	c := open(t, get("/v1/models/claude-haiku-4-5", ""))
	r := render(c, wire.Reply{Models: []string{"claude-haiku-4-5-20251001"}}, "", wire.NoCut())
	want(t, string(r.Body), `{"type":"model","id":"claude-haiku-4-5-20251001","display_name":"Claude Haiku 4.5","created_at":"2025-10-01T00:00:00Z","lifecycle":"active","deprecated_at":null,"retires_at":null,"line":"haiku","max_input_tokens":200000,"max_tokens":64000,"capabilities":{`)
	h := &wire.ResponseHead{Status: 200, Header: http.Header{}, Request: c.Request}
	got, err := wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(r.Body)))
	if err != nil || !slices.Equal(got.Models, []string{"claude-haiku-4-5-20251001"}) {
		t.Errorf("read %+v %v", got, err)
	}
}

func TestModelListIsClaimedByItsHeader(t *testing.T) {
	t.Parallel()
	p := get("/v1/models", "")
	p.Header.Del("Anthropic-Version")
	if _, e, _, _ := wire.NewRouter(anthropic.Provider()).Route(p); e != nil {
		t.Errorf("%s claims a list without anthropic-version", e.Name)
	}
}

func TestOwns(t *testing.T) {
	t.Parallel()
	p := anthropic.Provider()
	probe := func(host, path string, header ...string) *wire.Probe {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &wire.Probe{Method: http.MethodGet, Host: host, Path: path, Header: h}
	}
	falling := []*wire.Probe{
		probe("api.anthropic.com", "/v1/x"),
		probe("us-east5-aiplatform.googleapis.com", "/v1/projects/p/locations/l/publishers/anthropic/models/m:x"),
		probe("localhost", "/x", "Anthropic-Version", "2023-06-01"),
		probe("localhost", "/x", "User-Agent", "Anthropic/Go 2.15.0"),
		probe("localhost", "/x", "X-Api-Key", "k"),
		probe("localhost", "/x", "Authorization", "Bearer k"),
	}
	for i := 1; i < len(falling); i++ {
		if p.Owns(falling[i-1]) <= p.Owns(falling[i]) {
			t.Errorf("probe %d is not surer than probe %d", i-1, i)
		}
	}
	if p.Owns(falling[len(falling)-1]) != 0 {
		t.Error("a bearer key is anybody's")
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	for path, name := range map[string]string{
		"/v1/messages":                   "anthropic.messages",
		"/any/prefix/v1/messages":        "anthropic.messages",
		"/v1/messages/count_tokens":      "anthropic.count_tokens",
		"/messages":                      "",
		"/v1/messages/batches":           "",
		vertexPath + ":rawPredict":       "anthropic.vertex",
		vertexPath + ":streamRawPredict": "anthropic.vertex",
		"/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict": "anthropic.vertex_count_tokens",
		"/v1/projects/p/locations/l/publishers/google/models/gemini:rawPredict":          "",
	} {
		got := ""
		if _, e, _, _ := wire.NewRouter(anthropic.Provider()).Route(post(path, askWhole)); e != nil {
			got = e.Name
		}
		if got != name {
			t.Errorf("%s: %q, want %q", path, got, name)
		}
	}
}

func TestOllamaDialect(t *testing.T) {
	t.Parallel()
	p := post(messagesPath, askStream)
	p.Header = http.Header{}
	p.Dialect = "ollama"
	c := open(t, p)
	if got := first(c); got != "" {
		t.Errorf("refused without a version: %s", got)
	}
	r := render(c, one(wire.Reasoning{Text: "hm"}, wire.ToolCall{Name: "f", Arguments: `{"a":1}`}), "", wire.NoCut())
	if got := names(r); strings.Contains(got, "ping") {
		t.Errorf("events %s", got)
	}
	got := compacted(r)
	wantNot(t, got, "signature")
	wantNot(t, got, "caller")
	wantNot(t, got, `"partial_json":""`)
	want(t, got, `"partial_json":"{\"a\":1}"`)
	want(t, got, `{"type":"message_start","message":{"id":"msg_`)
	for _, r := range wiretest.Replies() {
		c := open(t, &wire.Probe{Method: p.Method, Path: p.Path, Header: p.Header, Body: p.Body, Dialect: "ollama"})
		t.Run(r.Name, func(t *testing.T) { wiretest.RoundTrip(t, c, r.Reply) })
	}
}
