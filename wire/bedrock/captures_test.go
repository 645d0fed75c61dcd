package bedrock_test

import (
	"bytes"
	"encoding/json"
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

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/bedrock"
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
	all, err := captures.Dir(root, "bedrock-converse", "bedrock-invoke")
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
	c, f, err := wiretest.Call(bedrock.Provider(), probeOf(e))
	if err != nil {
		t.Fatal(err)
	}
	if f != nil && e.Status < 400 {
		t.Fatalf("a request that Bedrock took is refused: %v", f)
	}
	ours := answerLike(t, c, e)
	header := captures.Header{}
	for _, f := range ours.Header {
		header = append(header, captures.Field{Name: f.Name, Value: f.Value})
	}
	b := captures.Body{Data: ours.Bytes(), Status: ours.Status, Header: header}
	opts := captures.Options{Order: e.KeyOrder, Headers: true, NoFraming: !e.Spacing}
	return captures.Diff(e.Body(), b, opts)
}

// answerLike is our answer with the content of a recording.
func answerLike(t *testing.T, c *wire.Call, e *captures.Exchange) wire.Response {
	t.Helper()
	if c.Endpoint.Serve != nil {
		return c.Endpoint.Serve(c)
	}
	if e.Status < 400 {
		for v := range c.Endpoint.Codec.Check(c) {
			t.Errorf("a request that the provider took is refused: %v", v.Failure)
		}
	}
	reply, err := wire.Fold(c.Endpoint.Codec.Read(headOf(c, e), bytes.NewReader(e.ResponseBody)))
	var failure *wire.Failure
	switch {
	case errors.As(err, &failure) && e.Status >= 400:
		if failure.Kind == "" || failure.Message == "" || failure.Code == "" || failure.Sent != wire.Completed {
			t.Errorf("the error is read as %+v", failure)
		}
		return c.Endpoint.Codec.Refuse(c, failure)
	case err != nil:
		t.Fatalf("read: %v", err)
	case e.Status >= 400:
		t.Fatal("an error was read as an answer")
	}
	if reply.Usage == nil || reply.Usage.Input == 0 {
		t.Errorf("usage was not read: %+v", reply)
	}
	if trace := traceOf(e); trace != "" {
		// What a guardrail did is a stub's to say.
		c.Quirks = json.RawMessage(`{"trace":` + trace + `}`)
	}
	resp, fitted, lost := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	for _, err := range lost {
		t.Errorf("what the provider sent is lost: %v", err)
	}
	if c.Request.Kind == wire.Chat && len(fitted.Choices[0].Parts) != len(reply.Choices[0].Parts) {
		t.Errorf("%d parts were read, %d are sent", len(reply.Choices[0].Parts), len(fitted.Choices[0].Parts))
	}
	return resp
}

// traceOf is the trace of a recording, "" where there is none.
func traceOf(e *captures.Exchange) string {
	var docs []jsonx.Value
	if e.Streamed {
		r := awsstream.Reader{R: bytes.NewReader(e.ResponseBody)}
		for {
			m, err := r.Next()
			if err != nil {
				break
			}
			v, _ := jsonx.ParseBytes(m.Payload)
			if m.Get(":event-type") == aws.ChunkEvent {
				v, _ = aws.ReadChunk(m.Payload)
			}
			docs = append(docs, v)
		}
	} else if v, err := jsonx.ParseBytes(e.ResponseBody); err == nil {
		docs = append(docs, v)
	}
	for _, v := range docs {
		for _, key := range []string{"trace", "amazon-bedrock-trace"} {
			if trace := v.Get(key); trace.Len() > 0 {
				return trace.Raw()
			}
		}
	}
	return ""
}

func headOf(c *wire.Call, e *captures.Exchange) *wire.ResponseHead {
	h := http.Header{}
	for _, f := range e.ResponseHeader {
		h.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	return &wire.ResponseHead{Status: e.Status, Header: h, Request: c.Request}
}

// probeOf is the recorded request, with the credential that recorders leave out.
func probeOf(e *captures.Exchange) *wire.Probe {
	p := &wire.Probe{Method: e.Method, Host: "bedrock-runtime.us-east-1.amazonaws.com", Header: http.Header{}, Body: e.RequestBody}
	if u, err := url.Parse(e.URL); err == nil {
		p.Path, p.Query = u.EscapedPath(), u.Query()
	}
	for _, f := range e.RequestHeader {
		p.Header.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	p.Header.Set("Authorization", signed)
	return p
}

// TestReadsWhatWasRecorded compares what is read with the recorded JSON itself, not with our own encoder.
func TestReadsWhatWasRecorded(t *testing.T) {
	t.Parallel()
	read := 0
	for _, e := range recordings(t) {
		v, err := jsonx.ParseBytes(e.ResponseBody)
		content := v.At("output", "message", "content")
		if e.Streamed || e.Status != 200 || err != nil || !content.Exists() {
			continue
		}
		read++
		c, f, err := wiretest.Call(bedrock.Provider(), probeOf(e))
		if err != nil || f != nil {
			t.Fatalf("%s: %v %v", e.Path, err, f)
		}
		reply, err := wire.Fold(c.Endpoint.Codec.Read(headOf(c, e), bytes.NewReader(e.ResponseBody)))
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		count := func(key string) int { n, _ := v.At("usage", key).Int(); return int(n) }
		if reply.Usage.Input != count("inputTokens") || reply.Usage.Output != count("outputTokens") {
			t.Errorf("%s: usage %+v, want %s", e.Path, *reply.Usage, v.Get("usage").Raw())
		}
		for i, b := range content.Items() {
			switch p := reply.Choices[0].Parts[i].(type) {
			case wire.Text:
				if p.Text != b.Get("text").Str() {
					t.Errorf("%s: text %q, want %q", e.Path, p.Text, b.Get("text").Str())
				}
			case wire.ToolCall:
				if p.ID != b.At("toolUse", "toolUseId").Str() || p.Name != b.At("toolUse", "name").Str() {
					t.Errorf("%s: call %+v, want %s", e.Path, p, b.Raw())
				}
			default:
				t.Errorf("%s: %T", e.Path, p)
			}
		}
	}
	if read < 5 {
		t.Errorf("only %d recordings have blocks", read)
	}
}
