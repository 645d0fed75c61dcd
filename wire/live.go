package wire

import (
	"context"
	"slices"
	"strings"
)

// Growing is a reply that comes about while it is answered. It may be read by several requests, at the same time and one
// after the other; each gets all of it.
type Growing interface {
	// Next waits for what comes after the first n growths. It is false where ctx ended first.
	Next(ctx context.Context, n int) (Growth, bool)
}

// Growth is one step of a Growing reply: a part, or what ends it.
type Growth struct {
	// Part is added to the answer. A text, a refusal or reasoning that follows its like goes on with it.
	Part Part
	// Failure ends the reply with an error.
	Failure *Failure
	// End ends the reply, and Stop says why.
	End  bool
	Stop Stop
}

// Grown waits until a reply is whole, and adds it to base. It is false where ctx ended first.
func Grown(ctx context.Context, g Growing, base Reply) (Reply, *Failure, bool) {
	var a Answer
	for n := 0; ; n++ {
		step, ok := g.Next(ctx, n)
		switch {
		case !ok:
			return base, nil, false
		case step.Failure != nil:
			base.Choices = []Answer{a}
			return base, step.Failure, true
		case step.End:
			a.Stop = step.Stop
			base.Choices = []Answer{a}
			return base, nil, true
		}
		a.Parts = grow(a.Parts, step.Part)
	}
}

// grow adds a part, or goes on with the last one. It never changes what parts points at.
func grow(parts []Part, p Part) []Part {
	if n := len(parts); n > 0 {
		if joined := join(parts[n-1], p); joined != nil {
			return append(slices.Clone(parts[:n-1]), joined)
		}
	}
	return append(slices.Clip(parts), p)
}

// join is a part gone on with by its like, or nil.
func join(before, p Part) Part {
	switch p := p.(type) {
	case Text:
		if b, ok := before.(Text); ok {
			return Text{b.Text + p.Text}
		}
	case Refusal:
		if b, ok := before.(Refusal); ok {
			return Refusal{b.Text + p.Text}
		}
	case Reasoning:
		if b, ok := before.(Reasoning); ok && !b.Redacted && !p.Redacted && b.Signature == "" {
			return Reasoning{Text: b.Text + p.Text, Signature: p.Signature}
		}
	}
	return nil
}

// A Flusher is an encoder that holds frames back until it knows what follows them. Flush gives them up, because nothing
// follows for now, or ever.
type Flusher interface{ Flush(dst []Frame) []Frame }

// RenderLive begins the stream of a reply that is yet to grow: the response's More gives the frames of each growth. base
// is what is known of the reply before: its usage. done, if set, is called with the fitted reply once all of it was
// given.
func RenderLive(c *Call, codec Codec, g Growing, base Reply, s Split, cut Cut, done func(Reply)) Response {
	base.Choices = []Answer{{}}
	l := &live{c: c, codec: codec, enc: codec.Encode(c), growing: g, reply: base, split: s, cut: cut, done: done}
	l.fitted, _ = codec.Fit(c, base)
	l.frames = l.enc.Append(nil, Event{Op: Begin, Usage: l.fitted.Usage})
	frames := l.take()
	status, header, framing := l.enc.Head()
	return Response{Status: status, Header: header, Framing: framing, Frames: frames, More: l.more}
}

// live is a reply while it grows.
type live struct {
	c       *Call
	codec   Codec
	enc     Encoder
	growing Growing
	split   Split
	cut     Cut
	done    func(Reply)

	n             int   // growths taken
	reply, fitted Reply // so far
	// parts are the fitted parts that events were made of; the last one is open where open is set.
	parts []Part
	open  bool

	frames []Frame // made, and not yet given
	given  int
	ended  bool
}

// more waits for frames. There are none left where it gives none.
func (l *live) more(ctx context.Context) ([]Frame, bool) {
	for {
		if frames := l.take(); len(frames) > 0 || l.ended {
			return frames, true
		}
		step, ok := l.growing.Next(ctx, l.n)
		if !ok {
			return nil, false
		}
		l.n++
		l.step(step)
	}
}

