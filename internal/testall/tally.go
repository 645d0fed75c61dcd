package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is a line of `go test -json`; see `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// A tally reads the events of one `go test -json`, counts tests, and prints what
// plain go test would: a line for each package, and all that failing tests said.
type tally struct {
	suite   suite
	targets []fuzzTarget

	out      io.Writer
	packages map[string]*packageRun
}

// A packageRun is a package whose tests are running.
type packageRun struct {
	tests  map[string]*testRun
	failed strings.Builder // what failing tests said
	output strings.Builder // what was said outside tests
}

type testRun struct {
	output      strings.Builder
	outcome     string // "pass", "fail" or "skip"; empty while it runs
	hasSubtests bool
	subtestFail bool // a subtest failed
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, packages: make(map[string]*packageRun)}
}

// read takes events until r ends. Lines that are no events are printed as they are.
func (t *tally) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				t.take(e)
			} else {
				fmt.Fprint(t.out, string(line))
			}
		}
		if err != nil {
			t.finish()
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func (t *tally) take(e event) {
	switch {
	case e.Action == "build-output":
		fmt.Fprint(t.out, e.Output)
	case e.Package == "":
	case e.Test == "":
		t.takePackage(e)
	default:
		t.takeTest(e)
	}
}

func (t *tally) takePackage(e event) {
	p := t.running(e.Package)
	switch e.Action {
	case "output":
		p.output.WriteString(e.Output)
	case "pass", "skip", "fail":
		t.endPackage(e.Package, p, e.Action)
	}
}

func (t *tally) takeTest(e event) {
	p := t.running(e.Package)
	test := p.tests[e.Test]
	if test == nil {
		test = new(testRun)
		p.tests[e.Test] = test
		for _, above := range ancestors(e.Test) {
			if parent := p.tests[above]; parent != nil {
				parent.hasSubtests = true
			}
		}
		if strings.HasPrefix(e.Test, "Fuzz") && !strings.Contains(e.Test, "/") {
			t.targets = append(t.targets, fuzzTarget{e.Package, e.Test})
		}
	}
	switch e.Action {
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			test.output.WriteString(e.Output)
		}
	case "pass", "fail", "skip":
		test.outcome = e.Action
		if e.Action == "fail" {
			p.failed.WriteString(test.output.String())
			for _, above := range ancestors(e.Test) {
				if parent := p.tests[above]; parent != nil {
					parent.subtestFail = true
				}
			}
		}
		if e.Action == "skip" && !test.hasSubtests {
			skip := e.Package + " " + e.Test
			if why := reason(test.output.String()); why != "" {
				skip += ": " + why
			}
			t.suite.skipped = append(t.suite.skipped, skip)
		}
		test.output = strings.Builder{}
	}
}

// endPackage counts the tests of a package and prints what is worth reading.
func (t *tally) endPackage(name string, p *packageRun, outcome string) {
	delete(t.packages, name)
	failed := 0
	for _, test := range p.tests {
		switch {
		case test.outcome == "fail" && !test.subtestFail:
			failed++
		case test.outcome == "pass" && !test.hasSubtests:
			t.suite.passed++
		}
	}
	if outcome == "fail" {
		fmt.Fprint(t.out, p.failed.String())
		for _, running := range slices.Sorted(maps.Keys(p.tests)) { // those that a panic or the timeout cut short
			if test := p.tests[running]; test.outcome == "" {
				fmt.Fprint(t.out, test.output.String())
			}
		}
		fmt.Fprint(t.out, p.output.String())
		failed = max(failed, 1)
	} else if len(p.tests) > 0 {
		for line := range strings.Lines(p.output.String()) {
			if strings.HasPrefix(line, "ok ") {
				fmt.Fprint(t.out, line)
			}
		}
	}
	t.suite.failed += failed
}

// finish ends the packages of a run that stopped before it said how they ended.
func (t *tally) finish() {
	for _, name := range slices.Sorted(maps.Keys(t.packages)) {
		t.endPackage(name, t.packages[name], "fail")
	}
}

func (t *tally) running(name string) *packageRun {
	p := t.packages[name]
	if p == nil {
		p = &packageRun{tests: make(map[string]*testRun)}
		t.packages[name] = p
	}
	return p
}

// ancestors returns the names that may be those of the tests around a subtest.
func ancestors(test string) []string {
	var above []string
	for i, c := range test {
		if c == '/' {
			above = append(above, test[:i])
		}
	}
	return above
}
