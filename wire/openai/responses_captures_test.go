package openai_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// responsesWires are the wires that have recordings of the Responses API, and who speaks there.
func responsesWires() map[string]string {
	return map[string]string{
		"openai-responses": "openai", "azure-openai": "azure", "compat-xai": "xai", "compat-copilot": "copilot",
		"compat-mantle": "mantle", "compat-deepseek": "deepseek",
	}
}

// TestResponsesCaptures holds Read to every recording of the Responses API, and the shape of our own answer of the same
// content to it. What differs stands in testdata/responses/deviations.txt with its reason; a line there that no longer
// holds is an error too.
func TestResponsesCaptures(t *testing.T) {
	root, err := captures.Root()
	if errors.Is(err, captures.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	listed := readDeviations(t)
	var wires []string
	for w := range responsesWires() {
		wires = append(wires, w)
	}
	all, err := captures.Dir(root, wires...)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, x := range all {
		if !isResponses(x) {
			continue
		}
		seen++
		name, err := filepath.Rel(root, strings.TrimSuffix(x.Path, ".http"))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			for _, line := range compareCapture(t, x) {
				if !listed.covers(name, line) {
					t.Errorf("not listed: %s: %s", name, line)
				}
			}
		})
	}
	if seen < 40 {
		t.Errorf("%d recordings of the Responses API, want the 40 of 2026-08 at least", seen)
	}
	for _, d := range listed.list {
		if !d.used {
			t.Errorf("deviations.txt: no longer so: %s: %s", d.file, d.line)
		}
	}
}

func isResponses(x *captures.Exchange) bool {
	if x.Method == "" {
		return x.Wire == "openai-responses" || strings.HasPrefix(x.Kind, "responses")
	}
	return strings.Contains(x.URL, "/responses")
}

// compareCapture reads a recording, and answers the same to the same request.
func compareCapture(t *testing.T, x *captures.Exchange) []string {
	t.Helper()
	body := x.ResponseBody
	if x.PayloadLines {
		body = framed(body)
	}
	c := captureCall(t, x)
	if c.Endpoint.Serve != nil {
		r := c.Endpoint.Serve(c)
		return captures.Diff(x.Body(), ourBody(r), diffOptions(x))
	}
	codec := c.Endpoint.Codec
	header := http.Header{}
	for _, f := range x.ResponseHeader {
		header.Add(f.Name, f.Value)
	}
	reply, err := wire.Fold(codec.Read(&wire.ResponseHead{Status: max(200, x.Status), Header: header, Request: c.Request}, bytes.NewReader(body)))
	var f *wire.Failure
	switch {
	case errors.As(err, &f):
		if f.Kind == "" || f.Message == "" {
			t.Fatalf("read: a failure without kind or message: %+v", f)
		}
		if f.Rule == "" {
			f.Rule = "as recorded"
		}
		return captures.Diff(x.Body(), ourBody(codec.Refuse(c, f)), diffOptions(x))
	case err != nil:
		t.Fatalf("read: %v", err)
	}
	if len(reply.Choices) != 1 || len(reply.Choices[0].Parts) == 0 || reply.Usage == nil {
		t.Fatalf("read: no answer: %+v", reply)
	}
	r, _, lost := wire.Render(c, codec, reply, wire.Split{}, wire.NoCut())
	for _, err := range lost {
		t.Log(err)
	}
	return captures.Diff(x.Body(), ourBody(r), diffOptions(x))
}

func diffOptions(x *captures.Exchange) captures.Options {
	return captures.Options{Order: x.KeyOrder, NoFraming: x.PayloadLines || !x.Spacing, NoSometimes: true}
}

func ourBody(r wire.Response) captures.Body {
	return captures.Body{Data: r.Bytes(), Status: r.Status}
}

// framed puts payloads that were recorded without their framing back into events.
func framed(payloads []byte) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(string(payloads)) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("data: " + line + "\n\n")
		}
	}
	return b.Bytes()
}

// captureCall makes the call of a recorded request, or of one that would have had the recorded answer.
func captureCall(t *testing.T, x *captures.Exchange) *wire.Call {
	t.Helper()
	p := &wire.Probe{Method: http.MethodPost, Path: "/v1/responses", Header: http.Header{}, Query: url.Values{}, Body: x.RequestBody}
	p.Header.Set("Authorization", "Bearer sk-test")
	if x.Method != "" {
		path, query, _ := strings.Cut(x.URL, "?")
		p.Path = path
		p.Query, _ = url.ParseQuery(query)
		p.Host = x.RequestHeader.Get("Host")
	} else {
		p.Body = requestOf(t, x)
	}
	p.Dialect = responsesWires()[x.Wire]
	c, f, err := wiretest.Call(openai.Provider(), p)
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Fatalf("decode: %v", f)
	}
	if c.Endpoint.Codec != nil {
		for v := range c.Endpoint.Codec.Check(c) {
			t.Errorf("check: the provider accepted what we refuse: %s: %v", v.Rule, v.Failure)
		}
	}
	return c
}

// requestOf makes a request of what the recorded response repeats of its own.
func requestOf(t *testing.T, x *captures.Exchange) []byte {
	t.Helper()
	line, _, _ := strings.Cut(string(x.ResponseBody), "\n")
	first, err := jsonx.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	response := first.Get("response")
	b := []byte(`{"input":"Hi.","stream":true`)
	for _, key := range []string{"model", "instructions", "tools", "tool_choice", "store", "text", "previous_response_id", "safety_identifier", "reasoning"} {
		if v := response.Get(key); v.Exists() && !v.IsNull() {
			b = append(jsonx.AppendString(append(b, ','), key), ':')
			b = append(b, v.Raw()...)
		}
	}
	if strings.Contains(string(x.ResponseBody), `"encrypted_content":"`) {
		b = append(b, `,"include":["reasoning.encrypted_content"]`...)
	}
	return append(b, '}')
}

type deviations struct{ list []*deviation }

// deviation is one recording and one way in which we differ from it.
type deviation struct {
	file, line string
	like       *regexp.Regexp
	used       bool
}

func (d *deviations) covers(file, line string) bool {
	covered := false
	for _, x := range d.list {
		if x.file == file && x.like.MatchString(line) {
			x.used, covered = true, true
		}
	}
	return covered
}

// readDeviations reads the list. A line "# REASON" begins a group; below it, a line names a difference, where * stands
// for any text, and the lines after it, indented, the recordings that have it.
func readDeviations(t *testing.T) *deviations {
	t.Helper()
	text, err := os.ReadFile("testdata/responses/deviations.txt")
	if err != nil {
		t.Fatal(err)
	}
	var d deviations
	reason, difference := false, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "":
			reason, difference = false, ""
		case strings.HasPrefix(line, "# "):
			reason = true
		case !reason:
			t.Fatalf("deviations.txt: no reason for %q", line)
		case !strings.HasPrefix(line, "  "):
			difference = line
		case difference == "" || strings.Trim(difference, "* ") == "":
			t.Fatalf("deviations.txt: no difference for %q", line)
		default:
			pattern := strings.ReplaceAll(regexp.QuoteMeta(difference), `\*`, ".*")
			d.list = append(d.list, &deviation{file: strings.TrimSpace(line), line: difference, like: regexp.MustCompile("^" + pattern + "$")})
		}
	}
	return &d
}
