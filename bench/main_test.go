package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/bench/ref"
)

// asProgram makes the test binary behave as bench itself, which starts itself
// as a reference server.
const asProgram = "MIMUS_BENCH_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Setenv(asProgram, "1")
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or each server that we stop takes a second
	os.Exit(m.Run())
}

// TestBenchAgainstItself runs cases as short as they can be. It judges no
// figure, only that there is one for each goal.
func TestBenchAgainstItself(t *testing.T) {
	t.Parallel()
	var out, progress bytes.Buffer
	args := strings.Fields("-quick -target ref -rounds 1 -d 200ms -requests 1000 -only unary,stream,stubs,growth,start")
	if status := run(args, &out, &progress); status > 1 {
		t.Fatalf("status %d\n%s%s", status, &progress, &out)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 1+6+2+1+1+3 {
		t.Errorf("%d lines:\n%s", len(lines), &out)
	}
	if strings.Contains(out.String(), "failed") {
		t.Errorf("a case failed:\n%s", &out)
	}
}

// TestPacedPair runs few streams, which any machine can keep up with.
func TestPacedPair(t *testing.T) {
	t.Parallel()
	b := &bench{quick: true, dir: t.TempDir(), progress: io.Discard}
	if err := b.prepare(t.Context(), "ref"); err != nil {
		t.Fatal(err)
	}
	control, got, err := b.pacedPair(t.Context(), 5, sayPaced, pacedRate, b.pacedWords())
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]pacedRun{"control": control, "target": got} {
		if r.max < r.p99 || r.max == 0 || r.max > 2*time.Second || r.idle == 0 || r.peak == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args   string
		status int
		want   string
	}{
		{"-nonsense", 2, "flag provided but not defined"},
		{"-only unary,nonsense", 2, `no case "nonsense"; there are unary, stream`},
		{"extra", 2, "extra"},
		{"-wire morse", 2, `no wire "morse"; there are openai, anthropic`},
		{"-wire bedrock -only paced", 2, "paced is measured on OpenAI's wire only"},
		{"-wire bedrock -target ref", 2, "stand-in"},
		{"-target /no/such/program -only start -quick", 1, ""},
		{"ref -answer /no/such/file", 2, "no such file"},
		{"standin -quick", 2, "standin serve"},
		{"load -url https://example.com -once", 2, "no http URL"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			var out, progress bytes.Buffer
			if status := run(strings.Fields(tt.args), &out, &progress); status != tt.status || !strings.Contains(progress.String(), tt.want) {
				t.Errorf("status %d, want %d and %q:\n%s%s", status, tt.status, tt.want, &progress, &out)
			}
		})
	}
}

func TestLoadCommand(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(ref.StandIn(map[string]ref.Answer{"hello": ref.Stream("a b c")}))
	defer s.Close()
	var out, progress bytes.Buffer
	args := []string{"load", "-url", s.URL, "-c", "2", "-n", "10", "-sse", "-want", "6", "-gap", "1ms", "-H", "X-Team: parcels"}
	if status := run(args, &out, &progress); status != 0 {
		t.Fatalf("status %d\n%s", status, &progress)
	}
	var got struct{ Requests, Events, Errors int }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Requests != 10 || got.Events != 60 || got.Errors != 0 {
		t.Errorf("got %+v, %v from %s", got, err, &out)
	}
}

func TestStubFiles(t *testing.T) {
	t.Parallel()
	b := &bench{dir: t.TempDir(), progress: io.Discard}
	if err := b.writeStubs(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range []string{"stubs-0.yaml", "stubs-1.yaml"} {
		text, err := os.ReadFile(filepath.Join(b.dir, manyStubs, file))
		if err != nil {
			t.Fatal(err)
		}
		count += strings.Count(string(text), "when: {about: ")
	}
	if count != 10_000 {
		t.Errorf("there are %d stubs, want 10,000", count)
	}
	few, err := os.ReadFile(filepath.Join(b.dir, fewStubs, "stubs-0.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "stubs:\n  - name: ping\n    when: {about: ping}\n    answer: {text: \"Hello! How can I assist you today?\"}\n"
	if !strings.HasPrefix(string(few), want) || strings.Count(string(few), "pace: {tokensPerSecond: ") != 2 {
		t.Errorf("got %.300s", few)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 50, 200} {
		if got := strings.Fields(words(n)); len(got) != n || len(words(n)) != 4*n-1 {
			t.Errorf("%d words are %d: %q", n, len(got), words(n))
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	ratio := Goal{Name: "rate", Must: 0.75, Aim: 0.95, AtLeast: true}
	cost := Goal{Name: "memory", Unit: "MiB", Must: 20, Aim: 12}
	rows := []Row{
		{Goal: ratio, Measured: 1, Note: "note"},
		{Goal: ratio, Measured: 0.8},
		{Goal: ratio, Measured: 0.5},
		{Goal: cost, Measured: -0.01},
		{Goal: cost, Measured: 12.34},
		{Goal: cost, Measured: 30, Void: "the machine is busy"},
		{Goal: Goal{Name: "start"}, Err: errors.New("no answer")},
	}
	var out strings.Builder
	printTable(&out, rows)
	const want = `
goal    must      aim       measured  ok
rate    ≥ 0.75    ≥ 0.95    1.00      ok, aim met  note
rate    ≥ 0.75    ≥ 0.95    0.80      ok
rate    ≥ 0.75    ≥ 0.95    0.50      MISSED
memory  ≤ 20 MiB  ≤ 12 MiB  0 MiB     ok, aim met
memory  ≤ 20 MiB  ≤ 12 MiB  12.3 MiB  ok
memory  ≤ 20 MiB  ≤ 12 MiB  30 MiB    void         the machine is busy
start                                 failed       no answer
`
	var trimmed strings.Builder
	trimmed.WriteString("\n")
	for line := range strings.Lines(out.String()) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if got := trimmed.String(); got != want {
		t.Errorf("got:%swant:%s", got, want)
	}
	for i, missed := range []bool{false, false, true, false, false, false, true} {
		if rows[i].Missed() != missed {
			t.Errorf("row %d is missed: %v, want %v", i, !missed, missed)
		}
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		xs   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}} {
		if got := median(tt.xs); got != tt.want {
			t.Errorf("median of %v is %v, want %v", tt.xs, got, tt.want)
		}
	}
}
