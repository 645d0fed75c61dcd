package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// recordedBy says which speaker the recordings of a folder are of.
func recordedBy() map[string]string {
	return map[string]string{
		"openai-chat": official, "azure-openai": azure, "mistral": "mistral", "gemini-compat": "gemini",
		"compat-alibaba": "alibaba", "compat-cerebras": "cerebras", "compat-copilot": "copilot", "compat-deepseek": "deepseek",
		"compat-groq": "groq", "compat-huggingface": "huggingface", "compat-mantle": unknown, "compat-openrouter": "openrouter",
		"compat-perplexity": "perplexity", "compat-voyage": "voyage", "compat-xai": "xai", "compat-zai": "zai",
		"ollama": "ollama",
	}
}

// TestRecordings reads every recording, and answers the recorded request with what was read: the shape must be the same,
// or the difference stands in testdata/deviations.txt with its reason. A line of that file that no longer holds is an
// error too.
func TestRecordings(t *testing.T) {
	t.Parallel()
	root, err := captures.Root()
	if errors.Is(err, captures.ErrAbsent) {
		t.Skipf("%v: set %s to the folder of recorded answers", err, captures.Variable)
	}
	if err != nil {
		t.Fatal(err)
	}
	speakers := recordedBy()
	wires := make([]string, 0, len(speakers))
	for w := range speakers {
		wires = append(wires, w)
	}
	recordings, err := captures.Dir(root, wires...)
	if err != nil {
		t.Fatal(err)
	}
	listed := readDeviations(t, "testdata/deviations.txt")
	for _, e := range recordings {
		if e.Wire == "ollama" && strings.HasPrefix(e.URL, "/api/") {
			continue // Ollama's own API is another wire
		}
		name := path.Join(filepath.Base(filepath.Dir(e.Path)), filepath.Base(e.Path))
		t.Run(name, func(t *testing.T) {
			if reason := listed.take(name, "skip"); reason != "" {
				t.Skip(reason)
			}
			diff := compareRecording(t, e, speakers[e.Wire])
			for _, d := range diff {
				if listed.take(name, d) == "" {
					t.Errorf("%s", d)
				}
			}
		})
	}
	for _, d := range listed.unused() {
		t.Errorf("testdata/deviations.txt: this difference is gone, so the line must go: %s", d)
	}
}

// compareRecording reads a recording and gives how our answer to the same request differs.
func compareRecording(t *testing.T, e *captures.Exchange, dialect string) []string {
	t.Helper()
	c := recordedCall(t, e, dialect)
	codec := c.Endpoint.Codec
	status := e.Status
	if status == 0 {
		status = http.StatusOK
	}
	header := http.Header{}
	for _, f := range e.ResponseHeader {
		header.Add(f.Name, f.Value)
	}
	body := e.ResponseBody
	if e.PayloadLines {
		body = framed(body)
	}
	reply, err := wire.Fold(codec.Read(&wire.ResponseHead{Status: status, Header: header, Request: c.Request}, bytes.NewReader(body)))
	var failure *wire.Failure
	if err != nil && !errors.As(err, &failure) {
		t.Fatalf("read: %v", err)
	}
	wantKind, isError := recordedFailures()[path.Join(filepath.Base(filepath.Dir(e.Path)), filepath.Base(e.Path))]
	if isError != (failure != nil) {
		t.Fatalf("read: got %v, and an error was expected: %t", err, isError)
	}
	cut := wire.NoCut()
	if failure != nil {
		if failure.Kind != wantKind {
			t.Errorf("read: got kind %s of %v, want %s", failure.Kind, failure, wantKind)
		}
		again := *failure
		again.Status = 0
		cut.Failure = &again
		if e.Streamed && len(reply.Choices) > 0 {
			whole, _, _ := wire.Render(c, codec, reply, wire.Split{}, wire.NoCut())
			cut.FailAfter = slices.IndexFunc(whole.Frames, func(f wire.Frame) bool { return bytes.Contains(f.Data, []byte(`"finish_reason":"`)) })
		}
	}
	resp, _, lost := wire.Render(c, codec, reply, wire.Split{}, cut)
	for _, l := range lost {
		t.Log(l)
	}
	return differences(e, resp)
}

func differences(e *captures.Exchange, resp wire.Response) []string {
	ours := captures.Body{Data: resp.Bytes(), Status: resp.Status}
	diff := captures.Diff(e.Body(), ours, captures.Options{Order: e.KeyOrder, NoFraming: !e.Spacing})
	if recorded := e.ResponseHeader.Get("Content-Type"); recorded != "" && recorded != resp.Header.Get("Content-Type") {
		diff = append(diff, "content type: A "+recorded+", B "+resp.Header.Get("Content-Type"))
	}
	// A recording with few headers says nothing: its recorder kept only some.
	if len(e.ResponseHeader) < 12 {
		return diff
	}
	for _, f := range resp.Header {
		if e.ResponseHeader.Get(f.Name) == "" {
			diff = append(diff, "header: only in B: "+f.Name)
		}
	}
	for _, f := range e.ResponseHeader {
		if name := http.CanonicalHeaderKey(f.Name); resp.Header.Get(name) == "" && !edgeHeader(name) {
			line := "header: only in A: " + name
			if !slices.Contains(diff, line) {
				diff = append(diff, line)
			}
		}
	}
	return diff
}

