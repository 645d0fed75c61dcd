package bedrock

import (
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The events of a stream.
const (
	evStart      = "messageStart"
	evBlockStart = "contentBlockStart"
	evBlockDelta = "contentBlockDelta"
	evBlockStop  = "contentBlockStop"
	evStop       = "messageStop"
	evMetadata   = "metadata"
)

// noIndex is the index of an event that belongs to no block.
const noIndex = -1

func (e *encoder) appendFrames(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch ev.Op {
	case wire.Begin:
		return e.emit(dst, evStart, noIndex, "role", `"assistant"`)
	case wire.PartStart:
		return e.partStart(dst, ev)
	case wire.Delta:
		return e.delta(dst, ev)
	case wire.PartEnd:
		return e.partEnd(dst, ev)
	case wire.ChoiceEnd:
		e.stop, e.sequence = ev.Stop, ev.Sequence
	case wire.End:
		if ev.Usage != nil {
			e.usage = *ev.Usage
		}
		return e.messageEnd(dst)
	}
	return dst
}

// begin gives room in the buffer. What is appended up to frame becomes the frame; only one event is written at a time.
func (e *encoder) begin() []byte {
	const room = 512
	if cap(e.buf)-len(e.buf) < room {
		e.buf = make([]byte, 0, 8*room)
	}
	return e.buf
}

// frame makes what was written since begin a frame; on InvokeModel, a chunk with it.
func (e *encoder) frame(dst []wire.Frame, name string, b []byte, tokens int) []wire.Frame {
	start := len(e.buf)
	if e.nova {
		e.chunk = append(e.chunk[:0], b[start:]...)
		b = aws.AppendChunk(b[:start], e.chunk, e.pad.Next())
		name = aws.ChunkEvent
	}
	e.buf = b
	return append(dst, wire.Frame{Name: name, Data: b[start:len(b):len(b)], Tokens: tokens})
}

// emit writes an event with at most one key beside its index and its padding, all in the order of their names. Nova wraps
// the event in its name, has the index last and leaves the padding to the chunk.
func (e *encoder) emit(dst []wire.Frame, name string, index int, key, value string) []wire.Frame {
	b := e.open(name, index, key)
	return e.close(dst, name, index, key, append(b, value...), 0)
}

// open writes an event up to the value of its key.
func (e *encoder) open(name string, index int, key string) []byte {
	b := append(e.begin(), '{')
	if e.nova {
		b = append(append(append(b, '"'), name...), `":{`...)
		if key != "" {
			b = append(append(append(b, '"'), key...), `":`...)
		}
		return b
	}
	if index != noIndex {
		b = append(appendInt(append(b, `"contentBlockIndex":`...), index), ',')
	}
	if key > "p" {
		b = e.appendPad(b)
	}
	if key != "" {
		b = append(append(append(b, '"'), key...), `":`...)
	}
	return b
}

// close writes the rest of an event after the value of its key.
func (e *encoder) close(dst []wire.Frame, name string, index int, key string, b []byte, tokens int) []wire.Frame {
	if e.nova {
		if index != noIndex {
			if key != "" {
				b = append(b, ',')
			}
			b = appendInt(append(b, `"contentBlockIndex":`...), index)
		}
		return e.frame(dst, name, append(b, `}}`...), tokens)
	}
	if key < "p" {
		if key != "" {
			b = append(b, ',')
		}
		b = e.appendPad(b)
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return e.frame(dst, name, append(b, '}'), tokens)
}

// appendPad writes the padding with a comma behind, if there is some.
func (e *encoder) appendPad(b []byte) []byte {
	if p := e.pad.Next(); p != "" {
		b = append(append(append(b, `"p":"`...), p...), `",`...)
	}
	return b
}

func (e *encoder) deltaString(dst []wire.Frame, before, text, after string, tokens int) []wire.Frame {
	b := append(e.open(evBlockDelta, e.index, "delta"), before...)
	b = append(jsonx.AppendString(b, text), after...)
	return e.close(dst, evBlockDelta, e.index, "delta", b, tokens)
}

// partStart opens a block. Only calls, results and images have a start; a text begins with its first delta.
func (e *encoder) partStart(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch p := ev.What.(type) {
	case wire.Text, wire.Reasoning:
		if e.q.TextStart {
			dst = e.emit(dst, evBlockStart, e.index, "start", "{}")
		}
		for _, c := range ev.Cites {
			b := append(e.open(evBlockDelta, e.index, "delta"), `{"citation":`...)
			dst = e.close(dst, evBlockDelta, e.index, "delta", append(append(b, c.Raw...), '}'), 0)
		}
	case wire.ToolCall:
		if e.q.EmptyText {
			dst = e.blockStop(e.deltaString(dst, `{"text":`, "", `}`, 0))
		}
		b := e.open(evBlockStart, e.index, "start")
		if e.nova {
			b = jsonx.AppendString(append(b, `{"toolUse":{"toolUseId":`...), p.ID)
			b = jsonx.AppendString(append(b, `,"name":`...), p.Name)
		} else {
			b = jsonx.AppendString(append(b, `{"toolUse":{"name":`...), p.Name)
			b = jsonx.AppendString(append(b, `,"toolUseId":`...), p.ID)
		}
		dst = e.close(dst, evBlockStart, e.index, "start", append(b, `}}`...), 0)
	case wire.Opaque:
		dst = e.opaque(dst, p)
	}
	return dst
}

func (e *encoder) opaque(dst []wire.Frame, p wire.Opaque) []wire.Frame {
	v, err := jsonx.Parse(p.Raw)
	if err != nil {
		return dst
	}
	s, ok := streamed(p.Type, v.Get(p.Type))
	if !ok {
		return dst
	}
	dst = e.emit(dst, evBlockStart, e.index, "start", `{"`+s.kind+`":`+s.start+`}`)
	if s.delta != "" {
		b := s.appendDelta(e.open(evBlockDelta, e.index, "delta"))
		dst = e.close(dst, evBlockDelta, e.index, "delta", b, wire.Tokens(s.delta))
	}
	return dst
}

func (e *encoder) delta(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch ev.What.(type) {
	case wire.Text:
		dst = e.deltaString(dst, `{"text":`, ev.Text, `}`, ev.Tokens)
	case wire.Reasoning:
		dst = e.deltaString(dst, `{"reasoningContent":{"text":`, ev.Text, `}}`, ev.Tokens)
	case wire.ToolCall:
		if e.nova {
			// Nova sends an input whole, at the block's end.
			return dst
		}
		if e.late != "" {
			dst = e.inputDelta(dst, e.late)
			e.late = ""
		}
		if e.q.LateInput {
			// The last piece is held back until the block has ended.
			e.late = ev.Text
			return dst
		}
		return e.inputDelta(dst, ev.Text)
	}
	if e.nova {
		// Recorded 2025: every delta is a block of its own.
		dst = e.blockStop(dst)
	}
	return dst
}

func (e *encoder) inputDelta(dst []wire.Frame, piece string) []wire.Frame {
	if piece == "{}" && (e.q.NoInput || e.q.EmptyInput) {
		if e.q.NoInput {
			return dst
		}
		piece = ""
	}
	return e.deltaString(dst, `{"toolUse":{"input":`, piece, `}}`, wire.Tokens(piece))
}

func (e *encoder) blockStop(dst []wire.Frame) []wire.Frame {
	if !e.q.NoBlockStop {
		dst = e.emit(dst, evBlockStop, e.index, "", "")
	}
	if e.late != "" {
		dst = e.inputDelta(dst, e.late)
		e.late = ""
	}
	e.index++
	return dst
}

func (e *encoder) partEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch p := ev.What.(type) {
	case wire.Citation:
		// It came with the start of its text.
		return dst
	case wire.Text:
		if e.nova {
			return dst
		}
	case wire.Reasoning:
		switch {
		case e.nova:
			return dst
		case p.Redacted:
			dst = e.deltaString(dst, `{"reasoningContent":{"redactedContent":`, p.Signature, `}}`, 0)
		case p.Signature != "":
			dst = e.deltaString(dst, `{"reasoningContent":{"signature":`, p.Signature, `}}`, 0)
		}
	case wire.ToolCall:
		if e.nova {
			dst = e.inputDelta(dst, p.Arguments)
		}
	}
	return e.blockStop(dst)
}

func (e *encoder) messageEnd(dst []wire.Frame) []wire.Frame {
	if e.q.UnknownEvents {
		dst = e.emit(dst, "messageAnnotation", noIndex, "annotation", `{"note":null}`)
	}
	word := stopWord(e.stop)
	if e.nova {
		word = novaStop(e.stop)
	}
	word = string(jsonx.AppendString(nil, word))
	if e.sequence != "" && !e.nova {
		b := append(e.begin(), '{')
		b = e.appendPad(append(e.appendResponseFields(b, e.sequence), ','))
		dst = e.frame(dst, evStop, append(append(append(b, `"stopReason":`...), word...), '}'), 0)
	} else {
		dst = e.emit(dst, evStop, noIndex, "stopReason", word)
	}
	if e.q.NoMetadata {
		return dst
	}
	return e.metadata(dst)
}

// metadata is the last event, and the only one that counts.
func (e *encoder) metadata(dst []wire.Frame) []wire.Frame {
	b := e.begin()
	if e.nova {
		b = e.appendNovaUsage(append(b, `{"metadata":{"usage":`...), false)
		b = append(b, `,"metrics":{},"trace":`...)
		if e.q.Trace == "" {
			b = append(b, "{}"...)
		} else {
			b = append(b, e.q.Trace...)
		}
		b = append(b, '}')
		if e.stop == guardrail {
			b = append(b, intervened...)
		}
		b = aws.AppendMetrics(append(b, ','), e.c, e.usage, true)
		return e.frame(dst, evMetadata, append(b, '}'), 0)
	}
	b = append(e.appendMetrics(append(b, '{')), ',')
	b = e.appendPad(b)
	b = e.appendPerformance(b[:len(b)-1])
	if e.n.tier != "" {
		b = e.appendTier(b)
	}
	b = append(e.appendTrace(b), `,"usage":`...)
	dst = e.frame(dst, evMetadata, append(e.appendUsage(b), '}'), 0)
	if e.q.TwoMetadata {
		b = append(e.appendMetrics(append(e.begin(), '{')), '}')
		dst = e.frame(dst, evMetadata, b, 0)
	}
	return dst
}

// Fail ends the stream with an exception.
func (e *encoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	return append(dst, exception(e.c, &e.q, f, !e.nova))
}

func exception(c *wire.Call, q *Quirks, f *wire.Failure, onConverse bool) wire.Frame {
	x := aws.Exception(c, f, onConverse)
	if q.UpperException {
		x.Name = strings.ToUpper(x.Name[:1]) + x.Name[1:]
	}
	return x
}