func (l *live) step(g Growth) {
	a := &l.reply.Choices[0]
	switch {
	case g.Failure != nil:
		l.fail(g.Failure)
		return
	case g.End:
		a.Stop = g.Stop
		l.fit()
		l.end()
		return
	}
	a.Parts = grow(a.Parts, g.Part)
	l.fit()
	l.events(l.answer().Parts)
	if f, ok := l.enc.(Flusher); ok {
		l.frames = f.Flush(l.frames)
	}
}

func (l *live) fit() { l.fitted, _ = l.codec.Fit(l.c, l.reply) }

func (l *live) answer() Answer {
	if len(l.fitted.Choices) == 0 {
		return Answer{}
	}
	return l.fitted.Choices[0]
}

func (l *live) add(e Event) { l.frames = l.enc.Append(l.frames, e) }

// events makes the events by which the parts have grown.
func (l *live) events(parts []Part) {
	for i := max(0, len(l.parts)-1); i < len(parts); i++ {
		p := parts[i]
		if i < len(l.parts) {
			if !l.open {
				continue
			}
			_, before := hollow(l.parts[i])
			empty, text := hollow(p)
			if rest, ok := strings.CutPrefix(text, before); ok && rest != "" {
				l.add(Event{Op: Delta, Part: i, What: empty, Text: rest, Tokens: Tokens(rest)})
			}
			l.parts[i] = p
		} else {
			l.start(i, p)
		}
		if i < len(parts)-1 || !grows(p) {
			l.close()
		}
	}
}

func (l *live) start(i int, p Part) {
	empty, text := hollow(p)
	l.add(Event{Op: PartStart, Part: i, What: empty})
	if grows(p) {
		if text != "" {
			l.add(Event{Op: Delta, Part: i, What: empty, Text: text, Tokens: Tokens(text)})
		}
	} else {
		for piece := range l.split.pieces(text, true) {
			l.add(Event{Op: Delta, Part: i, What: empty, Text: piece, Tokens: Tokens(piece)})
		}
	}
	l.parts, l.open = append(l.parts, p), true
}

// grows says whether more of the same may follow a part.
func grows(p Part) bool {
	switch p.(type) {
	case Text, Refusal, Reasoning:
		return true
	}
	return false
}

func (l *live) close() {
	if l.open {
		l.open = false
		i := len(l.parts) - 1
		l.add(Event{Op: PartEnd, Part: i, What: l.parts[i]})
	}
}

func (l *live) end() {
	a := l.answer()
	l.events(a.Parts)
	l.close()
	if !l.cut.Unended {
		l.add(Event{Op: ChoiceEnd, Stop: a.Stop, Sequence: a.Sequence})
		l.add(Event{Op: End, Usage: l.fitted.Usage})
	} else if f, ok := l.enc.(Flusher); ok {
		l.frames = f.Flush(l.frames)
	}
	if l.done != nil {
		l.done(l.fitted)
	}
	l.ended = true
}

// fail ends the reply with its own error, which comes before any that the cut would bring.
func (l *live) fail(f *Failure) {
	l.frames = l.enc.Fail(l.frames, f, l.given+len(l.frames))
	l.cut.Failure, l.ended = nil, true
}

// take gives the frames that were made, as far as the cut lets them.
func (l *live) take() []Frame {
	frames := l.frames
	l.frames = nil
	if f := l.cut.Failure; f != nil {
		if left := l.cut.FailAfter - l.given; len(frames) >= left || l.ended {
			n := min(left, len(frames))
			frames = l.enc.Fail(frames[:n:n], f, l.given+n)
			l.cut.Failure, l.ended = nil, true
		}
	} else if left := l.cut.After - l.given; l.cut.After >= 0 && len(frames) >= left {
		frames, l.ended = frames[:left:left], true
	}
	if at := 1 - l.given; l.cut.Malformed && at >= 0 && at < len(frames) {
		frames[at].Data = frames[at].Data[:len(frames[at].Data)/2]
	}
	l.given += len(frames)
	return frames
}
