package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/mimus-go/mimus/bench/load"
	"github.com/mimus-go/mimus/bench/proc"
	"github.com/mimus-go/mimus/bench/ref"
)

// pacedRun is what one run of paced streams shows.
type pacedRun struct {
	p99, max time.Duration // of the error of the gaps
	lag      time.Duration // our own, p99
	idle     int64         // memory of the server before
	peak     int64         // and at most while the streams ran
}

const (
	mostLag    = 5 * time.Millisecond // above, a paced run is void
	settleTime = time.Second          // before idle memory is read
)

// runPaced opens so many streams and reads them to their ends.
func runPaced(ctx context.Context, s *proc.Server, streams int, say string, rate, events int) (pacedRun, error) {
	var r pacedRun
	// The first answer readies what a server makes only then. A bare server
	// with paced streams refuses it, and is as ready as it will be.
	_, _ = fetch(ctx, s.URL, load.Query{Path: path, Body: load.Chat{Message: saySmall}.Body()})
	if err := pause(ctx, settleTime); err != nil {
		return r, err
	}
	m, err := s.Memory()
	if err != nil {
		return r, err
	}
	r.idle = m.Now
	watching, stop := context.WithCancel(ctx)
	peak := make(chan int64)
	go func() { peak <- watchMemory(watching, s) }()
	length := time.Duration(events) * time.Second / time.Duration(rate)
	res, err := load.Run(ctx, load.Config{
		URL: s.URL + path, Body: load.Chat{Message: say, Stream: true}.Body(),
		Conns: streams, Once: true, Ramp: length / 2, Timeout: 3*length + 10*time.Second,
		SSE: true, Want: events, Gap: time.Second / time.Duration(rate), Skip: 3, Tail: 3,
	})
	stop()
	r.peak = <-peak
	if err != nil {
		return r, err
	}
	r.p99, r.max, r.lag = res.GapError.Quantile(0.99), res.GapError.Max(), res.Lag.Quantile(0.99)
	return r, res.Err()
}

