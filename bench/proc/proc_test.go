package proc

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestStart(t *testing.T) {
	t.Parallel()
	s, err := Start(t.Context(), "sh", "-c", `echo starting; echo "mimus: listening on http://127.0.0.1:4242" >&2; exec sleep 60`)
	if err != nil {
		t.Fatal(err)
	}
	if s.URL != "http://127.0.0.1:4242" || s.Started <= 0 {
		t.Errorf("it listens on %q after %v", s.URL, s.Started)
	}
	if m, err := s.Memory(); err != nil || m.Now <= 0 || m.Peak < m.Now {
		t.Errorf("memory is %+v, %v", m, err)
	}
	if cpu, err := s.CPU(); err != nil || cpu > time.Second {
		t.Errorf("CPU is %v, %v", cpu, err)
	}
	if err := s.Err(); err != nil {
		t.Errorf("while it runs: %v", err)
	}
	s.Stop()
	if err := s.Err(); err == nil {
		t.Error("it was stopped, and Err does not say so")
	}
	if _, err := s.CPU(); err == nil {
		t.Error("a process that has ended has CPU")
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	if _, err := Start(t.Context(), "/no/such/program"); err == nil {
		t.Error("a missing program starts")
	}
	_, err := Start(t.Context(), "sh", "-c", `echo stubs/a.yaml:4:5: unknown field >&2; exit 3`)
	if err == nil || !strings.Contains(err.Error(), "stubs/a.yaml:4:5") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("got %v, want what it printed and its status", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, "sleep", "60"); err == nil || !errors.Is(err, context.DeadlineExceeded) && !strings.Contains(err.Error(), "killed") {
		t.Errorf("got %v, want the end of the context", err)
	}
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	const line = "42 (odd) (name) S 1 2 3 4 5 6 7 8 9 10 150 25 13 14 15 16 17"
	if got, err := parseStat([]byte(line)); err != nil || got != 1750*time.Millisecond {
		t.Errorf("got %v, %v; want 1.75s", got, err)
	}
	for _, wrong := range []string{"", "42 (x) S 1 2", "42 (x) S 1 2 3 4 5 6 7 8 9 10 a 25"} {
		if _, err := parseStat([]byte(wrong)); err == nil {
			t.Errorf("%q is no error", wrong)
		}
	}
}

func TestParseStatus(t *testing.T) {
	t.Parallel()
	got, err := parseStatus([]byte("Name:\tx\nVmHWM:\t   20 kB\nVmRSS:\t   10 kB\n"))
	if want := (Memory{Now: 10 << 10, Peak: 20 << 10}); err != nil || got != want {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, wrong := range []string{"", "VmRSS: x kB\n"} {
		if _, err := parseStatus([]byte(wrong)); err == nil {
			t.Errorf("%q is no error", wrong)
		}
	}
}
