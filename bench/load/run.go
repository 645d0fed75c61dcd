package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// tooOften is after how many failures a connection gives up.
const tooOften = 20

// run is one Run under way.
type run struct {
	cfg         Config
	host        string
	request     []byte
	start, warm time.Time // when it began, and when it begins to count
	end         time.Time // when to stop asking; zero: not by time
	ticks, left atomic.Int64
	open, peak  atomic.Int64
	shards      [16]shard // histograms are large: connections share some
	errMu       sync.Mutex
	errs        int64          // guarded by errMu
	texts       map[string]int // guarded by errMu
}

type shard struct {
	sync.Mutex
	Result
}

func newRun(cfg Config, host string, request []byte) *run {
	r := &run{cfg: cfg, host: host, request: request, texts: map[string]int{}}
	r.left.Store(cfg.Requests)
	return r
}

func (r *run) all(ctx context.Context) (*Result, error) {
	r.start = time.Now()
	r.warm = r.start.Add(r.cfg.Warm)
	if r.cfg.Duration > 0 {
		r.end = r.warm.Add(r.cfg.Duration)
	}
	lagging, stop := context.WithCancel(ctx)
	defer stop()
	var sleeper, workers sync.WaitGroup
	var lag Hist
	if r.cfg.Gap > 0 {
		sleeper.Go(func() { measureLag(lagging, r.cfg.Gap, &lag) })
	}
	for i := range r.cfg.Conns {
		workers.Go(func() { r.connection(ctx, i) })
	}
	workers.Wait()
	wall := time.Since(r.warm)
	stop()
	sleeper.Wait()
	if !r.end.IsZero() && r.cfg.Rate == 0 && !r.cfg.Once && r.cfg.Requests == 0 {
		wall = min(wall, r.cfg.Duration) // later answers are not counted
	}

	res := &Result{Wall: wall, Peak: r.peak.Load(), Errors: r.errs, Texts: r.texts, Lag: lag}
	for i := range r.shards {
		s := &r.shards[i].Result
		res.Requests += s.Requests
		res.Answers += s.Answers
		res.Bytes += s.Bytes
		res.Events += s.Events
		res.FirstByte.Merge(&s.FirstByte)
		res.Total.Merge(&s.Total)
		res.Gap.Merge(&s.Gap)
		res.GapError.Merge(&s.GapError)
	}
	return res, ctx.Err()
}

// measureLag finds out how late this process wakes.
func measureLag(ctx context.Context, d time.Duration, lag *Hist) {
	for {
		t := time.Now()
		if !sleep(ctx, d) {
			return
		}
		lag.Add(time.Since(t) - d)
	}
}

// sleep waits, and returns false if ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// connection asks as often as the Config says, over one connection at a time.
func (r *run) connection(ctx context.Context, i int) {
	if !sleep(ctx, r.cfg.Ramp*time.Duration(i)/time.Duration(r.cfg.Conns)) {
		return
	}
	var k *conn
	drop := func() {
		if k != nil {
			k.unwatch()
			k.Close()
			r.open.Add(-1)
			k = nil
		}
	}
	defer drop()
	for fails := 0; fails < tooOften; {
		due, more := r.next(ctx)
		if !more {
			return
		}
		if k == nil {
			if k = r.dial(ctx); k == nil {
				fails++
				if !sleep(ctx, 20*time.Millisecond) || r.cfg.Once {
					return
				}
				continue
			}
		}
		k.asked = due
		if due.IsZero() {
			k.asked = time.Now()
		}
		h, err := r.ask(k)
		switch {
		case err != nil:
			if ctx.Err() != nil {
				return
			}
			r.fail(reason(err))
			fails++
			drop()
		case h.status != 200:
			r.fail(fmt.Sprintf("status %d", h.status))
			fails++
		case r.cfg.SSE && k.count < r.cfg.Want:
			r.fail(fmt.Sprintf("only %d events", k.count))
		default:
			r.count(&r.shards[i%len(r.shards)], k)
		}
		if h.last {
			drop()
		}
		if r.cfg.Once {
			return
		}
	}
}

// next tells whether there is another request to send. In an open loop it
// waits for the time at which that is due, and returns it.
func (r *run) next(ctx context.Context) (due time.Time, more bool) {
	if r.cfg.Rate > 0 {
		n := r.ticks.Add(1) - 1
		due = r.start.Add(time.Duration(float64(n) / r.cfg.Rate * float64(time.Second)))
		return due, !due.After(r.end) && sleep(ctx, time.Until(due))
	}
	if ctx.Err() != nil {
		return due, false
	}
	switch {
	case r.cfg.Once:
		return due, true
	case r.cfg.Requests > 0:
		return due, r.left.Add(-1) >= 0
	default:
		return due, time.Now().Before(r.end)
	}
}

func (r *run) dial(ctx context.Context) *conn {
	d := net.Dialer{Timeout: 10 * time.Second}
	c, err := d.DialContext(ctx, "tcp", r.host)
	if err != nil {
		r.fail("dial: " + reason(err))
		return nil
	}
	for n := r.open.Add(1); ; {
		p := r.peak.Load()
		if n <= p || r.peak.CompareAndSwap(p, n) {
			break
		}
	}
	size := 16 << 10
	if r.cfg.Once {
		size = 2 << 10 // there may be thousands
	}
	k := newConn(c, size, r.cfg)
	k.unwatch = context.AfterFunc(ctx, func() { c.Close() })
	return k
}

func (r *run) ask(k *conn) (head, error) {
	if err := k.SetDeadline(time.Now().Add(r.cfg.Timeout)); err != nil {
		return head{}, fmt.Errorf("write: %w", err)
	}
	if _, err := k.Write(r.request); err != nil {
		return head{}, fmt.Errorf("write: %w", err)
	}
	h, err := k.answer()
	if err != nil {
		return h, fmt.Errorf("read: %w", err)
	}
	return h, nil
}

func (r *run) count(s *shard, k *conn) {
	done := time.Now()
	s.Lock()
	defer s.Unlock()
	s.Answers++
	byTime := r.cfg.Requests == 0 && !r.cfg.Once && r.cfg.Rate == 0
	if done.Before(r.warm) || byTime && done.After(r.end) {
		return
	}
	s.Requests++
	s.Bytes += k.bytes
	s.Events += int64(k.count)
	s.FirstByte.Add(k.firstByte)
	s.Total.Add(done.Sub(k.asked))
	for j := max(r.cfg.Skip, 1); j < len(k.times)-r.cfg.Tail; j++ {
		gap := k.times[j] - k.times[j-1]
		s.Gap.Add(gap)
		s.GapError.Add((gap - r.cfg.Gap).Abs())
	}
}

func (r *run) fail(text string) {
	r.errMu.Lock()
	defer r.errMu.Unlock()
	r.errs++
	if len(r.texts) < 8 || r.texts[text] > 0 {
		r.texts[text]++
	}
}

// reason returns an error's text without the addresses, which differ from
// connection to connection.
func reason(err error) string {
	if oe, ok := errors.AsType[*net.OpError](err); ok {
		return oe.Op + ": " + oe.Err.Error()
	}
	return err.Error()
}
