package anthropic

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// heldBlock is the frames of one block that is held back to interleave with others.
type heldBlock struct{ frames []wire.Frame }

// out gives where frames of the open block go.
func (e *encoder) out(dst []wire.Frame) []wire.Frame {
	if !e.q.Interleave {
		return dst
	}
	return e.held[len(e.held)-1].frames
}

// put keeps the frames that out gave, if they are held.
func (e *encoder) put(dst, frames []wire.Frame) []wire.Frame {
	if !e.q.Interleave {
		return frames
	}
	e.held[len(e.held)-1].frames = frames
	return dst
}

// release sends held blocks: all starts in their order, then one delta of each block in turn, stops where a block ends.
func (e *encoder) release(dst []wire.Frame) []wire.Frame {
	for i := range e.held {
		h := &e.held[i]
		dst = append(dst, h.frames[0])
		if i == 0 && e.q.Ping == "" {
			dst = e.ping(dst)
		}
		h.frames = h.frames[1:]
	}
	for open := true; open; {
		open = false
		for i := range e.held {
			if h := &e.held[i]; len(h.frames) > 0 {
				dst = append(dst, h.frames[0])
				h.frames = h.frames[1:]
				open = true
			}
		}
	}
	e.held = nil
	return dst
}

// beginAt opens an event of the open block.
func (e *encoder) beginAt(name string) []byte {
	return appendInt(append(e.begin(name), `,"index":`...), e.index)
}

func (e *encoder) partStart(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if _, ok := ev.What.(wire.Citation); ok {
		// It came with the start of its text.
		return dst
	}
	if e.q.Interleave {
		e.held = append(e.held, heldBlock{})
	}
	if _, ok := ev.What.(wire.ToolCall); ok && e.q.InputInStart {
		// The start has the whole input, which is known at the end.
		return dst
	}
	frames := e.out(dst)
	b := append(e.beginAt(evOpen), `,"content_block":`...)
	input := ""
	switch p := ev.What.(type) {
	case wire.Text:
		b = e.appendEmptyText(b, len(ev.Cites) > 0)
	case wire.Reasoning:
		b = e.appendBlock(b, wire.Reasoning{Redacted: p.Redacted, Signature: signatureAtStart(p)}, nil)
	case wire.ToolCall:
		b = e.appendCall(b, p, "{}")
	case wire.Opaque:
		var start string
		start, input = splitInput(p.Raw)
		b = append(b, start...)
		e.tools.see(p)
	}
	frames = e.opened(frames, b)
	switch ev.What.(type) {
	case wire.Text:
		for _, c := range ev.Cites {
			b := append(e.beginAt(evDelta), `,"delta":{"type":"citations_delta","citation":`...)
			b = append(append(b, c.Raw...), '}')
			frames = e.emit(frames, evDelta, b, 0)
		}
	case wire.ToolCall:
		if !e.q.WholeInput {
			frames = e.inputDelta(frames, "", 0)
		}
	case wire.Opaque:
		frames = e.opaqueRest(frames, input)
	}
	if e.q.UnknownEvents {
		b := append(e.beginAt(evDelta), `,"delta":{"type":"annotation_delta","annotation":null}`...)
		frames = e.emit(frames, evDelta, b, 0)
	}
	return e.put(dst, frames)
}

// opened sends the start of a block, and the ping after the first.
func (e *encoder) opened(frames []wire.Frame, b []byte) []wire.Frame {
	frames = e.emit(frames, evOpen, b, 0)
	if !e.pinged && e.q.Ping == "" && !e.q.Interleave {
		frames = e.ping(frames)
	}
	e.pinged = true
	return frames
}

func (e *encoder) appendEmptyText(b []byte, cited bool) []byte {
	if cited {
		return append(b, `{"citations":[],"type":"text","text":""}`...)
	}
	return e.appendBlock(b, wire.Text{}, nil)
}

// signatureAtStart is empty: the signature comes last. What is redacted comes whole.
func signatureAtStart(p wire.Reasoning) string {
	if p.Redacted {
		return p.Signature
	}
	return ""
}

func (e *encoder) inputDelta(frames []wire.Frame, piece string, tokens int) []wire.Frame {
	b := append(e.beginAt(evDelta), `,"delta":{"type":"input_json_delta","partial_json":`...)
	return e.emit(frames, evDelta, append(jsonx.AppendString(b, piece), '}'), tokens)
}

func (e *encoder) delta(dst []wire.Frame, ev wire.Event) []wire.Frame {
	frames := e.out(dst)
	switch ev.What.(type) {
	case wire.Text:
		b := append(e.beginAt(evDelta), `,"delta":{"type":"text_delta","text":`...)
		frames = e.emit(frames, evDelta, append(jsonx.AppendString(b, ev.Text), '}'), ev.Tokens)
	case wire.Reasoning:
		b := append(e.beginAt(evDelta), `,"delta":{"type":"thinking_delta","thinking":`...)
		frames = e.emit(frames, evDelta, append(jsonx.AppendString(b, ev.Text), '}'), ev.Tokens)
	case wire.ToolCall:
		if !e.q.WholeInput && !e.q.InputInStart {
			frames = e.inputDelta(frames, ev.Text, ev.Tokens)
		}
	}
	return e.put(dst, frames)
}

func (e *encoder) partEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	frames := e.out(dst)
	switch p := ev.What.(type) {
	case wire.Citation:
		return dst
	case wire.Reasoning:
		if !p.Redacted && p.Signature != "" {
			b := append(e.beginAt(evDelta), `,"delta":{"type":"signature_delta","signature":`...)
			frames = e.emit(frames, evDelta, append(jsonx.AppendString(b, p.Signature), '}'), 0)
		}
	case wire.ToolCall:
		if e.q.InputInStart {
			b := append(e.beginAt(evOpen), `,"content_block":`...)
			frames = e.opened(frames, e.appendCall(b, p, p.Arguments))
		} else if e.q.WholeInput {
			frames = e.inputDelta(frames, p.Arguments, wire.Tokens(p.Arguments))
		}
	}
	frames = e.emit(frames, evClose, e.beginAt(evClose), 0)
	e.index++
	return e.put(dst, frames)
}

// splitInput parts the input from a block that calls a tool of the provider, which streams like any call; other blocks
// come whole.
func splitInput(raw string) (start, input string) {
	v, err := jsonx.Parse(raw)
	if err != nil {
		return raw, ""
	}
	switch v.Get("type").Str() {
	case "server_tool_use", "mcp_tool_use":
	default:
		return raw, ""
	}
	in := v.Get("input")
	if in.Kind() != jsonx.Object {
		return raw, ""
	}
	at := in.Offset()
	return raw[:at] + "{}" + raw[at+len(in.Raw()):], in.Raw()
}

// opaqueRest sends the input of a call that the provider runs, an empty piece first.
func (e *encoder) opaqueRest(frames []wire.Frame, input string) []wire.Frame {
	if input == "" {
		return frames
	}
	frames = e.inputDelta(frames, "", 0)
	const piece = 16
	for len(input) > 0 {
		end := 0
		for range piece {
			if end >= len(input) {
				break
			}
			end += runeLen(input[end])
		}
		end = min(end, len(input))
		frames = e.inputDelta(frames, input[:end], wire.Tokens(input[:end]))
		input = input[end:]
	}
	return frames
}

// runeLen is how many bytes the rune that starts with c has.
func runeLen(c byte) int {
	switch {
	case c < 0xC0:
		return 1
	case c < 0xE0:
		return 2
	case c < 0xF0:
		return 3
	}
	return 4
}
