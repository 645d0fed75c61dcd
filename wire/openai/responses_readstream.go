package openai

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respOpenItem is an output item of a stream that is not done.
type respOpenItem struct {
	typ string
	// first is the item as it was added.
	first jsonx.Value
	// texts are the content parts of a message, by index; other items have one.
	texts map[int]*respOpenText
}

// respOpenText is a text that is being streamed.
type respOpenText struct {
	part    int
	what    wire.Part
	text    strings.Builder
	whole   string // what the done event said
	hasDone bool
	// index is the last summary or content index of a thought.
	index     int
	citations []jsonx.Value
}

// stream reads server-sent events. It trusts the type inside the data, and ids not at all: GitHub Copilot's change with
// each event (recorded 2026-08). Events that it does not know are passed over.
func (r *respReader) stream(body io.Reader) error {
	r.open, r.seen = map[int]*respOpenItem{}, map[int]bool{}
	for e, err := range wire.ReadSSE(body) {
		if err != nil {
			return respBroken(err, r.said)
		}
		if strings.TrimSpace(e.Data) == "[DONE]" {
			continue
		}
		v, err := jsonx.Parse(e.Data)
		if err != nil {
			return &wire.Failure{Kind: wire.Unusable, Message: "an event is no JSON: " + err.Error(), Sent: wire.Completed, PartialOutput: r.said}
		}
		done, err := r.streamEvent(orElse(v.Get("type").Str(), e.Name), v)
		if done || err != nil {
			return err
		}
	}
	return wire.ErrIncomplete(r.said)
}

// streamEvent takes one event; done says that it was the last.
func (r *respReader) streamEvent(typ string, v jsonx.Value) (done bool, err error) {
	if typ == "error" || typ == "" && v.Get("error").Kind() == jsonx.Object {
		return true, r.streamError(v)
	}
	name, ok := strings.CutPrefix(typ, "response.")
	if !ok {
		return false, nil
	}
	if err := r.begin(v.Get("response")); err != nil {
		return true, err
	}
	index := respIndex(v, "output_index")
	switch name {
	case "output_item.added":
		return false, r.added(index, v.Get("item"))
	case "output_item.done":
		return false, r.itemDone(index, v.Get("item"))
	case "output_text.delta", "refusal.delta":
		return false, r.textDelta(index, respIndex(v, "content_index"), strings.TrimSuffix(name, ".delta"), v.Get("delta").Str())
	case "output_text.done":
		return false, r.textDone(index, respIndex(v, "content_index"), "output_text", v.Get("text").Str())
	case "refusal.done":
		return false, r.textDone(index, respIndex(v, "content_index"), "refusal", v.Get("refusal").Str())
	case "output_text.annotation.added":
		if t := r.text(index, respIndex(v, "content_index")); t != nil {
			t.citations = append(t.citations, v.Get("annotation"))
		}
	case "content_part.added":
		if t := v.Get("part").Get("type").Str(); t == "output_text" || t == "refusal" {
			_, err := r.openText(index, respIndex(v, "content_index"), t)
			return false, err
		}
	case "reasoning_summary_text.delta":
		return false, r.thought(index, respIndex(v, "summary_index"), v.Get("delta").Str())
	case "reasoning_text.delta":
		return false, r.thought(index, 0, v.Get("delta").Str())
	case "reasoning_summary_text.done", "reasoning_text.done":
		return false, r.thoughtDone(index, v.Get("text").Str())
	case "function_call_arguments.delta", "custom_tool_call_input.delta":
		return false, r.callDelta(index, v.Get("delta").Str())
	case "function_call_arguments.done":
		r.callDone(index, v.Get("arguments"))
	case "custom_tool_call_input.done":
		r.callDone(index, v.Get("input"))
	case "completed", "incomplete", "failed", "cancelled", "done":
		return true, r.terminal(name, v.Get("response"))
	}
	return false, nil
}

func respIndex(v jsonx.Value, key string) int {
	n, _ := v.Get(key).Int()
	if n < 0 || n > 1<<20 {
		return 0
	}
	return int(n)
}

