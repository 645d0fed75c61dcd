package mimus_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const featureRows = 191

// outsideRows may be outside: what they name is no part of a double for LLM APIs.
var outsideRows = []int{109, 110, 190, 191}

func TestFeatures(t *testing.T) {
	table, err := os.ReadFile("docs/features.md")
	if err != nil {
		t.Fatal(err)
	}
	features, asserted, _ := strings.Cut(string(table), "\n## What llm_wire")
	counts, breaches := checkFeatures(features, featureRows, os.DirFS("."))
	breaches = append(breaches, checkAsserted(asserted, os.DirFS("."))...)
	for _, breach := range breaches {
		t.Error(breach)
	}
	t.Logf("works: %d, not yet: %d, outside: %d", counts["works"], counts["not yet"], counts["outside"])
}

// featureRow is | number | feature | status | tests |.
var featureRow = regexp.MustCompile(`^\| *(\d+) *\|([^|]*)\|([^|]*)\|([^|]*)\|$`)

// checkFeatures reads the table of docs/features.md and holds it against the
// files that it names. It counts the rows of each status.
func checkFeatures(table string, rows int, tree fs.FS) (counts map[string]int, breaches []string) {
	counts = make(map[string]int)
	next := 1
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| #") || strings.HasPrefix(line, "| ---") {
			continue
		}
		cells := featureRow.FindStringSubmatch(line)
		if cells == nil {
			breaches = append(breaches, "not a row of four columns: "+line)
			continue
		}
		number, _ := strconv.Atoi(cells[1])
		feature, status, tests := strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3]), strings.TrimSpace(cells[4])
		breach := func(format string, args ...any) {
			breaches = append(breaches, fmt.Sprintf("row %d: ", number)+fmt.Sprintf(format, args...))
		}
		if number != next {
			breach("expected row %d here", next)
		}
		next = number + 1
		if feature == "" {
			breach("no feature")
		}
		reason, outside := strings.CutPrefix(status, "outside:")
		switch {
		case status == "works":
			counts["works"]++
			names, err := testNames(tests)
			if err != nil {
				breach("%v", err)
			}
			for _, name := range names {
				if err := testExists(tree, name); err != nil {
					breach("%v", err)
				}
			}
		case status == "not yet":
			counts["not yet"]++
			if tests != "" {
				breach("not yet, but it names a test")
			}
		case outside:
			counts["outside"]++
			if !slices.Contains(outsideRows, number) {
				breach("this row is owed; only %v may be outside", outsideRows)
			}
			if strings.TrimSpace(reason) == "" {
				breach("outside without a reason")
			}
		default:
			breach("unknown status %q", status)
		}
	}
	if next != rows+1 {
		breaches = append(breaches, fmt.Sprintf("the table ends with row %d, want %d", next-1, rows))
	}
	return counts, breaches
}

// checkAsserted reads the second table, of two columns: what is asserted, and the tests or why there is none.
func checkAsserted(table string, tree fs.FS) (breaches []string) {
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| ---") || len(cells) == 2 && strings.TrimSpace(cells[0]) == "Asserted" {
			continue
		}
		rows++
		if len(cells) != 2 {
			breaches = append(breaches, "not a row of two columns: "+line)
			continue
		}
		tests := strings.TrimSpace(cells[1])
		if tests == "not yet" || strings.HasPrefix(tests, "outside: ") {
			continue
		}
		names, err := testNames(tests)
		for _, name := range names {
			err = errors.Join(err, testExists(tree, name))
		}
		if err != nil {
			breaches = append(breaches, strings.TrimSpace(cells[0])+": "+err.Error())
		}
	}
	if rows == 0 {
		breaches = append(breaches, "the table of what is asserted has no rows")
	}
	return breaches
}

