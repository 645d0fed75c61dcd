package bedrock

import (
	"io"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// mistralChatForm is that of Mistral Large 2 and newer (docs.aws.amazon.com/bedrock/latest/userguide/
// model-parameters-mistral-chat-completion.html, Nov 2026): messages and calls as OpenAI has them, a stop_reason beside
// them, and in a stream messages instead of deltas. Tokens are counted in headers and metrics only.
func mistralChatForm() *form {
	return &form{
		name: "mistral chat", families: []string{"mistral."}, missing: "messages",
		knows:  func(body jsonx.Value) bool { return body.Get("messages").Kind() == jsonx.Array },
		decode: decodeMistral, fit: fitMistral,
		encode: func(c *wire.Call) wire.Encoder { return newMistralEncoder(c) },
		whole:  readMistral, stream: readMistralStream,
	}
}

func decodeMistral(r *wire.Request, body jsonx.Value) {
	for _, m := range body.Get("messages").Items() {
		text := mistralContent(m.Get("content"))
		switch m.Get("role").Str() {
		case "system":
			r.System = joinLines(r.System, text)
		case "tool":
			res := wire.ToolResult{ID: m.Get("tool_call_id").Str(), Text: text}
			r.Messages = append(r.Messages, wire.Message{Role: wire.ToolRole, Parts: []wire.Part{res}})
		case "assistant":
			msg := wire.Message{Role: wire.Assistant}
			if text != "" {
				msg.Parts = append(msg.Parts, wire.Text{Text: text})
			}
			msg.Parts = appendMistralCalls(msg.Parts, m)
			r.Messages = append(r.Messages, msg)
		default:
			r.Messages = append(r.Messages, wire.Message{Parts: []wire.Part{wire.Text{Text: text}}})
		}
	}
	for _, t := range body.Get("tools").Items() {
		f := t.Get("function")
		r.Tools = append(r.Tools, wire.Tool{
			Name: f.Get("name").Str(), Description: f.Get("description").Str(), Schema: f.Get("parameters").Raw(), Type: "function",
		})
	}
	switch body.Get("tool_choice").Str() {
	case "auto":
		r.ToolChoice = &wire.ToolChoice{Mode: "auto"}
	case "none":
		r.ToolChoice = &wire.ToolChoice{Mode: "none"}
	case "any":
		r.ToolChoice = &wire.ToolChoice{Mode: "required"}
	}
	s := &r.Settings
	s.Temperature, s.TopP, s.MaxTokens = floatOf(body.Get("temperature")), floatOf(body.Get("top_p")), intOf(body.Get("max_tokens"))
}

// mistralContent is a content: a text, or a list of blocks.
func mistralContent(v jsonx.Value) string {
	if s, ok := v.Text(); ok {
		return s
	}
	text := ""
	for _, b := range v.Items() {
		text = joinLines(text, b.Get("text").Str())
	}
	return text
}

func appendMistralCalls(dst []wire.Part, m jsonx.Value) []wire.Part {
	for _, call := range m.Get("tool_calls").Items() {
		arguments, ok := call.At("function", "arguments").Text()
		if !ok {
			arguments = compact(call.At("function", "arguments").Raw())
		}
		dst = append(dst, wire.ToolCall{ID: call.Get("id").Str(), Name: call.At("function", "name").Str(), Arguments: arguments})
	}
	return dst
}

var mistralStops = textual{stops: []stopName{{wire.StopComplete, "stop"}, {wire.StopLength, "length"}, {wire.StopTools, "tool_calls"}}}

// fitMistral leaves one text and the calls after it.
func fitMistral(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := fitter{c: c, q: quirksOf(c)}
	r = f.shape(r)
	counted := r.Usage != nil
	r = wire.Complete(c, r, "")
	a := &r.Choices[0]
	text, texts := "", 0
	var calls []wire.Part
	for _, p := range a.Parts {
		switch p := p.(type) {
		case wire.Text:
			if p.Text == "" {
				continue
			}
			if texts++; texts > 1 || len(calls) > 0 {
				f.lose("where one text ends and the next begins, and texts after calls")
			}
			text += p.Text
		case wire.Refusal:
			f.lose("that the text is a refusal")
			text += p.Text
		case wire.ToolCall:
			if p.Custom {
				f.lose("a custom tool is called like any other")
				p.Custom = false
			}
			calls = append(calls, p)
		default:
			f.lose("a message has no %s", partName(p))
		}
	}
	a.Parts = nil
	if text != "" {
		a.Parts = []wire.Part{wire.Text{Text: text}}
	}
	a.Parts = append(a.Parts, calls...)
	if a.Stop != guardrail && !mistralStops.knowsStop(a.Stop) {
		f.lose("the reason to stop %q", a.Stop)
		a.Stop = wire.StopComplete
	}
	a.Sequence = ""
	if u := r.Usage; counted && (u.Reasoning > 0 || u.CacheRead > 0 || u.CacheWrite > 0) {
		f.lose("counts of cached and reasoning tokens")
	}
	r.Usage = &wire.Usage{Input: r.Usage.Input, Output: r.Usage.Output}
	return r, f.lost
}

// mistralEncoder writes the answers of Mistral's chat.
type mistralEncoder struct {
	textEncoder
}

func newMistralEncoder(c *wire.Call) *mistralEncoder {
	e := &mistralEncoder{textEncoder{c: c, t: &mistralStops, q: quirksOf(c), first: true}}
	if c.Request.Stream && !e.q.NoPadding {
		e.pad = aws.NewPadder(c)
	}
	return e
}

// Append takes note of an event, or makes a chunk of each piece of text, of each call, and of the end.
func (e *mistralEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if !e.c.Request.Stream {
		e.folder.Add(ev)
		return dst
	}
	if ev.Usage != nil {
		e.usage = *ev.Usage
	}
	call, isCall := ev.What.(wire.ToolCall)
	switch ev.Op {
	case wire.Delta:
		if !isCall {
			return e.message(dst, ev.Text, nil, "", ev.Tokens)
		}
	case wire.PartEnd:
		if isCall {
			return e.message(dst, "", []wire.Part{call}, "", wire.Tokens(call.Arguments))
		}
	case wire.ChoiceEnd:
		e.stop = ev.Stop
	case wire.End:
		return e.message(dst, "", nil, e.t.word(e.stop), 0)
	}
	return dst
}

func (e *mistralEncoder) message(dst []wire.Frame, text string, calls []wire.Part, word string, tokens int) []wire.Frame {
	b := appendMistral(e.buf[:0], text, calls, word)
	if word != "" {
		if e.stop == guardrail {
			b = appendIntervened(b, e.q.Trace)
		}
		b = aws.AppendMetrics(append(b, ','), e.c, e.usage, false)
	}
	b = append(b, '}')
	e.buf = b
	return append(dst, wire.Frame{Name: aws.ChunkEvent, Data: aws.AppendChunk(nil, b, e.pad.Next()), Tokens: tokens})
}

// appendMistral writes a message without its last brace.
func appendMistral(b []byte, text string, calls []wire.Part, word string) []byte {
	b = jsonx.AppendString(append(b, `{"choices":[{"index":0,"message":{"role":"assistant","content":`...), text)
	if len(calls) > 0 {
		b = append(b, `,"tool_calls":[`...)
		for i, p := range calls {
			if i > 0 {
				b = append(b, ',')
			}
			call, _ := p.(wire.ToolCall)
			b = jsonx.AppendString(append(b, `{"id":`...), call.ID)
			b = jsonx.AppendString(append(b, `,"function":{"name":`...), call.Name)
			b = append(jsonx.AppendString(append(b, `,"arguments":`...), call.Arguments), `}}`...)
		}
		b = append(b, ']')
	}
	return append(appendWord(append(b, `},"stop_reason":`...), word), `}]`...)
}

// Whole is the answer; its counts are in the header.
func (e *mistralEncoder) Whole() wire.Response {
	r := e.folder.Partial()
	var a wire.Answer
	if len(r.Choices) > 0 {
		a = r.Choices[0]
	}
	if r.Usage != nil {
		e.usage = *r.Usage
	}
	text, calls := "", a.Parts
	if len(calls) > 0 {
		if p, ok := calls[0].(wire.Text); ok {
			text, calls = p.Text, calls[1:]
		}
	}
	b := appendMistral(make([]byte, 0, 160+sizeOf(a.Parts)), text, calls, e.t.word(a.Stop))
	if a.Stop == guardrail {
		b = appendIntervened(b, e.q.Trace)
	}
	return wire.Response{Status: 200, Header: aws.InvokeHead(e.c, e.usage, aws.Counts{}), Body: append(b, '}')}
}

func readMistral(h *wire.ResponseHead, v jsonx.Value, yield func(wire.Event, error) bool) {
	choice := v.At("choices", 0)
	m := choice.Get("message")
	if m.Kind() != jsonx.Object {
		yield(wire.Event{}, unusable("the answer has no choices[0].message", false, nil))
		return
	}
	a := wire.Answer{Stop: mistralStops.stop(choice.Get("stop_reason").Str())}
	if hasIntervened(v) {
		a.Stop = guardrail
	}
	if s := mistralContent(m.Get("content")); s != "" {
		a.Parts = append(a.Parts, wire.Text{Text: s})
	}
	a.Parts = appendMistralCalls(a.Parts, m)
	give(h, wire.Reply{Choices: []wire.Answer{a}, Usage: aws.ReadCounts(h)}, yield)
}

// mistralReader reads a text as textReader does, and the calls after it.
type mistralReader struct {
	textReader
	calls []wire.Part
}

func readMistralStream(h *wire.ResponseHead, body io.Reader, yield func(wire.Event, error) bool) {
	r := &mistralReader{textReader: textReader{yield: yield, head: headOf(h)}}
	r.t = &textual{stops: mistralStops.stops, readPiece: r.piece}
	f := readMessages(body, &r.partial, r.counts, func(m awsstream.Message) error { return r.message(m) })
	r.finish(f, r.calls)
}

// piece takes the calls out of a chunk, and gives what is left of it.
func (r *mistralReader) piece(v jsonx.Value, _ *wire.Usage) (text, word string, ok bool) {
	choice := v.At("choices", 0)
	m := choice.Get("message")
	n := len(r.calls)
	r.calls = appendMistralCalls(r.calls, m)
	r.partial = r.partial || len(r.calls) > n
	return mistralContent(m.Get("content")), choice.Get("stop_reason").Str(), choice.Exists()
}
