package sdktest

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mimus-go/mimus/internal/journal"
)

// ollamaDeviations are what Ollama's server sends and its document of August 2026 leaves out.
func ollamaDeviations() []undescribed {
	extra := func(schema, where, keys, why string) undescribed {
		return undescribed{schema, regexp.MustCompile(`^/` + where + `: additional properties ` + keys + ` not allowed$`), why}
	}
	const types = "api/types.go has it"
	return []undescribed{
		extra("ChatResponse", `message/tool_calls/\d+`, `'id'`, types),
		extra("ChatResponse", `message/tool_calls/\d+/function`, `'index'`, types),
		extra("ChatStreamEvent", `message/tool_calls/\d+`, `'id'`, types),
		extra("ChatStreamEvent", `message/tool_calls/\d+/function`, `'index'`, types),
		extra("ChatStreamEvent", ``, `.*'done_reason'.*`, "the document leaves the last event's counts and times to the whole answer"),
		extra("ChatStreamEvent", ``, `'logprobs'`, "the document has them in a whole answer only"),
		extra("GenerateResponse", ``, `'context'`, "deprecated, and still sent (recorded 2025)"),
		extra("GenerateStreamEvent", ``, `'context'`, "deprecated, and still sent (recorded 2025)"),
		extra("ListResponse", `models/\d+`, `'capabilities'`, types),
		extra("ListResponse", `models/\d+/details`, `('context_length'|'embedding_length'|'parent_model'|, )+`, types),
		extra("ShowResponse", ``, `.*'tensors'.*`, types),
	}
}

// undescribed is what a schema does not have. One that is no longer found fails.
type undescribed struct {
	schema  string
	finding *regexp.Regexp
	why     string
}

// ollamaSchemas are those of whole answers and of records, by the endpoint's name.
var ollamaSchemas = map[string][2]string{
	"ollama.chat":          {"ChatResponse", "ChatStreamEvent"},
	"ollama.generate":      {"GenerateResponse", "GenerateStreamEvent"},
	"ollama.chat.load":     {"ChatResponse", ""},
	"ollama.generate.load": {"GenerateResponse", ""},
	"ollama.embed":         {"EmbedResponse", ""},
	"ollama.models":        {"ListResponse", ""},
	"ollama.ps":            {"PsResponse", ""},
	"ollama.show":          {"ShowResponse", ""},
	"ollama.version":       {"VersionResponse", ""},
	"ollama.pull":          {"StatusResponse", "StatusEvent"},
	"ollama.push":          {"StatusResponse", "StatusEvent"},
	"ollama.create":        {"StatusResponse", "StatusEvent"},
}

// ollamaChecker holds answers against Ollama's OpenAPI document, in which no key may be missing.
type ollamaChecker struct {
	contract *contract
	checked  map[string]int
	used     map[int]bool
}

// newOllamaChecker reads the document. It skips the test where there is none.
func newOllamaChecker(t *testing.T) *ollamaChecker {
	t.Helper()
	folder := os.Getenv("MIMUS_CONTRACTS")
	if folder == "" {
		t.Skip("MIMUS_CONTRACTS names no folder of published contracts")
	}
	c, err := readSchemas(filepath.Join(folder, "ollama-openapi.yaml"), closed)
	if err != nil {
		t.Fatal(err)
	}
	return &ollamaChecker{contract: c, checked: map[string]int{}, used: map[int]bool{}}
}

// closed makes objects take the properties that are described, and no others.
func closed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = closed(value)
		}
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
	case []any:
		for i := range v {
			v[i] = closed(v[i])
		}
	}
	return v
}

func (c *ollamaChecker) entry(t *testing.T, e *journal.Entry) {
	t.Helper()
	contentType := ""
	for _, f := range e.Header {
		if f.Name == "Content-Type" {
			contentType = f.Value
		}
	}
	schemas := ollamaSchemas[e.Endpoint]
	switch {
	case strings.HasPrefix(contentType, "application/x-ndjson"):
		n := 0
		for line := range bytes.Lines(e.Body()) {
			n++
			if whole := bytes.HasSuffix(line, []byte("\n")); !whole || e.Fault == "malformed" && n == 2 {
				continue
			}
			if bytes.HasPrefix(line, []byte(`{"error":`)) {
				c.hold(t, "ErrorResponse", line)
				continue
			}
			c.hold(t, schemas[1], line)
		}
	case len(e.Body()) == 0 || !strings.HasPrefix(contentType, "application/json") || e.Fault != "" && e.Fault != "pace" && e.Fault != "delay":
	case e.Status == 401: // tells where to sign in
	case e.Status >= 400:
		c.hold(t, "ErrorResponse", e.Body())
	case schemas[0] != "":
		c.hold(t, schemas[0], e.Body())
	case e.Endpoint != "ollama.embeddings" && e.Endpoint != "ollama.status": // of which the document says nothing
		t.Errorf("no schema for %s", e.Endpoint)
	}
}

func (c *ollamaChecker) hold(t *testing.T, schema string, text []byte) {
	t.Helper()
	c.checked[schema]++
	found, err := c.contract.validate(schema, text)
	if err != nil {
		t.Errorf("%s: %v in %s", schema, err, text)
		return
	}
	for _, f := range found {
		known := false
		for i, d := range ollamaDeviations() {
			if d.schema == schema && d.finding.MatchString(f) {
				known, c.used[i] = true, true
			}
		}
		if !known {
			t.Errorf("%s: %s\nin %s", schema, f, text)
		}
	}
}

// TestOllamaContract holds all that mimus says in Ollama's name, over all cases and over what a client does with models,
// against Ollama's own OpenAPI document: each answer, and each record of each stream.
func TestOllamaContract(t *testing.T) {
	t.Parallel()
	check := newOllamaChecker(t)
	b := load(t)
	b.runs(func(s *scenario, r run, why string) {
		if why != "" || !strings.HasPrefix(r.endpoint, "ollama.") {
			return
		}
		t.Run(s.Name+"/"+r.mode, func(t *testing.T) {
			var entries []journal.Entry
			synctest.Test(t, func(t *testing.T) {
				m := play(t, b, s, r)
				entries, _ = m.journal.Entries()
			})
			for _, e := range entries {
				check.entry(t, &e)
			}
		})
	})
	t.Run("models", func(t *testing.T) {
		var entries []journal.Entry
		synctest.Test(t, func(t *testing.T) {
			m := newMock(t, ollamaStubs(t))
			useOllama(t, m)
			entries, _ = m.journal.Entries()
		})
		for _, e := range entries {
			check.entry(t, &e)
		}
	})
	for i, d := range ollamaDeviations() {
		if !check.used[i] {
			t.Errorf("the deviation of %s (%s) is no longer one: %s", d.schema, d.finding, d.why)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(check.checked)) {
		t.Logf("%5d × %s", check.checked[name], name)
	}
	for endpoint, schemas := range ollamaSchemas {
		for _, name := range schemas {
			if name != "" && check.checked[name] == 0 {
				t.Errorf("nothing shows a %s (%s)", name, endpoint)
			}
		}
	}
}
