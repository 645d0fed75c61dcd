package gemini

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// goldenParts are the bodies of one section of the golden files.
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
			parts = append(parts, strings.TrimSuffix(body, "\\ no line end\n"))
		}
	}
	return parts
}

// FuzzDecode reads any body: it may be refused, and what is taken is answered with what reads back.
func FuzzDecode(f *testing.F) {
	targets := []string{unary, stream3, array3, vertex + "gemini-3.1-pro-preview:streamGenerateContent?alt=sse", studio + "m:batchEmbedContents", vertex + "m:predict", studio + "m:embedContent", studio + "m:countTokens"}
	for _, body := range goldenParts(f, "request.http") {
		f.Add([]byte(body), uint8(len(body)))
	}
	for i, body := range []string{``, `null`, `[]`, everything, snakeCase, `{"contents":{"parts":{"text":1}}}`, `{"requests":{"model":"models/m"}}`, `{"instances":[5]}`} {
		f.Add([]byte(body), uint8(i))
	}
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		p := probe(targets[int(which)%len(targets)], "{}")
		p.Body = body
		_, e, _, _ := wire.NewRouter(Provider()).Route(p)
		if e == nil {
			return // a prediction of something else
		}
		c, failure, err := wiretest.Call(Provider(), p)
		if err != nil {
			t.Fatal(err)
		}
		if c.Endpoint.Serve != nil {
			if r := c.Endpoint.Serve(c); r.Status != 200 && r.Status != 400 || !jsonx.Valid(string(r.Body)) {
				t.Fatalf("%d %s", r.Status, r.Body)
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
			if r.Status != 400 || !jsonx.Valid(string(r.Body)) {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			return
		}
		_ = c.Request.Conversation()
		reply := one(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}, wire.ToolCall{Name: "f", Arguments: `{"a":[1]}`})
		if c.Request.Kind == wire.Embeddings {
			reply = wire.Reply{Vectors: make([][]float32, len(c.Request.Inputs))}
			for i := range reply.Vectors {
				reply.Vectors[i] = []float32{0.25, -1}
			}
		}
		wiretest.RoundTrip(t, c, reply)
	})
}

// FuzzRead reads any response: events or a failure, never a panic; what it reads can be sent and read again.
func FuzzRead(f *testing.F) {
	for _, body := range goldenParts(f, "response.http") {
		status := 200
		if strings.Contains(body, `"error": {`) && !strings.Contains(body, "candidates") {
			status = 400
		}
		f.Add([]byte(body), status, strings.HasPrefix(body, "data:"))
	}
	f.Add([]byte("data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}},{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a[0]['b']\",\"numberValue\":1}]}}]},\"finishReason\":2,\"index\":3}]}\n\n"), 200, true)
	f.Add([]byte(`[{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}}]`), 429, false)
	f.Fuzz(func(t *testing.T, body []byte, status int, events bool) {
		target, kind := array3, jsonType
		if events {
			target, kind = stream3, sseType
		}
		c := newCall(t, target, hello)
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

// FuzzArguments streams any object piece by piece and reads it back.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[{"b":1},{"c":"x"}]}`, `{"a b":{"'\\":null},"":[[true]]}`, `{"a":{}}`, `{"a":1,"a":2}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := jsonx.Parse(text)
		if err != nil {
			return
		}
		tree, ok := argumentTree(v)
		if !ok {
			return
		}
		back := &argument{form: object}
		tree.pieces(func(piece []byte, _ int) {
			if len(piece) == 0 {
				return
			}
			p, err := jsonx.ParseBytes(piece)
			if err != nil || !back.set(p) {
				t.Fatalf("%v: %s has no place in %s", err, piece, back.append(nil))
			}
		})
		if got, want := string(back.append(nil)), string(tree.append(nil)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

// FuzzPath reads any path without a panic.
func FuzzPath(f *testing.F) {
	for _, s := range []string{`.a`, `[0]`, `['a\'b']`, `["x"].y[3]`, `[`, `.`, `[99999999999]`, `['a`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		root := &argument{form: object}
		at, rest, ok := root, path, true
		for ok && rest != "" {
			before := len(rest)
			if at, rest, ok = at.step(rest); ok && len(rest) >= before {
				t.Fatalf("%q does not get shorter", path)
			}
		}
		if !jsonx.Valid(string(root.append(nil))) {
			t.Fatalf("%s", root.append(nil))
		}
	})
}
