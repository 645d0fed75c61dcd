package openai

import (
	"slices"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respPart is a part of the answer whose item is being written.
type respPart struct {
	ordinal int
	what    wire.Part
	item    string
	output  int
	// content is the index of a content or summary part; begun says that its part.added was sent.
	content int
	begun   bool
	msg     *respMessage
	// annotations are the citations of a text, as JSON, and how many.
	annotations []byte
	cited       int
	// logprobs are the invented ones of the deltas so far.
	logprobs []byte
	done     bool
}

// respMessage is an open message item: texts and refusals that follow each other are its content.
type respMessage struct {
	item   string
	output int
	// content is the finished parts, separated by commas; count is how many there are, open how many are unfinished.
	content     []byte
	count, open int
}

func (e *respEncoder) find(ordinal int) *respPart {
	for _, p := range slices.Backward(e.parts) {
		if p.ordinal == ordinal && !p.done {
			return p
		}
	}
	return nil
}

func (e *respEncoder) newItem(prefix string) (id string, output int) {
	id = respItemID(e.c, e.obj.lay, prefix, e.nextID)
	e.nextID++
	output = e.nextOutput
	e.nextOutput++
	e.items = append(e.items, respItem{id: id})
	return id, output
}

func (e *respEncoder) partStart(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if _, ok := ev.What.(wire.Citation); ok {
		return dst // it annotates the text before it, which stays open
	}
	dst = e.flush(dst, "completed")
	p := &respPart{ordinal: ev.Part, what: ev.What}
	e.parts = append(e.parts, p)
	switch what := ev.What.(type) {
	case wire.Text, wire.Refusal:
		return e.startContent(dst, p)
	case wire.Reasoning:
		dst = e.closeMessage(dst, "completed")
		p.item, p.output = e.newItem("rs_")
		return e.itemEvent(dst, "response.output_item.added", p.output, e.reasoningItem(p.item, e.earlyReasoning(what), "in_progress"))
	case wire.ToolCall:
		dst = e.closeMessage(dst, "completed")
		prefix := "fc_"
		if what.Custom {
			prefix = "ctc_"
		}
		p.item, p.output = e.newItem(prefix)
		what.Arguments = ""
		return e.itemEvent(dst, "response.output_item.added", p.output, e.callItem(p.item, what, "in_progress"))
	case wire.Opaque:
		dst = e.closeMessage(dst, "completed")
		_, p.output = e.newItem("")
		p.item = respOpaqueID(what)
		return e.startOpaque(dst, p, what)
	}
	return dst
}

// earlyReasoning is a thought at its start: its encrypted content is another one than at its end (recorded 2026).
func (e *respEncoder) earlyReasoning(r wire.Reasoning) wire.Reasoning {
	if r.Signature == "" || e.obj.lay.sealLate {
		return wire.Reasoning{}
	}
	return wire.Reasoning{Signature: respSeal(e.c, "early"+itoa(e.nextID))}
}

// startContent puts a text or refusal into the open message, or into a new one.
func (e *respEncoder) startContent(dst []wire.Frame, p *respPart) []wire.Frame {
	if e.msg == nil {
		m := &respMessage{}
		m.item, m.output = e.newItem("msg_")
		e.msg = m
		dst = e.itemEvent(dst, "response.output_item.added", m.output, e.messageItem(m, "in_progress"))
	}
	m := e.msg
	p.msg, p.item, p.output, p.content = m, m.item, m.output, m.count
	m.count++
	m.open++
	return e.partEvent(dst, "response.content_part.added", p, e.contentPart(nil, p.what, nil, nil))
}

func (e *respEncoder) delta(dst []wire.Frame, ev wire.Event) []wire.Frame {
	p := e.find(ev.Part)
	if p == nil || !e.stream || ev.Text == "" {
		return dst
	}
	out := respEvent{item: p.item, output: p.output, content: p.content, text: ev.Text, tokens: ev.Tokens}
	switch what := p.what.(type) {
	case wire.Text:
		out.name, out.has = "response.output_text.delta", respKeys(rkItemID, rkOutputIndex, rkContentIndex, rkDelta, rkLogprobs)
		out.logprobs = e.logprobs(p, ev.Text)
	case wire.Refusal:
		out.name, out.has = "response.refusal.delta", respKeys(rkItemID, rkOutputIndex, rkContentIndex, rkDelta)
	case wire.Reasoning:
		dst = e.beginReasoning(dst, p)
		out.name, out.has = "response.reasoning_summary_text.delta", respKeys(rkItemID, rkOutputIndex, rkSummaryIndex, rkDelta)
		if e.lay.reasoningAs == "text" {
			out.name, out.has = "response.reasoning_text.delta", respKeys(rkItemID, rkOutputIndex, rkContentIndex, rkDelta)
		}
	case wire.ToolCall:
		if q := &e.p.q.responses; q.Arguments == "done" || q.Truncated {
			return dst
		}
		out.name, out.has = "response.function_call_arguments.delta", respKeys(rkItemID, rkOutputIndex, rkDelta)
		if what.Custom {
			out.name = "response.custom_tool_call_input.delta"
		}
	default:
		return dst
	}
	return e.w.emit(dst, out)
}

// beginReasoning opens the one part of a thought that has text; one without is an item without parts.
func (e *respEncoder) beginReasoning(dst []wire.Frame, p *respPart) []wire.Frame {
	if p.begun {
		return dst
	}
	p.begun = true
	return e.reasoningPart(dst, "added", p, "")
}

func (e *respEncoder) partEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if c, ok := ev.What.(wire.Citation); ok {
		return e.annotate(dst, c)
	}
	p := e.find(ev.Part)
	if p == nil {
		return dst
	}
	if ev.What != nil {
		p.what = ev.What
	}
	dst = e.flush(dst, "completed")
	e.ended = p
	return dst
}

