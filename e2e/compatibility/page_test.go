package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree lays out a repository with a runner of Python and the given results.
func tree(t *testing.T, results map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{"e2e/python/check.sh": "", "docs/compatibility.md": "old"}
	for name, text := range results {
		files["e2e/results/"+name] = text
	}
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const goResult = `{"language":"go","sdk":"openai-go","version":"v3","endpoint":"openai.chat","case":"text","mode":"whole","result":"pass","why":""}` + "\n"

// pythonResult is a line of the Python runner.
func pythonResult(sdk, name, mode, result, why string) string {
	return `{"language":"python","sdk":"` + sdk + `","version":"3.57.0","endpoint":"openai.chat","case":"` + name +
		`","mode":"` + mode + `","result":"` + result + `","why":"` + why + `"}` + "\n"
}

func TestPage(t *testing.T) {
	t.Parallel()
	var python strings.Builder
	for _, sdk := range []string{"openai (sync)", "openai (async)"} {
		python.WriteString(pythonResult(sdk, "text", "whole", "pass", ""))
		python.WriteString(pythonResult(sdk, "text", "stream", "pass", ""))
		python.WriteString(pythonResult(sdk, "custom-tool", "whole", "pass", ""))
		python.WriteString(pythonResult(sdk, "custom-tool", "stream", "cannot", "functions only"))
		python.WriteString(pythonResult(sdk, "cut", "stream", "pass", "it notices"))
	}
	python.WriteString(pythonResult("openai (sync)", "abort", "stream", "pass", "it waits"))
	python.WriteString(pythonResult("openai (async)", "abort", "stream", "pass", ""))
	root := tree(t, map[string]string{"go.jsonl": goResult, "python.jsonl": python.String()})
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	want := head + `
## Go

### openai-go v3

| case | openai.chat |
| --- | --- |
| text | passes |
| custom-tool | other endpoints |
| cut | other endpoints |
| abort | other endpoints |

## Python

### openai 3.57.0

Clients: sync, async.

| case | openai.chat |
| --- | --- |
| text | passes |
| custom-tool | whole: passes; stream: cannot (1) |
| cut | passes (2) |
| abort | sync: passes (3); async: passes |

1. functions only
2. it notices
3. it waits
`
	if string(got) != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestPageRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, python, want string }{
		{"a failure", pythonResult("openai", "text", "whole", "fail", "no text"), "python.jsonl:1: case text failed on openai.chat with openai, whole: no text"},
		{"no reason", pythonResult("openai", "text", "whole", "cannot", ""), "without a reason"},
		{"an unknown result", pythonResult("openai", "text", "whole", "skip", ""), `no result is called "skip"`},
		{"no SDK", pythonResult("", "text", "whole", "pass", ""), "without its SDK"},
		{"another language", goResult, `a result of language "go"`},
		{"no JSON", "text\n", "python.jsonl:1: invalid character"},
		{"nothing", "", "no results"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := tree(t, map[string]string{"go.jsonl": goResult, "python.jsonl": tt.python})
			if err := run(root); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got the error %v, want %s", err, tt.want)
			}
		})
	}
	t.Run("no runner was there", func(t *testing.T) {
		t.Parallel()
		err := run(tree(t, map[string]string{"go.jsonl": goResult}))
		if err == nil || !strings.Contains(err.Error(), "make check-python") {
			t.Errorf("got the error %v, want how to get the results of python", err)
		}
	})
}
