package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/internal/sample"
	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

const smallBody = 16 << 10

// TestBadInput sends what is wrong to every endpoint of every provider. Each request must get the provider's own error
// in its own envelope and with its own status, and must be in the journal. A stub that answers everything stands by, so
// that what is let through is a 200.
func TestBadInput(t *testing.T) {
	t.Parallel()
	stubs := filepath.Join(t.TempDir(), "stubs.yaml")
	if err := os.WriteFile(stubs, []byte("stubs:\n  - answer: {text: Hello}\n  - {when: {endpoint: embeddings}, answer: {}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range all.Providers() {
		for _, e := range p.Endpoints() {
			probe := sampleOf(e)
			if probe == nil {
				continue
			}
			t.Run(e.Name+" "+e.Method+" "+e.Suffix, func(t *testing.T) {
				t.Parallel()
				testBadInput(t, run(t, server.Config{MaxBody: smallBody, Paths: []string{stubs}}), e, probe)
			})
		}
	}
}

// TestEveryEndpointHasASample keeps the table of samples, and so the test above, complete.
func TestEveryEndpointHasASample(t *testing.T) {
	t.Parallel()
	for _, p := range all.Providers() {
		for _, e := range p.Endpoints() {
			if sampleOf(e) == nil {
				t.Errorf("%s (%s %s) has no sample request", e.Name, e.Method, e.Suffix)
			}
		}
	}
}

// sampleOf is the endpoint's sample, as a stream where that has a path of its own.
func sampleOf(e wire.Endpoint) *wire.Probe {
	for _, stream := range []bool{false, true} {
		p := sample.Of(e.Name, stream)
		if p == nil {
			continue
		}
		one := wire.NewRouter(only{e})
		if _, found, _, _ := one.Route(&wire.Probe{Method: p.Method, Path: p.Path, Header: p.Header, Body: p.Body}); found != nil {
			return p
		}
	}
	return nil
}

// only is a provider of one endpoint.
type only struct{ endpoint wire.Endpoint }

func (o only) Name() string                                      { return "only" }
func (o only) Endpoints() []wire.Endpoint                        { return []wire.Endpoint{o.endpoint} }
func (only) Owns(*wire.Probe) int                                { return 0 }
func (only) Refuse(*wire.Probe, *wire.Failure) (r wire.Response) { return r }

type badInput struct {
	name   string
	change func(p *wire.Probe)
	status []int // one of these
	kind   wire.FailureKind
}

func testBadInput(t *testing.T, s *running, e wire.Endpoint, good *wire.Probe) {
	t.Helper()
	cases := []badInput{
		{"wrong method", func(p *wire.Probe) { p.Method = http.MethodPatch }, []int{405, 404}, ""},
		{"no credentials", func(p *wire.Probe) {
			for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"} {
				p.Header.Del(name)
			}
			p.Query.Del("key")
		}, []int{401, 403}, wire.Auth},
		{"unknown path", func(p *wire.Probe) {
			before, _, _ := strings.Cut(p.Path, "/models/")
			p.Path = before + "/of/nothing"
		}, []int{404}, ""},
	}
	if good.Body != nil {
		cases = append(cases, badBodies(good)...)
		cases = append(cases, badFields(t, e.Name, good)...)
	}
	for _, c := range cases {
		c = c.asOllama(e)
		if (c.name == "no credentials" || c.name == "output is null") && e.Name == "mimus.scripted" {
			c.status = []int{http.StatusOK} // whose keys nobody knows either
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := copyOf(good)
			c.change(p)
			got := s.send(t, p)
			if !slices.Contains(c.status, got.status) {
				t.Errorf("status %d, want one of %d\n%s", got.status, c.status, got.begin())
			}
			if got.status < 300 && slices.Contains(c.status, got.status) || p.Method == http.MethodHead {
				return // taken as it is, or an answer without a body
			}
			expectEnvelope(t, speakerOf(e), got)
			expectFailure(t, e, got, c.kind)
			s.expectJournal(t, got)
		})
	}
	t.Run("gzip is read", func(t *testing.T) {
		t.Parallel()
		if good.Body == nil {
			t.Skip("no body")
		}
		p := copyOf(good)
		p.Body = zipped(p.Body)
		p.Header.Set("Content-Encoding", "gzip")
		if got := s.send(t, p); got.status != http.StatusOK && !(e.Name == "ollama.delete" && got.status == http.StatusNotFound) {
			t.Errorf("status %d, want 200\n%s", got.status, got.begin())
		}
	})
	t.Run("the sample itself is fine", func(t *testing.T) {
		t.Parallel()
		if got := s.send(t, copyOf(good)); got.status != http.StatusOK && e.Kind != wire.Resource {
			t.Errorf("status %d, want 200\n%s", got.status, got.begin())
		}
	})
}

