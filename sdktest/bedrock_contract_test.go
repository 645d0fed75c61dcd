package sdktest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/journal"
)

// bedrockDeviations are what Bedrock sends and its model, which is older than the wire, does not describe.
func bedrockDeviations() []deviation {
	finding := regexp.MustCompile
	const newer = "younger than the model: "
	return []deviation{
		{finding(`^(MessageStart|ContentBlockStart|ContentBlockDelta|ContentBlockStop|MessageStop|ConverseStreamMetadata)Event /: unknown member "p"$`), "padding, which no model describes (recorded 2025 to 2026)"},
		{finding(`^(ConverseResponse|ConverseStreamMetadataEvent) /usage: unknown member "cache(Read|Write)InputTokens"$`), newer + "counts of cached tokens (API_runtime_TokenUsage, Aug 2026)"},
		{finding(`^(ConverseResponse|ConverseStreamMetadataEvent) /usage: unknown member "cache(Read|Write)InputTokenCount"$`), "older names of the same counts, still sent (recorded 2025)"},
		{finding(`^(ConverseResponse|ConverseStreamMetadataEvent) /usage: unknown member "cacheDetails"$`), newer + "writes by how long they are kept (recorded 2026)"},
		{finding(`^(ConverseResponse|ConverseStreamMetadataEvent) /usage: unknown member "serverToolUsage"$`), newer + "always there, and empty (recorded 2026)"},
		{finding(`^(ConverseResponse|MessageStopEvent) /stopReason: "model_context_window_exceeded" is no value of the enum$`), newer + "a stop reason of Claude since 4.5 (API_runtime_Converse, Aug 2026)"},
		{finding(`^CountTokensResponse /: unknown shape$`), newer + "the operation CountTokens"},
		{finding(`^UnrecognizedClientException /: unknown shape$`), "an error that every service of AWS has, and none describes (docs.aws.amazon.com, Common Errors)"},
		{finding(`^parcel_unknown /: unknown shape$`), "a code that a stub gave"},
	}
}

// bedrockChecker holds answers against the Smithy model of Bedrock's runtime.
type bedrockChecker struct {
	model   *smithyModel
	checked map[string]int
	used    map[int]bool
}

// newBedrockChecker reads the model. It skips the test where there is none.
func newBedrockChecker(t *testing.T) *bedrockChecker {
	t.Helper()
	folder := os.Getenv("MIMUS_CONTRACTS")
	if folder == "" {
		t.Skip("MIMUS_CONTRACTS names no folder of published contracts")
	}
	m, err := readSmithy(filepath.Join(folder, "bedrock-runtime.smithy.json"))
	if err != nil {
		t.Fatal(err)
	}
	return &bedrockChecker{model: m, checked: map[string]int{}, used: map[int]bool{}}
}

// bedrockOutputs are the shapes of whole answers by the endpoint's name. What InvokeModel gives is a blob to the model.
var bedrockOutputs = map[string]string{
	"bedrock.converse":     "ConverseResponse",
	"bedrock.count_tokens": "CountTokensResponse",
}

// bedrockStream is the union of ConverseStream's events.
const bedrockStream = "ConverseStreamOutput"

// entry validates one answer, unless a stub wanted it to be broken or gave its bytes.
func (c *bedrockChecker) entry(t *testing.T, e *journal.Entry) {
	t.Helper()
	header := map[string]string{}
	for _, f := range e.Header {
		header[strings.ToLower(f.Name)] = f.Value
	}
	contentType := header["content-type"]
	switch {
	case contentType == "application/vnd.amazon.eventstream":
		c.stream(t, e)
	case contentType != "application/json" || len(e.Body()) == 0:
	case e.Fault == "malformed" || e.Fault == "drop" || e.Fault == "reset" || e.Fault == "hang" || e.Fault == "raw":
	case e.Status >= 400:
		c.exception(t, e.Status, header["x-amzn-errortype"], e.Body())
	case bedrockOutputs[e.Endpoint] != "":
		c.hold(t, bedrockOutputs[e.Endpoint], e.Body())
	default:
		t.Errorf("no shape for %s", e.Endpoint)
	}
}

