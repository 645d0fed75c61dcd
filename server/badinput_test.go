package server_test

import (
	"bytes"
	"compress/gzip"
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

// sampleOf is the endpoint's sample.
func sampleOf(e wire.Endpoint) *wire.Probe {
	one := wire.NewRouter(only{e})
	for _, p := range sample.All(e.Name) {
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

// sampleIsFine is the case that spoils nothing.
const sampleIsFine = "the sample itself is fine"

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
		{"unknown path", func(p *wire.Probe) {
			before, _, _ := strings.Cut(p.Path, "/models/")
			p.Path = before + "/of/nothing"
		}, []int{404}, ""},
	}
	speaker := speakerOf(t, e.Name)
	if !speaker.keyless {
		cases = append(cases, badInput{"no credentials", func(p *wire.Probe) {
			for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Api-Key"} {
				p.Header.Del(name)
			}
			p.Query.Del("key")
		}, []int{401, 403}, wire.Auth})
	}
	if good.Body != nil {
		cases = append(cases, badBodies(good)...)
		cases = append(cases, badFields(t, good)...)
		cases = append(cases, badInput{"gzip is read", func(p *wire.Probe) {
			p.Body = zipped(p.Body)
			p.Header.Set("Content-Encoding", "gzip")
		}, []int{200}, ""})
	}
	if e.Kind != wire.Resource || good.Body != nil || speaker.keyless {
		cases = append(cases, badInput{sampleIsFine, func(*wire.Probe) {}, []int{200}, ""})
	}
	for _, c := range cases {
		c = c.on(e.Name)
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := copyOf(good)
			c.change(p)
			got := s.send(t, p)
			if !slices.Contains(c.status, got.status) {
				t.Fatalf("status %d, want one of %d\n%s", got.status, c.status, got.begin())
			}
			if got.status < 300 {
				return // it is taken as it is
			}
			if p.Method != http.MethodHead {
				speaker.expectEnvelope(t, got)
				expectFailure(t, e, got, c.kind)
			}
			s.expectJournal(t, got)
		})
	}
}

// badBodies are bodies that are no request at all.
func badBodies(good *wire.Probe) []badInput {
	body := func(name, text string) badInput {
		return badInput{name, func(p *wire.Probe) { p.Body = []byte(text) }, []int{400}, wire.Invalid}
	}
	half := string(good.Body[:len(good.Body)/2])
	cases := []badInput{
		body("empty", ""),
		body("not JSON", "model=gpt"),
		body("null", "null"),
		body("a list", "[]"),
		body("a text", `"hello"`),
		body("a number", "7"),
		body("cut", half),
		body("two documents", string(good.Body)+string(good.Body)),
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
	if quoted := strings.Replace(string(good.Body), sample.Question, "\xff\xfe"+sample.Question, 1); quoted != string(good.Body) {
		cases = append(cases, body("not UTF-8", quoted))
	}
	return cases
}

// badFields leave each field of the sample out, and give it values of other types.
func badFields(t *testing.T, good *wire.Probe) []badInput {
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
		cases = append(cases, badInput{"without " + name, func(p *wire.Probe) { p.Body = withField(doc, name, "") }, []int{400}, wire.Invalid})
		for _, value := range []string{`{"a":1}`, `7.5`, `"seven"`, `true`, `[7]`, `null`} {
			if fits(name, v, value) {
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
