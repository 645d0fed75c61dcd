package anthropic

import (
	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The events of a stream.
const (
	evPing    = "ping"
	evStart   = "message_start"
	evOpen    = "content_block_start"
	evDelta   = "content_block_delta"
	evClose   = "content_block_stop"
	evMessage = "message_delta"
	evStop    = "message_stop"
	evError   = "error"
)

func (e *encoder) appendFrames(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch ev.Op {
	case wire.Begin:
		if ev.Usage != nil {
			e.usage = *ev.Usage
		}
		return e.messageStart(dst)
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

// begin opens an event in the buffer: {"type":"NAME". What is appended up to emit becomes the frame; only one event is
// written at a time.
func (e *encoder) begin(name string) []byte {
	const room = 512
	if cap(e.buf)-len(e.buf) < room {
		e.buf = make([]byte, 0, 8*room)
	}
	b := e.buf
	b = append(b, `{"type":"`...)
	return append(append(b, name...), '"')
}

// emit closes the event in b and makes it a frame: the one place that knows the envelope of an event.
//
// Recorded: 0 to 15 spaces, evenly spread, stand before the last brace of every event but ping.
func (e *encoder) emit(dst []wire.Frame, name string, b []byte, tokens int) []wire.Frame {
	if e.pad != nil {
		const spaces = "               "
		if e.left == 0 {
			e.bits, e.left = e.pad.Uint64(), 16
		}
		b = append(b, spaces[:e.bits&15]...)
		e.bits >>= 4
		e.left--
	}
	b = append(b, '}')
	return e.frame(dst, name, b, tokens)
}

func (e *encoder) frame(dst []wire.Frame, name string, b []byte, tokens int) []wire.Frame {
	start := len(e.buf)
	if e.d.aws {
		b = e.wrap(b, start)
	}
	e.buf = b
	f := wire.Frame{Name: name, Data: b[start:len(b):len(b)], Tokens: tokens}
	switch {
	case e.d.aws:
		f.Name = aws.ChunkEvent
	case e.q.NoEventLine:
		f.Name = ""
	}
	dst = append(dst, f)
	if e.q.Ping == "always" && name != evStop && name != evError {
		dst = e.ping(dst)
	}
	return dst
}

// ping is the only event with a space after the colon, and the only one that is never padded (recorded).
func (e *encoder) ping(dst []wire.Frame) []wire.Frame {
	if e.d.aws {
		b := e.wrap(append(e.buf, `{"type":"ping"}`...), len(e.buf))
		start := len(e.buf)
		e.buf = b
		return append(dst, wire.Frame{Name: aws.ChunkEvent, Data: b[start:len(b):len(b)]})
	}
	f := wire.Frame{Name: evPing, Data: []byte(`{"type": "ping"}`)}
	if e.q.NoEventLine {
		f.Name = ""
	}
	return append(dst, f)
}

func (e *encoder) messageStart(dst []wire.Frame) []wire.Frame {
	if e.q.Ping == "first" {
		dst = e.ping(dst)
	}
	if e.q.VertexEvent {
		b := append(e.begin("vertex_event"), `,"usage":{"input_tokens":`...)
		b = appendInt(b, e.usage.Input)
		dst = e.emit(dst, "vertex_event", append(b, '}'), 0)
	}
	b := e.appendMessageHead(append(e.begin(evStart), `,"message":`...))
	b = append(b, `"content":[],`...)
	if e.q.NullKeys {
		b = append(b, `"container":null,"diagnostics":null,`...)
	}
	b = e.appendStop(b, wire.StopUnset, "")
	if e.q.NoStartUsage {
		b = b[:len(b)-1]
	} else {
		u := e.usage
		if n := e.q.StartInputTokens; n > 0 {
			u = wire.Usage{Input: n}
		}
		// Some tokens are made before the first event; 1 is what was recorded most.
		output := 1
		if e.d.name == ollamaName {
			output = 0
		}
		b = e.appendUsage(append(b, `"usage":`...), &u, output, false)
	}
	dst = e.emit(dst, evStart, append(b, '}'), 0)
	if e.q.Ping == "afterMessageStart" {
		dst = e.ping(dst)
	}
	if e.q.UnknownEvents {
		b := append(e.begin("message_annotation"), `,"annotation":{"note":null}`...)
		dst = e.emit(dst, "message_annotation", b, 0)
	}
	return dst
}

func (e *encoder) messageEnd(dst []wire.Frame) []wire.Frame {
	dst = e.release(dst)
	b := append(e.begin(evMessage), `,"delta":{`...)
	b = e.appendStop(b, e.stop, e.sequence)
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	b = e.appendDeltaUsage(append(b, `},"usage":`...), &e.usage)
	dst = e.emit(dst, evMessage, b, 0)
	if e.q.NoMessageStop {
		return dst
	}
	b = e.begin(evStop)
	if e.d.aws {
		b = aws.AppendMetrics(append(b, ','), e.c, e.usage, false)
	}
	return e.emit(dst, evStop, b, 0)
}

// Fail ends the stream with an error event; blocks stay open, as the provider leaves them.
// Recorded by its clients: details come first and are null, and spaces stand before the last brace.
func (e *encoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	if e.q.SwallowErrors {
		return dst
	}
	if e.d.aws {
		return append(dst, aws.Exception(e.c, f, false))
	}
	x := refusalOf(e.c, f)
	b := append(e.begin(evError), `,"error":{"details":`...)
	b = appendDetails(b, x.code)
	b = jsonx.AppendString(append(b, `,"type":`...), x.kind)
	b = append(jsonx.AppendString(append(b, `,"message":`...), x.message), '}')
	if e.q.ErrorRequestID {
		b = jsonx.AppendString(append(b, `,"request_id":`...), requestID(e.c))
	}
	return e.emit(dst, evError, b, 0)
}
