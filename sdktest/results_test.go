package sdktest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// resultsFile is what docs/compatibility.md is made from, with those of the other languages' runners.
const resultsFile = "../e2e/results/go.jsonl"

// sdks are the modules of the SDKs, by endpoint.
var sdks = map[string]string{
	"openai.chat":         "github.com/openai/openai-go/v3",
	"openai.responses":    "github.com/openai/openai-go/v3",
	"azure.chat":          "github.com/openai/openai-go/v3",
	"azure.responses":     "github.com/openai/openai-go/v3",
	"anthropic.messages":  "github.com/anthropics/anthropic-sdk-go/v2",
	"vertex.messages":     "github.com/anthropics/anthropic-sdk-go/v2",
	"bedrock.messages":    "github.com/anthropics/anthropic-sdk-go/v2",
	"bedrock.converse":    "github.com/aws/aws-sdk-go-v2/service/bedrockruntime",
	"gemini.generate":     "google.golang.org/genai",
	"aiplatform.generate": "google.golang.org/genai",
	"ollama.native":       "github.com/ollama/ollama",
}

// runResult is a line of the file. e2e/README.md says what its keys mean.
type runResult struct {
	Language string `json:"language"`
	SDK      string `json:"sdk"`
	Version  string `json:"version"`
	Endpoint string `json:"endpoint"`
	Case     string `json:"case"`
	Mode     string `json:"mode"`
	Result   string `json:"result"`
	Why      string `json:"why"`
}

// results collects what came of the runs.
type results struct {
	mu sync.Mutex
	of map[string]runResult // by the run's name
}

func (rs *results) add(c *scenario, r run, result, why string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.of == nil {
		rs.of = map[string]runResult{}
	}
	rs.of[c.Name+"/"+r.endpoint+"/"+r.mode] = runResult{
		Language: "go", SDK: sdks[r.endpoint], Endpoint: r.endpoint, Case: c.Name, Mode: r.mode, Result: result, Why: why,
	}
}

// ended takes note of a run that was played.
func (rs *results) ended(t *testing.T, c *scenario, r run) {
	t.Helper()
	if t.Failed() {
		rs.add(c, r, "fail", "go test says what is wrong")
		return
	}
	rs.add(c, r, "pass", strings.Join(c.whys(r), "; "))
}

// whys are the reasons why a run is to see something else because of Go's SDK.
func (c *scenario) whys(r run) []string {
	var all []string
	for _, turn := range c.Turns {
		for _, o := range turn.But {
			ours := slices.ContainsFunc(o.Where, func(s string) bool { return slices.Contains(strings.Fields(s), "go") && r.is(s) })
			if ours && !slices.Contains(all, o.Why) {
				all = append(all, o.Why)
			}
		}
	}
	return all
}

// write keeps the results in the order of the book, unless some runs were left out.
func (rs *results) write(t *testing.T, b *book) {
	t.Helper()
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	complete := true
	versions := map[string]string{}
	for name, module := range sdks {
		versions[name] = versionOf(t, module)
	}
	b.runs(func(c *scenario, r run, _ string) {
		result, ok := rs.of[c.Name+"/"+r.endpoint+"/"+r.mode]
		result.Version = versions[r.endpoint]
		complete = complete && ok
		if err := lines.Encode(result); err != nil {
			t.Error(err)
		}
	})
	if !complete {
		return
	}
	err := cmp.Or(os.MkdirAll(filepath.Dir(resultsFile), 0o755), os.WriteFile(resultsFile, text.Bytes(), 0o644))
	if err != nil {
		t.Error(err)
	}
}

// versionOf looks a module up in go.mod: a test's binary does not know the versions that it is made of.
func versionOf(t *testing.T, module string) string {
	t.Helper()
	file, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(module) + ` (v\S+)$`).FindSubmatch(file)
	if found == nil {
		t.Fatalf("go.mod names no %q", module)
	}
	return string(found[1])
}
