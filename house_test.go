package mimus_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	maxLines     = 500 // of a Go file
	maxTestLines = 800 // of a Go test file
)

// bannedFolders say nothing of what they hold.
var bannedFolders = []string{"pkg", "util", "common", "helpers", "types", "models"}

func TestHouseRules(t *testing.T) {
	breaches, err := houseBreaches(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, breach := range breaches {
		t.Error(breach)
	}
}

// houseBreaches looks at all Go files of all modules: the names of their folders,
// their lengths, and whether they register anything in an init function.
func houseBreaches(tree fs.FS) ([]string, error) {
	var breaches []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(base) != ".go" {
			return nil
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		found, err := fileBreaches(name, source)
		breaches = append(breaches, found...)
		return err
	})
	return breaches, err
}

func fileBreaches(name string, source []byte) ([]string, error) {
	var breaches []string
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains(bannedFolders, folder) {
			breaches = append(breaches, fmt.Sprintf("%s: no folder is called %q; name it after what it holds", name, folder))
		}
	}
	if path.Base(name) == "types.go" {
		breaches = append(breaches, name+": split files by family, not by kind")
	}
	isTest := strings.HasSuffix(name, "_test.go")
	limit := maxLines
	if isTest {
		limit = maxTestLines
	}
	if n := bytes.Count(source, []byte("\n")); n > limit {
		breaches = append(breaches, fmt.Sprintf("%s: %d lines, at most %d", name, n, limit))
	}
	if isTest {
		return breaches, nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			breaches = append(breaches, name+": func init; list things explicitly instead of registering them")
		}
	}
	return breaches, nil
}

func TestHouseRulesOnBreaches(t *testing.T) {
	lines := func(n int) string { return "package p\n" + strings.Repeat("\n", n-1) }
	cases := []struct {
		name, file, source string
		breach             string
	}{
		{"a good file", "wire/sse.go", "package wire\n\nfunc (s *scanner) init() {}\n", ""},
		{"a banned folder", "internal/util/x.go", "package util\n", `no folder is called "util"`},
		{"a banned folder further up", "pkg/wire/x.go", "package wire\n", `no folder is called "pkg"`},
		{"a banned folder in a satellite's tests", "sdktest/helpers/x_test.go", "package helpers\n", `no folder is called "helpers"`},
		{"a folder whose name only begins so", "wire/typesetting/x.go", "package typesetting\n", ""},
		{"a folder of another language", "clients/js/types/index.d.ts", "export {}\n", ""},
		{"data for tests", "wire/testdata/pkg/x.go", "package broken {\n", ""},
		{"a file of kinds", "wire/types.go", "package wire\n", "by family, not by kind"},
		{"an init function", "wire/x.go", "package wire\n\nfunc init() {}\n", "func init"},
		{"an init function in a test", "wire/x_test.go", "package wire\n\nfunc init() {}\n", ""},
		{"a file just short enough", "wire/x.go", lines(500), ""},
		{"a file too long", "wire/x.go", lines(501), "501 lines, at most 500"},
		{"a test just short enough", "wire/x_test.go", lines(800), ""},
		{"a test too long", "wire/x_test.go", lines(801), "801 lines, at most 800"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := houseBreaches(fstest.MapFS{c.file: {Data: []byte(c.source)}})
			if err != nil {
				t.Fatal(err)
			}
			expectBreach(t, got, c.breach)
		})
	}
}
