package stubfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
)

// options names wires as a server would hand them in.
var options = stubfile.Options{Wires: []string{"openai", "openai.chat", "openai.responses", "anthropic", "anthropic.messages"}}

// folder writes files below a new folder; "--- NAME" starts each.
func folder(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	name, text := "", &strings.Builder{}
	flush := func() {
		if name == "" {
			return
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(archive) {
		if next, ok := strings.CutPrefix(line, "-- "); ok {
			flush()
			name, text = strings.TrimSuffix(strings.TrimSpace(next), " --"), &strings.Builder{}
			continue
		}
		text.WriteString(line)
	}
	flush()
	return dir
}

func load(t *testing.T, archive string) stubfile.Set {
	t.Helper()
	set, err := stubfile.Load([]string{folder(t, archive)}, options)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func titles(set stubfile.Set) string {
	var names []string
	for _, s := range set.Stubs {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

func TestLoadReadsEveryFileInOrder(t *testing.T) {
	t.Parallel()
	set := load(t, `
-- b/z.json --
{"stubs": [{"name": "z1", "answer": {}}, {"name": "z2", "answer": {}}]}
-- b/a.yml --
name: a
answer: {}
-- a.yaml --
name: first
answer: {}
---
stubs:
  - name: second
    answer: {}
-- notes.txt --
not a stub
-- .hidden.yaml --
not: a stub
-- .git/x.yaml --
not: a stub
`)
	if got, want := titles(set), "first second a z1 z2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(set.Files) != 3 || len(set.Warnings) != 0 {
		t.Errorf("files %v, warnings %v", set.Files, set.Warnings)
	}
	for _, s := range set.Stubs {
		if s.Origin != stub.File {
			t.Errorf("%s is of origin %d", s.Name, s.Origin)
		}
	}
}

func TestEachStubKnowsWhereItStands(t *testing.T) {
	t.Parallel()
	set := load(t, `
-- a.yaml --
# a comment
stubs:
  - answer: {}
    name: one
  - {name: two, answer: {}}
  -
    name: three
    answer: {}
-- b.json --
{"stubs": [
  {"name": "é", "answer": {}}, {"name": "b2", "answer": {}}]}
`)
	want := []string{"a.yaml:3:5", "a.yaml:5:6", "a.yaml:7:5", "b.json:2:4", "b.json:2:33"}
	for i, s := range set.Stubs {
		if got := filepath.Base(s.Source.String()); got != want[i] {
			t.Errorf("%s stands at %s, want %s", s.Name, got, want[i])
		}
	}
}

func TestAFileWithoutStubsIsAWarning(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a.yaml": "", "b.yaml": "# nothing yet\n", "c.yaml": "---\n---\n", "d.yaml": "stubs: []\n",
		"e.json": "", "f.json": "{\"stubs\": []}", "g.yaml": "%YAML 1.2\n---\n", "h.yaml": "~",
	} {
		set, err := stubfile.Parse(name, []byte(text), options)
		if err != nil || len(set.Stubs) != 0 {
			t.Errorf("%s: %v, %v", name, set.Stubs, err)
		}
		if len(set.Warnings) != 1 || set.Warnings[0].Error() != name+": there is no stub in this file" {
			t.Errorf("%s: warnings %v", name, set.Warnings)
		}
	}
}

func TestAnchorsAliasesAndMerges(t *testing.T) {
	t.Parallel()
	set := load(t, `
-- a.yaml --
name: base
when: &w {about: PX, model: gpt-*}
answer:
  json: &j {b: 1, a: [x, null]}
---
stubs:
  - &base
    name: one
    times: 2
    when: {about: A}
    answer: &a
      text: hello
      stop: length
  - <<: *base
    name: two
    answer:
      <<: *a
      text: bye
  - name: three
    answer: *a
`)
	if got, want := titles(set), "base one two three"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	two := set.Stubs[2]
	if two.Times != 2 || len(two.When) != 1 || two.Answers[0].Choices[0].Stop != "length" {
		t.Errorf("two: %+v", two)
	}
	if a, b := set.Stubs[1].Answers[0], set.Stubs[3].Answers[0]; len(a.Choices) != 1 || len(b.Choices[0].Parts) != 1 {
		t.Errorf("one %+v, three %+v", a, b)
	}
}

func TestWhatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	dir := folder(t, "-- notes.txt --\nhello\n")
	for path, want := range map[string]string{
		"nowhere":   "there is no such file or folder",
		"notes.txt": "a stub file's name ends in .yaml, .yml or .json",
	} {
		path = filepath.Join(dir, path)
		_, err := stubfile.Load([]string{path}, options)
		if err == nil || err.Error() != path+": "+want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAllErrorsComeAtOnceInOrder(t *testing.T) {
	t.Parallel()
	dir := folder(t, `
-- a.yaml --
name: one
answer: {txt: a}
wen: {}
-- b.yaml --
name: fine
answer: {}
-- c.yaml --
a: [
`)
	set, err := stubfile.Load([]string{dir}, options)
	var errs stubfile.Errors
	if !errors.As(err, &errs) || len(set.Stubs) != 0 {
		t.Fatalf("%v, %v", set, err)
	}
	got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
	want := `a.yaml:2:10: stub "one": unknown key "txt" (did you mean "text"?)
a.yaml:3:1: stub "one": unknown key "wen" (did you mean "when"?)
c.yaml:1:4: sequence end token ']' not found`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTheSameFileIsReadOnce(t *testing.T) {
	t.Parallel()
	dir := folder(t, "-- a.yaml --\nname: one\nanswer: {}\n")
	set, err := stubfile.Load([]string{dir, filepath.Join(dir, "a.yaml")}, options)
	if err != nil || len(set.Stubs) != 1 {
		t.Errorf("%d stubs, %v", len(set.Stubs), err)
	}
}
