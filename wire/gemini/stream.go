package gemini

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// next makes room for one more part of a candidate: in the chunk that is held back if it joins it, else in a new one. A
// whole answer is one chunk.
func (e *encoder) next(dst []wire.Frame, a *candidate, join bool) []wire.Frame {
	if a.count > 0 && e.stream && !join {
		dst = e.flush(dst, a, false)
	}
	if a.count > 0 {
		a.parts = append(a.parts, ',')
	}
	a.count++
	a.calls, a.unsigned, a.thinking = false, false, false
	return dst
}

func (e *encoder) partStart(dst []wire.Frame, a *candidate, ev wire.Event) []wire.Frame {
	switch ev.What.(type) {
	case wire.Text, wire.ToolCall, wire.Citation:
		return dst
	case wire.Opaque:
		if isMetadata(ev.What) {
			return dst
		}
	}
	// What comes next cannot carry the signature of the thought before.
	return e.sign(dst, a)
}

// delta sends a piece of text or of a thought in a chunk of its own.
func (e *encoder) delta(dst []wire.Frame, a *candidate, ev wire.Event) []wire.Frame {
	_, thought := ev.What.(wire.Reasoning)
	if _, text := ev.What.(wire.Text); !text && !thought {
		return dst
	}
	dst = e.next(dst, a, false)
	a.parts = appendString(append(a.parts, `{"text": `...), ev.Text)
	if thought {
		a.parts = append(a.parts, `,"thought": true`...)
	}
	a.parts = append(a.parts, '}')
	if e.logprobs && !thought {
		a.said = append(a.said, ev.Text...)
	}
	a.tokens += ev.Tokens
	a.thinking, a.unsigned = thought, !thought
	return dst
}

func (e *encoder) partEnd(dst []wire.Frame, a *candidate, ev wire.Event) []wire.Frame {
	switch p := ev.What.(type) {
	case wire.Reasoning:
		a.signature = p.Signature
	case wire.ToolCall:
		return e.call(dst, a, p)
	case wire.Citation:
		if len(a.citations) > 0 {
			a.citations = append(a.citations, ',')
		}
		a.citations = jsonx.AppendSpaced(a.citations, p.Raw)
	case wire.Media:
		dst = e.next(dst, a, false)
		a.parts = appendMedia(a.parts, p)
	case wire.Opaque:
		if isMetadata(p) {
			a.metadata = append(a.metadata, p)
			return dst
		}
		dst = e.next(dst, a, false)
		a.parts = jsonx.AppendSpaced(a.parts, p.Raw)
	}
	return dst
}

func isMetadata(p wire.Part) bool {
	o, ok := p.(wire.Opaque)
	if !ok {
		return false
	}
	for _, key := range metadataKeys {
		if o.Type == key {
			return true
		}
	}
	return false
}

// sign sends the signature of a thought that no call carries: with the text after it, or in a stream, where that has
// left, with an empty one (recorded).
func (e *encoder) sign(dst []wire.Frame, a *candidate) []wire.Frame {
	if a.signature == "" {
		return dst
	}
	if !e.stream && a.unsigned {
		a.parts = a.parts[:len(a.parts)-1]
	} else {
		dst = e.next(dst, a, false)
		a.parts = append(a.parts, `{"text": ""`...)
	}
	a.unsigned = false
	a.parts = append(e.appendSignature(a.parts, a), '}')
	return dst
}

func (e *encoder) appendSignature(b []byte, a *candidate) []byte {
	if a.signature != "" {
		b = appendString(append(b, `,"thoughtSignature": `...), a.signature)
		a.signature = ""
	}
	return b
}

// call sends a call whole, or its arguments piece by piece.
func (e *encoder) call(dst []wire.Frame, a *candidate, p wire.ToolCall) []wire.Frame {
	if a.call == "" {
		a.call = p.Name
	}
	if e.pieces {
		if v, err := jsonx.Parse(p.Arguments); err == nil {
			if tree, ok := argumentTree(v); ok {
				return e.callInPieces(dst, a, p, tree)
			}
		}
	}
	dst = e.next(dst, a, a.calls && !e.oneCall)
	b := appendString(append(a.parts, `{"functionCall": {"name": `...), p.Name)
	b = jsonx.AppendSpaced(append(b, `,"args": `...), p.Arguments)
	if p.ID != "" {
		b = appendString(append(b, `,"id": `...), p.ID)
	}
	a.parts = append(e.appendSignature(append(b, '}'), a), '}')
	a.tokens += wire.Tokens(p.Name) + wire.Tokens(p.Arguments)
	a.calls = true
	return dst
}

