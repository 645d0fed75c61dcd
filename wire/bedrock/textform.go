package bedrock

import (
	"fmt"
	"io"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// textual is a form whose answer is one text and a reason to stop: a completion of a prompt.
type textual struct {
	// stops pair the reasons to stop with the form's words; the first is the usual one.
	stops []stopName
	// appendWhole writes a whole answer, appendPiece a chunk; word is "" in all chunks but the last.
	appendWhole func(b []byte, text, word string, u wire.Usage) []byte
	appendPiece func(b []byte, p piece) []byte
	// readWhole reads a whole answer, readPiece a chunk: the counts that are in it overwrite those before.
	readWhole, readPiece func(v jsonx.Value, u *wire.Usage) (text, word string, ok bool)
}

type stopName struct {
	stop wire.Stop
	word string
}

// piece is what a chunk says.
type piece struct {
	text, word  string
	usage       wire.Usage
	first, last bool
	tokens      int // so far
}

func (t *textual) word(s wire.Stop) string {
	for _, p := range t.stops {
		if p.stop == s {
			return p.word
		}
	}
	return t.stops[0].word
}

func (t *textual) stop(word string) wire.Stop {
	for _, p := range t.stops {
		if p.word == word {
			return p.stop
		}
	}
	return wire.Stop(word)
}

// knowsStop says whether the form has a word for a reason to stop.
func (t *textual) knowsStop(s wire.Stop) bool {
	for _, p := range t.stops {
		if p.stop == s {
			return true
		}
	}
	return false
}

// fit leaves one text.
func (t *textual) fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := fitter{c: c, q: quirksOf(c)}
	r = f.shape(r)
	counted := r.Usage != nil
	r = wire.Complete(c, r, "tooluse_")
	a := &r.Choices[0]
	var text strings.Builder
	for _, p := range a.Parts {
		switch p := p.(type) {
		case wire.Text:
			text.WriteString(p.Text)
		case wire.Refusal:
			f.lose("that the text is a refusal")
			text.WriteString(p.Text)
		default:
			f.lose("a completion of a prompt has no %s", partName(p))
		}
	}
	a.Parts = nil
	if text.Len() > 0 {
		a.Parts = []wire.Part{wire.Text{Text: text.String()}}
	}
	if a.Stop != guardrail && !t.knowsStop(a.Stop) {
		f.lose("the reason to stop %q", a.Stop)
		a.Stop = t.stops[0].stop
	}
	a.Sequence = ""
	if u := r.Usage; counted && (u.Reasoning > 0 || u.CacheRead > 0 || u.CacheWrite > 0) {
		f.lose("counts of cached and reasoning tokens")
	}
	r.Usage = &wire.Usage{Input: r.Usage.Input, Output: r.Usage.Output}
	return r, f.lost
}

func partName(p wire.Part) string {
	switch p.(type) {
	case wire.ToolCall:
		return "tool call"
	case wire.Reasoning:
		return "reasoning"
	case wire.Citation:
		return "citation"
	}
	return fmt.Sprintf("%T", p)
}

// textEncoder writes the answers of a textual form.
type textEncoder struct {
	c      *wire.Call
	t      *textual
	q      Quirks
	pad    aws.Padder
	folder wire.Folder
	buf    []byte
	first  bool
	tokens int
	usage  wire.Usage
	stop   wire.Stop
}

func (t *textual) encode(c *wire.Call) wire.Encoder {
	e := &textEncoder{c: c, t: t, q: quirksOf(c), first: true}
	if c.Request.Stream && !e.q.NoPadding {
		e.pad = aws.NewPadder(c)
	}
	return e
}

// Head is that of a stream.
func (e *textEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, aws.StreamHead(e.c, true), aws.Events{}
}

// Append takes note of an event, or makes a chunk of each piece of text, and the last one of the end.
func (e *textEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if !e.c.Request.Stream {
		e.folder.Add(ev)
		return dst
	}
	if ev.Usage != nil {
		e.usage = *ev.Usage
	}
	switch ev.Op {
	case wire.Delta:
		e.tokens += ev.Tokens
		return e.chunk(dst, piece{text: ev.Text, tokens: e.tokens}, ev.Tokens)
	case wire.ChoiceEnd:
		e.stop = ev.Stop
	case wire.End:
		return e.chunk(dst, piece{word: e.t.word(e.stop), last: true, tokens: e.usage.Output}, 0)
	}
	return dst
}

func (e *textEncoder) chunk(dst []wire.Frame, p piece, tokens int) []wire.Frame {
	p.usage, p.first = e.usage, e.first
	e.first = false
	b := e.t.appendPiece(append(e.buf[:0], '{'), p)
	if p.last {
		if e.stop == guardrail {
			b = appendIntervened(b, e.q.Trace)
		}
		b = aws.AppendMetrics(append(b, ','), e.c, e.usage, false)
	}
	b = append(b, '}')
	e.buf = b
	return append(dst, wire.Frame{Name: aws.ChunkEvent, Data: aws.AppendChunk(nil, b, e.pad.Next()), Tokens: tokens})
}

