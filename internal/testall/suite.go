package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// A suite is what the summary says of one kind of test.
type suite struct {
	title          string
	passed, failed int
	skipped        []string // each test with its reason
}

func (s suite) print(w io.Writer) {
	fmt.Fprintf(w, "%s:\n", s.title)
	for _, skip := range s.skipped {
		fmt.Fprintf(w, "skipped: %s\n", skip)
	}
	fmt.Fprintf(w, "%d passed, %d failed\n", s.passed, s.failed)
}

// A fuzzTarget is a fuzz function, which an ordinary run tests with its seeds.
type fuzzTarget struct{ pkg, name string }

// runTests runs the tests of one module and finds its fuzz targets on the way.
func runTests(m module, stdout, stderr io.Writer) (suite, []fuzzTarget) {
	t := newTally(stdout)
	cmd := goCommand(m.dir, "test", "-json", "-race", "-shuffle=on", "-timeout=10m", "./...")
	cmd.Stderr = stderr
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		readErr := t.read(events)
		if err = cmd.Wait(); err == nil {
			err = readErr
		}
	}
	if err != nil && t.suite.failed == 0 {
		fmt.Fprintln(stdout, "go test:", err)
		t.suite.failed++
	}
	t.suite.title = "tests of " + m.path
	return t.suite, t.targets
}

// runFuzz runs one fuzz target and counts it in s. It prints what a failing
// target said.
func runFuzz(m module, target fuzzTarget, fuzzTime string, s *suite, stdout io.Writer) {
	var said []byte
	var err error
	for range 2 {
		cmd := goCommand(m.dir, "test", "-run=^$", "-fuzz=^"+target.name+"$", "-fuzztime="+fuzzTime,
			"-fuzzminimizetime=5s", "-timeout=5m", target.pkg)
		said, err = cmd.CombinedOutput()
		if err == nil || !endedByClock(said) {
			break
		}
	}
	if err != nil {
		s.failed++
		fmt.Fprintf(stdout, "%sFAIL\tfuzz %s %s: %v\n", said, target.pkg, target.name, err)
		return
	}
	s.passed++
	fmt.Fprintf(stdout, "ok  \tfuzz %s %s\n", target.pkg, target.name)
}

// endedByClock reports whether a fuzz run failed only because its time ran out
// while a worker was busy. The fuzzer then says "context deadline exceeded" and
// names no input; a real find is always written to a file.
func endedByClock(said []byte) bool {
	return bytes.Contains(said, []byte("context deadline exceeded")) &&
		!bytes.Contains(said, []byte("Failing input written"))
}

// reason is what a skipped test said, without the lines that go test adds.
func reason(output string) string {
	var said []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			said = append(said, line)
		}
	}
	return strings.Join(said, " ")
}
