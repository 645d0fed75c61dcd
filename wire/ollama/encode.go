package ollama

import (
	"time"

	"github.com/mimus-go/mimus/wire"
)

const (
	jsonType  = "application/json; charset=utf-8"
	linesType = "application/x-ndjson"
)

// Encode makes the encoder of one answer. Once the answer leaves, its model is loaded.
func (i inference) Encode(c *wire.Call) wire.Encoder {
	e := &encoder{c: c, n: nativeOf(c), q: quirksOf(c), prompt: i.prompt, stream: c.Request.Stream, now: c.Env.Now().UTC()}
	c.Remember = func() { load(c, e.n.body.Get("keep_alive"), e.now) }
	return e
}

type encoder struct {
	c      *wire.Call
	n      *native
	q      Quirks
	prompt bool
	stream bool
	now    time.Time
	// said is how many tokens were said so far, and before how many before the record that is written: the pace lets it
	// leave after these.
	said, before int

	// folder keeps a whole answer.
	folder wire.Folder

	// buf is where records are written; frames are parts of it.
	buf []byte
	// head opens every record: {"model":"…","created_at":"TIME". It is made again when the time changes.
	head  []byte
	stamp time.Time
	// model is the head's first bytes, up to the time.
	model int

	stop  wire.Stop
	usage wire.Usage
	// calls are those that wait for a record, called counts those that were sent.
	calls  []wire.ToolCall
	called int
	tokens int
	// held is text that waits for its end.
	held []byte
}

// Head is that of a stream.
func (e *encoder) Head() (int, wire.Header, wire.Framing) {
	h := wire.Header{{Name: "Content-Type", Value: linesType}}
	if e.q.BlankLines {
		return 200, h, spacedLines{}
	}
	return 200, h, wire.NDJSON{}
}

// spacedLines are JSON lines with an empty one after each.
type spacedLines struct{ wire.NDJSON }

// Append writes the data and two line ends.
func (spacedLines) Append(dst []byte, f wire.Frame, _ int) []byte {
	return append(append(dst, f.Data...), "\n\n"...)
}

// Append takes note of an event, or adds its records.
func (e *encoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if !e.stream {
		e.folder.Add(ev)
		return dst
	}
	if _, call := ev.What.(wire.ToolCall); !call && ev.Op != wire.PartEnd {
		dst = e.release(dst)
	}
	switch ev.Op {
	case wire.Delta:
		return e.delta(dst, ev)
	case wire.PartEnd:
		return e.partEnd(dst, ev)
	case wire.ChoiceEnd:
		e.stop = ev.Stop
	case wire.End:
		if ev.Usage != nil {
			e.usage = *ev.Usage
		}
		return e.end(dst)
	}
	return dst
}

func (e *encoder) delta(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch ev.What.(type) {
	case wire.ToolCall:
		// A call comes whole, when it has ended.
		e.tokens += ev.Tokens
	case wire.Reasoning:
		b := e.openMessage(e.begin(ev.Tokens), "")
		b = appendString(append(b, `,"thinking":`...), ev.Text)
		return e.notDone(dst, b, ev.Text, ev.Tokens)
	default:
		if e.q.BufferTools && len(e.c.Request.Tools) > 0 {
			e.held = append(e.held, ev.Text...)
			e.tokens += ev.Tokens
			return dst
		}
		return e.text(dst, ev.Text, ev.Tokens)
	}
	return dst
}

func (e *encoder) text(dst []wire.Frame, text string, tokens int) []wire.Frame {
	return e.notDone(dst, e.openMessage(e.begin(tokens), text), text, tokens)
}

func (e *encoder) partEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if call, ok := ev.What.(wire.ToolCall); ok {
		e.calls = append(e.calls, call)
		if !e.q.JoinCalls {
			return e.release(dst)
		}
		return dst
	}
	if len(e.held) > 0 {
		dst = e.text(dst, string(e.held), e.tokens)
		e.held, e.tokens = nil, 0
	}
	return dst
}

// release sends the calls that wait, in one record.
func (e *encoder) release(dst []wire.Frame) []wire.Frame {
	if len(e.calls) == 0 {
		return dst
	}
	tokens := e.tokens
	b := e.openMessage(e.begin(tokens), "")
	b = e.appendCalls(append(b, `,"tool_calls":`...), e.calls)
	e.calls, e.tokens = e.calls[:0], 0
	return e.notDone(dst, b, "", tokens)
}

// end is the last record, which has no words.
func (e *encoder) end(dst []wire.Frame) []wire.Frame {
	if e.q.EmptyRecords {
		dst = e.text(dst, "", 0)
	}
	if e.q.NoDone {
		return dst
	}
	b := e.openMessage(e.begin(0), "")
	return e.emit(dst, e.appendDone(e.closeMessage(b), nil), 0)
}

