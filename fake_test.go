package mimus_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// fakeT is a test that is told of failures, for tests of what fails a test.
type fakeT struct {
	testing.TB // what is not faked is the real test's
	name       string

	// mu guards what follows.
	mu       sync.Mutex
	failures []string
	cleanups []func()
	ended    bool
}

func fake(t *testing.T) *fakeT {
	t.Helper()
	f := &fakeT{TB: t, name: "TestParcels"}
	t.Cleanup(func() { f.end() })
	return f
}

func (f *fakeT) Helper()      {}
func (f *fakeT) Name() string { return f.name }
func (f *fakeT) Failed() bool { return len(f.said()) > 0 }

func (f *fakeT) Cleanup(c func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cleanups = append(f.cleanups, c)
}

func (f *fakeT) Error(args ...any) { f.Errorf("%s", fmt.Sprint(args...)) }

func (f *fakeT) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		f.TB.Errorf("told the test after its end: "+format, args...)
		return
	}
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}

func (f *fakeT) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}

// end is the end of the faked test; it gives what failed it.
func (f *fakeT) end() []string {
	for {
		f.mu.Lock()
		n := len(f.cleanups)
		if n == 0 {
			f.ended = true
			f.mu.Unlock()
			return f.said()
		}
		c := f.cleanups[n-1]
		f.cleanups = f.cleanups[:n-1]
		f.mu.Unlock()
		c()
	}
}

func (f *fakeT) said() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.failures...)
}

// wantFailure wants one failure so far that says all of the words, and forgets it.
func (f *fakeT) wantFailure(t *testing.T, words ...string) {
	t.Helper()
	said := f.said()
	f.mu.Lock()
	f.failures = nil
	f.mu.Unlock()
	if len(said) != 1 {
		t.Errorf("got the failures %q, want one that says %q", said, words)
		return
	}
	for _, w := range words {
		if !strings.Contains(said[0], w) {
			t.Errorf("the failure does not say %q:\n%s", w, said[0])
		}
	}
}

// wantNone wants no failure so far.
func (f *fakeT) wantNone(t *testing.T) {
	t.Helper()
	if said := f.said(); len(said) > 0 {
		t.Errorf("got the failures %q, want none", said)
	}
}
