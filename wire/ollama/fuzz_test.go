package ollama_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/ollama"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// goldenParts are the bodies of a section of the golden files.
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

// FuzzDecode reads any body on any path: it may be refused, and what is taken is answered with JSON that reads back.
func FuzzDecode(f *testing.F) {
	paths := []string{chatPath, promptPath, "/api/embed", "/api/embeddings", "/api/show", "/api/pull", "/api/create", "/api/copy"}
	for _, body := range goldenParts(f, "request.http") {
		for i := range paths {
			f.Add([]byte(body), uint8(i))
		}
	}
	for i, body := range []string{``, `null`, `[]`, `{"messages":[{"tool_calls":[{"function":{"arguments":"x"}}]}]}`, `{"model":"a/b/c/d:e","options":{"stop":[1]}}`, `{"files":{"a":"sha256:x"},"model":"m"}`} {
		f.Add([]byte(body), uint8(i))
	}
	f.Fuzz(func(t *testing.T, body []byte, n uint8) {
		p := post(paths[int(n)%len(paths)], string(body))
		c, failure, err := wiretest.Call(ollama.Provider(), p)
		if err != nil {
			t.Fatal(err)
		}
		if c.Endpoint.Serve != nil {
			r := c.Endpoint.Serve(c)
			for line := range bytes.Lines(r.Bytes()) {
				if !jsonx.Valid(string(line)) {
					t.Fatalf("%s", line)
				}
			}
			return
		}
		if failure == nil {
			for v := range c.Endpoint.Codec.Check(c) {
				failure = v.Failure
				break
			}
		}
		if failure != nil {
			r := c.Endpoint.Codec.Refuse(c, failure)
			if r.Status < 400 || !jsonx.Valid(string(r.Body)) {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			return
		}
		_ = c.Request.Conversation()
		if c.Request.Kind == wire.Chat {
			wiretest.RoundTrip(t, c, one(wire.Text{Text: "Hi"}, wire.ToolCall{Name: "f", Arguments: "{}"}))
		}
	})
}

// FuzzRead reads any response: events or a failure, never a panic; what it reads can be sent and read again.
func FuzzRead(f *testing.F) {
	for _, body := range goldenParts(f, "response.http") {
		f.Add([]byte(body), 200, strings.Count(body, "\n") > 1)
	}
	f.Add([]byte(said+last), 200, true)
	f.Add([]byte(`{"error":"x"}`), 429, false)
	f.Fuzz(func(t *testing.T, body []byte, status int, streamed bool) {
		ask, kind := askWhole, "application/json"
		if streamed {
			ask, kind = askChat, ndjson
		}
		c := open(t, post(chatPath, ask))
		h := &wire.ResponseHead{Status: status, Header: http.Header{"Content-Type": {kind}}, Request: c.Request}
		reply, err := wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(body)))
		if err != nil {
			return
		}
		if status >= 400 {
			t.Fatal("an error was read as an answer")
		}
		wiretest.RoundTrip(t, c, reply)
	})
}
