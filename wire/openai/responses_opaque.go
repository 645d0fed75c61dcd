package openai

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respOpaqueSteps are the events between the beginning and the end of an item whose tool the provider runs itself
// (recorded 2025-12 to 2026-06). Other items are added and done.
func respOpaqueSteps(typ string) []string {
	switch typ {
	case "web_search_call", "file_search_call":
		return []string{"in_progress", "searching", "completed"}
	case "code_interpreter_call":
		return []string{"in_progress", "interpreting", "completed"}
	case "image_generation_call":
		return []string{"in_progress", "generating", "completed"}
	case "mcp_list_tools", "mcp_call":
		return []string{"in_progress", "completed"}
	}
	return nil
}

// startOpaque adds an item that nobody here models, as it will be, but still in progress.
func (e *respEncoder) startOpaque(dst []wire.Frame, p *respPart, o wire.Opaque) []wire.Frame {
	if !e.stream {
		return dst
	}
	steps := respOpaqueSteps(o.Type)
	if e.obj.lay.opaqueWhole {
		steps = nil
	}
	raw := o.Raw
	if len(steps) > 0 {
		raw = respInProgress(raw)
	}
	dst = e.itemEvent(dst, "response.output_item.added", p.output, []byte(raw))
	for _, s := range steps {
		dst = e.w.emit(dst, respEvent{name: "response." + o.Type + "." + s, has: respKeys(rkItemID, rkOutputIndex), item: p.item, output: p.output})
	}
	return dst
}

func (e *respEncoder) endOpaque(dst []wire.Frame, p *respPart, o wire.Opaque) []wire.Frame {
	e.items[p.output].id = p.item
	return e.endItem(dst, p.output, o.Type, []byte(o.Raw), nil)
}

// respInProgress is an item before it has a result: its status says so, its lists are empty.
func respInProgress(raw string) string {
	v, err := jsonx.Parse(raw)
	if err != nil {
		return raw
	}
	b := []byte{'{'}
	for key, value := range v.Members() {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendString(b, key), ':')
		switch {
		case key == "status":
			b = append(b, `"in_progress"`...)
		case key == "action":
			b = respEchoObject(b, respOnly(value, "type"), nil)
		case (key == "queries" || key == "tools") && value.Kind() == jsonx.Array:
			b = append(b, "[]"...)
		case (key == "code" || key == "arguments") && value.Kind() == jsonx.String:
			b = append(b, `""`...)
		default:
			b = append(b, value.Raw()...)
		}
	}
	return string(append(b, '}'))
}

// respOnly is an object with one of its members.
func respOnly(v jsonx.Value, key string) jsonx.Value {
	member := v.Get(key)
	if !member.Exists() {
		return v
	}
	only, err := jsonx.Parse("{" + string(jsonx.AppendString(nil, key)) + ":" + member.Raw() + "}")
	if err != nil {
		return v
	}
	return only
}
