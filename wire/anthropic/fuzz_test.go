package anthropic_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// goldenParts are the sections of the golden files that begin with a mark.
func goldenParts(f *testing.F, section string) []string {
	f.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no golden files", err)
	}
	var parts []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, rest, ok := strings.Cut(string(text), "-- "+section+" --\n")
		if !ok {
			continue
		}
		rest, _, _ = strings.Cut(rest, "\n-- ")
		if _, body, ok := strings.Cut(rest, "\n\n"); ok {
			parts = append(parts, strings.TrimSuffix(body, "\\ no line end"))
		}
	}
	return parts
}

// FuzzDecode reads any body: it may be refused, and what is taken is answered with JSON that reads back.
func FuzzDecode(f *testing.F) {
	for _, body := range goldenParts(f, "request.http") {
		f.Add([]byte(body), true)
	}
	for _, body := range []string{``, `null`, `[]`, `{"messages":[{"content":[{"type":3}]}]}`, `{"system":[{"content":[{"content":"x"}]}]}`} {
		f.Add([]byte(body), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, vertex bool) {
		p := post(messagesPath, string(body))
		if vertex {
			p = post(vertexPath+":rawPredict", string(body))
		}
		c, failure, err := wiretest.Call(anthropic.Provider(), p)
		if err != nil {
			t.Fatal(err)
		}
		if failure == nil {
			for v := range c.Endpoint.Codec.Check(c) {
				failure = v.Failure
				break
			}
		}
		if failure != nil {
			r := c.Endpoint.Codec.Refuse(c, failure)
			if r.Status != 400 || !jsonx.Valid(string(r.Body)) {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			return
		}
		_ = c.Request.Conversation()
		reply := one(wire.Text{Text: "Hi"}, wire.ToolCall{Name: "f", Arguments: "{}"})
		wiretest.RoundTrip(t, c, reply)
	})
}

// FuzzRead reads any response: events or a failure, never a panic; what it reads can be sent and read again.
func FuzzRead(f *testing.F) {
	for _, body := range goldenParts(f, "response.http") {
		f.Add([]byte(body), 200, strings.HasPrefix(body, "event:"))
	}
	f.Add([]byte("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"server_tool_use\",\"input\":{}}}\n\ndata: {\"type\":\"message_stop\"}\n\n"), 200, true)
	f.Add([]byte(`[{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}}]`), 429, false)
	f.Fuzz(func(t *testing.T, body []byte, status int, streamed bool) {
		ask, kind := askWhole, "application/json"
		if streamed {
			ask, kind = askStream, "text/event-stream"
		}
		c := open(t, post(messagesPath, ask))
		h := &wire.ResponseHead{Status: status, Header: http.Header{"Content-Type": {kind}}, Request: c.Request}
		reply, err := wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(body)))
		if err != nil {
			return
		}
		if status >= 400 {
			t.Fatal("an error was read as an answer")
		}
		resp, fitted, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
		back, err := wire.Fold(c.Endpoint.Codec.Read(&wire.ResponseHead{Status: 200, Header: h.Header, Request: c.Request}, bytes.NewReader(resp.Bytes())))
		if err != nil || len(back.Choices) != 1 || len(back.Choices[0].Parts) != len(fitted.Choices[0].Parts) {
			t.Fatalf("%+v\n%v\n%s", fitted, err, resp.Bytes())
		}
	})
}
