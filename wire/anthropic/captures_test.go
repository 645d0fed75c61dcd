package anthropic_test

import (
	"bytes"
	"errors"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// recordings are those of this provider.
func recordings(t *testing.T) []*captures.Exchange {
	t.Helper()
	root, err := captures.Root()
	if errors.Is(err, captures.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := captures.Dir(root, "anthropic", "claude-vertex", "claude-bedrock")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSameShapeAsRecorded reads every recording, answers the same request with the same content, and compares. What
// differs must be in testdata/deviations.txt with its reason, and what is there must differ.
func TestSameShapeAsRecorded(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, e := range recordings(t) {
		name := e.Wire + "/" + strings.TrimSuffix(filepath.Base(e.Path), ".http")
		t.Run(name, func(t *testing.T) {
			for _, line := range differences(t, e) {
				found[name+": "+line] = true
			}
		})
	}
	listed := deviations(t)
	met := map[string]bool{}
	for _, line := range slices.Sorted(maps.Keys(found)) {
		known := false
		for _, pattern := range listed {
			if stub.Glob(pattern, line) {
				known, met[pattern] = true, true
			}
		}
		if !known {
			t.Errorf("differs, and is not in deviations.txt:\n%s", line)
		}
	}
	for _, pattern := range listed {
		if !met[pattern] {
			t.Errorf("is in deviations.txt, and nothing differs so:\n%s", pattern)
		}
	}
}

// deviations reads the list. A line "# reason" stands over the lines that it is for.
func deviations(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "deviations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	reason := false
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimSpace(line); {
		case line == "":
			reason = false
		case strings.HasPrefix(line, "#"):
			reason = true
		case !reason:
			t.Errorf("deviations.txt: no reason stands over %q", line)
		case slices.Contains(listed, line):
			t.Errorf("deviations.txt: %q is there twice", line)
		default:
			listed = append(listed, line)
		}
	}
	return listed
}

func differences(t *testing.T, e *captures.Exchange) []string {
	t.Helper()
	probe := probeOf(e)
	if _, found, _, _ := wire.NewRouter(anthropic.Provider()).Route(probe); found == nil {
		return []string{"another endpoint"}
	}
	c, f, err := wiretest.Call(anthropic.Provider(), probe)
	if err != nil || f != nil {
		t.Fatalf("the request: %v %v", err, f)
	}
	ours := answerLike(t, c, e)
	header := captures.Header{}
	for _, f := range ours.Header {
		header = append(header, captures.Field{Name: f.Name, Value: f.Value})
	}
	b := captures.Body{Data: ours.Bytes(), Status: ours.Status, Header: header, PayloadLines: false}
	if e.PayloadLines {
		b = captures.Body{Data: payloads(ours), PayloadLines: true}
	}
	opts := captures.Options{Order: e.KeyOrder, Headers: e.Status != 0, NoFraming: !e.Spacing}
	return captures.Diff(e.Body(), b, opts)
}

// answerLike is our answer with the content of a recording.
func answerLike(t *testing.T, c *wire.Call, e *captures.Exchange) wire.Response {
	t.Helper()
	if c.Endpoint.Serve != nil {
		return c.Endpoint.Serve(c)
	}
	for v := range c.Endpoint.Codec.Check(c) {
		t.Errorf("a request that the provider took is refused: %v", v.Failure)
	}
	reply, err := wire.Fold(c.Endpoint.Codec.Read(headOf(c, e), bytes.NewReader(framed(e))))
	var failure *wire.Failure
	switch {
	case errors.As(err, &failure) && e.Status >= 400:
		if failure.Kind == "" || failure.Message == "" || failure.Sent != wire.Completed {
			t.Errorf("the error is read as %+v", failure)
		}
		return c.Endpoint.Codec.Refuse(c, failure)
	case err != nil:
		t.Fatalf("read: %v", err)
	case e.Status >= 400:
		t.Fatal("an error was read as an answer")
	}
	if reply.Usage == nil || reply.Usage.Output == 0 || reply.Choices[0].Stop == wire.StopUnset {
		t.Errorf("usage or stop were not read: %+v", reply)
	}
	resp, fitted, lost := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	for _, err := range lost {
		t.Errorf("what the provider sent is lost: %v", err)
	}
	if len(fitted.Choices[0].Parts) != len(reply.Choices[0].Parts) {
		t.Errorf("%d parts were read, %d are sent", len(reply.Choices[0].Parts), len(fitted.Choices[0].Parts))
	}
	return resp
}

func headOf(c *wire.Call, e *captures.Exchange) *wire.ResponseHead {
	h := http.Header{}
	for _, f := range e.ResponseHeader {
		h.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	status := e.Status
	if status == 0 {
		status = 200
	}
	return &wire.ResponseHead{Status: status, Header: h, Request: c.Request}
}

// framed is the recorded body; payloads alone are framed again.
func framed(e *captures.Exchange) []byte {
	if !e.PayloadLines {
		return e.ResponseBody
	}
	var b []byte
	for line := range bytes.Lines(e.ResponseBody) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			b = wire.SSE{}.Append(b, wire.Frame{Data: line}, 0)
		}
	}
	return b
}

func payloads(r wire.Response) []byte {
	var b []byte
	for _, f := range r.Frames {
		b = append(append(b, f.Data...), '\n')
	}
	return b
}

// probeOf is the recorded request, with the key and the version that recorders leave out; where only the response was
// recorded, it is one that asks for it.
func probeOf(e *captures.Exchange) *wire.Probe {
	p := &wire.Probe{Method: e.Method, Host: "api.anthropic.com", Header: http.Header{}, Body: e.RequestBody}
	target := e.URL
	if e.Method == "" {
		p.Method, target = http.MethodPost, "/v1/messages"
		p.Body = []byte(`{"model":"claude-sonnet-4-5","max_tokens":4096,"messages":[{"role":"user","content":"Go on."}],"stream":false}`)
		if e.Streamed {
			p.Body = bytes.Replace(p.Body, []byte("false"), []byte("true"), 1)
		}
	}
	if u, err := url.Parse(target); err == nil {
		p.Path, p.Query = u.EscapedPath(), u.Query()
	}
	for _, f := range e.RequestHeader {
		p.Header.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	p.Header.Set("X-Api-Key", "sk-ant-test")
	if e.Wire == "anthropic" && p.Header.Get("Anthropic-Version") == "" {
		p.Header.Set("Anthropic-Version", "2023-06-01")
	}
	return p
}

// TestReadsWhatWasRecorded compares what is read with the recorded JSON itself, not with our own encoder.
func TestReadsWhatWasRecorded(t *testing.T) {
	t.Parallel()
	for _, e := range recordings(t) {
		if e.Streamed || e.Status != 200 || !strings.HasPrefix(e.URL, "/v1/messages") && e.Wire == "anthropic" {
			continue
		}
		v, err := jsonx.ParseBytes(e.ResponseBody)
		if err != nil || v.Get("type").Str() != "message" {
			continue
		}
		c, f, err := wiretest.Call(anthropic.Provider(), probeOf(e))
		if err != nil || f != nil {
			t.Fatalf("%s: %v %v", e.Path, err, f)
		}
		reply, err := wire.Fold(c.Endpoint.Codec.Read(headOf(c, e), bytes.NewReader(e.ResponseBody)))
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		want := wire.Usage{}
		u := v.Get("usage")
		count := func(path ...any) int { n, _ := u.At(path...).Int(); return int(n) }
		want.CacheRead, want.CacheWrite = count("cache_read_input_tokens"), count("cache_creation_input_tokens")
		want.Input = count("input_tokens") + want.CacheRead + want.CacheWrite
		want.Output, want.Reasoning = count("output_tokens"), count("output_tokens_details", "thinking_tokens")
		if *reply.Usage != want {
			t.Errorf("%s: usage %+v, want %+v", e.Path, *reply.Usage, want)
		}
		var texts, got strings.Builder
		for _, b := range v.Get("content").Items() {
			if b.Get("type").Str() == "text" {
				texts.WriteString(b.Get("text").Str())
			}
		}
		for _, p := range reply.Choices[0].Parts {
			if p, ok := p.(wire.Text); ok {
				got.WriteString(p.Text)
			}
		}
		if got.String() != texts.String() {
			t.Errorf("%s: text %q, want %q", e.Path, got.String(), texts.String())
		}
	}
}
