package ollama_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mimus-go/mimus/wire"
)

const (
	ndjson = "application/x-ndjson"
	said   = `{"model":"m","message":{"role":"assistant","content":"Hi "},"done":false}` + "\n"
	last   = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}` + "\n"
)

func readBack(t *testing.T, path, kind string, status int, body io.Reader) (wire.Reply, error) {
	t.Helper()
	ask := askChat
	if path != chatPath {
		ask = `{"model":"m","prompt":"x","input":"x"}`
	}
	c := open(t, post(path, ask))
	h := &wire.ResponseHead{Status: status, Header: http.Header{"Content-Type": {kind}}, Request: c.Request}
	return wire.Fold(c.Endpoint.Codec.Read(h, body))
}

// TestReadStreams: answers as servers and proxies send them.
func TestReadStreams(t *testing.T) {
	t.Parallel()
	text := wire.Text{Text: "Hi there"}
	done := func(stop wire.Stop, parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts, Stop: stop}}, Usage: &wire.Usage{Input: 3, Output: 2}}
	}
	for _, c := range []struct {
		name, path, body string
		want             wire.Reply
	}{
		{"two records", chatPath, said + `{"message":{"content":"there"},"done":false}` + "\n" + last, done(wire.StopComplete, text)},
		{"empty lines and CRLF", chatPath, "\n" + strings.ReplaceAll(said, "\n", "\r\n\r\n") + `{"message":{"content":"there"}}` + "\n\n" + last, done(wire.StopComplete, text)},
		{"no line end", chatPath, said + strings.TrimSpace(strings.Replace(last, `"content":""`, `"content":"there"`, 1)), done(wire.StopComplete, text)},
		{"what comes after the last record", chatPath, said + strings.Replace(last, `"content":""`, `"content":"there"`, 1) + said, done(wire.StopComplete, text)},
		{"unknown fields", chatPath, `{"new":{"a":[1]},"message":{"content":"Hi there","new":1}}` + "\n" + last, done(wire.StopComplete, text)},
		{"thoughts and words in one record", chatPath, `{"message":{"thinking":"hm","content":"Hi there"}}` + "\n" + last, done(wire.StopComplete, wire.Reasoning{Text: "hm"}, text)},
		{
			"calls in the last record", chatPath, strings.Replace(last, `"content":""`, `"content":"","tool_calls":[{"function":{"name":"f","arguments":{ "a" : 1 }}},{"id":"x","function":{"name":"g"}}]`, 1),
			done(wire.StopTools, wire.ToolCall{Name: "f", Arguments: `{"a":1}`}, wire.ToolCall{ID: "x", Name: "g", Arguments: "{}"}),
		},
		{"arguments as text", chatPath, `{"message":{"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1}"}}]}}` + "\n" + last, done(wire.StopTools, wire.ToolCall{Name: "f", Arguments: `{"a":1}`})},
		{"length", chatPath, strings.Replace(last, "stop", "length", 1), done(wire.StopLength)},
		{"another reason", chatPath, strings.Replace(last, "stop", "load", 1), done("load")},
		{"a prompt", promptPath, `{"response":"Hi ","done":false}` + "\n" + `{"response":"there","done":true,"done_reason":"stop","context":[1],"prompt_eval_count":3,"eval_count":2}`, done(wire.StopComplete, text)},
		{"nothing counted", chatPath, `{"message":{"content":"Hi there"},"done":true,"done_reason":"stop"}`, wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{text}, Stop: wire.StopComplete}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := readBack(t, c.path, ndjson, 200, iotest.OneByteReader(strings.NewReader(c.body)))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

// TestReadFailures: answers that are none.
func TestReadFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind string
		status     int
		body       string
		want       wire.FailureKind
		partial    bool
		rule       string
	}{
		{"cut after a record", ndjson, 200, said, wire.Transport, true, "incomplete"},
		{"cut inside a record", ndjson, 200, said + last[:40], wire.Transport, true, "incomplete"},
		{"nothing", ndjson, 200, "", wire.Transport, false, "incomplete"},
		{"a line that is no JSON", ndjson, 200, said + "oops\n" + last, wire.Unusable, true, ""},
		{"an error line", ndjson, 200, said + `{"error":"unable to load model: x"}` + "\n", wire.ServerError, true, ""},
		{"an error first", ndjson, 200, `{"error":"model 'x' not found"}`, wire.NotFound, false, ""},
		{"an error in one piece", "application/json; charset=utf-8", 200, `{"error":"unauthorized"}`, wire.Auth, false, ""},
		{"whole and not done", "application/json", 200, said, wire.Transport, true, "incomplete"},
		{"whole and no JSON", "application/json", 200, "<html>", wire.Unusable, false, ""},
		{"whole and no object", "application/json", 200, "[]", wire.Unusable, false, ""},
		{"gin's text", "text/plain", 404, "404 page not found", wire.NotFound, false, ""},
		{"a proxy's page", "text/html", 502, "<html>bad gateway</html>", wire.ServerError, false, ""},
		{"a proxy's timeout", "text/html", 504, "", wire.Timeout, false, ""},
		{"an object", "application/json", 500, `{"error":{"message":"x"}}`, wire.ServerError, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := readBack(t, chatPath, c.kind, c.status, strings.NewReader(c.body))
			var f *wire.Failure
			if !errors.As(err, &f) || f.Kind != c.want || f.PartialOutput != c.partial || f.Rule != c.rule {
				t.Errorf("%+v", err)
			}
		})
	}
	_, err := readBack(t, chatPath, ndjson, 200, io.MultiReader(strings.NewReader(said), iotest.ErrReader(errors.New("reset"))))
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Transport || f.Message != "reset" || !f.PartialOutput {
		t.Errorf("%+v", err)
	}
}

// TestReadEmbeddings reads both paths' forms, whichever path was asked.
func TestReadEmbeddings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want [][]float32
	}{
		{`{"model":"m","embeddings":[[0.5,-1],[0,1e-3]],"prompt_eval_count":4}`, [][]float32{{0.5, -1}, {0, 0.001}}},
		{`{"embedding":[0.10000000149011612]}`, [][]float32{{0.1}}},
		{`{"embedding":[]}`, [][]float32{}},
		{`{"embeddings":[]}`, [][]float32{}},
	} {
		got, err := readBack(t, "/api/embed", "application/json", 200, strings.NewReader(c.body))
		if err != nil || !reflect.DeepEqual(got.Vectors, c.want) {
			t.Errorf("%s: %v %v", c.body, got.Vectors, err)
		}
	}
	if _, err := readBack(t, "/api/embed", "application/json", 200, strings.NewReader(`{}`)); err == nil {
		t.Error("no embeddings are read as some")
	}
}

// TestEmbeddingsRoundTrip: what is sent is what is read, on both paths.
func TestEmbeddingsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/api/embed", "/api/embeddings"} {
		c := open(t, post(path, `{"model":"m","input":["a","b"],"prompt":"a"}`))
		resp, fitted, _ := wire.Render(c, c.Endpoint.Codec, wire.Reply{Vectors: [][]float32{{0.1, 0.70710677}, {1, -3e-9}}}, wire.Split{}, wire.NoCut())
		got, err := readBack(t, path, resp.Header.Get("Content-Type"), resp.Status, bytes.NewReader(resp.Body))
		if err != nil || !reflect.DeepEqual(got, fitted) {
			t.Errorf("%s: %+v %v, want %+v", path, got, err, fitted)
		}
		if again, _ := c.Endpoint.Codec.Fit(c, fitted); !reflect.DeepEqual(again, fitted) {
			t.Errorf("%s: Fit changes %+v to %+v", path, fitted, again)
		}
	}
}
