package anthropic_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

const (
	messagesPath = "/v1/messages"
	vertexPath   = "/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-haiku-4-5%4020251001"
)

// post is a request with a key and the version of today.
func post(path, body string) *wire.Probe {
	h := http.Header{"Content-Type": {"application/json"}}
	host := "api.anthropic.com"
	if strings.Contains(path, "/publishers/") {
		host = "us-east5-aiplatform.googleapis.com"
		h.Set("Authorization", "Bearer ya29.test")
	} else {
		h.Set("X-Api-Key", "sk-ant-test")
		h.Set("Anthropic-Version", "2026-10-21")
	}
	return &wire.Probe{Method: http.MethodPost, Host: host, Path: path, Header: h, Body: []byte(body)}
}

const (
	askWhole  = `{"model":"claude-opus-5","max_tokens":1024,"messages":[{"role":"user","content":"Where is my parcel?"}]}`
	askStream = `{"model":"claude-opus-5","max_tokens":1024,"stream":true,"messages":[{"role":"user","content":"Where is my parcel?"}]}`
	askVertex = `{"anthropic_version":"vertex-2023-10-16","max_tokens":1024,"messages":[{"role":"user","content":"Where is my parcel?"}]}`
)

// open makes the call of a request that can be read.
func open(tb testing.TB, p *wire.Probe) *wire.Call {
	tb.Helper()
	c, f, err := wiretest.Call(anthropic.Provider(), p)
	if err != nil || f != nil {
		tb.Fatalf("%v %v", err, f)
	}
	return c
}

func one(parts ...wire.Part) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
}

// render answers a call with a reply and quirks.
func render(c *wire.Call, r wire.Reply, quirks string, cut wire.Cut) wire.Response {
	if quirks != "" {
		c.Quirks = json.RawMessage(quirks)
	}
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, cut)
	return resp
}

func stream(tb testing.TB, r wire.Reply, quirks string) wire.Response {
	tb.Helper()
	return render(open(tb, post(messagesPath, askStream)), r, quirks, wire.NoCut())
}

func whole(tb testing.TB, r wire.Reply, quirks string) wire.Response {
	tb.Helper()
	return render(open(tb, post(messagesPath, askWhole)), r, quirks, wire.NoCut())
}

// names are the events of a stream.
func names(r wire.Response) string {
	s := make([]string, len(r.Frames))
	for i, f := range r.Frames {
		s[i] = f.Name
	}
	return strings.Join(s, " ")
}

func parse(tb testing.TB, b []byte) jsonx.Value {
	tb.Helper()
	v, err := jsonx.Parse(string(b))
	if err != nil {
		tb.Fatalf("%v in %s", err, b)
	}
	return v
}

// compacted is a stream's data without padding, an event a line.
func compacted(r wire.Response) string {
	var b []byte
	for _, f := range r.Frames {
		b = append(jsonx.AppendCompact(b, string(f.Data)), '\n')
	}
	return string(b)
}

// want reports a text that is not in another.
func want(tb testing.TB, got, part string) {
	tb.Helper()
	if !strings.Contains(got, part) {
		tb.Errorf("no %s in\n%s", part, got)
	}
}

func wantNot(tb testing.TB, got, part string) {
	tb.Helper()
	if strings.Contains(got, part) {
		tb.Errorf("%s is in\n%s", part, got)
	}
}
