package ollama_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/ollama"
)

// TestFailures: every kind has a status and a sentence, and is read back as what it is, before a stream and inside one.
func TestFailures(t *testing.T) {
	t.Parallel()
	statuses := map[wire.FailureKind]int{
		wire.RateLimit: 429, wire.Quota: 429, wire.Overloaded: 503, wire.ContextLength: 400, wire.Auth: 401, wire.Permission: 403,
		wire.NotFound: 404, wire.Invalid: 400, wire.TooLarge: 413, wire.ContentFilter: 400, wire.Timeout: 500, wire.ServerError: 500,
	}
	for _, kind := range wire.FailureKinds() {
		c := open(t, post(chatPath, askChat))
		codec := c.Endpoint.Codec
		r := codec.Refuse(c, &wire.Failure{Kind: kind, RetryAfter: 1500 * time.Millisecond})
		if r.Status != statuses[kind] || r.Header.Get("Retry-After") != "2" {
			t.Errorf("%s: %d, %v", kind, r.Status, r.Header)
		}
		h := http.Header{}
		r.Header.WriteTo(h)
		_, err := wire.Fold(codec.Read(&wire.ResponseHead{Status: r.Status, Header: h, Request: c.Request}, bytes.NewReader(r.Body)))
		f, ok := err.(*wire.Failure) //nolint:errorlint // a reader gives it as it is
		if !ok || f.Kind != kind || f.Status != r.Status || f.Message == "" || f.RetryAfter != 2*time.Second || f.Sent != wire.Completed {
			t.Errorf("%s is read as %+v", kind, err)
		}

		cut := wire.NoCut()
		cut.Failure, cut.FailAfter = &wire.Failure{Kind: kind}, 2
		resp, _, _ := wire.Render(c, codec, hello, wire.Split{}, cut)
		h.Set("Content-Type", "application/x-ndjson")
		_, err = wire.Fold(codec.Read(&wire.ResponseHead{Status: 200, Header: h, Request: c.Request}, bytes.NewReader(resp.Bytes())))
		f, ok = err.(*wire.Failure) //nolint:errorlint // a reader gives it as it is
		if !ok || f.Kind != kind || !f.PartialOutput {
			t.Errorf("%s inside a stream is read as %+v\n%s", kind, err, resp.Bytes())
		}
	}
}

// TestFailureFieldsWin: what a failure says is sent as it says.
func TestFailureFieldsWin(t *testing.T) {
	t.Parallel()
	c := open(t, post(chatPath, askWhole))
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.Overloaded, Status: 529, Message: `say "<no>"`})
	if r.Status != 529 || string(r.Body) != `{"error":"say \"\u003cno\u003e\""}` {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	r = c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.NotFound, Rule: "no-stub", Message: "mimus: no stub"})
	if r.Status != 404 || r.Header.Get("X-Mimus-Reason") != "no-stub" || r.Header.Get("X-Should-Retry") != "false" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	if r = c.Endpoint.Codec.Refuse(c, &wire.Failure{Status: 418}); r.Status != 418 || string(r.Body) != `{"error":"invalid request"}` {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	c = open(t, post("/api/embed", `{"model":"m","input":"a"}`))
	want(t, string(c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.ContextLength}).Body), "the input length exceeds the context length")
}

// TestStray: gin's plain texts, where no endpoint is.
func TestStray(t *testing.T) {
	t.Parallel()
	p := ollama.Provider()
	for _, c := range []struct {
		f      wire.Failure
		status int
		body   string
		kind   string
	}{
		{wire.Failure{Kind: wire.NotFound, Rule: "unknown-path"}, 404, "404 page not found", "text/plain"},
		{wire.Failure{Kind: wire.Invalid, Status: 405, Rule: "wrong-method", Param: "POST"}, 405, "405 method not allowed", "text/plain"},
		{wire.Failure{Kind: wire.TooLarge, Rule: "too-large"}, 413, `{"error":"http: request body too large"}`, "application/json; charset=utf-8"},
	} {
		r := p.Refuse(get("/api/nothing"), &c.f)
		if r.Status != c.status || string(r.Body) != c.body || r.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %s %v", c.f.Rule, r.Status, r.Body, r.Header)
		}
		if c.f.Param != "" && r.Header.Get("Allow") != c.f.Param {
			t.Errorf("%v", r.Header)
		}
	}
}

