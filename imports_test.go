package mimus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/mimus-go/mimus"

// An importRule says what a package of ours may import. Of all rules, the first
// whose pattern matches the package holds for it.
//
// Patterns are paths below the module: "." is the root package, "wire" one
// package, "wire/*" each folder directly in it, "wire/..." it and all below.
// In mayImport the first matching pattern decides, and one that starts with "!"
// refuses. What no pattern matches is refused.
type importRule struct {
	pkg        string
	mayImport  []string
	thirdParty bool // may import packages of other modules
	testing    bool // may import package testing outside its tests
}

// houseRules is section 2 of docs/design.md. A package that no rule matches is a
// breach: a new kind of package gets a rule first.
var houseRules = []importRule{
	{pkg: "internal/jsonx"},
	{pkg: "internal/awsstream"},
	{pkg: "internal/aws", mayImport: []string{"wire", "internal/jsonx", "internal/awsstream"}}, // what several providers say on Bedrock
	{pkg: "internal/captures"}, // for tests only: nothing below names it
	{pkg: "internal/testall"},
	{pkg: "e2e/compatibility"},
	{pkg: "internal/redact", mayImport: []string{"internal/jsonx"}},
	{pkg: "internal/sample", mayImport: []string{"wire"}},
	{pkg: "wire", mayImport: []string{"internal/jsonx"}},
	{pkg: "wire/all", mayImport: []string{"wire", "!wire/wiretest", "wire/*"}},
	{pkg: "wire/wiretest", testing: true, mayImport: []string{
		"wire", "stub", "internal/jsonx", "internal/awsstream", "internal/deliver", "internal/engine", "internal/pipeline",
	}},
	{pkg: "wire/...", mayImport: []string{"wire", "internal/jsonx", "internal/awsstream", "internal/aws"}}, // a provider
	{pkg: "stub", mayImport: []string{"wire", "internal/jsonx"}},
	{pkg: "internal/engine", mayImport: lowerHalf},
	{pkg: "internal/deliver", mayImport: lowerHalf},
	{pkg: "internal/journal", mayImport: lowerHalf},
	{pkg: "internal/h1", mayImport: lowerHalf},
	{pkg: "internal/memnet", mayImport: lowerHalf},
	{pkg: "record", mayImport: lowerHalf},
	{pkg: "internal/pipeline", mayImport: []string{
		"wire", "stub", "internal/jsonx", "internal/engine", "internal/deliver", "internal/journal", "internal/redact",
	}},
	{pkg: ".", testing: true, mayImport: []string{
		"wire", "wire/all", "stub", "record", "internal/jsonx", "internal/awsstream",
		"internal/engine", "internal/deliver", "internal/journal", "internal/memnet", "internal/pipeline", "internal/redact",
		"internal/sample",
	}},
	{pkg: "stubfile", thirdParty: true, mayImport: []string{"wire", "stub", "internal/jsonx"}},
	{pkg: "adminclient", thirdParty: true, mayImport: []string{"wire", "stub", "internal/jsonx"}},
	{pkg: "record/distill", thirdParty: true, mayImport: []string{
		"wire", "wire/all", "stub", "record", "stubfile", "internal/jsonx", "internal/engine", "internal/deliver",
	}},
	{pkg: "record/recordtest", testing: true, mayImport: []string{"wire", "record", "internal/jsonx"}},
	{pkg: "conform", thirdParty: true, mayImport: []string{
		"wire", "internal/jsonx", "internal/awsstream", "internal/deliver", "internal/memnet",
	}},
	{pkg: "conform/conformtest", thirdParty: true, testing: true, mayImport: []string{"wire", "conform", "internal/jsonx"}},
	{pkg: "server/...", thirdParty: true, mayImport: []string{
		"!internal/cli", "!.", "!wire/wiretest", "!conform/conformtest", "!record/recordtest",
		"!cmd/...", "!internal/testall", "!internal/captures", "...",
	}},
	{pkg: "internal/cli/...", thirdParty: true, mayImport: []string{
		"!.", "!wire/wiretest", "!conform/conformtest", "!record/recordtest",
		"!cmd/...", "!internal/testall", "!internal/captures", "...",
	}},
	{pkg: "cmd/mimus", mayImport: []string{"internal/cli"}},
}

// lowerHalf is what the parts that the pipeline is made of may know.
var lowerHalf = []string{"wire", "stub", "internal/jsonx", "internal/awsstream"}

