package main

import (
	"context"
	"fmt"
	"time"

	"github.com/mimus-go/mimus/bench/load"
	"github.com/mimus-go/mimus/bench/ref"
)

// unary compares whole answers.
func (b *bench) unary(ctx context.Context) ([]Row, error) {
	target, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return nil, err
	}
	defer target.Stop()
	var rows []Row
	for _, size := range []struct {
		name, say string
		bytes     int
		conns     []int
	}{
		{"179 B", saySmall, 0, []int{16, 64, 256}},
		{"2 KB", sayLarge, 2048, []int{64}},
	} {
		q, err := load.Chat{Message: size.say, Bytes: size.bytes}.Query(b.wire)
		if err != nil {
			return rows, err
		}
		sent, err := fetch(ctx, target.URL, q)
		if err != nil {
			return rows, err
		}
		limit, err := b.startRef(ctx, ref.Answer{Body: sent})
		if err != nil {
			return rows, err
		}
		defer limit.Stop()
		for _, conns := range size.conns {
			cfg := q.Config()
			cfg.Conns = conns
			c, err := b.compare(ctx, limit, target, cfg)
			if err != nil {
				return rows, err
			}
			if conns == 64 {
				rows = append(rows, Row{
					Goal:     Goal{Name: b.named("unary, " + size.name + ": CPU"), Must: 1.35, Aim: 1.1},
					Measured: c.cpuRatio(), Note: c.String(),
				})
			}
			rows = append(rows, Row{
				Goal:     Goal{Name: b.named(fmt.Sprintf("unary, %s: requests/s, c=%d", size.name, conns)), Must: 0.75, Aim: 0.95, AtLeast: true},
				Measured: c.rateRatio(), Note: c.String(),
			})
		}
	}
	return rows, nil
}

// stream compares streams without delay.
func (b *bench) stream(ctx context.Context) ([]Row, error) {
	target, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return nil, err
	}
	defer target.Stop()
	q, err := load.Chat{Message: sayStream, Stream: true}.Query(b.wire)
	if err != nil {
		return nil, err
	}
	sent, err := fetch(ctx, target.URL, q)
	if err != nil {
		return nil, err
	}
	if n := len(ref.Split(q.Framing, sent)); n < streamWords {
		return nil, fmt.Errorf("the stream has %d events, want %d: %.300s", n, streamWords, sent)
	}
	cfg := q.Config()
	cfg.Conns = 16
	answer := ref.Answer{Body: sent, SSE: true, Framing: q.Framing}
	if q.Framing == "sse" {
		cfg.SSE, cfg.Want = true, streamWords
	}
	if b.wire == "openai" {
		answer.Framing = "" // it says in its body that it wants a stream
	}
	var rows []Row
	for _, against := range []struct {
		goal  Goal
		flush bool
	}{
		{Goal{Name: "200-event stream: streams/s against one Write", Must: 0.5, Aim: 0.8, AtLeast: true}, false},
		{Goal{Name: "200-event stream: streams/s against a flush per event", Must: 1, Aim: 10, AtLeast: true}, true},
	} {
		answer.Flush = against.flush
		limit, err := b.startRef(ctx, answer)
		if err != nil {
			return rows, err
		}
		defer limit.Stop()
		c, err := b.compare(ctx, limit, target, cfg)
		if err != nil {
			return rows, err
		}
		against.goal.Name = b.named(against.goal.Name)
		rows = append(rows, Row{Goal: against.goal, Measured: c.rateRatio(), Note: c.String()})
	}
	return rows, nil
}

// named says of which wire a goal is, where it is not OpenAI's.
func (b *bench) named(goal string) string {
	if b.wire == "openai" {
		return goal
	}
	return b.wire + ", " + goal
}

// stubs finds out what ten thousand stubs add to a request.
func (b *bench) stubs(ctx context.Context) ([]Row, error) {
	few, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return nil, err
	}
	defer few.Stop()
	many, err := b.startTarget(ctx, manyStubs)
	if err != nil {
		return nil, err
	}
	defer many.Stop()
	c, err := b.compare(ctx, few, many, load.Config{URL: path, Body: load.Chat{Message: saySmall, Bytes: 2048}.Body(), Conns: 64})
	if err != nil {
		return nil, err
	}
	added := c.over(func(a, b sample) float64 { return float64(b.cpu-a.cpu) / float64(time.Microsecond) })
	return []Row{{
		Goal:     Goal{Name: "10,000 stubs: added CPU per request", Unit: "µs", Must: 2, Aim: 0.5},
		Measured: added, Note: c.String(),
	}}, nil
}

// large compares conversations of a megabyte, and looks at the memory that
// ten of them take.
func (b *bench) large(ctx context.Context) ([]Row, error) {
	target, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return nil, err
	}
	defer target.Stop()
	body := load.Chat{Message: saySmall, Bytes: 1 << 20}.Body()
	sent, err := fetch(ctx, target.URL, load.Query{Path: path, Body: body})
	if err != nil {
		return nil, err
	}
	limit, err := b.startRef(ctx, ref.Answer{Body: sent})
	if err != nil {
		return nil, err
	}
	defer limit.Stop()
	c, err := b.compare(ctx, limit, target, load.Config{URL: path, Body: body, Conns: 4})
	if err != nil {
		return nil, err
	}
	rows := []Row{{
		Goal:     Goal{Name: "1 MB conversation: CPU against encoding/json", Must: 1, Aim: 0.3},
		Measured: c.cpuRatio(), Note: c.String(),
	}}

	fresh, err := b.startTarget(ctx, fewStubs)
	if err != nil {
		return rows, err
	}
	defer fresh.Stop()
	res, err := load.Run(ctx, load.Config{
		URL: fresh.URL + path, Body: load.Chat{Message: saySmall, Bytes: 10 << 20}.Body(), Conns: 2, Requests: int64(b.either(6, 20)),
	})
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		return rows, err
	}
	m, err := fresh.Memory()
	return append(rows, Row{
		Goal:     Goal{Name: "10 MB conversation, 2 at once: peak memory", Unit: "MiB", Must: 120, Aim: 80},
		Measured: mib(m.Peak),
	}), err
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
