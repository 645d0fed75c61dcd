package scripted

import (
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Encode makes the encoder of one answer.
func (codec) Encode(*wire.Call) wire.Encoder { return &encoder{} }

type encoder struct {
	usage  wire.Usage
	stop   wire.Stop
	reason string
	frames []wire.Frame // all, for Whole
}

// Head is that of a stream.
func (*encoder) Head() (int, wire.Header, wire.Framing) {
	return 200, wire.Header{{Name: "Content-Type", Value: "text/event-stream"}}, wire.SSE{}
}

// Append adds one event of the wire for a piece of text, a whole call, and what begins and ends an answer.
func (e *encoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	before := len(dst)
	switch ev.Op {
	case wire.Begin:
		dst = e.count(dst, ev.Usage)
	case wire.Delta:
		if _, ok := ev.What.(wire.Text); ok {
			dst = append(dst, wire.Frame{Name: "text", Data: append(jsonx.AppendString([]byte(`{"text":`), ev.Text), '}'), Tokens: ev.Tokens})
		}
	case wire.PartEnd:
		dst = e.partEnd(dst, ev.What)
	case wire.ChoiceEnd:
		e.stop = ev.Stop
	case wire.End:
		dst = e.end(e.count(dst, ev.Usage), ev.Rest)
	case wire.PartStart:
	}
	e.frames = append(e.frames, dst[before:]...)
	return dst
}

func (e *encoder) partEnd(dst []wire.Frame, p wire.Part) []wire.Frame {
	switch p := p.(type) {
	case wire.Refusal:
		e.reason = p.Text
	case wire.ToolCall:
		b := jsonx.AppendString([]byte(`{"id":`), p.ID)
		b = jsonx.AppendString(append(b, `,"name":`...), p.Name)
		b = jsonx.AppendString(append(b, `,"arguments":`...), p.Arguments)
		return append(dst, wire.Frame{Name: "tool_call", Data: append(b, '}'), Tokens: wire.Tokens(p.Arguments)})
	}
	return dst
}

// count tells the usage where it is not the one that was told before.
func (e *encoder) count(dst []wire.Frame, u *wire.Usage) []wire.Frame {
	if u == nil || *u == e.usage {
		return dst
	}
	e.usage = *u
	b := strconv.AppendInt([]byte(`{"input_tokens":`), int64(u.Input), 10)
	b = strconv.AppendInt(append(b, `,"output_tokens":`...), int64(u.Output), 10)
	b = strconv.AppendInt(append(b, `,"total_tokens":`...), int64(u.Input+u.Output), 10)
	return append(dst, wire.Frame{Name: "usage", Data: append(b, '}')})
}

func (e *encoder) end(dst []wire.Frame, rest *wire.Reply) []wire.Frame {
	stop, reason := "complete", e.reason
	switch e.stop {
	case wire.StopTools:
		stop = "tool_calls"
	case wire.StopLength:
		stop = "length"
	case wire.StopRefusal:
		stop = "refusal"
	case wire.StopSafety:
		stop, reason = "filtered", filterReason
	}
	if rest != nil && rest.Blocked != "" {
		stop, reason = "blocked", rest.Blocked
	}
	b := jsonx.AppendString([]byte(`{"stop":`), stop)
	b = append(b, `,"reason":`...)
	if reason == "" {
		b = append(b, "null"...)
	} else {
		b = jsonx.AppendString(b, reason)
	}
	return append(dst, wire.Frame{Name: "end", Data: append(b, '}')})
}

// Fail ends a stream with an error event.
func (*encoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	_, code, message := words(f)
	b := jsonx.AppendString([]byte(`{"code":`), code)
	b = jsonx.AppendString(append(b, `,"message":`...), message)
	return append(dst, wire.Frame{Name: "error", Data: append(b, '}')})
}

// Whole is the stream in one piece: the wire has no other form.
func (e *encoder) Whole() wire.Response {
	status, h, framing := e.Head()
	stream := wire.Response{Framing: framing, Frames: e.frames}
	return wire.Response{Status: status, Header: h, Body: stream.Bytes()}
}