// A depsRule says what a package may link, over however many imports.
type depsRule struct {
	pkg     string
	stdOnly bool // nothing but the standard library and mimus
	not     string
}

var linkRules = []depsRule{
	{pkg: ".", stdOnly: true},
	{pkg: "wire/...", stdOnly: true},
	{pkg: "cmd/mimus", not: "testing"},
}

// A goPackage is what the rules need of `go list -json`. Imports and Deps leave
// tests out.
type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

func TestImports(t *testing.T) {
	for _, breach := range importBreaches(houseRules, linkRules, listPackages(t)) {
		t.Error(breach)
	}
}

// importBreaches holds the module's packages against the rules. The packages
// include all that they link, so that the standard library can be told apart.
func importBreaches(imports []importRule, links []depsRule, packages []goPackage) []string {
	standard := make(map[string]bool)
	for _, p := range packages {
		standard[p.ImportPath] = p.Standard
	}
	var breaches []string
	for _, p := range packages {
		name, ours := withinModule(p.ImportPath)
		if !ours {
			continue
		}
		i := slices.IndexFunc(imports, func(r importRule) bool { return matches(r.pkg, name) })
		if i < 0 {
			breaches = append(breaches, name+": no import rule covers it")
			continue
		}
		for _, path := range p.Imports {
			if why := imports[i].refuses(path, standard[path]); why != "" {
				breaches = append(breaches, fmt.Sprintf("%s imports %s: %s (rule %q)", name, path, why, imports[i].pkg))
			}
		}
		for _, r := range links {
			if !matches(r.pkg, name) {
				continue
			}
			for _, path := range p.Deps {
				_, mimus := withinModule(path)
				if r.stdOnly && !mimus && !standard[path] {
					breaches = append(breaches, fmt.Sprintf("%s links %s: it may link the standard library and mimus only", name, path))
				}
				if r.not != "" && path == r.not {
					breaches = append(breaches, fmt.Sprintf("%s links %s", name, path))
				}
			}
		}
	}
	return breaches
}

// refuses says why the rule refuses an import, or nothing where it allows it.
func (r importRule) refuses(path string, standard bool) string {
	name, ours := withinModule(path)
	switch {
	case ours:
		for _, pattern := range r.mayImport {
			pattern, no := strings.CutPrefix(pattern, "!")
			if matches(pattern, name) {
				if no {
					return "refused by name"
				}
				return ""
			}
		}
		return "not among what it may import"
	case standard && !r.testing && matches("testing/...", path):
		return "only test kits import testing"
	case !standard && !r.thirdParty:
		return "it may import the standard library and mimus only"
	}
	return ""
}

// withinModule returns the path of one of our packages below the module.
func withinModule(path string) (name string, ours bool) {
	if path == modulePath {
		return ".", true
	}
	return strings.CutPrefix(path, modulePath+"/")
}

func matches(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == prefix || strings.HasPrefix(name, prefix+"/")
	}
	if prefix, ok := strings.CutSuffix(pattern, "/*"); ok {
		rest, ok := strings.CutPrefix(name, prefix+"/")
		return ok && !strings.Contains(rest, "/")
	}
	return name == pattern
}

// listPackages returns the main module's packages and all that they link.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var packages []goPackage
	for list := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := list.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// TestImportRules shows that the rules refuse what they should, on made-up packages.
