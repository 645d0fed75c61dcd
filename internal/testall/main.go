// Command testall runs every test of every module of the repository, then each
// fuzz target for a moment, and ends with the counts. `make check` is this command.
//
// Usage, from the repository's root:
//
//	go run ./internal/testall [-fuzztime 2s] [-list]
//
// Modules and fuzz targets are found, not listed: a new one needs no entry
// anywhere. For each suite the last lines say what ran:
//
//	tests of github.com/mimus-go/mimus:
//	128 passed, 0 failed
//
// A test that has subtests is not counted beside them, unless it failed by itself.
// A package that fails without a failing test, because it does not build or ends
// early, counts as one failure. The exit status is 1 when anything failed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("testall", flag.ContinueOnError)
	flags.SetOutput(stderr)
	fuzzTime := flags.String("fuzztime", "2s", "how long each fuzz target runs, as go test's -fuzztime takes it; 0 leaves fuzzing out")
	list := flags.Bool("list", false, "print the folders of the modules that hold Go packages, and stop")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	root, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(stderr, "testall:", err)
		return 1
	}
	modules, err := findModules(root)
	if err != nil {
		fmt.Fprintln(stderr, "testall:", err)
		return 1
	}
	if *list {
		for _, m := range modules {
			fmt.Fprintln(stdout, m.rel)
		}
		return 0
	}
	return checkAll(modules, *fuzzTime, stdout, stderr)
}

// checkAll runs the tests and fuzz targets of all modules and prints the suites.
func checkAll(modules []module, fuzzTime string, stdout, stderr io.Writer) int {
	var suites []suite
	fuzzed := suite{title: "fuzz targets, " + fuzzTime + " each"}
	for _, m := range modules {
		fmt.Fprintf(stdout, "== tests of %s\n", m.path)
		tests, targets := runTests(m, stdout, stderr)
		suites = append(suites, tests)
		if fuzzTime == "0" {
			continue
		}
		for _, target := range targets {
			runFuzz(m, target, fuzzTime, &fuzzed, stdout)
		}
	}
	if fuzzed.passed+fuzzed.failed > 0 {
		suites = append(suites, fuzzed)
	}
	fmt.Fprintln(stdout)
	failed := 0
	for _, s := range suites {
		s.print(stdout)
		failed += s.failed
	}
	if failed > 0 {
		return 1
	}
	return 0
}
