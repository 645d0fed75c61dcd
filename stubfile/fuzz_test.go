package stubfile_test

import (
	"errors"
	"os"
	"testing"
	"unicode/utf8"

	"github.com/mimus-go/mimus/stubfile"
)

// FuzzLoad reads any file in any syntax: nothing panics, every error has its place, and what is loaded can be matched.
func FuzzLoad(f *testing.F) {
	for _, dir := range []string{"testdata/examples"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			f.Fatal(err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(dir + "/" + e.Name())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	for _, c := range wrongFiles {
		f.Add([]byte(c.text))
	}
	f.Add([]byte(`{"mappings": [{"request": {"customMatcher": {"name": "model-request"}}, "response": {"transformers": ["model-answer"], "body": "{}"}}]}`))
	f.Add([]byte("a: &a [x]\nb: {<<: [*a, *a], c: *a}\n? !!str 1\n: 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.yaml", "a.json", "mappings/a.json"} {
			set, err := stubfile.Parse(name, data, options)
			if err == nil {
				if len(set.Stubs) == 0 && len(set.Warnings) == 0 {
					t.Errorf("%s: no stub, no error and no warning in %q", name, data)
				}
				continue
			}
			var errs stubfile.Errors
			if !errors.As(err, &errs) || len(errs) == 0 {
				t.Fatalf("%s: %v", name, err)
			}
			for _, e := range errs {
				if e.File != name || e.Line < 1 || e.Column < 1 || e.Message == "" || !utf8.ValidString(e.Error()) {
					t.Errorf("%s: %+v", name, e)
				}
			}
		}
	})
}
