package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each case is what `go test -json` prints, shortened to what the tally reads.
func TestTally(t *testing.T) {
	cases := []struct {
		name    string
		events  string
		passed  int
		failed  int
		skipped []string
		targets []fuzzTarget
		prints  []string
		hides   []string
	}{
		{
			name: "passing tests are counted and say nothing",
			events: `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}`,
			passed: 1,
			prints: []string{"ok  \tp\t0.1s\n"},
			hides:  []string{"noise", "PASS"},
		},
		{
			name: "a test with subtests is not counted beside them",
			events: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/x"}
{"Action":"run","Package":"p","Test":"TestA/y/z"}
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"pass","Package":"p","Test":"TestA/y/z"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			passed: 2,
		},
		{
			name: "a failing subtest is one failure and its words are printed",
			events: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/x"}
{"Action":"output","Package":"p","Test":"TestA/x","Output":"=== RUN   TestA/x\n"}
{"Action":"output","Package":"p","Test":"TestA/x","Output":"    a_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestA/x"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}`,
			failed: 1,
			prints: []string{"a_test.go:9: got 1, want 2\n", "FAIL\tp\t0.1s\n"},
			hides:  []string{"=== RUN"},
		},
		{
			name: "a test that fails by itself counts beside its passing subtests",
			events: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/x"}
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}`,
			passed: 1,
			failed: 1,
		},
		{
			name: "a skipped test is named with its reason",
			events: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:9: no contracts here\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}`,
			skipped: []string{"p TestA: a_test.go:9: no contracts here"},
		},
		{
			name: "a package that does not build is one failure",
			events: `{"Action":"build-output","ImportPath":"p [p.test]","Output":"a_test.go:1:1: undefined: x\n"}
{"Action":"build-fail","ImportPath":"p [p.test]"}
{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}`,
			failed: 1,
			prints: []string{"undefined: x", "FAIL\tp [build failed]\n"},
		},
		{
			name: "a test cut short by the timeout is printed and its package fails",
			events: `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"p"}`,
			failed: 1,
			prints: []string{"panic: test timed out\n"},
		},
		{
			name:   "a package that never ends is a failure",
			events: `{"Action":"run","Package":"p","Test":"TestA"}`,
			failed: 1,
		},
		{
			name: "fuzz targets are found, their seeds are not targets",
			events: `{"Action":"run","Package":"p","Test":"FuzzRead"}
{"Action":"run","Package":"p","Test":"FuzzRead/seed#0"}
{"Action":"pass","Package":"p","Test":"FuzzRead/seed#0"}
{"Action":"pass","Package":"p","Test":"FuzzRead"}
{"Action":"pass","Package":"p"}`,
			passed:  1,
			targets: []fuzzTarget{{"p", "FuzzRead"}},
		},
		{
			name:   "what is no event is passed on",
			events: "go: warning: something\n",
			prints: []string{"go: warning: something\n"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			tally := newTally(&out)
			if err := tally.read(strings.NewReader(c.events)); err != nil {
				t.Fatal(err)
			}
			got := tally.suite
			if got.passed != c.passed || got.failed != c.failed {
				t.Errorf("got %d passed, %d failed; want %d, %d", got.passed, got.failed, c.passed, c.failed)
			}
			if !slices.Equal(got.skipped, c.skipped) {
				t.Errorf("skipped: got %q, want %q", got.skipped, c.skipped)
			}
			if !slices.Equal(tally.targets, c.targets) {
				t.Errorf("fuzz targets: got %v, want %v", tally.targets, c.targets)
			}
			for _, want := range c.prints {
				if !strings.Contains(out.String(), want) {
					t.Errorf("printed %q, want %q in it", out.String(), want)
				}
			}
			for _, noise := range c.hides {
				if strings.Contains(out.String(), noise) {
					t.Errorf("printed %q, want no %q in it", out.String(), noise)
				}
			}
		})
	}
}

// TestCheckAll runs the real go command on a small repository of two modules.
func TestCheckAll(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two modules")
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module example.test/main\n\ngo 1.26.0\n",
		"a_test.go":       "package main\n\nimport \"testing\"\n\nfunc TestGood(t *testing.T) {}\n",
		"bench/go.mod":    "module example.test/bench\n\ngo 1.26.0\n",
		"bench/b_test.go": "package bench\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error(\"as asked\") }\n\nfunc FuzzIt(f *testing.F) { f.Add(1); f.Fuzz(func(t *testing.T, n int) {}) }\n",
		"testdata/go.mod": "module example.test/ignored\n",
		"tools/go.mod":    "module example.test/tools\n\ngo 1.26.0\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	modules, err := findModules(root)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, m := range modules {
		folders = append(folders, m.rel)
	}
	if want := []string{".", "bench"}; !slices.Equal(folders, want) {
		t.Fatalf("modules in %q, want %q", folders, want)
	}
	var out strings.Builder
	status := checkAll(modules, "10x", &out, t.Output())
	if status != 1 {
		t.Errorf("exit status %d after a failing test, want 1", status)
	}
	summary := `
tests of example.test/main:
1 passed, 0 failed
tests of example.test/bench:
1 passed, 1 failed
fuzz targets, 10x each:
1 passed, 0 failed
`
	if !strings.HasSuffix(out.String(), summary) {
		t.Errorf("printed:\n%s\nwant this at its end:\n%s", out.String(), summary)
	}
	if !strings.Contains(out.String(), "as asked") {
		t.Errorf("printed:\n%s\nwant the words of the failing test in it", out.String())
	}
}

func TestEndedByClock(t *testing.T) {
	cases := []struct {
		name, said string
		want       bool
	}{
		{"time ran out", "--- FAIL: FuzzX (2.01s)\n    context deadline exceeded\n", true},
		{"an input was found", "--- FAIL: FuzzX (2.01s)\n    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzX/1\n", false},
		{"another failure", "--- FAIL: FuzzX (2.01s)\n    panic: oh\n", false},
	}
	for _, c := range cases {
		if got := endedByClock([]byte(c.said)); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}
