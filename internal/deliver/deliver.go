package deliver

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Plan says how an answer leaves.
type Plan struct {
	// Delay comes before the status line.
	Delay time.Duration
	Pace  *stub.Pace
	// Rand decides what the pace leaves to chance.
	Rand  *rand.Rand
	Fault stub.Fault
	// Exact sends everything before Deliver returns, so that a client that is gone is noticed.
	Exact bool
	// Stop, once closed, breaks the connection of a hang, which would else only end with its context.
	Stop <-chan struct{}
}

// Result says what left.
type Result struct {
	// Body are the bytes that left.
	Body []byte
	// Frames is how many frames of a stream left.
	Frames int
	// Gone says that the client hung up, or could not be written to, before everything meant for it had left.
	Gone bool
	// Broken says that the connection is to be broken, as asked for: a net/http handler then panics with
	// http.ErrAbortHandler.
	Broken bool
}

// errGone and errBroken end a delivery early.
var (
	errGone   = errors.New("deliver: the client is gone")
	errBroken = errors.New("deliver: broken, as asked for")
)

// delivery is one answer on its way.
type delivery struct {
	ctx  context.Context //nolint:containedctx // lives as long as the call that is given it
	sink Sink
	resp wire.Response
	plan Plan

	buf    []byte // all of the body so far
	left   int    // how much of it was given to the sink
	head   bool   // the head was given to the sink
	frames int
}

// Deliver sends an answer. It returns when all has left, when the client is gone, or when a fault ends it; a hang ends
// only with ctx or the plan's Stop.
func Deliver(ctx context.Context, sink Sink, resp wire.Response, plan Plan) Result {
	d := &delivery{ctx: ctx, sink: sink, resp: resp, plan: plan}
	err := d.run()
	if err == nil && ctx.Err() != nil {
		err = errGone
	}
	return Result{
		Body: d.buf[:d.left], Frames: d.frames,
		Gone: err != nil && !errors.Is(err, errBroken), Broken: errors.Is(err, errBroken),
	}
}

func (d *delivery) run() error {
	if err := d.sleep(d.plan.Delay); err != nil {
		return err
	}
	if err := d.fault(0); err != nil {
		return err
	}
	if d.resp.Framing == nil {
		return d.whole()
	}
	return d.stream()
}

// whole sends a body in one write.
func (d *delivery) whole() error {
	f := &d.plan.Fault
	body := d.resp.Body
	switch {
	case f.HangAfter != nil:
		return d.hang()
	case f.DropAfter != nil:
		d.buf = body[:len(body)/2]
		d.start(len(body))
		if err := d.flush(); err != nil {
			return err
		}
		return d.drop()
	case f.StallAfter != nil && *f.StallAfter > 0:
		if err := d.sleep(f.StallFor); err != nil {
			return err
		}
	}
	d.buf = body
	d.start(len(body))
	return d.end()
}

// stream sends frames, those that are due at once in one write.
func (d *delivery) stream() error {
	size := 64
	for i := range d.resp.Frames {
		size += len(d.resp.Frames[i].Data) + len(d.resp.Frames[i].Name) + 24
	}
	d.buf = d.resp.Framing.Open(make([]byte, 0, size))
	clock := clock{pace: d.plan.Pace, rand: d.plan.Rand}
	begin := time.Now()
	var stalled time.Duration
	for i := range d.resp.Frames {
		if i > 0 && d.faultAt(i) {
			before := time.Now()
			if err := d.fault(i); err != nil {
				return err
			}
			stalled += time.Since(before)
		}
		if due := clock.due(d.resp.Frames[i]) + stalled; due > 0 {
			if wait := due - time.Since(begin); wait > 0 {
				if err := d.pause(wait); err != nil {
					return err
				}
			}
		}
		d.buf = d.resp.Framing.Append(d.buf, d.resp.Frames[i], i)
		d.frames++
	}
	if n := len(d.resp.Frames); n > 0 && d.faultAt(n) {
		if err := d.fault(n); err != nil {
			return err
		}
	}
	if err := d.late(); err != nil {
		return err
	}
	d.buf = d.resp.Framing.Close(d.buf)
	d.start(-1)
	return d.end()
}

// late does what a fault asks for after more frames than there are: it happens at the end.
func (d *delivery) late() error {
	f, n := &d.plan.Fault, len(d.resp.Frames)
	switch {
	case f.DropAfter != nil && *f.DropAfter > n:
		return d.breakNow()
	case f.HangAfter != nil && *f.HangAfter > n:
		return d.hangNow()
	}
	return nil
}

func (d *delivery) faultAt(i int) bool {
	f := &d.plan.Fault
	return f.DropAfter != nil && *f.DropAfter == i || f.HangAfter != nil && *f.HangAfter == i ||
		f.StallAfter != nil && *f.StallAfter == i
}

// fault does what is asked for after i frames; 0 is before the status line.
func (d *delivery) fault(i int) error {
	f := &d.plan.Fault
	if f.StallAfter != nil && *f.StallAfter == i {
		if err := d.pauseAt(i, f.StallFor); err != nil {
			return err
		}
	}
	if f.HangAfter != nil && *f.HangAfter == i {
		if i == 0 {
			return d.hang()
		}
		return d.hangNow()
	}
	if f.DropAfter != nil && *f.DropAfter == i {
		if i == 0 {
			return d.drop()
		}
		return d.breakNow()
	}
	return nil
}

func (d *delivery) pauseAt(i int, wait time.Duration) error {
	if i == 0 {
		return d.sleep(wait)
	}
	return d.pause(wait)
}

// breakNow sends what is there, then breaks the connection.
func (d *delivery) breakNow() error {
	d.start(-1)
	if err := d.flush(); err != nil {
		return err
	}
	return d.drop()
}

// hangNow sends what is there, then nothing more.
func (d *delivery) hangNow() error {
	d.start(-1)
	if err := d.flush(); err != nil {
		return err
	}
	return d.hang()
}

func (d *delivery) drop() error {
	d.sink.Break(d.plan.Fault.Reset)
	return errBroken
}

func (d *delivery) hang() error {
	select {
	case <-d.ctx.Done():
		return errGone
	case <-d.plan.Stop:
		return errBroken
	}
}

// pause sends what is there, then waits.
func (d *delivery) pause(wait time.Duration) error {
	d.start(-1)
	if err := d.flush(); err != nil {
		return err
	}
	return d.sleep(wait)
}

func (d *delivery) sleep(wait time.Duration) error {
	if wait <= 0 {
		return nil
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-d.ctx.Done():
		return errGone
	}
}

// start gives the head to the sink, once.
func (d *delivery) start(length int) {
	if d.head {
		return
	}
	d.head = true
	d.sink.Head(d.resp.Status, d.resp.Header, length)
}

// flush writes what is not yet written, and sends it.
func (d *delivery) flush() error {
	if err := d.write(); err != nil {
		return err
	}
	if err := d.sink.Flush(); err != nil {
		return errGone
	}
	return nil
}

// write gives what is not yet written to the sink, in pieces where that is asked for.
func (d *delivery) write() error {
	n := d.plan.Fault.SplitBytes
	for d.left < len(d.buf) {
		piece := d.buf[d.left:]
		if n > 0 && len(piece) > n {
			piece = piece[:n]
		}
		if err := d.sink.Write(piece); err != nil {
			return errGone
		}
		d.left += len(piece)
		if n > 0 {
			if err := d.sink.Flush(); err != nil {
				return errGone
			}
		}
	}
	return nil
}

// end writes the rest.
func (d *delivery) end() error {
	if d.plan.Exact {
		return d.flush()
	}
	return d.write()
}
