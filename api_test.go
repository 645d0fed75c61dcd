package mimus_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var updateAPI = flag.Bool("update", false, "rewrite testdata/api.txt")

// TestAPI holds the names that the package exports to a list, so that none changes by accident: `go test -run TestAPI
// -update .` rewrites it.
func TestAPI(t *testing.T) {
	t.Parallel()
	got, err := exec.CommandContext(t.Context(), "go", "doc", "-short", "-all", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ = bytes.Cut(got, []byte("\nVARIABLES\n"))
	var lines []byte
	for line := range bytes.Lines(got) {
		// Comments are indented by four spaces; what is declared is not.
		if len(bytes.TrimSpace(line)) > 0 && !bytes.HasPrefix(line, []byte("    ")) {
			lines = append(lines, line...)
		}
	}
	golden := filepath.Join("testdata", "api.txt")
	if *updateAPI {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, lines, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(lines, want) {
		t.Errorf("the exported names are not those of %s; if that is meant, run go test -run TestAPI -update .\n%s", golden, lines)
	}
}