// exception validates the body of an error against the shape that its header names, which has a status of its own.
func (c *bedrockChecker) exception(t *testing.T, status int, name string, body []byte) {
	t.Helper()
	name, _, _ = strings.Cut(name, ":")
	c.hold(t, name, body)
	if want := c.model.statusOf(name); want != 0 && status != want {
		t.Errorf("%s has status %d, want %d", name, status, want)
	}
}

// stream validates each event that arrived whole against the member of its own name.
func (c *bedrockChecker) stream(t *testing.T, e *journal.Entry) {
	t.Helper()
	r := awsstream.Reader{R: bytes.NewReader(e.Body())}
	for n := 1; ; n++ {
		m, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			if e.Fault == "" || e.Fault == "pace" {
				t.Errorf("read the stream: %v", err)
			}
			return
		case e.Fault == "malformed" && n == 2:
			continue
		}
		name := m.Get(":event-type")
		if m.Get(":message-type") == "exception" {
			name = m.Get(":exception-type")
		}
		shape := c.model.memberOf(bedrockStream, name)
		if shape == "" {
			c.finding(t, bedrockStream, "/: unknown member "+name, m.Payload)
			continue
		}
		c.hold(t, shape, m.Payload)
	}
}

func (c *bedrockChecker) hold(t *testing.T, shape string, body []byte) {
	t.Helper()
	c.checked[shape]++
	if c.model.shape(shape) == nil {
		c.finding(t, shape, "/: unknown shape", body)
		return
	}
	found, err := c.model.validate(shape, body)
	if err != nil {
		t.Errorf("%s: %v in %s", shape, err, body)
	}
	for _, f := range found {
		c.finding(t, shape, f, body)
	}
}

// finding passes where it is a deviation, and fails elsewhere.
func (c *bedrockChecker) finding(t *testing.T, shape, finding string, body []byte) {
	t.Helper()
	for i, d := range bedrockDeviations() {
		if d.finding.MatchString(shape + " " + finding) {
			c.used[i] = true
			return
		}
	}
	t.Errorf("%s %s\nin %s", shape, finding, body)
}

// TestBedrockContract holds all that mimus says in Bedrock's name, over all cases, against the Smithy model of Bedrock's
// runtime: whole answers of Converse, each event of ConverseStream, counts of tokens, and exceptions.
func TestBedrockContract(t *testing.T) {
	t.Parallel()
	check := newBedrockChecker(t)
	b := load(t)
	b.runs(func(s *scenario, r run, why string) {
		if why != "" || r.endpoint != "bedrock.converse" {
			return
		}
		t.Run(s.Name+"/"+r.mode, func(t *testing.T) {
			var entries []journal.Entry
			synctest.Test(t, func(t *testing.T) {
				m := play(t, b, s, r)
				entries, _ = m.journal.Entries()
			})
			for _, e := range entries {
				if e.Endpoint != "bedrock.embeddings" { // a blob to the model
					check.entry(t, &e)
				}
			}
		})
	})
	t.Run("exceptions", func(t *testing.T) {
		// Those that no kind of error becomes unless it is asked for by name, or inside a stream.
		for _, answer := range []string{
			`{"error":{"type":"server","code":"ModelErrorException"}}`, `{"error":{"type":"rate_limit","code":"ModelNotReadyException"}}`,
			`{"text":"Hi","error":{"type":"timeout","afterEvents":1}}`,
		} {
			var entries []journal.Entry
			synctest.Test(t, func(t *testing.T) {
				m := mockOf(t, answer)
				_ = newConverse(b, b.Endpoints["bedrock.converse"], m.client).Stream(t.Context(), &ask{User: "Hello"})
				entries, _ = m.journal.Entries()
			})
			for _, e := range entries {
				check.entry(t, &e)
			}
		}
	})
	for i, d := range bedrockDeviations() {
		if !check.used[i] {
			t.Errorf("no longer a deviation: %s (%s)", d.finding, d.why)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(check.checked)) {
		t.Logf("%5d × %s", check.checked[name], name)
	}
	for _, shape := range bedrockOutputs {
		if check.checked[shape] == 0 {
			t.Errorf("no case shows a %s", shape)
		}
	}
	for name := range check.model.shape(bedrockStream).Members {
		if shape := check.model.memberOf(bedrockStream, name); check.checked[shape] == 0 {
			t.Errorf("no case shows a %s", shape)
		}
	}
}
