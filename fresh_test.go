package mimus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFreshModule makes a module whose only test imports the root package: it needs one line in its go.mod, and links the
// standard library and mimus.
func TestFreshModule(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        fmt.Sprintf("module example.test/fresh\n\ngo 1.26.0\n\nreplace %s => %s\n", modulePath, here),
		"fresh.go":      "package fresh\n",
		"fresh_test.go": "package fresh\n\nimport (\n\t\"testing\"\n\n\t\"" + modulePath + "\"\n)\n\nfunc TestFresh(t *testing.T) { mimus.New(t).On().Reply(mimus.Text(\"Hello\")) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("mod", "tidy")
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(mod), "require"); n != 1 || strings.Contains(string(mod), "indirect") || strings.Contains(string(mod), "require (") {
		t.Errorf("go.mod:\n%s", mod)
	}
	for line := range strings.Lines(run("list", "-deps", "-test", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")) {
		if path := strings.TrimSpace(line); path != "" && !strings.HasPrefix(path, modulePath) && !strings.HasPrefix(path, "example.test/fresh") {
			t.Errorf("links %s", path)
		}
	}
}
