package gemini

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

	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
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
	all, err := captures.Dir(root, "gemini", "gemini-vertex")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func nameOf(e *captures.Exchange) string {
	return e.Wire + "/" + strings.TrimSuffix(filepath.Base(e.Path), ".http")
}

// recordedQuirks are what an answer had that is not the usual way today: older forms, and wishes of a stub.
var recordedQuirks = map[string]string{
	// Recorded before serviceTier came, in 2025 and early 2026.
	"gemini/chat-oscar-01":                    `{"noServiceTier":true}`,
	"gemini/structured-oscar-01":              `{"noServiceTier":true}`,
	"gemini/structured-stream-fantasy-01":     `{"noServiceTier":true}`,
	"gemini/tool-stream-fantasy-02":           `{"noServiceTier":true}`,
	"gemini/tools-parallel-stream-fantasy-01": `{"noServiceTier":true}`,
	"gemini/reasoning-fantasy-01":             `{"noServiceTier":true}`,
	"gemini/hosted-code-stream-pydanticai-01": `{"noServiceTier":true,"toolUsePromptTokens":360}`,
	// gemini-3-pro-preview gave no ids in 2025-12, and ended after its call with an empty text.
	"gemini/tool-stream-vercelai-01":      `{"noServiceTier":true,"noCallIds":true,"finalChunk":"emptyText"}`,
	"gemini/blocked-output-pydanticai-01": `{"empty":"emptyContent"}`,
	// Tokens that the provider's own search added.
	"gemini/hosted-grounding-rubyllm-01":        `{"toolUsePromptTokens":73}`,
	"gemini-vertex/hosted-grounding-rubyllm-01": `{"toolUsePromptTokens":61}`,
	// Vertex gave no ids there.
	"gemini-vertex/args-stream-vercelai-01":      `{"noCallIds":true,"streamArguments":true}`,
	"gemini-vertex/blocked-output-pydanticai-01": `{"noCallIds":true}`,
}

// TestSameShapeAsRecorded reads every recording, answers the same request with the same content, and compares. What
// differs must be in testdata/deviations.txt with its reason, and what is there must differ.
func TestSameShapeAsRecorded(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, e := range recordings(t) {
		name := nameOf(e)
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
	probe := recordedProbe(e)
	if _, found, _, _ := wire.NewRouter(Provider()).Route(probe); found == nil {
		return []string{"another endpoint"}
	}
	c, f, err := wiretest.Call(Provider(), probe)
	if err != nil || f != nil {
		t.Fatalf("the request: %v %v", err, f)
	}
	if q := recordedQuirks[nameOf(e)]; q != "" {
		c.Quirks = json.RawMessage(q)
	}
	ours := answerLike(t, c, e)
	header := captures.Header{}
	for _, f := range ours.Header {
		header = append(header, captures.Field{Name: f.Name, Value: f.Value})
	}
	b := captures.Body{Data: ours.Bytes(), Status: ours.Status, Header: header}
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
		if e.Status >= 400 {
			f := readFailure(recordedHead(c, e), e.ResponseBody)
			return refuse(c, f)
		}
		return c.Endpoint.Serve(c)
	}
	for v := range c.Endpoint.Codec.Check(c) {
		t.Errorf("a request that the provider took is refused: %v", v.Failure)
	}
	reply, err := wire.Fold(c.Endpoint.Codec.Read(recordedHead(c, e), bytes.NewReader(framed(e))))
	var failure *wire.Failure
	switch {
	case errors.As(err, &failure) && e.Status >= 400:
		if failure.Kind == "" || failure.Message == "" || failure.Sent != wire.Completed {
			t.Errorf("the error is read as %+v", failure)
		}
		// What is read of BadRequest's fields is not what a refusal says.
		failure.Param = ""
		return c.Endpoint.Codec.Refuse(c, failure)
	case err != nil:
		t.Fatalf("read: %v", err)
	case e.Status >= 400:
		t.Fatal("an error was read as an answer")
	}
	// The fragments of a text are the provider's own, so that as many chunks come.
	resp, fitted, lost := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{Whole: true}, wire.NoCut())
	for _, err := range lost {
		t.Errorf("what the provider sent is lost: %v", err)
	}
	if c.Request.Kind == wire.Chat && len(reply.Choices) > 0 && len(fitted.Choices[0].Parts) != len(reply.Choices[0].Parts) {
		t.Errorf("%d parts were read, %d are sent", len(reply.Choices[0].Parts), len(fitted.Choices[0].Parts))
	}
	return resp
}