func TestImportRules(t *testing.T) {
	const third = "example.test/third"
	ours := func(name string) string { return modulePath + "/" + name }
	cases := []struct {
		name    string
		pkg     string
		imports []string
		breach  string // part of the one breach, empty where all is well
	}{
		{"wire stands on the standard library", "wire", []string{"io", ours("internal/jsonx")}, ""},
		{"wire knows no stub", "wire", []string{ours("stub")}, "wire imports " + ours("stub")},
		{"a provider imports the vocabulary", "wire/openai", []string{ours("wire"), ours("internal/awsstream")}, ""},
		{"a provider speaks on Bedrock", "wire/anthropic", []string{ours("wire"), ours("internal/aws")}, ""},
		{"what is said on Bedrock knows no provider", "internal/aws", []string{ours("wire"), ours("wire/anthropic")}, "not among what it may import"},
		{"a provider imports another", "wire/openai", []string{ours("wire/anthropic")}, "not among what it may import"},
		{"a part of a provider imports another", "wire/openai/parts", []string{ours("wire/anthropic")}, "not among what it may import"},
		{"a provider takes a third-party package", "wire/openai", []string{third}, "standard library and mimus only"},
		{"a provider knows how fast", "wire/gemini", []string{ours("internal/deliver")}, "not among what it may import"},
		{"all lists the providers", "wire/all", []string{ours("wire"), ours("wire/openai")}, ""},
		{"all lists the test kit", "wire/all", []string{ours("wire/wiretest")}, "refused by name"},
		{"wiretest is a test kit", "wire/wiretest", []string{"testing", ours("wire"), ours("stub")}, ""},
		{"the engine imports the journal", "internal/engine", []string{ours("internal/journal")}, "not among what it may import"},
		{"the pipeline joins the parts", "internal/pipeline", []string{ours("internal/engine"), ours("internal/deliver")}, ""},
		{"the pipeline asks which provider", "internal/pipeline", []string{ours("wire/openai")}, "not among what it may import"},
		{"the root imports the pipeline", "", []string{"testing", ours("internal/pipeline"), ours("wire/all")}, ""},
		{"the root reads stub files", "", []string{ours("stubfile")}, "not among what it may import"},
		{"the root takes a third-party package", "", []string{third}, "standard library and mimus only"},
		{"stub files need YAML", "stubfile", []string{third, ours("stub")}, ""},
		{"the server imports nearly all", "server", []string{third, ours("stubfile"), ours("wire/all"), ours("internal/pipeline")}, ""},
		{"the server imports the root", "server", []string{modulePath}, "refused by name"},
		{"the server imports testing", "server", []string{"testing/fstest"}, "only test kits import testing"},
		{"the server imports a test kit", "server", []string{ours("record/recordtest")}, "refused by name"},
		{"the commands import the server", "internal/cli", []string{third, ours("server")}, ""},
		{"the server reads the captures", "server", []string{ours("internal/captures")}, "refused by name"},
		{"the commands import a test kit", "internal/cli", []string{ours("conform/conformtest")}, "refused by name"},
		{"main only starts the commands", "cmd/mimus", []string{"os", ours("internal/cli")}, ""},
		{"main does more", "cmd/mimus", []string{ours("server")}, "not among what it may import"},
		{"a package that nobody planned", "shiny", nil, "no import rule covers it"},
	}
	known := []goPackage{
		{ImportPath: "io", Standard: true},
		{ImportPath: "os", Standard: true},
		{ImportPath: "testing", Standard: true},
		{ImportPath: "testing/fstest", Standard: true},
		{ImportPath: third},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := strings.TrimSuffix(ours(c.pkg), "/")
			packages := append(slices.Clone(known), goPackage{ImportPath: path, Imports: c.imports})
			expectBreach(t, importBreaches(houseRules, nil, packages), c.breach)
		})
	}
}

// TestLinkRules shows that an import behind another import is found too.
func TestLinkRules(t *testing.T) {
	cases := []struct {
		name   string
		pkg    string
		deps   []string
		breach string
	}{
		{"the root links the standard library and mimus", modulePath, []string{"io", modulePath + "/wire"}, ""},
		{"the root links another module", modulePath, []string{"example.test/third"}, ". links example.test/third"},
		{"a provider links another module", modulePath + "/wire/openai", []string{"example.test/third"}, "wire/openai links example.test/third"},
		{"the binary links another module", modulePath + "/cmd/mimus", []string{"example.test/third"}, ""},
		{"the binary links testing", modulePath + "/cmd/mimus", []string{"testing"}, "cmd/mimus links testing"},
		{"the server is not the binary", modulePath + "/server", []string{"testing"}, ""},
	}
	known := []goPackage{
		{ImportPath: "io", Standard: true},
		{ImportPath: "testing", Standard: true},
		{ImportPath: "example.test/third"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			packages := append(slices.Clone(known), goPackage{ImportPath: c.pkg, Deps: c.deps})
			expectBreach(t, importBreaches(houseRules, linkRules, packages), c.breach)
		})
	}
}

// expectBreach fails t unless got is one breach with the wanted words in it, or
// none where none is wanted.
func expectBreach(t *testing.T, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("got %q, want no breach", got)
	case want != "" && (len(got) != 1 || !strings.Contains(got[0], want)):
		t.Errorf("got %q, want one breach with %q in it", got, want)
	}
}
