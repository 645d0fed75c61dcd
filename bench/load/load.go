// Package load is a small HTTP/1.1 load generator for servers of LLM answers.
//
//	res, err := load.Run(ctx, load.Config{
//		URL:      "http://127.0.0.1:8080/v1/chat/completions",
//		Body:     load.Chat{Message: "hello"}.Body(),
//		Conns:    64,
//		Duration: 5 * time.Second,
//	})
//
// It writes whole requests on kept-alive connections and takes the answers
// apart itself, so that it costs less than the servers under test, with which
// it shares the machine. Three ways of asking:
//
//   - closed loop: every connection asks again as soon as it has its answer;
//   - open loop (Rate): requests leave on a fixed schedule, and the latency of
//     each counts from the time at which it should have left;
//   - once (Once): every connection asks one time, for streams that last.
package load

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Config says what to ask, how often and for how long. URL, Body, Conns and
// one of Duration, Requests and Once are needed.
type Config struct {
	URL    string
	Body   []byte
	Key    string   // the header line with the key; "" means a bearer token
	Header []string // further header lines, "name: value"

	Conns    int
	Duration time.Duration // ask for so long
	Requests int64         // or: so many times
	Once     bool          // or: once on every connection
	Rate     float64       // with Duration: an open loop of so many a second
	Warm     time.Duration // closed loop: ask for so long before it counts
	Ramp     time.Duration // spread the starts of the connections over this time
	Timeout  time.Duration // for one answer; 0 means a minute

	SSE  bool // read answers as event streams
	Want int  // SSE: an answer with fewer events is an error
	// Gap is the time that should lie between two events of a stream; how far
	// it is missed is recorded, but for the first Skip and last Tail events.
	// 0 records nothing.
	Gap        time.Duration
	Skip, Tail int
}

// Result is what came of it.
type Result struct {
	Requests int64 // whole answers with status 200, within the time that counts
	Answers  int64 // all whole answers with status 200
	Bytes    int64 // of the Requests, header included
	Events   int64 // of the Requests
	Wall     time.Duration
	Peak     int64 // most connections open at once

	Errors int64
	Texts  map[string]int // the first few different errors, with their numbers

	FirstByte, Total Hist
	Gap, GapError    Hist
	// Lag is by how much this process woke late from sleeps of length Gap. If
	// it is large, the machine was too busy for GapError to mean anything.
	Lag Hist
}

// PerSecond returns how many requests were answered in a second.
func (r *Result) PerSecond() float64 { return float64(r.Requests) / r.Wall.Seconds() }

// Err returns an error if any request failed.
func (r *Result) Err() error {
	if r.Errors == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d requests failed: %v", r.Errors, r.Errors+r.Answers, r.Texts)
}

// Run sends what cfg says and returns when all of it is answered or given up.
// Requests that fail are counted in the Result; the error is for a wrong
// Config, or for the end of ctx.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	switch {
	case u.Scheme != "http" || u.Host == "":
		return nil, fmt.Errorf("load: %q is no http URL", cfg.URL)
	case cfg.Conns < 1:
		return nil, errors.New("load: no connections")
	case cfg.Duration <= 0 && cfg.Requests <= 0 && !cfg.Once:
		return nil, errors.New("load: no end: set Duration, Requests or Once")
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = time.Minute
	}
	r := newRun(cfg, u.Host, request(u, cfg))
	return r.all(ctx)
}

// bearer carries the key where nothing else is said.
const bearer = "Authorization: Bearer sk-test"

// request returns the bytes of one whole request.
func request(u *url.URL, cfg Config) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: %s\r\n", u.RequestURI(), u.Host)
	b.WriteString("Content-Type: application/json\r\n" + cmp.Or(cfg.Key, bearer) + "\r\n")
	for _, h := range cfg.Header {
		b.WriteString(h + "\r\n")
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(cfg.Body))
	b.Write(cfg.Body)
	return b.Bytes()
}
