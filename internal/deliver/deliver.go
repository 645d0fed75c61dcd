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
	// EachFrame sends every frame of a stream in a write of its own.
	EachFrame bool
	// Later, where it is set, allows that Deliver returns before the answer has left: its result is then HandedOver, and
	// Later is called with the real one, by another goroutine, after the request's handler has returned. It says whether the connection is to be broken.
	Later func(Result) (broken bool)
	// Stop, once closed, breaks the connection of a hang, which would else only end with its context.
	Stop <-chan struct{}
}

// Result says what left.
type Result struct {
	// Left is how many bytes of the body left.
	Left int
	// Body are these bytes. It is nil for a stream whose frames were all there and of which no fault was asked: they are
	// the first of what the frames make, and to keep them once more would cost as much as all the rest.
	Body []byte
	// Packed are all frames of a stream that was handed over: then the response need not be kept for them.
	Packed *wire.Packed
	// HandedOver says that the rest of the answer leaves later.
	HandedOver bool
	// Frames is how many frames of a stream left.
	Frames int
	// Gone says that the client hung up, or could not be written to, before everything meant for it had left.
	Gone bool
	// Struck says that a fault of transport has begun.
	Struck bool
	// Broken says that the connection is to be broken, as asked for: a net/http handler then panics with
	// http.ErrAbortHandler.
	Broken bool
}

// These end a delivery early.
var (
	errGone   = errors.New("deliver: the client is gone")
	errBroken = errors.New("deliver: broken, as asked for")
	errHanded = errors.New("deliver: handed over")
)

// delivery is one answer on its way.
type delivery struct {
	ctx    context.Context
	sink   Sink
	resp   *wire.Response
	plan   *Plan
	faults []fault

	buf    []byte // of the body: all so far where it is kept, else what has not left
	left   int    // how much of buf was given to the sink
	gone   int    // how much was given to it before, and is no longer in buf
	keep   bool
	head   bool // the head was given to the sink
	frames int  // how many frames are in left
	ready  int  // how many frames are in buf
	piece  int  // most bytes of a write; 0 is no bound
	struck bool
	clock  clock
}

// Deliver sends an answer. It returns when all has left, when the client is gone, or when a fault ends it; a hang ends
// only with ctx or the plan's Stop.
func Deliver(ctx context.Context, sink Sink, resp wire.Response, plan Plan) Result {
	return deliver(ctx, sink, resp, plan, table[:])
}

func deliver(ctx context.Context, sink Sink, resp wire.Response, plan Plan, faults []fault) Result {
	d := &delivery{ctx: ctx, sink: sink, resp: &resp, plan: &plan, faults: planned(faults, &plan.Fault)}
	d.keep = len(d.faults) > 0 || resp.Framing == nil || resp.More != nil
	err := d.run()
	if errors.Is(err, errHanded) {
		giveBack(d.buf)
		return Result{HandedOver: true}
	}
	result := Result{
		Left: d.gone + d.left, Frames: d.frames, Struck: d.struck,
		Gone: err != nil && !errors.Is(err, errBroken), Broken: errors.Is(err, errBroken),
	}
	if d.keep {
		result.Body = d.buf[:d.left]
	} else {
		giveBack(d.buf)
	}
	return result
}

func (d *delivery) run() error {
	for i := range d.faults {
		if d.faults[i].piece != nil {
			d.piece = d.faults[i].piece(&d.plan.Fault)
		}
	}
	if err := d.sleep(d.plan.Delay); err != nil {
		return err
	}
	if err := d.strike(0, 0, beforeHead); err != nil {
		return err
	}
	if d.resp.Framing == nil {
		return d.whole()
	}
	return d.stream()
}

// whole sends a body in one write.
func (d *delivery) whole() error {
	d.buf = d.resp.Body
	if err := d.strike(1, never, inBody); err != nil {
		return err
	}
	return d.end()
}

