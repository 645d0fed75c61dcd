package captures

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// nameOf names an event of a stream whose events have no names. They are of
// different kinds all the same, and a client may depend on their order.
func nameOf(v any) string {
	if _, ok := v.(*object); !ok {
		return typeOf(v)
	}
	for _, k := range []string{"type", "event_type"} {
		if s, ok := get(v, k).(string); ok {
			return s
		}
	}
	switch {
	case has(v, "error") && !has(v, "choices"):
		return "error"
	case has(v, "choices"):
		return chatChunk(get(v, "choices"))
	case has(v, "candidates"):
		return geminiChunk(first(get(v, "candidates")))
	case has(v, "promptFeedback"):
		return "chunk(blocked)"
	case has(v, "done"):
		return ollamaRecord(v)
	}
	return "record"
}

// chatChunk names a chunk of the chat form.
func chatChunk(choices any) string {
	if !filled(choices) {
		return "chunk(no choices)"
	}
	c := first(choices)
	d := get(c, "delta")
	switch {
	case filled(get(c, "finish_reason")):
		return "chunk(finish)"
	case filled(get(d, "tool_calls")):
		return "chunk(tool)"
	case filled(get(d, "reasoning")), filled(get(d, "reasoning_content")):
		return "chunk(reasoning)"
	case filled(get(d, "content")), filled(get(c, "text")):
		return "chunk(text)"
	}
	return "chunk(start)"
}

// geminiChunk names a chunk by the kinds of its parts.
func geminiChunk(candidate any) string {
	kinds := set{}
	parts, _ := get(get(candidate, "content"), "parts").([]any)
	for _, p := range parts {
		if o, ok := p.(*object); ok {
			for _, k := range o.keys {
				kinds[k] = true
			}
		}
	}
	finish := ""
	if filled(get(candidate, "finishReason")) {
		finish = ", finish"
	}
	return fmt.Sprintf("chunk(%s%s)", strings.Join(slices.Sorted(maps.Keys(kinds)), "+"), finish)
}

func ollamaRecord(v any) string {
	m := get(v, "message")
	if !filled(m) {
		m = v
	}
	switch {
	case filled(get(v, "done")):
		return "record(done)"
	case filled(get(m, "tool_calls")):
		return "record(tool)"
	case filled(get(m, "thinking")):
		return "record(thinking)"
	}
	return "record(text)"
}
