package sdktest

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire"
)

const (
	wiresFile = "testdata/wires.yaml"
	wiresPage = "../docs/wires.md"
)

// wiresHead says how the page is read.
const wiresHead = `# One answer on every wire

Each row is an answer of one stub file, [wires.yaml](../sdktest/testdata/wires.yaml); each column an API, asked whole and streamed through its official Go SDK. A cell says what the client saw:

- **same**: all that the stub asks for; of an error, its kind.
- Other words: how the nearest form that the API has differs. _stop: complete_ is the reason to stop that the client reads, _as auth_ an error that is told from that kind by its message only, _no order_ text and calls of which nothing says what came first.
- **–**: the API has no such thing to ask for.
- **\***: the answer travels, and the SDK does not show it.
- Where the modes differ, the whole answer stands before the semicolon and the stream behind it.

Where a wire cannot carry what a stub asks for, the journal has a warning that says so.

A test prints this table and fails when the page differs; ` + "`go test -run TestWires -update`" + ` in ` + "`sdktest`" + ` writes it.

`

// wiresColumns are the endpoints in the order of the page.
var wiresColumns = []struct{ endpoint, title string }{
	{"openai.chat", "OpenAI Chat"},
	{"openai.responses", "OpenAI Responses"},
	{"azure.chat", "Azure Chat"},
	{"azure.responses", "Azure Responses"},
	{"anthropic.messages", "Anthropic Messages"},
	{"vertex.messages", "Claude on Vertex"},
	{"bedrock.messages", "Claude on Bedrock"},
	{"bedrock.converse", "Bedrock Converse"},
	{"gemini.generate", "Gemini"},
	{"aiplatform.generate", "Gemini on Vertex"},
	{"ollama.native", "Ollama"},
}

// unseen is where an answer travels and an SDK does not show it. One that is no longer found fails.
type unseen struct{ row, where, why string }

// hides are what the Go SDKs keep to themselves. The page lists them below the table.
func hides() []unseen {
	return []unseen{
		{"arguments that are no JSON", "messages stream", "Anthropic's accumulator empties an input that is no JSON once its block has ended."},
		{"custom tool", "chat stream", "OpenAI's type of a chunk knows calls of functions only."},
		{"usage", "chat stream", "OpenAI's accumulator leaves the tokens written to a cache out."},
	}
}

// asksFor names the case that says where an operation or a tool can be asked for at all.
var asksFor = map[string]string{"embedding": "embedding", "models": "list-models", "custom tool": "custom-tool"}