// testNames takes the last column of a row apart: names in backticks with commas
// between them.
func testNames(cell string) ([]string, error) {
	if cell == "" {
		return nil, errors.New("works, but names no test")
	}
	var names []string
	for part := range strings.SplitSeq(cell, ",") {
		part = strings.TrimSpace(part)
		name, opened := strings.CutPrefix(part, "`")
		name, closed := strings.CutSuffix(name, "`")
		if !opened || !closed || name == "" {
			return nil, fmt.Errorf("%q is not the name of a test in backticks", part)
		}
		names = append(names, name)
	}
	return names, nil
}

// testExists looks for a test by the name that docs/features.md gives it.
func testExists(tree fs.FS, name string) error {
	file, test, named := strings.Cut(name, ":")
	source, err := fs.ReadFile(tree, file)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case strings.HasSuffix(file, "_test.go"):
		return goTestExists(tree, file, source, test)
	case path.Ext(file) == ".go":
		return fmt.Errorf("%s: %s is no test file", name, file)
	case !named && path.Ext(file) == ".txtar":
		return nil
	case strings.TrimSpace(test) == "":
		return fmt.Errorf("%s: which case of the file?", name)
	case !holdsWord(source, test):
		return fmt.Errorf("%s: the file has no such case", name)
	}
	return nil
}

// goTestExists looks for the test function, and for each part of a subtest's name
// as a string in the test file or as a file of its testdata.
func goTestExists(tree fs.FS, file string, source []byte, test string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	function, subtest, hasSubtest := strings.Cut(test, "/")
	if !isTestName(function) || !slices.ContainsFunc(parsed.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == function
	}) {
		return fmt.Errorf("%s: no test function %q", file, function)
	}
	if !hasSubtest {
		return nil
	}
	literals := make(map[string]bool)
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				literals[strings.ReplaceAll(text, " ", "_")] = true
			}
		}
		return true
	})
	if literals[strings.ReplaceAll(subtest, " ", "_")] {
		return nil
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(subtest, " ", "_"), "/") {
		data, err := fs.Glob(tree, path.Join(path.Dir(file), "testdata", part+".*"))
		if err != nil {
			return err
		}
		if !literals[part] && len(data) == 0 {
			return fmt.Errorf("%s: %s has no subtest %q", file, function, part)
		}
	}
	return nil
}

func isTestName(function string) bool {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}

// holdsWord reports whether text stands in the file and is not part of a longer word.
func holdsWord(file []byte, text string) bool {
	word := regexp.MustCompile(`(?:^|[^\w-])` + regexp.QuoteMeta(text) + `(?:$|[^\w-])`)
	return slices.ContainsFunc(bytes.Split(file, []byte("\n")), word.Match)
}

