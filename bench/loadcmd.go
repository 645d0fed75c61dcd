package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mimus-go/mimus/bench/load"
)

// runLoad asks any server and prints what came of it as one line of JSON:
//
//	go run . load -url http://127.0.0.1:8080/v1/chat/completions -c 64 -d 5s
//	go run . load -c 5000 -sse -once -ramp 5s -gap 50ms
func runLoad(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("bench load", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var cfg load.Config
	var chat load.Chat
	fs.StringVar(&cfg.URL, "url", "http://127.0.0.1:8080"+path, "where to POST")
	fs.IntVar(&cfg.Conns, "c", 16, "connections")
	fs.DurationVar(&cfg.Duration, "d", 5*time.Second, "how long to ask")
	fs.Int64Var(&cfg.Requests, "n", 0, "how often to ask, instead")
	fs.BoolVar(&cfg.Once, "once", false, "ask once on each connection, instead")
	fs.Float64Var(&cfg.Rate, "rate", 0, "open loop: requests a second over all connections")
	fs.DurationVar(&cfg.Warm, "warm", 0, "closed loop: ask for so long before it counts")
	fs.DurationVar(&cfg.Ramp, "ramp", 0, "spread the starts of the connections over this time")
	fs.DurationVar(&cfg.Timeout, "timeout", time.Minute, "for one answer")
	fs.BoolVar(&cfg.SSE, "sse", false, "ask for streams and count their events")
	fs.IntVar(&cfg.Want, "want", 0, "fail a stream with fewer events")
	fs.DurationVar(&cfg.Gap, "gap", 0, "expected time between two events; record how far it is missed")
	fs.IntVar(&cfg.Skip, "skip", 1, "events at the start of a stream whose gaps do not count")
	fs.IntVar(&cfg.Tail, "tail", 3, "events at the end of a stream whose gaps do not count")
	fs.StringVar(&chat.Model, "model", load.Model, "model of the request")
	fs.StringVar(&chat.Message, "msg", "hello", "last message of the request")
	fs.IntVar(&chat.Bytes, "bytes", 0, "lengthen the request to about so many bytes")
	file := fs.String("body", "", "`file` with another request body")
	fs.Func("H", "a further header `line`", func(s string) error { cfg.Header = append(cfg.Header, s); return nil })
	if err := fs.Parse(args); err != nil {
		return err
	}
	chat.Stream = cfg.SSE
	cfg.Body = chat.Body()
	if *file != "" {
		var err error
		if cfg.Body, err = os.ReadFile(*file); err != nil {
			return err
		}
	}
	if cfg.Requests > 0 || cfg.Once {
		cfg.Duration = 0
	}
	res, err := load.Run(ctx, cfg)
	if err != nil {
		return err
	}
	out := map[string]any{
		"requests": res.Requests, "perSecond": res.PerSecond(), "bytes": res.Bytes, "events": res.Events,
		"seconds": res.Wall.Seconds(), "peakConnections": res.Peak, "errors": res.Errors, "errorTexts": res.Texts,
		"firstByte": times(&res.FirstByte), "total": times(&res.Total),
	}
	if cfg.Gap > 0 {
		out["gap"], out["gapError"], out["ownLag"] = times(&res.Gap), times(&res.GapError), times(&res.Lag)
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s\n", b)
	return err
}

// times returns what is worth knowing of a histogram, in milliseconds.
func times(h *load.Hist) map[string]float64 {
	return map[string]float64{
		"p50": ms(h.Quantile(0.5)), "p99": ms(h.Quantile(0.99)), "p999": ms(h.Quantile(0.999)), "max": ms(h.Max()),
	}
}