// TestWires asks one stub file on every endpoint, whole and streamed, and holds docs/wires.md to what the SDKs see.
func TestWires(t *testing.T) {
	t.Parallel()
	b := load(t)
	text, err := os.ReadFile(wiresFile)
	if err != nil {
		t.Fatal(err)
	}
	set, err := stubfile.Parse(wiresFile, text, stubfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &wires{book: b, stubs: set.Stubs, used: map[int]bool{}}
	var page strings.Builder
	page.WriteString(wiresHead + "| |")
	for _, c := range wiresColumns {
		page.WriteString(" " + c.title + " |")
	}
	page.WriteString("\n|" + strings.Repeat(" --- |", len(wiresColumns)+1) + "\n")
	for _, s := range set.Stubs {
		page.WriteString("| " + s.Name + " |")
		for _, c := range wiresColumns {
			page.WriteString(" " + w.cell(t, s, c.endpoint) + " |")
		}
		page.WriteString("\n")
	}
	page.WriteString("\n\\*:\n\n")
	for i, h := range hides() {
		fmt.Fprintf(&page, "- _%s_: %s\n", h.row, h.why)
		if !w.used[i] {
			t.Errorf("%s on %s: the SDK shows it now", h.row, h.where)
		}
	}
	t.Logf("\n%s", page.String())
	if t.Failed() {
		return
	}
	if updating() {
		if err := os.WriteFile(wiresPage, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(wiresPage)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(committed), page.String()); d != "" {
		t.Errorf("%s is not what the SDKs see; -update rewrites it (-page +seen):\n%s", wiresPage, d)
	}
}

// updating reads the flag -update, which wiretest has for the golden transcripts, and which this binary links.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// TestWiresColumns wants every endpoint that a driver speaks on the page.
func TestWiresColumns(t *testing.T) {
	t.Parallel()
	var columns []string
	for _, c := range wiresColumns {
		columns = append(columns, c.endpoint)
	}
	slices.Sort(columns)
	if d := cmp.Diff(slices.Sorted(maps.Keys(drivers)), columns); d != "" {
		t.Errorf("columns (-drivers +page):\n%s", d)
	}
}

// wires asks for answers, and notes which of what SDKs hide was found.
type wires struct {
	book  *book
	stubs []*stub.Stub
	used  map[int]bool
}

// cell asks for one answer on one endpoint, in both modes.
func (w *wires) cell(t *testing.T, s *stub.Stub, endpoint string) string {
	t.Helper()
	inWhole, inStream := w.mode(t, s, run{endpoint, whole}), w.mode(t, s, run{endpoint, stream})
	if inWhole == inStream {
		return inWhole
	}
	return inWhole + "; " + inStream
}

// mode asks for one answer in one mode.
func (w *wires) mode(t *testing.T, s *stub.Stub, r run) (said string) {
	t.Helper()
	star := slices.IndexFunc(hides(), func(h unseen) bool { return h.row == s.Name && r.is(h.where) })
	if name := asksFor[s.Name]; name != "" && !w.book.asks(name, r) {
		if star < 0 {
			return "–"
		}
		w.used[star] = true
		return `–\*`
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMock(t, w.stubs)
		e := w.book.Endpoints[r.endpoint]
		said = nearest(e, &s.Answers[0], put(t, drivers[r.endpoint](w.book, e, m.client), askFor(s), r.mode))
		if strings.HasPrefix(said, broken) {
			t.Errorf("%s on %s, %s: %s", s.Name, r.endpoint, r.mode, said)
		}
		entries, _ := m.journal.Entries()
		warned := false
		for _, entry := range entries {
			if !entry.Matched || entry.Stub != s.Name {
				t.Errorf("%s on %s, %s: answered by %q: %s", s.Name, r.endpoint, r.mode, entry.Stub, entry.Reason)
			}
			warned = warned || len(entry.Warnings) > 0
		}
		if star >= 0 && said != same && !warned {
			w.used[star] = true
			said += `\*`
		}
	})
	return said
}

// asks says whether a case is run so. Operations are never streamed.
func (b *book) asks(name string, r run) bool {
	i := slices.IndexFunc(b.Cases, func(c *scenario) bool { return c.Name == name })
	if i < 0 {
		return false
	}
	if b.Cases[i].Turns[0].Ask.Op != "" {
		r.mode = whole
	}
	ok, _ := b.Cases[i].takes(r)
	return ok
}

// askFor is a request for an answer, with all that it takes: tools, thinking, stop sequences, choices.
func askFor(s *stub.Stub) *ask {
	a := &ask{User: s.Name}
	answer := s.Answers[0]
	switch s.Kind {
	case wire.Embeddings:
		a.Op, a.Model = "embed", "text-embedding-3-small"
	case wire.Models:
		a.Op = "list_models"
	}
	if len(answer.Choices) > 1 {
		a.Choices = int64(len(answer.Choices))
	}
	if answer.Usage != nil && answer.Usage.Reasoning > 0 {
		a.Reasoning = "medium"
	}
	for _, c := range answer.Choices {
		if c.Sequence != "" {
			a.Stop = []string{c.Sequence}
		}
		for _, p := range c.Parts {
			switch p := p.(type) {
			case wire.Reasoning:
				a.Reasoning = "medium"
			case wire.ToolCall:
				if !slices.Contains(a.Tools, p.Name) {
					a.Tools = append(a.Tools, p.Name)
				}
			}
		}
	}
	return a
}
