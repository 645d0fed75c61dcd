package stubfile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
)

// snippets are the code blocks of a language in a page, by the line where they start.
func snippets(page, language string) map[int]string {
	found := map[int]string{}
	start, line := 0, 0
	for text := range strings.Lines(page) {
		line++
		switch trimmed := strings.TrimSpace(text); {
		case start == 0 && trimmed == "```"+language:
			start = line + 1
		case start > 0 && trimmed == "```":
			start = 0
		case start > 0:
			found[start] += text
		}
	}
	return found
}

func TestDocumentedStubsLoad(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/stub_files.md")
	if err != nil {
		t.Fatal(err)
	}
	s := schema(t)
	yaml, json := snippets(string(page), "yaml"), snippets(string(page), "json")
	if len(yaml) < 10 || len(json) == 0 {
		t.Fatalf("the page has %d snippets of YAML and %d of JSON", len(yaml), len(json))
	}
	for line, text := range yaml {
		name := fmt.Sprintf("stub_files.md, line %d.yaml", line)
		set, err := stubfile.Parse(name, []byte(text), options)
		if err != nil || len(set.Stubs) == 0 {
			t.Errorf("%s: %d stubs, %v", name, len(set.Stubs), err)
		}
		for _, doc := range stubfile.JSON(name, []byte(text)) {
			if err := validate(t, s, doc); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for line, text := range json {
		name := fmt.Sprintf("mappings/line %d.json", line)
		if set, err := stubfile.Parse(name, []byte(text), options); err != nil || len(set.Stubs) != 1 {
			t.Errorf("%s: %d stubs, %v", name, len(set.Stubs), err)
		}
	}
	for _, shape := range stub.Grammar() {
		for _, k := range shape.Keys {
			if !strings.Contains(string(page), k.Name+":") && !strings.Contains(string(page), "`"+k.Name+"`") && !strings.Contains(string(page), "or "+k.Name) {
				t.Errorf("the page does not show the key %s of %s", k.Name, shape.Name)
			}
		}
	}
}

func TestThePageStartsWithHow(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/stub_files.md")
	if err != nil {
		t.Fatal(err)
	}
	top := strings.Join(strings.SplitN(string(page), "\n", 11)[:10], "\n")
	for _, want := range []string{"mimus serve", "```yaml", "when:", "answer:"} {
		if !strings.Contains(top, want) {
			t.Errorf("the first ten lines lack %q:\n%s", want, top)
		}
	}
}
