package openai

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respItemFields are the values of an output item or a content part.
type respItemFields struct {
	has respSet
	typ string
	id, status, phase, callID, name, text,
	sealed string
	// content, summary, annotations and logprobs are the elements of lists, as JSON.
	content, summary, annotations, logprobs []byte
}

// appendItem writes an item or a part in an order of keys.
func appendItem(dst []byte, order respOrder, f *respItemFields) []byte {
	dst = append(dst, '{')
	first := true
	for _, k := range order {
		if !f.has.has(k) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, respKeyText[k]...)
		switch k {
		case rkType:
			dst = append(append(append(dst, '"'), f.typ...), '"')
		case rkID:
			dst = jsonx.AppendString(dst, f.id)
		case rkStatus:
			dst = append(append(append(dst, '"'), f.status...), '"')
		case rkRole:
			dst = append(dst, `"assistant"`...)
		case rkPhase:
			dst = append(append(append(dst, '"'), f.phase...), '"')
		case rkCallID:
			dst = jsonx.AppendString(dst, f.callID)
		case rkName:
			dst = jsonx.AppendString(dst, f.name)
		case rkEncrypted:
			if f.sealed == "" {
				dst = append(dst, "null"...)
			} else {
				dst = jsonx.AppendString(dst, f.sealed)
			}
		case rkContent:
			dst = append(append(append(dst, '['), f.content...), ']')
		case rkSummary:
			dst = append(append(append(dst, '['), f.summary...), ']')
		case rkAnnotations:
			dst = append(append(append(dst, '['), f.annotations...), ']')
		case rkLogprobs:
			dst = append(append(append(dst, '['), f.logprobs...), ']')
		default:
			dst = jsonx.AppendString(dst, f.text)
		}
	}
	return append(dst, '}')
}

func (e *respEncoder) messageItem(m *respMessage, status string) []byte {
	f := respItemFields{
		has: respKeys(rkID, rkType, rkStatus, rkContent, rkRole), typ: "message", id: e.w.itemID(m.item), status: status,
		content: m.content,
	}
	if e.obj.facts.phase || e.lay.phase {
		f.has |= respKeys(rkPhase)
		f.phase = "final_answer"
		if e.n.commentary {
			f.phase = "commentary"
		}
	}
	return appendItem(nil, e.lay.item, &f)
}

func (e *respEncoder) reasoningItem(id string, r wire.Reasoning, status string) []byte {
	f := respItemFields{has: respKeys(rkID, rkType, rkSummary), typ: "reasoning", id: e.w.itemID(id), sealed: r.Signature, status: status}
	if !e.lay.noContent {
		f.has |= respKeys(rkContent)
	}
	if e.lay.reasoningStatus {
		f.has |= respKeys(rkStatus)
	}
	if r.Signature != "" || e.lay.alwaysEncrypted {
		f.has |= respKeys(rkEncrypted)
	}
	switch {
	case r.Text == "":
	case e.lay.reasoningAs == "text":
		f.has |= respKeys(rkContent)
		f.content = e.typedText("reasoning_text", r.Text)
	default:
		f.summary = e.typedText("summary_text", r.Text)
	}
	order := e.lay.item
	if e.lay.reasoning != nil {
		order = e.lay.reasoning
	}
	return appendItem(nil, order, &f)
}

func (e *respEncoder) callItem(id string, call wire.ToolCall, status string) []byte {
	f := respItemFields{
		has: respKeys(rkID, rkType, rkStatus, rkArguments, rkCallID, rkName), typ: "function_call", id: e.w.itemID(id),
		status: status, callID: call.ID, name: call.Name, text: call.Arguments,
	}
	if call.Custom {
		f.typ, f.has = "custom_tool_call", respKeys(rkID, rkType, rkStatus, rkInput, rkCallID, rkName)
	}
	order := e.lay.item
	if e.lay.call != nil {
		order = e.lay.call
	}
	return appendItem(nil, order, &f)
}

// contentPart is an output_text or a refusal; logprobs is nil before it is done.
func (e *respEncoder) contentPart(dst []byte, p wire.Part, annotations, logprobs []byte) []byte {
	if r, ok := p.(wire.Refusal); ok {
		return appendItem(dst, e.lay.part, &respItemFields{has: respKeys(rkType, rkRefusal), typ: "refusal", text: r.Text})
	}
	f := respItemFields{has: respKeys(rkType, rkText, rkAnnotations), typ: "output_text", annotations: annotations}
	if t, ok := p.(wire.Text); ok {
		f.text = t.Text
	}
	if !e.lay.noPartLogprobs || logprobs == nil {
		f.has |= respKeys(rkLogprobs)
		if len(logprobs) > 2 {
			f.logprobs = logprobs[1 : len(logprobs)-1]
		}
	}
	return appendItem(dst, e.lay.part, &f)
}

// typedText is a part of a thought.
func (e *respEncoder) typedText(typ, text string) []byte {
	order := e.lay.part
	if e.lay.thoughtPart != nil {
		order = e.lay.thoughtPart
	}
	return appendItem(nil, order, &respItemFields{has: respKeys(rkType, rkText), typ: typ, text: text})
}
