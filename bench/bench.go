package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mimus-go/mimus/bench/load"
	"github.com/mimus-go/mimus/bench/proc"
	"github.com/mimus-go/mimus/bench/ref"
)

const sigterm = syscall.SIGTERM

// bench is what the cases share.
type bench struct {
	quick    bool
	wire     string // of the whole answers and the streams without delay
	rounds   int
	length   time.Duration // of one run
	requests int64         // of the growth case
	target   []string      // the program to measure, up to "serve"
	self     string        // this program, which has the reference servers
	dir      string        // for what lives as long as the bench
	progress io.Writer
	files    int
}

// benchCase measures some goals.
type benchCase struct {
	name string
	run  func(*bench, context.Context) ([]Row, error)
}

var cases = []benchCase{
	{"unary", (*bench).unary},
	{"stream", (*bench).stream},
	{"paced", (*bench).paced},
	{"open", (*bench).open},
	{"stubs", (*bench).stubs},
	{"large", (*bench).large},
	{"growth", (*bench).growth},
	{"start", (*bench).start},
}

func (b *bench) defaults() {
	if b.wire == "" {
		b.wire = "openai"
	}
	if b.rounds <= 0 {
		b.rounds = b.either(3, 7)
	}
	if b.length <= 0 {
		b.length = time.Duration(b.either(1, 3)) * time.Second
	}
	if b.requests <= 0 {
		b.requests = int64(b.either(100_000, 1_000_000))
	}
}

// either returns the first number with -quick, else the second.
func (b *bench) either(quick, full int) int {
	if b.quick {
		return quick
	}
	return full
}

// measure runs the cases. One that fails gives a row that says so.
func (b *bench) measure(ctx context.Context, cs []benchCase) []Row {
	var rows []Row
	for _, c := range cs {
		b.logf("%s …", c.name)
		begin := time.Now()
		got, err := c.run(b, ctx)
		rows = append(rows, got...)
		if err != nil {
			rows = append(rows, Row{Goal: Goal{Name: c.name}, Err: err})
		}
		b.logf("%s took %v", c.name, time.Since(begin).Round(time.Second))
		if ctx.Err() != nil {
			break
		}
	}
	return rows
}

func (b *bench) logf(format string, args ...any) { fmt.Fprintf(b.progress, format+"\n", args...) }

// startTarget starts the server to measure with the stubs of a folder.
func (b *bench) startTarget(ctx context.Context, stubs string) (*proc.Server, error) {
	args := append(slices.Clone(b.target[1:]), "serve", "--addr", "127.0.0.1:0", filepath.Join(b.dir, stubs))
	return proc.Start(ctx, b.target[0], args...)
}

// startRef starts a reference server with an answer.
func (b *bench) startRef(ctx context.Context, a ref.Answer) (*proc.Server, error) {
	b.files++
	file := filepath.Join(b.dir, fmt.Sprintf("answer-%d", b.files))
	if err := os.WriteFile(file, a.Body, 0o600); err != nil {
		return nil, err
	}
	return proc.Start(ctx, b.self, "ref", "-answer", file,
		fmt.Sprintf("-sse=%v", a.SSE), "-framing", a.Framing, fmt.Sprintf("-flush=%v", a.Flush), fmt.Sprintf("-gap=%v", a.Gap))
}

// path is where requests go on OpenAI's wire.
const path = "/v1/chat/completions"

// fetch asks a server once, and returns the body of its answer. What the
// reference sends is made of it, so that both send equally much.
func fetch(ctx context.Context, server string, q load.Query) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+q.Path, bytes.NewReader(q.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for _, line := range append([]string{cmp.Or(q.Key, "Authorization: Bearer sk-test")}, q.Header...) {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s: %.300s", server, resp.Status, b)
	}
	return b, nil
}

// sample is one run on one server.
type sample struct {
	cpu  time.Duration // of the server, per answer
	rate float64       // answers per second
}

// sampleOf runs cfg, whose URL is a path, on s, which may not fail any request.
func sampleOf(ctx context.Context, s *proc.Server, cfg load.Config) (sample, error) {
	cfg.URL = s.URL + cfg.URL
	before, err := s.CPU()
	if err != nil {
		return sample{}, err
	}
	res, err := load.Run(ctx, cfg)
	if err != nil {
		return sample{}, err
	}
	after, err := s.CPU()
	if err != nil {
		return sample{}, fmt.Errorf("%w (%w)", err, s.Err())
	}
	if err := res.Err(); err != nil {
		return sample{}, err
	}
	if res.Answers == 0 || res.Requests == 0 {
		return sample{}, fmt.Errorf("no answers from %s in %v", s.URL, cfg.Duration)
	}
	return sample{cpu: (after - before) / time.Duration(res.Answers), rate: res.PerSecond()}, nil
}

// comparison has the samples of two servers, round by round.
type comparison struct{ a, b []sample }

// compare runs cfg, whose URL is a path, on both servers in turn: a b, b a, a b… after a short run
// on each that does not count.
func (b *bench) compare(ctx context.Context, x, y *proc.Server, cfg load.Config) (comparison, error) {
	var c comparison
	servers := []*proc.Server{x, y}
	for _, s := range servers {
		warm := cfg
		warm.URL, warm.Duration = s.URL+cfg.URL, b.length/4
		if _, err := load.Run(ctx, warm); err != nil {
			return c, err
		}
	}
	cfg.Duration = b.length
	for round := range b.rounds {
		var got [2]sample
		for i := range servers {
			which := (i + round) % 2
			var err error
			if got[which], err = sampleOf(ctx, servers[which], cfg); err != nil {
				return c, err
			}
		}
		c.a, c.b = append(c.a, got[0]), append(c.b, got[1])
	}
	return c, nil
}

// over returns the median of f over the rounds.
func (c comparison) over(f func(a, b sample) float64) float64 {
	var xs []float64
	for i := range c.a {
		xs = append(xs, f(c.a[i], c.b[i]))
	}
	return median(xs)
}

// cpuRatio is what an answer of b costs, where one of a costs 1.
func (c comparison) cpuRatio() float64 {
	return c.over(func(a, b sample) float64 { return float64(b.cpu) / float64(a.cpu) })
}

// rateRatio is how many answers b gives while a gives one.
func (c comparison) rateRatio() float64 {
	return c.over(func(a, b sample) float64 { return b.rate / a.rate })
}

// String gives the absolute figures, which hold for this machine only.
func (c comparison) String() string {
	cpu := func(s sample) float64 { return float64(s.cpu) / float64(time.Microsecond) }
	return fmt.Sprintf("%.1f against %.1f µs, %.0f against %.0f /s",
		c.over(func(_, b sample) float64 { return cpu(b) }), c.over(func(a, _ sample) float64 { return cpu(a) }),
		c.over(func(_, b sample) float64 { return b.rate }), c.over(func(a, _ sample) float64 { return a.rate }))
}

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}