// edgeHeader says that a header is written by the HTTP server or by the provider's edge.
func edgeHeader(name string) bool {
	switch name {
	case "Date", "Server", "Connection", "Alt-Svc", "Content-Length", "Transfer-Encoding", "Content-Encoding",
		"Strict-Transport-Security", "X-Envoy-Upstream-Service-Time", "Vary", "Traceparent":
		return true
	}
	return false
}

// recordedCall is the recorded request; where only the answer was recorded, one that fits it.
func recordedCall(t *testing.T, e *captures.Exchange, dialect string) *wire.Call {
	t.Helper()
	p := chatProbe(dialect, "")
	p.Body = e.RequestBody
	if e.URL != "" {
		u, err := url.Parse(e.URL)
		if err != nil {
			t.Fatal(err)
		}
		p.Path, p.Query, p.Method = u.EscapedPath(), u.Query(), e.Method
		if hosts := loadSpeakers().byName[dialect].hosts; len(hosts) > 0 {
			// Who speaks is to be found out from host and path.
			p.Host, p.Dialect = strings.Replace(hosts[0], "*", "example", 1), ""
		}
	} else {
		p.Body = []byte(`{"model":"` + e.Model + `","messages":[{"role":"user","content":"Hi"}]}`)
		if e.Streamed && !bytes.Contains(e.ResponseBody, []byte(`"choices":[],"`)) {
			p.Body = []byte(`{"model":"` + e.Model + `","stream":true,"messages":[{"role":"user","content":"Hi"}]}`)
		} else if e.Streamed {
			p.Body = []byte(`{"model":"` + e.Model + `","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hi"}]}`)
		}
	}
	if e.Status == http.StatusUnauthorized && dialect != official && dialect != azure {
		p.Header.Del("Authorization")
	}
	c, f, err := wiretest.Call(Provider(), p)
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Fatal(f)
	}
	if c.Endpoint.Codec == nil {
		t.Fatalf("%s has no codec", c.Endpoint.Name)
	}
	return c
}

// framed makes a stream of payloads, one a line.
func framed(lines []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(lines) {
		if line = bytes.TrimSpace(line); len(line) > 0 && json.Valid(line) {
			out.WriteString("data: ")
			out.Write(line)
			out.WriteString("\n\n")
		}
	}
	return out.Bytes()
}

// deviations are the differences that are meant, with their reasons.
type deviations struct {
	list []*deviation
}

type deviation struct {
	file, diff, reason string
	used               bool
}

// readDeviations reads a file of blocks: the name of recordings, below it differences indented by two spaces, below
// these their reason indented by four.
func readDeviations(t *testing.T, name string) *deviations {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d := &deviations{}
	file, above := "", ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "    "):
			if len(d.list) == 0 {
				t.Fatalf("%s: a reason without a difference: %s", name, line)
			}
			for i := len(d.list) - 1; i >= 0 && (d.list[i].reason == "" || d.list[i].reason == above); i-- {
				d.list[i].reason = strings.TrimSpace(d.list[i].reason + " " + strings.TrimSpace(line))
			}
			above = d.list[len(d.list)-1].reason
		case strings.HasPrefix(line, "  "):
			d.list = append(d.list, &deviation{file: file, diff: strings.TrimSpace(line)})
			above = ""
		default:
			file = line
		}
	}
	for _, x := range d.list {
		if x.reason == "" {
			t.Errorf("%s: %s: no reason for %s", name, x.file, x.diff)
		}
	}
	return d
}

// take gives the reason of a difference, "" where it is not listed. The file of a line may be a pattern.
func (d *deviations) take(file, diff string) string {
	for _, x := range d.list {
		if ok, _ := path.Match(x.file, file); ok && x.diff == diff {
			x.used = true
			return x.reason
		}
	}
	return ""
}

func (d *deviations) unused() []string {
	var out []string
	for _, x := range d.list {
		if !x.used {
			out = append(out, x.file+": "+x.diff)
		}
	}
	return out
}

// recordedFailures are the recordings of errors, and what they must be read as.
func recordedFailures() map[string]wire.FailureKind {
	return map[string]wire.FailureKind{
		"azure-openai/error-401-rubyllm-01.http":          wire.Auth,
		"azure-openai/error-404-openllmetry-01.http":      wire.NotFound,
		"azure-openai/error-429-rubyllm-01.http":          wire.RateLimit,
		"compat-deepseek/error-400-rubyllm-01.http":       wire.ContextLength,
		"compat-groq/error-400-pydanticai-01.http":        wire.Invalid,
		"compat-groq/error-404-pydanticai-01.http":        wire.NotFound,
		"compat-groq/reasoning-stream-pydanticai-01.http": wire.Invalid,
		"compat-openrouter/error-401-rubyllm-01.http":     wire.Auth,
		"compat-perplexity/error-400-rubyllm-01.http":     wire.ContextLength,
		"compat-voyage/error-400-pydanticai-01.http":      wire.Invalid,
		"mistral/error-401-rubyllm-01.http":               wire.Auth,
		"openai-chat/error-400-openllmetry-01.http":       wire.Invalid,
	}
}
