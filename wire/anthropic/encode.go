package anthropic

import (
	"math/rand/v2"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Encode makes the encoder of one answer.
func (messages) Encode(c *wire.Call) wire.Encoder {
	d := dialectOf(c)
	e := &encoder{c: c, d: d, q: quirksOf(c), stream: c.Request.Stream}
	switch {
	case !e.stream:
	case d.aws:
		e.chunks = aws.NewPadder(c)
	case !e.q.NoPadding:
		e.pad = c.Rand("anthropic.padding")
	}
	return e
}

type encoder struct {
	c      *wire.Call
	d      *dialect
	q      Quirks
	stream bool

	// folder keeps a whole answer.
	folder wire.Folder

	// buf is where events are written; frames are parts of it.
	buf  []byte
	pad  *rand.Rand
	bits uint64
	left int
	// event and chunks are for Bedrock, where an event is the content of a padded chunk.
	event  []byte
	chunks aws.Padder

	usage wire.Usage
	tools serverTools
	// index is the block that is open or was last.
	index  int
	pinged bool
	stop   wire.Stop
	// sequence is the stop sequence that was hit.
	sequence string
	held     []heldBlock
}

// Head is that of a stream.
func (e *encoder) Head() (int, wire.Header, wire.Framing) {
	if e.d.aws {
		return 200, aws.StreamHead(e.c, true), aws.Events{}
	}
	f := wire.SSE{NoFinalBlank: e.q.NoFinalBlank}
	if e.q.CRLF {
		f.EOL = "\r\n"
	}
	return 200, answerHeader(e.c, &e.q, sseType), f
}

// Append takes note of an event, or adds its frames.
func (e *encoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if !e.stream {
		e.folder.Add(ev)
		return dst
	}
	return e.appendFrames(dst, ev)
}

// Whole is one message, compact and without a line end.
func (e *encoder) Whole() wire.Response {
	r := e.folder.Partial()
	var a wire.Answer
	if len(r.Choices) > 0 {
		a = r.Choices[0]
	}
	u := r.Usage
	if u == nil {
		u = &wire.Usage{}
	}
	b := e.appendMessageHead(make([]byte, 0, 640+sizeOf(a.Parts)))
	b = append(b, `"content":[`...)
	for i := 0; i < len(a.Parts); i++ {
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		n := citationsAfter(a.Parts, i)
		b = e.appendBlock(b, a.Parts[i], a.Parts[i+1:i+1+n])
		i += n
	}
	b = append(b, ']')
	if e.q.NullKeys {
		b = append(b, `,"container":null,"diagnostics":null`...)
	}
	b = e.appendStop(append(b, ','), a.Stop, a.Sequence)
	b = e.appendUsage(append(b, `"usage":`...), u, u.Output, true)
	b = append(b, '}')
	if e.d.aws {
		cache := e.q.Usage != "plain" && (u.CacheRead > 0 || u.CacheWrite > 0)
		return wire.Response{Status: 200, Header: aws.InvokeHead(e.c, *u, aws.Counts{Cache: cache}), Body: b}
	}
	return wire.Response{Status: 200, Header: answerHeader(e.c, &e.q, jsonType), Body: b}
}

// sizeOf guesses how many bytes the parts become.
func sizeOf(parts []wire.Part) int {
	n := 0
	for _, p := range parts {
		switch p := p.(type) {
		case wire.Text:
			n += len(p.Text) + len(p.Text)/8
		case wire.Reasoning:
			n += len(p.Text) + len(p.Text)/8 + len(p.Signature)
		case wire.ToolCall:
			n += len(p.Arguments) + len(p.Name)
		case wire.Opaque:
			n += len(p.Raw)
		case wire.Citation:
			n += len(p.Raw)
		}
		n += 96
	}
	return n
}

// citationsAfter is how many citations follow the part i.
func citationsAfter(parts []wire.Part, i int) int {
	n := 0
	for _, p := range parts[i+1:] {
		if _, ok := p.(wire.Citation); !ok {
			break
		}
		n++
	}
	return n
}

// appendMessageHead opens a message. The model comes first since autumn 2025 (recorded).
func (e *encoder) appendMessageHead(b []byte) []byte {
	id := e.c.ID(e.d.message, e.d.idAlphabet, e.d.idLength, "anthropic.message")
	if e.q.OldOrder {
		b = jsonx.AppendString(append(b, `{"id":`...), id)
		b = append(b, `,"type":"message","role":"assistant","model":`...)
		return append(jsonx.AppendString(b, e.model()), ',')
	}
	b = jsonx.AppendString(append(b, `{"model":`...), e.model())
	b = jsonx.AppendString(append(b, `,"id":`...), id)
	return append(b, `,"type":"message","role":"assistant",`...)
}

// model is what the answer says of the model: on Vertex "@" parts the version off, and the answer has a hyphen (recorded).
func (e *encoder) model() string {
	m := e.c.Request.Model
	if e.d.aws {
		return bareModel(m)
	}
	if e.d.google {
		for i := range len(m) {
			if m[i] == '@' {
				return m[:i] + "-" + m[i+1:]
			}
		}
	}
	return m
}

// appendStop writes why the answer ended, with a comma behind. "" is null, as at the start of a stream.
func (e *encoder) appendStop(b []byte, s wire.Stop, sequence string) []byte {
	word := stopWord(s)
	if !e.q.NoNulls || word != "" {
		b = append(appendStringOrNull(append(b, `"stop_reason":`...), word), ',')
	}
	if !e.q.NoNulls || sequence != "" {
		b = append(appendStringOrNull(append(b, `"stop_sequence":`...), sequence), ',')
	}
	if !e.q.NoStopDetails {
		b = append(e.appendStopDetails(append(b, `"stop_details":`...), s), ',')
	}
	return b
}

// appendStopDetails says more of a refusal; else it is null (recorded since April 2026).
func (e *encoder) appendStopDetails(b []byte, s wire.Stop) []byte {
	if s != wire.StopRefusal {
		return append(b, "null"...)
	}
	b = appendStringOrNull(append(b, `{"type":"refusal","category":`...), e.q.RefusalCategory)
	b = appendStringOrNull(append(b, `,"explanation":`...), e.q.RefusalExplanation)
	return append(b, '}')
}

// appendBlock writes a whole block. citations come with a text, and stand before it then (recorded).
func (e *encoder) appendBlock(b []byte, p wire.Part, citations []wire.Part) []byte {
	switch p := p.(type) {
	case wire.Text:
		b = openText(b, len(citations) > 0)
		for i, c := range citations {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, c.(wire.Citation).Raw...)
		}
		if len(citations) > 0 {
			b = append(b, `],"type":"text","text":`...)
		}
		b = jsonx.AppendString(b, p.Text)
		if e.q.NullKeys && len(citations) == 0 {
			b = append(b, `,"citations":null`...)
		}
		return append(b, '}')
	case wire.Reasoning:
		if p.Redacted {
			return appendRedacted(b, p)
		}
		b = jsonx.AppendString(append(b, `{"type":"thinking","thinking":`...), p.Text)
		if !e.q.NoSignature {
			b = jsonx.AppendString(append(b, `,"signature":`...), p.Signature)
		}
		return append(b, '}')
	case wire.ToolCall:
		return e.appendCall(b, p, p.Arguments)
	case wire.Opaque:
		e.tools.see(p)
		return append(b, p.Raw...)
	}
	return append(b, `{"type":"text","text":""}`...)
}

// openText opens a text block up to its text, or up to its citations.
func openText(b []byte, cited bool) []byte {
	if cited {
		return append(b, `{"citations":[`...)
	}
	return append(b, `{"type":"text","text":`...)
}

func appendRedacted(b []byte, p wire.Reasoning) []byte {
	return append(jsonx.AppendString(append(b, `{"type":"redacted_thinking","data":`...), p.Signature), '}')
}

// appendCall writes a tool call with an input; the caller comes last (recorded since early 2026).
func (e *encoder) appendCall(b []byte, p wire.ToolCall, input string) []byte {
	b = jsonx.AppendString(append(b, `{"type":"tool_use","id":`...), p.ID)
	b = jsonx.AppendString(append(b, `,"name":`...), p.Name)
	b = append(append(b, `,"input":`...), input...)
	if !e.q.NoCaller {
		b = append(b, `,"caller":{"type":"direct"}`...)
	}
	return append(b, '}')
}
