package scripted

import (
	"iter"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Decode reads a request. It always asks for a stream.
func (codec) Decode(c *wire.Call) *wire.Failure {
	v, err := jsonx.ParseBytes(c.Probe.Body)
	if err != nil || v.Kind() != jsonx.Object {
		return &wire.Failure{Kind: wire.Invalid, Message: "The body is no JSON object"}
	}
	r := c.Request
	r.Native = malformed(v)
	r.Stream, r.Model = true, v.Get("model").Str()
	for _, m := range v.Get("messages").Items() {
		if role := m.Get("role").Str(); role == "system" {
			if r.System != "" {
				r.System += "\n"
			}
			r.System += m.Get("content").Str()
			continue
		}
		r.Messages = append(r.Messages, message(m))
	}
	for _, t := range v.Get("tools").Items() {
		tool := wire.Tool{Name: t.Get("name").Str(), Description: t.Get("description").Str(), Type: "function"}
		if s := t.Get("schema"); s.Kind() != jsonx.Absent {
			tool.Schema = s.Raw()
		}
		r.Tools = append(r.Tools, tool)
	}
	if o := v.Get("output"); o.Kind() == jsonx.Object {
		r.Output = &wire.Output{Name: o.Get("name").Str(), Schema: o.Get("schema").Raw()}
	}
	return nil
}

// malformed says which member of a request is missing or of the wrong type, "" where all are right.
func malformed(v jsonx.Value) string {
	output := v.Get("output").Kind()
	switch {
	case v.Get("model").Str() == "":
		return "model must be a text"
	case v.Get("messages").Kind() != jsonx.Array || v.Get("messages").Len() == 0:
		return "messages must be a list, and not empty"
	case v.Get("tools").Kind() != jsonx.Array:
		return "tools must be a list"
	case output != jsonx.Null && v.At("output", "schema").Kind() != jsonx.Object:
		return "output must be null, or have a schema"
	}
	for _, m := range v.Get("messages").Items() {
		switch m.Get("role").Str() {
		case "system", "user", "assistant", "tool":
		default:
			return "the role of a message must be system, user, assistant or tool"
		}
	}
	for _, t := range v.Get("tools").Items() {
		if t.Get("name").Str() == "" {
			return "a tool must have a name"
		}
	}
	return ""
}

func message(m jsonx.Value) wire.Message {
	var out wire.Message
	content := m.Get("content").Str()
	switch m.Get("role").Str() {
	case "tool":
		return wire.Message{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{ID: m.Get("call_id").Str(), Text: content}}}
	case "assistant":
		out.Role = wire.Assistant
	}
	if content != "" {
		out.Parts = append(out.Parts, wire.Text{Text: content})
	}
	for _, p := range m.Get("parts").Items() {
		switch {
		case p.Get("text").Kind() == jsonx.String:
			out.Parts = append(out.Parts, wire.Text{Text: p.Get("text").Str()})
		case p.Get("image_url").Kind() == jsonx.String:
			out.Parts = append(out.Parts, wire.Media{Kind: "image", URL: p.Get("image_url").Str()})
		default:
			out.Parts = append(out.Parts, wire.Media{Kind: "file", MIME: p.Get("mime_type").Str(), Data: p.Get("data").Str()})
		}
	}
	for _, call := range m.Get("calls").Items() {
		out.Parts = append(out.Parts, wire.ToolCall{ID: call.Get("id").Str(), Name: call.Get("name").Str(), Arguments: call.Get("arguments").Str()})
	}
	return out
}

// Check wants every member of a request in its form, and tool results that answer exactly the calls of the turn before.
func (codec) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		why, _ := c.Request.Native.(string)
		if why == "" {
			why = uncovered(c.Request.Messages)
		}
		if why != "" {
			yield(wire.Violation{Rule: "request", Sure: true, Failure: &wire.Failure{Kind: wire.Invalid, Message: why}})
		}
	}
}

// uncovered says which tool result answers no call of the turn before it, or which call has no result.
func uncovered(messages []wire.Message) string {
	open := map[string]bool{}
	for _, m := range messages {
		if m.Role != wire.ToolRole {
			for id := range open {
				return "The call " + id + " has no result"
			}
		}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case wire.ToolCall:
				open[p.ID] = true
			case wire.ToolResult:
				if !open[p.ID] {
					return "The result of " + p.ID + " answers no call of the turn before"
				}
				delete(open, p.ID)
			}
		}
	}
	return ""
}