func TestCheckFeatures(t *testing.T) {
	tree := fstest.MapFS{
		"wire/sse_test.go":              {Data: []byte("package wire\n\nfunc TestSSE(t *testing.T) { t.Run(\"long lines\", nil) }\n\nfunc helper() {}\n")},
		"wire/sse.go":                   {Data: []byte("package wire\n\nfunc TestNot() {}\n")},
		"wire/testdata/chat_text.txtar": {Data: []byte("A chat.\n")},
		"e2e/cases.yaml":                {Data: []byte("cases:\n  - name: text-short\n")},
	}
	cases := []struct {
		name   string
		table  string
		breach string
	}{
		{"one row that works", "| 1 | SSE | works | `wire/sse_test.go:TestSSE` |", ""},
		{"two tests", "| 1 | SSE | works | `wire/sse_test.go:TestSSE`, `wire/testdata/chat_text.txtar` |", ""},
		{"a subtest", "| 1 | SSE | works | `wire/sse_test.go:TestSSE/long_lines` |", ""},
		{"a subtest that is a file", "| 1 | SSE | works | `wire/sse_test.go:TestSSE/chat_text` |", ""},
		{"a case of a data file", "| 1 | SSE | works | `e2e/cases.yaml:text-short` |", ""},
		{"a row to come", "| 1 | SSE | not yet |  |", ""},
		{"the header is no row", "| # | Feature | Status | Test |\n| --- | --- | --- | --- |\n| 1 | SSE | not yet |  |", ""},
		{"no rows", "", "ends with row 0"},
		{"a row too many", "| 1 | A | not yet |  |\n| 2 | B | not yet |  |", "ends with row 2"},
		{"a row twice", "| 1 | A | not yet |  |\n| 1 | A | not yet |  |", "expected row 2 here"},
		{"a row short of a column", "| 1 | A | not yet |\n| 1 | A | not yet |  |", "not a row of four columns"},
		{"no feature", "| 1 |  | not yet |  |", "no feature"},
		{"an unknown status", "| 1 | SSE | soon |  |", `unknown status "soon"`},
		{"works without a test", "| 1 | SSE | works |  |", "names no test"},
		{"not yet with a test", "| 1 | SSE | not yet | `wire/sse_test.go:TestSSE` |", "but it names a test"},
		{"a name without backticks", "| 1 | SSE | works | wire/sse_test.go:TestSSE |", "in backticks"},
		{"a file that is not there", "| 1 | SSE | works | `wire/gone_test.go:TestSSE` |", "not exist"},
		{"a function that is not there", "| 1 | SSE | works | `wire/sse_test.go:TestGone` |", `no test function "TestGone"`},
		{"a function that is no test", "| 1 | SSE | works | `wire/sse_test.go:helper` |", `no test function "helper"`},
		{"a file without a function", "| 1 | SSE | works | `wire/sse_test.go` |", "no test function"},
		{"a file that is no test", "| 1 | SSE | works | `wire/sse.go:TestNot` |", "no test file"},
		{"a subtest that is not there", "| 1 | SSE | works | `wire/sse_test.go:TestSSE/short` |", `no subtest "short"`},
		{"a case that is not there", "| 1 | SSE | works | `e2e/cases.yaml:text` |", "no such case"},
		{"a data file without a case", "| 1 | SSE | works | `e2e/cases.yaml` |", "which case"},
		{"outside where the row is owed", "| 1 | SSE | outside: too hard |  |", "is owed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, breaches := checkFeatures(c.table, 1, tree)
			expectBreach(t, breaches, c.breach)
		})
	}
}

func TestCheckAsserted(t *testing.T) {
	tree := fstest.MapFS{"a_test.go": {Data: []byte("package a\n\nfunc TestA(t *testing.T) {}\n")}}
	for table, breach := range map[string]string{
		"| Asserted | Test |\n| --- | --- |\n| a | `a_test.go:TestA` |": "",
		"| a | outside: of no use |":                                    "",
		"| a | not yet |":                                               "",
		"| a | `a_test.go:TestB` |":                                     `no test function "TestB"`,
		"| a | |":                                                       "names no test",
		"| a | `a_test.go:TestA` | b |":                                 "not a row of two columns",
		"| Asserted | Test |\n| --- | --- |":                            "no rows",
	} {
		expectBreach(t, checkAsserted(table, tree), breach)
	}
}

func TestCheckFeaturesCounts(t *testing.T) {
	var table strings.Builder
	for i := 1; i <= 110; i++ {
		status := "not yet"
		if slices.Contains(outsideRows, i) {
			status = "outside: no part of it"
		}
		fmt.Fprintf(&table, "| %d | some feature | %s |  |\n", i, status)
	}
	counts, breaches := checkFeatures(table.String(), 110, fstest.MapFS{})
	expectBreach(t, breaches, "")
	if counts["works"] != 0 || counts["not yet"] != 108 || counts["outside"] != 2 {
		t.Errorf("got %v, want 108 not yet and 2 outside", counts)
	}
	bare := strings.Replace(table.String(), "outside: no part of it", "outside:", 1)
	_, breaches = checkFeatures(bare, 110, fstest.MapFS{})
	expectBreach(t, breaches, "outside without a reason")
}
