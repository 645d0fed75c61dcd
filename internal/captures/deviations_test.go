package captures_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/captures"
)

func writeList(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "deviations.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDeviationsAreHeldBothWays(t *testing.T) {
	t.Parallel()
	d, err := captures.ReadDeviations(writeList(t, "# Older.\na/*: key: only in B: $.x\n*: header: * date\n\n# Gone.\nb: never\n"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := d.Hold([]string{"a/one: key: only in B: $.x", "a/two: key: only in B: $.x", "c: header: only in A: date", "c: status: A 200, B 400"})
	want := []string{"c: status", "b: never"}
	if len(wrong) != len(want) {
		t.Fatalf("%q, want two", wrong)
	}
	for i, w := range wrong {
		if !strings.Contains(w, want[i]) {
			t.Errorf("%q does not name %q", w, want[i])
		}
	}
}

func TestDeviationsNeedReasons(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no reason":         "a: x\n",
		"out of its reach":  "# Why.\na: x\n\nb: y\n",
		"twice":             "# Why.\na: x\n# Why else.\na: x\n",
		"the file is there": "",
	} {
		path := writeList(t, text)
		if name == "the file is there" {
			path += ".not"
		}
		if _, err := captures.ReadDeviations(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDeviationPatterns(t *testing.T) {
	t.Parallel()
	texts := []string{"", "a", "ab", "abc", "a*c", "xabc", "abcabc"}
	for pattern, want := range map[string][]string{
		"abc":  {"abc"},
		"*":    texts,
		"a*":   {"a", "ab", "abc", "a*c", "abcabc"},
		"*c":   {"abc", "a*c", "xabc", "abcabc"},
		"a*c":  {"abc", "a*c", "abcabc"},
		"*b*c": {"abc", "xabc", "abcabc"},
		"a*a*": {"abcabc"},
	} {
		d, err := captures.ReadDeviations(writeList(t, "# Why.\n"+pattern+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, text := range texts {
			if d.Known(text) {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s matches %q, want %q", pattern, got, want)
		}
	}
}