// callInPieces opens a call, sends each value of its arguments in chunks of its own, and closes the call with an empty
// one (recorded 2026-04 on Vertex).
func (e *encoder) callInPieces(dst []wire.Frame, a *candidate, p wire.ToolCall, tree *argument) []wire.Frame {
	dst = e.next(dst, a, false)
	b := appendString(append(a.parts, `{"functionCall": {"name": `...), p.Name)
	if p.ID != "" {
		b = appendString(append(b, `,"id": `...), p.ID)
	}
	a.parts = append(e.appendSignature(append(b, `,"willContinue": true}`...), a), '}')
	a.tokens += wire.Tokens(p.Name)
	tree.pieces(func(piece []byte, tokens int) {
		dst = e.next(dst, a, false)
		a.parts = append(a.parts, `{"functionCall": {`...)
		if len(piece) > 0 {
			a.parts = append(append(append(a.parts, `"partialArgs": [`...), piece...), "],"...)
		}
		a.parts = append(a.parts, `"willContinue": true}}`...)
		a.tokens += tokens
	})
	dst = e.next(dst, a, false)
	a.parts = append(a.parts, `{"functionCall": {}}`...)
	return dst
}

// end sends what was held back: the last chunk of each candidate, with the word that ends it.
func (e *encoder) end(dst []wire.Frame) []wire.Frame {
	if !e.stream {
		return dst
	}
	if e.blocked != "" {
		b := append(e.open(), '{')
		b = append(e.appendFeedback(b), ',')
		b = append(e.appendUsage(b, true), e.trailer()...)
		return e.frame(dst, b, 0)
	}
	for _, a := range e.candidates {
		apart := e.q.FinalChunk != "" || silent(e.word(a))
		if a.count > 0 && apart {
			dst = e.flush(dst, a, false)
		}
		dst = e.flush(dst, a, true)
	}
	return dst
}

// Flush sends the chunks that are held back, without a word that ends them.
func (e *encoder) Flush(dst []wire.Frame) []wire.Frame {
	if !e.stream {
		return dst
	}
	for _, a := range e.candidates {
		if a.count > 0 {
			dst = e.flush(dst, a, false)
		}
	}
	return dst
}

// flush sends the chunk that is held back.
func (e *encoder) flush(dst []wire.Frame, a *candidate, last bool) []wire.Frame {
	if !e.begun {
		e.begun = true
		dst = e.prelude(dst, a)
	}
	if !a.thinking {
		e.said += a.tokens
		e.answered = true
	}
	b := append(e.open(), `{"candidates": [`...)
	b = e.appendCandidate(b, a, last)
	b = append(b, "],"...)
	b = append(e.appendUsage(b, last && a.index == len(e.candidates)-1), e.trailer()...)
	dst = e.frame(dst, b, a.tokens)
	a.parts, a.count, a.tokens = a.parts[:0], 0, 0
	return dst
}

// prelude sends what a quirk wants before the answer.
func (e *encoder) prelude(dst []wire.Frame, a *candidate) []wire.Frame {
	if e.sse {
		for range e.q.Comments {
			dst = append(dst, wire.Frame{Name: bare, Data: []byte(": keepalive")})
		}
	}
	for range e.q.EmptyStops {
		b := append(e.open(), `{"candidates": [`...)
		b = e.appendCandidate(b, &candidate{index: a.index, stop: wire.StopComplete, ended: true}, true)
		b = append(b, "],"...)
		b = append(e.appendUsage(b, false), e.trailer()...)
		dst = e.frame(dst, b, 0)
	}
	return dst
}

// open is the buffer to which a frame is appended.
func (e *encoder) open() []byte {
	const room = 1024
	if cap(e.buf)-len(e.buf) < room {
		e.buf = make([]byte, 0, 8*room)
	}
	return e.buf
}

// frame makes the message at the end of b a frame; in an array it is indented.
func (e *encoder) frame(dst []wire.Frame, b []byte, tokens int) []wire.Frame {
	start := len(e.buf)
	e.buf = b
	data := e.form(b[start:len(b):len(b)])
	if !e.sse && !e.plain {
		data = jsonx.AppendIndent(make([]byte, 0, 2*len(data)), string(data), "  ")
		e.buf = b[:start]
	}
	return append(dst, wire.Frame{Data: data, Tokens: tokens})
}

// Fail ends the stream with the error as one more message, or on bare lines.
func (e *encoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	body := errorBody(e.c, f)
	if !e.sse && !e.plain || e.q.BareError {
		body = jsonx.AppendIndent(nil, string(body), "  ")
	}
	frame := wire.Frame{Data: e.formOf(body)}
	if e.sse && e.q.BareError {
		frame.Name = bare
	}
	return append(dst, frame)
}

// formOf leaves indented JSON as it is.
func (e *encoder) formOf(body []byte) []byte {
	if !e.sse {
		return body
	}
	if e.q.BareError {
		return body
	}
	return e.form(body)
}