func recordedHead(c *wire.Call, e *captures.Exchange) *wire.ResponseHead {
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

// recordedProbe is the recorded request, with the credentials that recorders leave out; where only the response was
// recorded, it is one that asks for it.
func recordedProbe(e *captures.Exchange) *wire.Probe {
	p := &wire.Probe{Method: e.Method, Host: studioHost, Header: http.Header{}, Body: e.RequestBody}
	target := e.URL
	if e.Method == "" {
		p.Method, target = http.MethodPost, "/v1beta/models/"+e.Model+":streamGenerateContent?alt=sse"
		if e.Wire == "gemini-vertex" {
			target = "/v1beta1/projects/p/locations/global/publishers/google/models/" + e.Model + ":streamGenerateContent?alt=sse"
		}
		p.Body = []byte(hello)
	}
	// A recorder's mark in the place of a project is no part of a path.
	target = strings.NewReplacer("<GOOGLE_CLOUD_PROJECT>", "example-project", "<GOOGLE_CLOUD_LOCATION>", "global").Replace(target)
	if u, err := url.Parse(target); err == nil {
		p.Path, p.Query = u.EscapedPath(), u.Query()
	}
	for _, f := range e.RequestHeader {
		p.Header.Add(textproto.CanonicalMIMEHeaderKey(f.Name), f.Value)
	}
	switch {
	case e.Wire == "gemini-vertex":
		p.Host = "aiplatform.googleapis.com"
		p.Header.Set("Authorization", "Bearer ya29.test")
	case e.Status != 403:
		p.Header.Set(keyHeader, "AIza-test")
	}
	return p
}

// TestReadsWhatWasRecorded compares what is read with the recorded JSON itself, not with our own encoder.
func TestReadsWhatWasRecorded(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, e := range recordings(t) {
		if e.Status != 200 && e.Status != 0 || !strings.Contains(e.URL, "enerateContent") && e.URL != "" || strings.Contains(e.URL, "batch") {
			continue
		}
		c, f, err := wiretest.Call(Provider(), recordedProbe(e))
		if err != nil || f != nil {
			t.Fatalf("%s: %v %v", e.Path, err, f)
		}
		reply, err := wire.Fold(c.Endpoint.Codec.Read(recordedHead(c, e), bytes.NewReader(framed(e))))
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		text, calls, total := recordedContent(t, e)
		var gotText strings.Builder
		gotCalls := 0
		for _, a := range reply.Choices {
			gotCalls += len(a.Calls())
			for _, p := range a.Parts {
				if p, ok := p.(wire.Text); ok {
					gotText.WriteString(p.Text)
				}
			}
		}
		if gotText.String() != text || gotCalls != calls {
			t.Errorf("%s: %d calls and text %q, want %d and %q", e.Path, gotCalls, gotText.String(), calls, text)
		}
		if total > 0 && reply.Usage.Input+reply.Usage.Output != total {
			t.Errorf("%s: usage %+v, want a total of %d", e.Path, reply.Usage, total)
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("only %d answers were looked at", seen)
	}
}

// recordedContent is the text of a recording, how many calls begin in it, and its last total of tokens.
func recordedContent(t *testing.T, e *captures.Exchange) (text string, calls, total int) {
	t.Helper()
	var said strings.Builder
	var messages []string
	switch body := strings.TrimSpace(string(e.ResponseBody)); {
	case e.PayloadLines:
		messages = strings.Split(body, "\n")
	case strings.HasPrefix(body, "data:"):
		for event := range strings.SplitSeq(body, "\r\n\r\n") {
			messages = append(messages, strings.TrimPrefix(event, "data:"))
		}
	default:
		messages = []string{body}
	}
	for _, m := range messages {
		v, err := jsonx.Parse(strings.TrimSpace(m))
		if err != nil {
			t.Fatalf("%s: %v in %.80q", e.Path, err, m)
		}
		list := []jsonx.Value{v}
		if v.Kind() == jsonx.Array {
			list = nil
			for _, item := range v.Items() {
				list = append(list, item)
			}
		}
		for _, v := range list {
			if n, ok := v.At("usageMetadata", "totalTokenCount").Int(); ok {
				total = int(n)
			}
			for _, p := range v.At("candidates", 0, "content", "parts").Items() {
				if thought, _ := p.Get("thought").Bool(); !thought {
					said.WriteString(p.Get("text").Str())
				}
				if p.At("functionCall", "name").Exists() {
					calls++
				}
			}
		}
	}
	return said.String(), calls, total
}
