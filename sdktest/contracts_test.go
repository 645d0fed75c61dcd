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
	"github.com/mimus-go/mimus/wire"
)

// deviation is where mimus sends on purpose what the document does not describe. One that is no longer found fails.
type deviation struct {
	// finding matches "SCHEMA PLACE: what the validator says".
	finding *regexp.Regexp
	why     string
}

// deviations of OpenAI's document of August 2026.
func deviations() []deviation {
	finding := regexp.MustCompile
	return []deviation{
		{finding(`^CreateChatCompletion(Stream)?Response /system_fingerprint: got null, want string$`), "reasoning models send null (recorded 2026)"},
		{finding(`^CreateChatCompletionResponse /choices/\d+: missing property 'logprobs'$`), "reasoning models leave the key out (recorded 2025 to 2026)"},
		{finding(`^Response\w* (/response)?/user: got null, want string$`), "every field that is not set is null (recorded 2025 to 2026)"},
		{finding(`^Response\w* (/response)?/usage: got null, want object$`), "usage is null until the response has ended (recorded 2025 to 2026)"},
		{finding(`^Response\w* (/response)?/text/format/description: got null, want string$`), "the echo of a schema has all its keys (recorded 2025 to 2026)"},
		{finding(`^ResponseFailedEvent /response/error/code: value must be one of`), "overloads have a code that the document does not list (opencode issue 25884)"},
		{finding(`^ResponseFunctionCallArgumentsDoneEvent /: missing property 'name'$`), "no recorded event has the name"},
		{finding(`^ResponseErrorEvent /: missing properties 'code', 'message', 'param'$`), "the recorded event nests them in an error object; the quirk responsesError gives the documented form"},
	}
}

// documented are the schemas of whole answers by the endpoint's name.
var documented = map[string]string{
	"openai.chat":             "CreateChatCompletionResponse",
	"openai.responses":        "Response",
	"openai.responses.get":    "Response",
	"openai.responses.cancel": "Response",
	"openai.responses.items":  "ResponseItemList",
	"openai.responses.tokens": "TokenCountsResource",
	"openai.embeddings":       "CreateEmbeddingResponse",
	"openai.models":           "ListModelsResponse",
	"openai.model":            "Model",
}

// TestContracts holds all that mimus says in OpenAI's name, over all cases, against OpenAI's own OpenAPI document.
func TestContracts(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("MIMUS_CONTRACTS")
	if folder == "" {
		t.Skip("MIMUS_CONTRACTS names no folder of published contracts")
	}
	c, err := readContract(filepath.Join(folder, "openai-openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b := load(t)
	check := &checker{contract: c, checked: map[string]int{}, used: map[int]bool{}}
	b.runs(func(s *scenario, r run, why string) {
		if why != "" || !strings.HasPrefix(r.endpoint, "openai.") {
			return
		}
		t.Run(s.Name+"/"+r.endpoint+"/"+r.mode, func(t *testing.T) {
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
	for i, d := range deviations() {
		if !check.used[i] {
			t.Errorf("no longer a deviation: %s (%s)", d.finding, d.why)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(check.checked)) {
		t.Logf("%5d × %s", check.checked[name], name)
	}
	for _, name := range documented {
		if check.checked[name] == 0 {
			t.Errorf("no case shows a %s", name)
		}
	}
}

// checker validates answers and counts what it has seen.
type checker struct {
	contract *contract
	checked  map[string]int
	used     map[int]bool
}

// entry validates one answer, unless a stub wanted it to be broken or gave its bytes.
func (c *checker) entry(t *testing.T, e *journal.Entry) {
	t.Helper()
	header := func(name string) string {
		for _, f := range e.Header {
			if f.Name == name {
				return f.Value
			}
		}
		return ""
	}
	contentType := header("Content-Type")
	switch {
	case e.Outcome == journal.ClientGone && len(e.Body()) == 0:
	case e.Status == 0 || !strings.HasPrefix(contentType, "application/json") && !strings.HasPrefix(contentType, "text/event-stream"):
	case strings.HasPrefix(contentType, "text/event-stream"):
		c.stream(t, e)
	case e.Fault == "malformed" || e.Fault == "drop" || e.Fault == "reset" || e.Fault == "hang":
	case e.Status >= 400:
		c.hold(t, "ErrorResponse", e.Body())
	case documented[e.Endpoint] != "":
		c.hold(t, documented[e.Endpoint], e.Body())
	case e.Endpoint != "openai.responses.delete": // of which the document says nothing
		t.Errorf("no schema for %s", e.Endpoint)
	}
}

// stream validates each event of a stream that arrived whole.
func (c *checker) stream(t *testing.T, e *journal.Entry) {
	t.Helper()
	body := e.Body()
	if i := bytes.LastIndex(body, []byte("\n\n")); i >= 0 {
		body = body[:i+2]
	}
	n := 0
	for event, err := range wire.ReadSSE(bytes.NewReader(body)) {
		if err != nil {
			t.Errorf("read the stream: %v", err)
			return
		}
		n++
		if event.Data == "[DONE]" || e.Fault == "malformed" && n == 2 {
			continue
		}
		data := []byte(event.Data)
		c.hold(t, c.schemaOf(t, e.Endpoint, data), data)
	}
}

// schemaOf is the schema of an event, by its own type where it has one.
func (c *checker) schemaOf(t *testing.T, endpoint string, data []byte) string {
	t.Helper()
	kind := typeOf(data)
	switch {
	case endpoint == "openai.chat" && bytes.HasPrefix(data, []byte(`{"error"`)):
		return "ErrorResponse"
	case endpoint == "openai.chat":
		return "CreateChatCompletionStreamResponse"
	case c.contract.events[kind] == "":
		t.Errorf("the document describes no event %q", kind)
	}
	return c.contract.events[kind]
}

func (c *checker) hold(t *testing.T, schema string, text []byte) {
	t.Helper()
	if schema == "" {
		return
	}
	c.checked[schema]++
	found, err := c.contract.validate(schema, text)
	if err != nil {
		t.Errorf("%s: %v in %s", schema, err, text)
		return
	}
	for _, f := range found {
		if !c.deviates(schema, f) {
			t.Errorf("%s: %s\nin %s", schema, f, text)
		}
	}
}

func (c *checker) deviates(schema, finding string) bool {
	for i, d := range deviations() {
		if d.finding.MatchString(schema + " " + finding) {
			c.used[i] = true
			return true
		}
	}
	return false
}