// streamError is the nested form, which first-party streams send, or the flat one of the published schema.
func (r *respReader) streamError(v jsonx.Value) error {
	f := &wire.Failure{Sent: wire.Completed, PartialOutput: r.said}
	errorFields(f, v)
	if f.Type == "error" {
		f.Type = "" // the event's own
	}
	f.Kind = failureKind(f)
	return f
}

func (r *respReader) added(index int, item jsonx.Value) error {
	if err := r.closeItem(index, jsonx.Value{}); err != nil {
		return err
	}
	r.seen[index] = true
	o := &respOpenItem{typ: item.Get("type").Str(), first: item, texts: map[int]*respOpenText{}}
	r.open[index] = o
	switch o.typ {
	case "function_call", "custom_tool_call", "reasoning":
		what, _ := respHollow(respReadPart(item))
		if o.typ == "reasoning" {
			what = wire.Reasoning{} // its encrypted content is another one at the end
		}
		return r.begins(o, 0, what)
	}
	return nil
}

// begins starts a part of an open item.
func (r *respReader) begins(o *respOpenItem, index int, what wire.Part) error {
	t := &respOpenText{part: r.start(what), what: what}
	o.texts[index] = t
	return r.event(wire.Event{Op: wire.PartStart, Part: t.part, What: what})
}

// item finds the open item at an output index, or makes one where nothing was added.
func (r *respReader) itemAt(index int, typ string) *respOpenItem {
	o := r.open[index]
	if o == nil {
		o = &respOpenItem{typ: typ, texts: map[int]*respOpenText{}}
		r.open[index] = o
		r.seen[index] = true
	}
	return o
}

func (r *respReader) text(index, content int) *respOpenText {
	if o := r.open[index]; o != nil {
		return o.texts[content]
	}
	return nil
}

// openText finds the text at an index, or begins it: servers that send no part events just send text.
func (r *respReader) openText(index, content int, kind string) (*respOpenText, error) {
	o := r.itemAt(index, "message")
	if t := o.texts[content]; t != nil {
		return t, nil
	}
	var what wire.Part = wire.Text{}
	if kind == "refusal" {
		what = wire.Refusal{}
	}
	if err := r.begins(o, content, what); err != nil {
		return nil, err
	}
	return o.texts[content], nil
}

func (r *respReader) textDelta(index, content int, kind, delta string) error {
	t, err := r.openText(index, content, kind)
	if err != nil {
		return err
	}
	return r.deltaOf(t, delta)
}

func (r *respReader) deltaOf(t *respOpenText, delta string) error {
	if delta == "" {
		return nil
	}
	r.said = true
	t.text.WriteString(delta)
	return r.event(wire.Event{Op: wire.Delta, Part: t.part, What: t.what, Text: delta, Tokens: wire.Tokens(delta)})
}

func (r *respReader) textDone(index, content int, kind, text string) error {
	t, err := r.openText(index, content, kind)
	if err != nil {
		return err
	}
	t.whole, t.hasDone = text, true
	return nil
}

// thought adds to a reasoning item; a new part of its summary is a new paragraph.
func (r *respReader) thought(index, part int, delta string) error {
	o := r.itemAt(index, "reasoning")
	if o.texts[0] == nil {
		if err := r.begins(o, 0, wire.Reasoning{}); err != nil {
			return err
		}
	}
	t := o.texts[0]
	if part != t.index && t.text.Len() > 0 {
		delta = summarySeparator + delta
	}
	t.index = part
	return r.deltaOf(t, delta)
}

// thoughtDone is for servers that send a thought in one piece.
func (r *respReader) thoughtDone(index int, text string) error {
	if t := r.text(index, 0); t != nil && t.text.Len() > 0 {
		return nil
	}
	return r.thought(index, 0, text)
}

func (r *respReader) callDelta(index int, delta string) error {
	if t := r.text(index, 0); t != nil {
		return r.deltaOf(t, delta)
	}
	return nil
}

