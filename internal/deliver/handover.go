package deliver

import (
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Hander is a Sink that can go on by itself with a stream whose head and first bytes were flushed: many streams with a
// pace take less together than each in a goroutine of its own. Hand is false where it can't. Else it calls the stream
// from when the request's handler has returned, as [github.com/mimus-go/mimus/internal/h1.Stream] says.
type Hander interface {
	Hand(rest Rest, due time.Time) bool
}

// Rest is the rest of a stream. It is an alias, so that neither of the two packages need know the other.
type Rest = interface {
	Next(dst []byte, now time.Time) (all []byte, next time.Time, more bool)
	Wrote()
	Exact() bool
	Ended(gone bool) bool
}

// paced is a stream that was handed over.
type paced struct {
	framing wire.Framing
	frames  wire.Packed
	from    wire.Unpacking
	frame   wire.Frame // the next
	at      int        // its number
	due     time.Duration
	clock   clock
	exact   bool
	later   func(Result) bool

	left, leaving int // bytes that were written, and are being written
	written       int // frames
}

// handOver leaves the frames from i on, which are not due before a time, to the sink. It is false where that can't be.
func (d *delivery) handOver(frames []wire.Frame, i int, due time.Duration) bool {
	if d.plan.Later == nil || d.keep || d.plan.EachFrame {
		return false
	}
	sink, ok := d.sink.(Hander)
	if !ok {
		return false
	}
	p := &paced{
		framing: d.resp.Framing, frame: frames[i], at: i, due: due, clock: d.clock, exact: d.plan.Exact, later: d.plan.Later,
		left: d.gone + d.left, written: d.frames,
	}
	if !sink.Hand(p, d.clock.begin.Add(due)) {
		return false
	}
	p.frames = wire.Pack(frames)
	p.from = p.frames.Unpack()
	for range i + 1 {
		p.frame, _ = p.from.Next()
	}
	return true
}

// Next adds the frames that are due.
func (p *paced) Next(dst []byte, now time.Time) (all []byte, next time.Time, more bool) {
	before := len(dst)
	for p.due <= now.Sub(p.clock.begin) {
		dst = p.framing.Append(dst, p.frame, p.at)
		p.at++
		var ok bool
		if p.frame, ok = p.from.Next(); !ok {
			dst = p.framing.Close(dst)
			p.leaving = len(dst) - before
			return dst, time.Time{}, false
		}
		p.due = p.clock.due(p.frame.Tokens)
	}
	p.leaving = len(dst) - before
	return dst, p.clock.begin.Add(p.due), true
}

// Wrote counts.
func (p *paced) Wrote() {
	p.left, p.written, p.leaving = p.left+p.leaving, p.at, 0
}

// Exact is the plan's.
func (p *paced) Exact() bool { return p.exact }

// Ended gives the result.
func (p *paced) Ended(gone bool) bool {
	return !p.later(Result{Left: p.left, Frames: p.written, Gone: gone, Packed: &p.frames})
}