// stream sends frames, those that are due at once in one write.
func (d *delivery) stream() error {
	frames := d.resp.Frames
	if d.keep {
		d.buf = make([]byte, 0, sizeOf(frames))
	} else {
		d.buf = borrow()
	}
	d.buf = d.resp.Framing.Open(d.buf)
	d.clock = clock{pace: d.plan.Pace, rand: d.plan.Rand, begin: time.Now()}
	struck := 0 // the frames after which faults had their turn
	for i := 0; i < len(frames) || d.resp.More != nil; i++ {
		if err := d.strike(max(i, 1), i, inStream); err != nil {
			return err
		}
		struck = i
		if i == len(frames) {
			more, err := d.more()
			if err != nil {
				return err
			}
			if len(more) == 0 {
				break
			}
			frames = append(frames, more...)
		}
		due := d.clock.due(frames[i].Tokens)
		if d.early(due) {
			if err := d.flush(); err != nil {
				return err
			}
			if d.handOver(frames, i, due) {
				return errHanded
			}
		}
		if err := d.waitUntil(due); err != nil {
			return err
		}
		d.buf = d.resp.Framing.Append(d.buf, frames[i], i)
		d.ready++
		if d.plan.EachFrame {
			if err := d.flush(); err != nil {
				return err
			}
		}
	}
	if err := d.strike(max(struck+1, 1), never, inStream); err != nil {
		return err
	}
	d.buf = d.resp.Framing.Close(d.buf)
	return d.end()
}

// more sends what is there, and waits for further frames.
func (d *delivery) more() ([]wire.Frame, error) {
	if err := d.flush(); err != nil {
		return nil, err
	}
	frames, ok := d.resp.More(d.ctx)
	if !ok {
		return nil, errGone
	}
	return frames, nil
}

// strike lets the faults happen that are planned for after so many frames, from first to last.
func (d *delivery) strike(first, last int, at point) error {
	for i := range d.faults {
		f := &d.faults[i]
		if f.after == nil {
			continue
		}
		if n := *f.after(&d.plan.Fault); n < first || n > last {
			continue
		}
		d.struck = true
		if err := f.strike(d, at); err != nil {
			return err
		}
	}
	return nil
}

// waitUntil sends what is there, and waits for a time of the clock; where that is past, it does nothing.
func (d *delivery) waitUntil(due time.Duration) error {
	if !d.early(due) {
		return nil
	}
	if err := d.flush(); err != nil {
		return err
	}
	return d.sleep(due - time.Since(d.clock.begin))
}

// early says that a time of the clock is yet to come.
func (d *delivery) early(due time.Duration) bool {
	return due > 0 && time.Since(d.clock.begin) < due
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

// flush sends what is not yet sent, the head included.
func (d *delivery) flush() error {
	if err := d.write(); err != nil {
		return err
	}
	if err := d.sink.Flush(); err != nil {
		return errGone
	}
	if !d.keep && cap(d.buf) > small {
		giveBack(d.buf)
		d.buf = nil // a stream with a pace needs little, and may last
	}
	return nil
}

// write gives what is not yet written to the sink, in pieces where that is asked for.
func (d *delivery) write() error {
	if !d.head {
		d.head = true
		length := -1
		if d.resp.Framing == nil {
			length = len(d.resp.Body)
		}
		d.sink.Head(d.resp.Status, d.resp.Header, length)
	}
	for d.left < len(d.buf) {
		piece := d.buf[d.left:]
		if d.piece > 0 && len(piece) > d.piece {
			piece = piece[:d.piece]
		}
		if err := d.sink.Write(piece); err != nil {
			return errGone
		}
		d.left += len(piece)
		if d.piece > 0 {
			if err := d.sink.Flush(); err != nil {
				return errGone
			}
		}
	}
	d.frames = d.ready
	if !d.keep {
		d.gone, d.left, d.buf = d.gone+d.left, 0, d.buf[:0]
	}
	return nil
}

// end writes the rest. A client that hangs up once it has everything is not gone: only what is known before counts.
func (d *delivery) end() error {
	if d.ctx.Err() != nil {
		return errGone
	}
	if d.plan.Exact {
		return d.flush()
	}
	return d.write()
}