// Fail ends the stream with a line that has nothing but the error; no record is done then.
func (e *encoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	e.room()
	return e.emit(dst, appendError(e.buf, refusal{message: refusalOf(e.c, f).message}), 0)
}

// Whole is the last record with everything that was said.
func (e *encoder) Whole() wire.Response {
	r := e.folder.Partial()
	var a wire.Answer
	if len(r.Choices) > 0 {
		a = r.Choices[0]
	}
	if r.Usage != nil {
		e.usage = *r.Usage
	}
	e.stop = a.Stop
	var thought, said string
	for _, p := range a.Parts {
		switch p := p.(type) {
		case wire.Reasoning:
			thought += p.Text
		case wire.Text:
			said += p.Text
		case wire.ToolCall:
			e.calls = append(e.calls, p)
		}
	}
	e.buf = make([]byte, 0, 640+len(thought)+len(said)+(len(thought)+len(said))/8+256*len(e.calls))
	b := e.openMessage(e.begin(e.usage.Output), said)
	if thought != "" {
		b = appendString(append(b, `,"thinking":`...), thought)
	}
	if len(e.calls) > 0 {
		b = e.appendCalls(append(b, `,"tool_calls":`...), e.calls)
	}
	b = e.appendDone(e.closeMessage(b), splitTokens(thought+said))
	return wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: jsonType}}, Body: b}
}

// room makes room for one more record.
func (e *encoder) room() {
	const need = 512
	if cap(e.buf)-len(e.buf) < need {
		e.buf = make([]byte, 0, 8*need)
	}
}

// begin opens a record of so many tokens, up to its time. What is appended up to emit becomes the frame.
func (e *encoder) begin(tokens int) []byte {
	if tokens > 0 {
		e.before = e.said
		e.said += tokens
	}
	at := e.now
	switch speed := e.c.Speed; {
	case !speed.Known():
	case !e.stream:
		at = at.Add(speed.After(e.said))
	case e.said > 0:
		at = at.Add(speed.After(e.before))
	default:
		at = at.Add(speed.Delay)
	}
	if e.head == nil || !at.Equal(e.stamp) {
		e.makeHead(at)
	}
	e.room()
	return append(e.buf, e.head...)
}

func (e *encoder) makeHead(at time.Time) {
	if e.head == nil {
		b := appendString(append(make([]byte, 0, 128), `{"model":`...), e.c.Request.Model)
		if e.q.RemoteModel != "" {
			b = appendString(append(b, `,"remote_model":`...), e.q.RemoteModel)
		}
		if e.q.RemoteHost != "" {
			b = appendString(append(b, `,"remote_host":`...), e.q.RemoteHost)
		}
		b = append(b, `,"created_at":"`...)
		e.head = b
		e.model = len(e.head)
	}
	e.stamp = at
	e.head = append(at.AppendFormat(e.head[:e.model], time.RFC3339Nano), '"')
}

// openMessage writes what a record says, up to what may follow inside the message.
func (e *encoder) openMessage(b []byte, text string) []byte {
	if e.prompt {
		return appendString(append(b, `,"response":`...), text)
	}
	return appendString(append(b, `,"message":{"role":"assistant","content":`...), text)
}

func (e *encoder) closeMessage(b []byte) []byte {
	if e.prompt {
		return b
	}
	return append(b, '}')
}

// notDone closes a record that is not the last one.
func (e *encoder) notDone(dst []wire.Frame, b []byte, said string, tokens int) []wire.Frame {
	b = append(e.closeMessage(b), `,"done":false`...)
	if e.n.logprobs && said != "" {
		b = e.appendLogprobs(b, []string{said})
	}
	return e.emit(dst, append(b, '}'), tokens)
}

func (e *encoder) emit(dst []wire.Frame, b []byte, tokens int) []wire.Frame {
	start := len(e.buf)
	e.buf = b
	return append(dst, wire.Frame{Data: b[start:len(b):len(b)], Tokens: tokens})
}

// appendCalls writes calls with objects as arguments. index counts them through the answer.
func (e *encoder) appendCalls(b []byte, calls []wire.ToolCall) []byte {
	b = append(b, '[')
	for i, call := range calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		if call.ID != "" {
			b = append(appendString(append(b, `"id":`...), call.ID), ',')
		}
		b = appendInt(append(b, `"function":{"index":`...), e.called)
		b = appendString(append(b, `,"name":`...), call.Name)
		b = append(append(b, `,"arguments":`...), call.Arguments...)
		b = append(b, "}}"...)
		e.called++
	}
	return append(b, ']')
}