// watchMemory returns the most memory that s was seen to have.
func watchMemory(ctx context.Context, s *proc.Server) int64 {
	var most int64
	for {
		if m, err := s.Memory(); err == nil {
			most = max(most, m.Now)
		}
		if pause(ctx, 100*time.Millisecond) != nil {
			return most
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pacedPair runs the same streams on a bare server, then on the target.
func (b *bench) pacedPair(ctx context.Context, streams int, say string, rate, events int) (control, got pacedRun, err error) {
	body := ref.Stream(words(events))
	body.Gap = time.Second / time.Duration(rate)
	bare, err := b.startRef(ctx, body)
	if err != nil {
		return control, got, err
	}
	control, err = runPaced(ctx, bare, streams, say, rate, events)
	bare.Stop()
	if err != nil {
		return control, got, fmt.Errorf("bare server: %w", err)
	}
	target, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return control, got, err
	}
	defer target.Stop()
	got, err = runPaced(ctx, target, streams, say, rate, events)
	return control, got, err
}

// paced measures how well streams keep their pace.
func (b *bench) paced(ctx context.Context) ([]Row, error) {
	var rows []Row
	for _, n := range []struct {
		streams  int
		p99, max Goal
	}{
		{streams: 2500, p99: Goal{Must: 10, Aim: 5}},
		{streams: 5000, p99: Goal{Must: 30, Aim: 10}, max: Goal{Must: 150, Aim: 40}},
	} {
		control, got, err := b.pacedPair(ctx, n.streams, sayPaced, pacedRate, b.pacedWords())
		if err != nil {
			return rows, err
		}
		name := fmt.Sprintf("%d streams at %d events/s", n.streams, pacedRate)
		note := fmt.Sprintf("bare %v p99, %v max; own lag %v", round(control.p99), round(control.max), round(got.lag))
		add := func(g Goal, what string, control, got time.Duration, lag time.Duration) {
			g.Name, g.Unit = name+": "+what, "ms"
			r := Row{Goal: g, Measured: ms(got), Note: note}
			switch {
			case lag > mostLag:
				r.Void = "our own lag is too large"
			case ms(control) > g.Must:
				r.Void = "the bare server misses it, too"
			}
			rows = append(rows, r)
		}
		add(n.p99, "p99 gap error", control.p99, got.p99, got.lag)
		if n.max.Must > 0 {
			add(n.max, "max gap error", control.max, got.max, got.lag)
			rows = append(rows, Row{
				Goal:     Goal{Name: name + ": memory of each", Unit: "KiB", Must: 16, Aim: 8},
				Measured: float64(got.peak-got.idle) / float64(n.streams) / (1 << 10),
				Note:     fmt.Sprintf("bare %.1f KiB", float64(control.peak-control.idle)/float64(n.streams)/(1<<10)),
			})
		}
	}
	return rows, nil
}

// open holds ten thousand streams open.
func (b *bench) open(ctx context.Context) ([]Row, error) {
	const streams = 10_000
	control, got, err := b.pacedPair(ctx, streams, saySlow, slowRate, b.slowWords())
	if err != nil {
		return nil, err
	}
	return []Row{{
		Goal:     Goal{Name: fmt.Sprintf("%d open streams, all whole: memory", streams), Unit: "MiB", Must: 160, Aim: 80},
		Measured: mib(got.peak),
		Note:     fmt.Sprintf("bare %.1f MiB; p99 gap error %v, bare %v", mib(control.peak), round(got.p99), round(control.p99)),
	}}, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// growth sends very many requests and looks whether memory grows once the
// journal is full: in ten legs, the first three of which fill it.
func (b *bench) growth(ctx context.Context) ([]Row, error) {
	const legs = 10
	target, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return nil, err
	}
	defer target.Stop()
	body := load.Chat{Message: saySmall}.Body()
	var at []float64
	for range legs {
		res, err := load.Run(ctx, load.Config{URL: target.URL + path, Body: body, Conns: 64, Requests: max(b.requests/legs, 1)})
		if err == nil {
			err = res.Err()
		}
		if err != nil {
			return nil, err
		}
		m, err := target.Memory()
		if err != nil {
			return nil, err
		}
		at = append(at, mib(m.Now))
	}
	return []Row{{
		Goal:     Goal{Name: fmt.Sprintf("%d requests: growth of memory", b.requests), Unit: "MiB", Must: 5, Aim: 0.5},
		Measured: median(at[legs-3:]) - median(at[2:5]),
		Note:     fmt.Sprintf("MiB after each tenth: %.1f", at),
	}}, nil
}

// start measures the start, the memory of a server that has nothing to do,
// and the size of the program.
func (b *bench) start(ctx context.Context) ([]Row, error) {
	body := load.Chat{Message: saySmall}.Body()
	first := func(s *proc.Server, begin time.Time) (float64, error) {
		defer s.Stop()
		_, err := fetch(ctx, s.URL, load.Query{Path: path, Body: body})
		return ms(time.Since(begin)), err
	}
	var bare, got, idle []float64
	for range b.either(5, 15) {
		begin := time.Now()
		s, err := b.startRef(ctx, ref.Text("Hello!"))
		if err != nil {
			return nil, err
		}
		t, err := first(s, begin)
		if err != nil {
			return nil, err
		}
		bare = append(bare, t)
		begin = time.Now()
		if s, err = b.startTarget(ctx, fewStubs); err != nil {
			return nil, err
		}
		if t, err = first(s, begin); err != nil {
			return nil, err
		}
		got = append(got, t)
	}
	for range 3 {
		s, err := b.startTarget(ctx, fewStubs)
		if err != nil {
			return nil, err
		}
		_, err = fetch(ctx, s.URL, load.Query{Path: path, Body: body})
		err = errors.Join(err, pause(ctx, settleTime))
		m, merr := s.Memory()
		s.Stop()
		if err = errors.Join(err, merr); err != nil {
			return nil, err
		}
		idle = append(idle, mib(m.Now))
	}
	info, err := os.Stat(b.target[0])
	if err != nil {
		return nil, err
	}
	started := Row{
		Goal:     Goal{Name: "start to first answer", Unit: "ms", Must: 50, Aim: 15},
		Measured: median(got), Note: fmt.Sprintf("bare %.1f ms; slowest %.1f ms", median(bare), slices.Max(got)),
	}
	if median(bare) > started.Must {
		started.Void = "the bare server misses it, too"
	}
	return []Row{
		started,
		{Goal: Goal{Name: "idle memory", Unit: "MiB", Must: 20, Aim: 12}, Measured: median(idle)},
		{Goal: Goal{Name: "binary", Unit: "MB", Must: 20, Aim: 12}, Measured: float64(info.Size()) / 1e6},
	}, nil
}