// TestRoutes: each path under its methods, below any prefix, and never another's.
func TestRoutes(t *testing.T) {
	t.Parallel()
	router := wire.NewRouter(ollama.Provider())
	for _, c := range []struct{ method, path, name string }{
		{"POST", "/api/chat", "ollama.chat"},
		{"POST", "/ollama/api/chat", "ollama.chat"},
		{"POST", "/api/generate", "ollama.generate"},
		{"POST", "/api/embed", "ollama.embed"},
		{"POST", "/api/embeddings", "ollama.embeddings"},
		{"GET", "/api/tags", "ollama.models"},
		{"HEAD", "/api/tags", "ollama.models.head"},
		{"POST", "/api/show", "ollama.show"},
		{"GET", "/api/ps", "ollama.ps"},
		{"DELETE", "/api/delete", "ollama.delete"},
		{"HEAD", "/api/blobs/sha256:0", "ollama.blob.head"},
		{"POST", "/api/blobs/sha256:0", "ollama.blob"},
		{"GET", "/api/version", "ollama.version"},
		{"GET", "/", "ollama.root"},
		{"HEAD", "", "ollama.root.head"},
		{"GET", "/api/chat", ""},
		{"POST", "/embeddings", ""},
		{"POST", "/v1/chat/completions", ""},
		{"GET", "/v1/models", ""},
	} {
		p := &wire.Probe{Method: c.method, Host: "localhost", Path: c.path, Header: http.Header{}, Body: []byte(`{"prompt":"x","messages":[{"role":"user"}]}`)}
		_, e, _, _ := router.Route(p)
		got := ""
		if e != nil {
			got = e.Name
		}
		if got != c.name {
			t.Errorf("%s %s is %q, want %q", c.method, c.path, got, c.name)
		}
	}
	other := &wire.Probe{Method: "GET", Host: "api.openai.com", Path: "/", Header: http.Header{}}
	if _, e, _, _ := router.Route(other); e != nil {
		t.Error("the root of another's host is claimed")
	}
}

// TestOwnsAndDialect: who is known by what.
func TestOwnsAndDialect(t *testing.T) {
	t.Parallel()
	p, d := ollama.Provider(), ollama.Provider().(wire.Dialecter)
	for _, c := range []struct {
		host, port, path, agent string
		owns                    bool
		dialect                 string
	}{
		{"localhost", "11434", "/v1/chat/completions", "", true, "ollama"},
		{"ollama.com", "", "/v1/messages", "", true, "ollama"},
		{"localhost", "8080", "/api/tags", "ollama-python/0.6.1 (x86_64 linux) Python/3.13.5", true, ""},
		{"localhost", "8080", "/api/nothing", "", true, ""},
		{"localhost", "8080", "/proxy/api/chat", "", true, ""},
		{"openrouter.ai", "", "/api/v1/nothing", "", false, ""},
		{"api.openai.com", "", "/v1/nothing", "", false, ""},
	} {
		probe := &wire.Probe{Method: "POST", Host: c.host, Port: c.port, Path: c.path, Header: http.Header{"User-Agent": {c.agent}}}
		if got := p.Owns(probe) > 0; got != c.owns {
			t.Errorf("%s:%s%s: owns %t", c.host, c.port, c.path, got)
		}
		if got := d.Dialect(probe); got != c.dialect {
			t.Errorf("%s:%s%s: dialect %q", c.host, c.port, c.path, got)
		}
	}
	if strings.Join(d.Dialects(), " ") != "ollama" {
		t.Errorf("%v", d.Dialects())
	}
}