func (r *respReader) callDone(index int, v jsonx.Value) {
	if t := r.text(index, 0); t != nil {
		t.whole, t.hasDone = respArguments(v), true
	}
}

func (r *respReader) itemDone(index int, item jsonx.Value) error {
	if r.open[index] == nil {
		r.seen[index] = true
		return r.item(item)
	}
	return r.closeItem(index, item)
}

// closeItem ends the item at an index, with what the done event says of it, or with what was streamed.
func (r *respReader) closeItem(index int, item jsonx.Value) error {
	o := r.open[index]
	if o == nil {
		return nil
	}
	delete(r.open, index)
	switch o.typ {
	case "message":
		return r.closeMessage(o, item)
	case "function_call", "custom_tool_call", "reasoning":
		return r.closePart(o, item)
	}
	if !item.Exists() {
		item = o.first
	}
	return r.item(item)
}

func (r *respReader) closeMessage(o *respOpenItem, item jsonx.Value) error {
	content := item.Get("content")
	for _, i := range slices.Sorted(maps.Keys(o.texts)) {
		t := o.texts[i]
		text := t.text.String()
		if text == "" && t.hasDone {
			text = t.whole
		}
		part := content.Index(i)
		if !part.Exists() && content.Len() == 1 {
			part = content.Index(0) // Mantle counts on from the item before
		}
		if s, ok := part.Get("text").Text(); ok && text == "" {
			text = s
		}
		if s, ok := part.Get("refusal").Text(); ok && text == "" {
			text = s
		}
		var what wire.Part = wire.Text{Text: text}
		if _, ok := t.what.(wire.Refusal); ok {
			what = wire.Refusal{Text: text}
		}
		if err := r.endPart(t.part, what); err != nil {
			return err
		}
		if annotations := part.Get("annotations"); annotations.Len() > 0 {
			t.citations = nil
			if err := r.citations(annotations); err != nil {
				return err
			}
		}
		for _, c := range t.citations {
			if err := r.part(respCitation(c)); err != nil {
				return err
			}
		}
	}
	if len(o.texts) > 0 {
		return nil
	}
	return r.item(item)
}

func (r *respReader) closePart(o *respOpenItem, item jsonx.Value) error {
	t := o.texts[0]
	if t == nil {
		if !item.Exists() {
			return nil
		}
		return r.item(item)
	}
	text := t.text.String()
	if text == "" && t.hasDone {
		text = t.whole
	}
	if o.typ == "reasoning" {
		done, _ := respReadPart(item).(wire.Reasoning)
		if done.Text == "" {
			done.Text = text
		}
		if !item.Exists() {
			done = wire.Reasoning{Text: text}
		}
		done.Redacted = done.Text == "" && done.Signature != ""
		return r.endPart(t.part, done)
	}
	call, _ := t.what.(wire.ToolCall)
	call.Arguments = text
	if done, ok := respReadPart(item).(wire.ToolCall); ok && item.Exists() {
		call.Name = orElse(call.Name, done.Name)
		call.ID = orElse(call.ID, done.ID)
		call.Arguments = orElse(call.Arguments, done.Arguments)
	}
	return r.endPart(t.part, call)
}

// terminal ends the answer. Items that are still open, or that no event spoke of, are taken from the response's output,
// which may also be missing or empty: the Codex backend sends it so.
func (r *respReader) terminal(name string, response jsonx.Value) error {
	output := response.Get("output")
	for _, index := range slices.Sorted(maps.Keys(r.open)) {
		item := output.Index(index)
		if item.Get("type").Str() != r.open[index].typ {
			item = jsonx.Value{}
		}
		if err := r.closeItem(index, item); err != nil {
			return err
		}
	}
	if len(r.seen) == 0 {
		for _, item := range output.Items() {
			if err := r.item(item); err != nil {
				return err
			}
		}
	}
	if name == "done" {
		name = "completed"
	}
	return r.finish(response, name)
}
