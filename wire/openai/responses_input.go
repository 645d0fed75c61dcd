package openai

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respInputItem is one item of the input. Value is the item itself, the stored one where the input only refers to it.
type respInputItem struct {
	typ   string
	value jsonx.Value
	// index is where it stands in the request's input.
	index int
	// missing says that the input refers to an item that nobody stored.
	missing bool
}

// respInput turns instructions and input into the system text and messages.
type respInput struct {
	c *wire.Call
	r *wire.Request
	n *respNative
}

func (d *respInput) read(body jsonx.Value) {
	switch v := body.Get("instructions"); v.Kind() {
	case jsonx.String:
		d.system(v.Str())
	case jsonx.Array:
		for _, item := range v.Items() {
			d.system(respText(item.Get("content")))
		}
	}
	switch v := body.Get("input"); v.Kind() {
	case jsonx.String:
		d.add(wire.User, wire.Text{Text: v.Str()})
	case jsonx.Array:
		d.n.items = make([]respInputItem, 0, v.Len())
		for i, item := range v.Items() {
			d.item(d.resolve(i, item))
		}
	}
}

// resolve finds what an item_reference stands for among the items that earlier answers stored.
func (d *respInput) resolve(index int, v jsonx.Value) respInputItem {
	item := respInputItem{typ: respItemType(v), value: v, index: index}
	if item.typ != "item_reference" {
		return item
	}
	stored, ok := respStoredItem(d.c, v.Get("id").Str())
	if !ok {
		item.missing = true
		return item
	}
	item.typ, item.value = respItemType(stored), stored
	return item
}

// respItemType is the item's type; a message may leave it out.
func respItemType(v jsonx.Value) string {
	if typ := v.Get("type").Str(); typ != "" {
		return typ
	}
	if v.Get("role").Exists() {
		return "message"
	}
	if id := v.Get("id"); id.Exists() && v.Len() == 1 {
		return "item_reference"
	}
	return ""
}

func (d *respInput) item(item respInputItem) {
	d.n.items = append(d.n.items, item)
	v := item.value
	switch {
	case item.typ == "message":
		d.message(v)
	case item.typ == "function_call":
		d.add(wire.Assistant, wire.ToolCall{ID: v.Get("call_id").Str(), Name: v.Get("name").Str(), Arguments: v.Get("arguments").Str()})
	case item.typ == "custom_tool_call":
		d.add(wire.Assistant, wire.ToolCall{ID: v.Get("call_id").Str(), Name: v.Get("name").Str(), Arguments: v.Get("input").Str(), Custom: true})
	case item.typ == "reasoning":
		d.add(wire.Assistant, wire.Reasoning{Text: respSummary(v), Signature: v.Get("encrypted_content").Str()})
	case strings.HasSuffix(item.typ, "_output") && v.Get("call_id").Str() != "":
		d.add(wire.ToolRole, respToolResult(v))
	case respClientCall(item.typ):
		// Tools that the client runs, and whose results come back by call id: `afterTool: shell` works as for functions.
		d.add(wire.Assistant, wire.ToolCall{ID: v.Get("call_id").Str(), Name: strings.TrimSuffix(item.typ, "_call"), Arguments: v.Get("action").Raw() + v.Get("operation").Raw()})
	case item.typ == "mcp_approval_response", item.typ == "configuration_update":
		d.add(wire.User, wire.Opaque{Type: item.typ, Raw: v.Raw()})
	default:
		d.add(wire.Assistant, wire.Opaque{Type: item.typ, Raw: v.Raw()})
	}
}

func respClientCall(typ string) bool {
	switch typ {
	case "shell_call", "local_shell_call", "apply_patch_call", "computer_call":
		return true
	}
	return false
}

func (d *respInput) message(v jsonx.Value) {
	content := v.Get("content")
	switch v.Get("role").Str() {
	case "system", "developer":
		d.system(respText(content))
		return
	case "assistant":
		d.content(wire.Assistant, content)
	default:
		d.content(wire.User, content)
	}
}

func (d *respInput) content(role wire.Role, content jsonx.Value) {
	if text, ok := content.Text(); ok {
		d.open(role, wire.Text{Text: text})
		return
	}
	var parts []wire.Part
	for _, p := range content.Items() {
		parts = append(parts, respInputPart(p))
	}
	d.open(role, parts...)
}

func respInputPart(p jsonx.Value) wire.Part {
	if text, ok := p.Text(); ok {
		return wire.Text{Text: text}
	}
	switch typ := p.Get("type").Str(); typ {
	case "refusal":
		return wire.Refusal{Text: p.Get("refusal").Str()}
	case "input_image", "computer_screenshot":
		return respMedia("image", p, p.Get("image_url").Str())
	case "input_file":
		return respMedia("file", p, orElse(p.Get("file_data").Str(), p.Get("file_url").Str()))
	case "input_audio":
		audio := p.Get("input_audio")
		return wire.Media{Kind: "audio", MIME: "audio/" + audio.Get("format").Str(), Data: audio.Get("data").Str()}
	default:
		if text := p.Get("text"); text.Kind() == jsonx.String {
			return wire.Text{Text: text.Str()}
		}
		return wire.Opaque{Type: typ, Raw: p.Raw()}
	}
}

func respMedia(kind string, p jsonx.Value, url string) wire.Media {
	if id := p.Get("file_id").Str(); id != "" {
		return wire.Media{Kind: kind, FileID: id}
	}
	return mediaURL(kind, url)
}

func respToolResult(v jsonx.Value) wire.ToolResult {
	res := wire.ToolResult{ID: v.Get("call_id").Str()}
	switch out := v.Get("output"); out.Kind() {
	case jsonx.Array:
		res.Text = respText(out)
		for _, p := range out.Items() {
			if m, ok := respInputPart(p).(wire.Media); ok {
				res.Media = append(res.Media, m)
			}
		}
	case jsonx.String:
		res.Text = out.Str()
	default:
		res.Text = out.Raw()
	}
	return res
}

// respText is the text of a content: a string, or the text and refusal of its parts, a line each.
func respText(content jsonx.Value) string {
	if text, ok := content.Text(); ok {
		return text
	}
	var b strings.Builder
	for _, p := range content.Items() {
		text, ok := p.Text()
		if !ok {
			text, ok = p.Get("text").Text()
		}
		if !ok {
			text, ok = p.Get("refusal").Text()
		}
		if !ok {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String()
}

func (d *respInput) system(text string) {
	if text == "" {
		return
	}
	if d.r.System != "" {
		d.r.System += "\n"
	}
	d.r.System += text
}

// add puts a part into the last message where it is the same side's turn, so that the items of one answer are one
// message, and parallel results too.
func (d *respInput) add(role wire.Role, p wire.Part) {
	if n := len(d.r.Messages); n > 0 && d.r.Messages[n-1].Role == role && role != wire.User {
		m := &d.r.Messages[n-1]
		m.Parts = append(m.Parts, p)
		return
	}
	d.open(role, p)
}

// open begins a message; what an assistant says in several items is one.
func (d *respInput) open(role wire.Role, parts ...wire.Part) {
	if n := len(d.r.Messages); n > 0 && role == wire.Assistant && d.r.Messages[n-1].Role == role {
		m := &d.r.Messages[n-1]
		m.Parts = append(m.Parts, parts...)
		return
	}
	d.r.Messages = append(d.r.Messages, wire.Message{Role: role, Parts: parts})
}