// annotate adds a citation to the text that just ended.
func (e *respEncoder) annotate(dst []wire.Frame, c wire.Citation) []wire.Frame {
	p := e.ended
	if p == nil {
		return dst
	}
	if p.cited > 0 {
		p.annotations = append(p.annotations, ',')
	}
	start := len(p.annotations)
	p.annotations = append(p.annotations, c.Raw...)
	if e.stream {
		dst = e.w.emit(dst, respEvent{
			name: "response.output_text.annotation.added", item: p.item, output: p.output, content: p.content, annotation: p.cited,
			raw: p.annotations[start:],
			has: respKeys(rkItemID, rkOutputIndex, rkContentIndex, rkAnnotationIndex, rkAnnotation),
		})
	}
	p.cited++
	return dst
}

// flush sends the end of the part that was held back. status is that of its item, if the part is an item of its own.
func (e *respEncoder) flush(dst []wire.Frame, status string) []wire.Frame {
	p := e.ended
	if p == nil {
		return dst
	}
	e.ended, p.done = nil, true
	switch what := p.what.(type) {
	case wire.Text:
		logprobs := e.logprobs(p, "")
		dst = e.textDone(dst, p, "response.output_text.done", rkText, what.Text, logprobs)
		return e.endContent(dst, p, logprobs)
	case wire.Refusal:
		dst = e.textDone(dst, p, "response.refusal.done", rkRefusal, what.Text, nil)
		return e.endContent(dst, p, nil)
	case wire.Reasoning:
		if what.Text != "" {
			dst = e.beginReasoning(dst, p)
			name := "response.reasoning_summary_text.done"
			if e.lay.reasoningAs == "text" {
				name = "response.reasoning_text.done"
			}
			dst = e.textDone(dst, p, name, rkText, what.Text, nil)
			dst = e.reasoningPart(dst, "done", p, what.Text)
		}
		return e.endItem(dst, p.output, "reasoning", e.reasoningItem(p.item, what, status), nil)
	case wire.ToolCall:
		return e.endCall(dst, p, what, status)
	case wire.Opaque:
		return e.endOpaque(dst, p, what)
	}
	return dst
}

// textDone repeats a whole text.
func (e *respEncoder) textDone(dst []wire.Frame, p *respPart, name string, key respKey, text string, logprobs []byte) []wire.Frame {
	if !e.stream {
		return dst
	}
	has := respKeys(rkItemID, rkOutputIndex, key)
	switch name {
	case "response.reasoning_summary_text.done":
		has |= respKeys(rkSummaryIndex)
	case "response.output_text.done":
		has |= respKeys(rkContentIndex, rkLogprobs)
	case "response.refusal.done", "response.reasoning_text.done":
		has |= respKeys(rkContentIndex)
	}
	return e.w.emit(dst, respEvent{name: name, has: has, item: p.item, output: p.output, content: p.content, text: text, logprobs: logprobs})
}

