package ollama_test

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"net/textproto"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/ollama"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// recordings are those of Ollama's own API; those of its /v1 paths are package openai's.
func recordings(t *testing.T) []*captures.Exchange {
	t.Helper()
	root, err := captures.Root()
	if errors.Is(err, captures.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := captures.Dir(root, "ollama")
	if err != nil {
		t.Fatal(err)
	}
	own := slices.DeleteFunc(all, func(e *captures.Exchange) bool { return !strings.HasPrefix(e.URL, "/api/") })
	if len(own) == 0 {
		t.Fatal("no recording of /api")
	}
	return own
}

// TestSameShapeAsRecorded reads every recording, answers the same request with the same content, and compares. What
// differs must be in testdata/deviations.txt with its reason, and what is there must differ.
func TestSameShapeAsRecorded(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, e := range recordings(t) {
		name := strings.TrimSuffix(filepath.Base(e.Path), ".http")
		t.Run(name, func(t *testing.T) {
			for _, line := range differences(t, e) {
				found[name+": "+line] = true
			}
		})
	}
	d, err := captures.ReadDeviations(filepath.Join("testdata", "deviations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range d.Hold(slices.Sorted(maps.Keys(found))) {
		t.Error(wrong)
	}
}

func differences(t *testing.T, e *captures.Exchange) []string {
	t.Helper()
	c := callOf(t, e)
	for v := range c.Endpoint.Codec.Check(c) {
		t.Errorf("a request that the server took is refused: %v", v.Failure)
	}
	reply := read(t, c, e)
	resp, fitted, lost := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	for _, err := range lost {
		t.Errorf("what the server sent is lost: %v", err)
	}
	if len(fitted.Vectors) != len(reply.Vectors) {
		t.Errorf("%d vectors were read, %d are sent", len(reply.Vectors), len(fitted.Vectors))
	}
	header := captures.Header{}
	for _, f := range resp.Header {
		header = append(header, captures.Field{Name: f.Name, Value: f.Value})
	}
	ours := captures.Body{Data: resp.Bytes(), Status: resp.Status, Header: header}
	return captures.Diff(e.Body(), ours, captures.Options{Order: e.KeyOrder, Headers: true, NoFraming: !e.Spacing})
}

// callOf is the call of a recorded request.
func callOf(t *testing.T, e *captures.Exchange) *wire.Call {
	t.Helper()
	p := post(e.URL, string(e.RequestBody))
	for _, f := range e.RequestHeader {
		p.Header.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	c, f, err := wiretest.Call(ollama.Provider(), p)
	if err != nil || f != nil {
		t.Fatalf("the request: %v %v", err, f)
	}
	return c
}

func read(t *testing.T, c *wire.Call, e *captures.Exchange) wire.Reply {
	t.Helper()
	h := http.Header{}
	for _, f := range e.ResponseHeader {
		h.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	reply, err := wire.Fold(c.Endpoint.Codec.Read(&wire.ResponseHead{Status: e.Status, Header: h, Request: c.Request}, bytes.NewReader(e.ResponseBody)))
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return reply
}

// TestReadsWhatWasRecorded compares what is read with the recorded JSON itself, not with our own encoder.
func TestReadsWhatWasRecorded(t *testing.T) {
	t.Parallel()
	for _, e := range recordings(t) {
		c := callOf(t, e)
		reply := read(t, c, e)
		var text strings.Builder
		var last jsonx.Value
		for line := range bytes.Lines(e.ResponseBody) {
			last = parse(t, string(line))
			text.WriteString(last.At("message", "content").Str())
			text.WriteString(last.Get("response").Str())
		}
		in, _ := last.Get("prompt_eval_count").Int()
		out, _ := last.Get("eval_count").Int()
		if u := reply.Usage; u == nil || u.Input != int(in) || u.Output != int(out) {
			t.Errorf("%s: usage %+v, want %d and %d", e.Path, u, in, out)
		}
		if c.Request.Kind == wire.Embeddings {
			if got, want := len(reply.Vectors[0]), last.At("embeddings", 0).Len(); got != want || want != 768 {
				t.Errorf("%s: %d numbers, want %d", e.Path, got, want)
			}
			continue
		}
		stop := map[string]wire.Stop{"stop": wire.StopComplete, "length": wire.StopLength}[last.Get("done_reason").Str()]
		if a := reply.Choices[0]; a.Stop != stop || len(a.Parts) != 1 || a.Parts[0] != (wire.Text{Text: text.String()}) {
			t.Errorf("%s: read as %+v, want %q and %s", e.Path, a, text.String(), stop)
		}
	}
}