// badBodies are bodies that are no request at all.
func badBodies(good *wire.Probe) []badInput {
	body := func(name, text string) badInput {
		return badInput{name, func(p *wire.Probe) { p.Body = []byte(text) }, []int{400}, wire.Invalid}
	}
	half := string(good.Body[:len(good.Body)/2])
	quoted := strings.Replace(string(good.Body), sample.Question, "\xff\xfe"+sample.Question, 1)
	return []badInput{
		body("empty", ""),
		body("not JSON", "model=gpt"),
		body("null", "null"),
		body("a list", "[]"),
		body("a text", `"hello"`),
		body("a number", "7"),
		body("cut", half),
		body("two documents", string(good.Body)+string(good.Body)),
		body("not UTF-8", quoted),
		body("nested too deep", strings.Replace(string(good.Body), "{", `{"x":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)+",", 1)),
		{"gzip that is none", func(p *wire.Probe) { p.Header.Set("Content-Encoding", "gzip") }, []int{400}, wire.Invalid},
		{"gzip that is cut", func(p *wire.Probe) {
			p.Body = zipped(p.Body)
			p.Body = p.Body[:len(p.Body)-9]
			p.Header.Set("Content-Encoding", "gzip")
		}, []int{400}, wire.Invalid},
		{"an unknown encoding", func(p *wire.Probe) { p.Header.Set("Content-Encoding", "br") }, []int{400, 415}, wire.Invalid},
		{"over the limit", func(p *wire.Probe) { p.Body = append(p.Body, bytes.Repeat([]byte(" "), smallBody)...) }, []int{413, 400}, wire.TooLarge},
		{"over the limit once unzipped", func(p *wire.Probe) {
			p.Body = zipped(append(p.Body, bytes.Repeat([]byte(" "), smallBody)...))
			p.Header.Set("Content-Encoding", "gzip")
		}, []int{413, 400}, wire.TooLarge},
	}
}

// badFields leave each field of the sample out, and give it values of other types.
func badFields(t *testing.T, endpoint string, good *wire.Probe) []badInput {
	t.Helper()
	doc, err := jsonx.ParseBytes(good.Body)
	if err != nil {
		t.Fatal(err)
	}
	var cases []badInput
	for name, v := range doc.Members() {
		if name == "stream" || name == "stream_options" {
			continue
		}
		// Nothing is required of a token count (OpenAI's OpenAPI document, Aug 2026), and null is as good as nothing.
		optional := endpoint == "openai.responses.tokens"
		if !optional {
			cases = append(cases, badInput{"without " + name, func(p *wire.Probe) { p.Body = withField(doc, name, "") }, []int{400}, wire.Invalid})
		}
		for _, value := range []string{`{"a":1}`, `7.5`, `"seven"`, `true`, `[7]`, `null`} {
			if fits(name, v, value) || optional && value == "null" {
				continue
			}
			cases = append(cases, badInput{name + " is " + value, func(p *wire.Probe) { p.Body = withField(doc, name, value) }, []int{400}, wire.Invalid})
		}
	}
	return cases
}

// fits says whether the provider could take a value: any text is a text, and an embedding's input may be tokens.
func fits(name string, v jsonx.Value, value string) bool {
	switch {
	case v.Kind() == jsonx.String && value[0] == '"':
		return true
	case name == "input" && value == "[7]":
		return true
	}
	return false
}

// withField is a document with another value in a field, or without it.
func withField(doc jsonx.Value, field, value string) []byte {
	b := []byte("{")
	for name, v := range doc.Members() {
		text := v.Raw()
		if name == field {
			if text = value; value == "" {
				continue
			}
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(jsonx.AppendString(b, name), ':'), text...)
	}
	return append(b, '}')
}

func zipped(b []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = w.Write(b)
	_ = w.Close()
	return buf.Bytes()
}

func copyOf(p *wire.Probe) *wire.Probe {
	q := *p
	q.Header, q.Body, q.Query = p.Header.Clone(), slices.Clone(p.Body), maps.Clone(p.Query)
	return &q
}

// expectEnvelope looks at the keys of an error, which each provider has its own of.
func expectEnvelope(t *testing.T, endpoint string, got *answer) {
	t.Helper()
	provider, _, _ := strings.Cut(endpoint, ".")
	if provider == "gemini" && got.status == http.StatusNotFound && strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
		return // Google's front end knows no such path, and says so in HTML
	}
	if provider == "ollama" && isGinText(got) {
		return
	}
	if provider == "mimus" {
		// The wire of a provider that nobody knows has no envelope: an error is its message.
		if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/plain") || len(got.body) == 0 {
			t.Errorf("content type %q, want plain text\n%s", kind, got.begin())
		}
		return
	}
	if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		t.Errorf("content type %q, want JSON", kind)
	}
	doc, err := jsonx.ParseBytes(got.body)
	if err != nil {
		t.Fatalf("the answer is no JSON: %v\n%s", err, got.begin())
	}
	if doc.Kind() == jsonx.Array {
		doc = doc.Index(0) // Google's layer, where a stream was asked for
	}
	keys := fmt.Sprint(keysOf(doc), keysOf(doc.Get("error")))
	var want []string
	message := doc.At("error", "message").Str()
	switch {
	case provider == "openai":
		want = []string{"[error] [message type param code]"}
	case strings.HasPrefix(endpoint, "anthropic.vertex"):
		want = []string{"[type error request_id] [type message]", "[error] [code message status]"}
	case provider == "anthropic":
		want = []string{"[type error request_id] [type message]", "[type error request_id] [type message details]"}
	case provider == "gemini":
		want = []string{"[error] [code message status]", "[error] [code message status details]"}
	case provider == "bedrock":
		want, message = []string{"[message] []"}, doc.Get("message").Str()
	case provider == "typesafe":
		want = []string{"[error] [message]"}
	case provider == "ollama":
		want, message = []string{"[error] []"}, doc.Get("error").Str()
	default:
		t.Fatalf("no envelope is known for %s", endpoint)
	}
	if !slices.Contains(want, keys) {
		t.Errorf("the keys are %s, want %q\n%s", keys, want, got.begin())
	}
	if message == "" {
		t.Errorf("the error has no message\n%s", got.begin())
	}
}

func keysOf(v jsonx.Value) []string {
	var keys []string
	for name := range v.Members() {
		keys = append(keys, name)
	}
	return keys
}

// expectFailure reads the answer as a client of that provider would.
func expectFailure(t *testing.T, e wire.Endpoint, got *answer, kind wire.FailureKind) {
	t.Helper()
	if e.Codec == nil || kind == "" {
		return
	}
	head := &wire.ResponseHead{Status: got.status, Header: got.header, Request: &wire.Request{Endpoint: e.Name, Kind: e.Kind}}
	_, err := wire.Fold(e.Codec.Read(head, bytes.NewReader(got.body)))
	f, ok := err.(*wire.Failure) //nolint:errorlint // readers give it as it is
	if !ok {
		t.Fatalf("read as %v, want a failure", err)
	}
	if f.Kind != kind || f.Status != got.status || f.Message == "" {
		t.Errorf("read as %+v, want kind %s", f, kind)
	}
}