func (e *respEncoder) endContent(dst []wire.Frame, p *respPart, logprobs []byte) []wire.Frame {
	m := p.msg
	raw := e.contentPart(nil, p.what, p.annotations, logprobs)
	dst = e.partEvent(dst, "response.content_part.done", p, raw)
	if len(m.content) > 0 {
		m.content = append(m.content, ',')
	}
	m.content = append(m.content, raw...)
	m.open--
	if m != e.msg && m.open == 0 {
		return e.endItem(dst, m.output, "message", e.messageItem(m, "completed"), nil)
	}
	return dst
}

// closeMessage ends the open message, unless one of its parts is still being written.
func (e *respEncoder) closeMessage(dst []wire.Frame, status string) []wire.Frame {
	m := e.msg
	if m == nil {
		return dst
	}
	e.msg = nil
	if m.open > 0 {
		return dst
	}
	return e.endItem(dst, m.output, "message", e.messageItem(m, status), nil)
}

func (e *respEncoder) endCall(dst []wire.Frame, p *respPart, call wire.ToolCall, status string) []wire.Frame {
	q := &e.p.q.responses
	if q.Truncated {
		call.Arguments = ""
	}
	if q.Arguments != "deltas" && !q.Truncated {
		name, key := "response.function_call_arguments.done", rkArguments
		if call.Custom {
			name, key = "response.custom_tool_call_input.done", rkInput
		}
		dst = e.textDone(dst, p, name, key, call.Arguments, nil)
	}
	item := e.callItem(p.item, call, status)
	var shown []byte
	if q.BlankName {
		call.Name = ""
		shown = e.callItem(p.item, call, status)
	}
	typ := "function_call"
	if call.Custom {
		typ = "custom_tool_call"
	}
	return e.endItem(dst, p.output, typ, item, shown)
}

// endItem notes a finished item, and says so; shown is what the event says where that differs.
func (e *respEncoder) endItem(dst []wire.Frame, output int, typ string, raw, shown []byte) []wire.Frame {
	e.items[output].typ, e.items[output].raw = typ, raw
	if shown == nil {
		shown = raw
	}
	return e.itemEvent(dst, "response.output_item.done", output, shown)
}

func (e *respEncoder) itemEvent(dst []wire.Frame, name string, output int, raw []byte) []wire.Frame {
	if !e.stream {
		return dst
	}
	return e.w.emit(dst, respEvent{name: name, has: respKeys(rkItem, rkOutputIndex), output: output, raw: raw})
}

// partEvent is part.added and part.done of a message's content.
func (e *respEncoder) partEvent(dst []wire.Frame, name string, p *respPart, raw []byte) []wire.Frame {
	if !e.stream || e.p.q.responses.OmitPartEvents == "all" {
		return dst
	}
	return e.w.emit(dst, respEvent{
		name: name, has: respKeys(rkItemID, rkOutputIndex, rkContentIndex, rkPart), item: p.item, output: p.output,
		content: p.content, raw: raw,
	})
}

// reasoningPart is the event that begins or ends the text of a thought.
func (e *respEncoder) reasoningPart(dst []wire.Frame, step string, p *respPart, text string) []wire.Frame {
	if !e.stream || e.p.q.responses.OmitPartEvents != "" {
		return dst
	}
	ev := respEvent{
		name: "response.reasoning_summary_part." + step, has: respKeys(rkItemID, rkOutputIndex, rkSummaryIndex, rkPart),
		item: p.item, output: p.output, raw: e.typedText("summary_text", text),
	}
	if e.lay.reasoningAs == "text" {
		ev.name = "response." + e.lay.reasoningPart + "." + step
		ev.has, ev.raw = respKeys(rkItemID, rkOutputIndex, rkContentIndex, rkPart), e.typedText("reasoning_text", text)
	}
	return e.w.emit(dst, ev)
}

// respOpaqueID is the id of an item that travels as it is.
func respOpaqueID(o wire.Opaque) string {
	v, err := jsonx.Parse(o.Raw)
	if err != nil {
		return ""
	}
	return v.Get("id").Str()
}