// Fail ends the stream with an exception.
func (e *textEncoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	return append(dst, exception(e.c, &e.q, f, false))
}

// Whole is the answer; its counts are in the header.
func (e *textEncoder) Whole() wire.Response {
	r := e.folder.Partial()
	if r.Usage != nil {
		e.usage = *r.Usage
	}
	var said strings.Builder
	stop := wire.StopComplete
	if len(r.Choices) > 0 {
		stop = r.Choices[0].Stop
		for _, p := range r.Choices[0].Parts {
			if p, ok := p.(wire.Text); ok {
				said.WriteString(p.Text)
			}
		}
	}
	text := said.String()
	b := e.t.appendWhole(make([]byte, 0, 160+len(text)+len(text)/8), text, e.t.word(stop), e.usage)
	if stop == guardrail {
		b = append(appendIntervened(b[:len(b)-1], e.q.Trace), '}')
	}
	return wire.Response{Status: 200, Header: aws.InvokeHead(e.c, e.usage, aws.Counts{}), Body: b}
}

// whole reads a whole answer.
func (t *textual) whole(h *wire.ResponseHead, v jsonx.Value, yield func(wire.Event, error) bool) {
	u := aws.ReadCounts(h)
	if u == nil {
		u = &wire.Usage{}
	}
	text, word, ok := t.readWhole(v, u)
	if !ok {
		yield(wire.Event{}, unusable("the answer has no text", false, nil))
		return
	}
	a := wire.Answer{Stop: t.stop(word)}
	if hasIntervened(v) {
		a.Stop = guardrail
	}
	if text != "" {
		a.Parts = []wire.Part{wire.Text{Text: text}}
	}
	give(h, wire.Reply{Choices: []wire.Answer{a}, Usage: u}, yield)
}

// stream reads chunks until one says why the answer ended; what follows it is of no interest.
func (t *textual) stream(h *wire.ResponseHead, body io.Reader, yield func(wire.Event, error) bool) {
	r := &textReader{t: t, yield: yield, head: headOf(h)}
	f := readMessages(body, &r.partial, r.counts, r.message)
	r.finish(f, nil)
}

type textReader struct {
	t       *textual
	yield   func(wire.Event, error) bool
	stopped bool
	head    *wire.Head
	begun   bool
	open    bool
	partial bool
	ended   bool
	usage   wire.Usage
	stop    wire.Stop
}

func (r *textReader) counts() *wire.Usage {
	if r.usage == (wire.Usage{}) {
		return nil
	}
	u := r.usage
	return &u
}

func (r *textReader) give(e wire.Event) {
	if !r.stopped && !r.yield(e, nil) {
		r.stopped = true
	}
}

func (r *textReader) message(m awsstream.Message) error {
	if m.Get(":event-type") != aws.ChunkEvent {
		return nil
	}
	v, err := aws.ReadChunk(m.Payload)
	if err != nil {
		return err
	}
	text, word, ok := r.t.readPiece(v, &r.usage)
	if !ok {
		return nil
	}
	if !r.begun {
		r.begun = true
		r.give(wire.Event{Op: wire.Begin, Head: r.head})
	}
	if text != "" {
		if !r.open {
			r.open = true
			r.give(wire.Event{Op: wire.PartStart, What: wire.Text{}})
		}
		r.partial = true
		r.give(wire.Event{Op: wire.Delta, What: wire.Text{}, Text: text, Tokens: wire.Tokens(text)})
	}
	if word != "" {
		r.ended, r.stop = true, r.t.stop(word)
	}
	if hasIntervened(v) {
		// What a guardrail says in the place of an answer has no reason of its own (recorded 2025-08).
		r.ended, r.stop = true, guardrail
	}
	if metrics := v.Get("amazon-bedrock-invocationMetrics"); metrics.Exists() {
		r.usage.Input = count(metrics.Get("inputTokenCount"), r.usage.Input)
		r.usage.Output = count(metrics.Get("outputTokenCount"), r.usage.Output)
	}
	return nil
}

// finish ends the sequence: with a failure, or with the parts that came beside the text.
func (r *textReader) finish(f *wire.Failure, more []wire.Part) {
	if r.stopped {
		return
	}
	if f == nil && !r.ended {
		f = wire.ErrIncomplete(r.partial)
		f.Usage = r.counts()
	}
	if f != nil {
		r.yield(wire.Event{}, f)
		return
	}
	next := 0
	if r.open {
		r.give(wire.Event{Op: wire.PartEnd})
		next = 1
	}
	for i, p := range more {
		r.give(wire.Event{Op: wire.PartStart, Part: next + i, What: p})
		r.give(wire.Event{Op: wire.PartEnd, Part: next + i, What: p})
	}
	r.give(wire.Event{Op: wire.ChoiceEnd, Stop: r.stop})
	r.give(wire.Event{Op: wire.End, Usage: r.counts()})
}

// count is a number of tokens, or what was known before.
func count(v jsonx.Value, before int) int {
	if n, ok := v.Int(); ok && n >= 0 && n < 1<<40 {
		return int(n)
	}
	return before
}
