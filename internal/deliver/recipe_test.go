package deliver

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAddingAFault does what docs/adding_a_fault.md says, in a copy of the files, and runs the page's test.
func TestAddingAFault(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it compiles the package once more")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "adding_a_fault.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, replace := t.TempDir(), map[string]string{}
	block := regexp.MustCompile("(?ms)^```go\n// ([a-z_/]+\\.go)(?:: in the place of \"(.*?)\")?\n(.*?)^```$")
	blocks := block.FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 5 {
		t.Fatalf("the page has %d blocks of code that name a file, want 5", len(blocks))
	}
	for i, b := range blocks {
		name, old, text := filepath.Join(root, b[1]), b[2], b[3]
		if old != "" {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(source), old); n != 1 {
				t.Fatalf("%s has %q %d times, want once", b[1], old, n)
			}
			text = strings.Replace(string(source), old, strings.TrimSuffix(text, "\n"), 1)
		}
		replace[name] = filepath.Join(dir, string(rune('a'+i))+".go")
		if err := os.WriteFile(replace[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-overlay", file, "-run", "^TestNoise$", "-v", "./internal/deliver")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestNoise") {
		t.Errorf("go test: %v\n%s", err, out)
	}
	schema := exec.CommandContext(t.Context(), "go", "run", "-overlay", file, "./cmd/mimus", "schema")
	schema.Dir = root
	if out, err := schema.CombinedOutput(); err != nil || !strings.Contains(string(out), `"noiseAfter"`) {
		t.Errorf("mimus schema does not know the new key: %v\n%.500s", err, out)
	}
}
