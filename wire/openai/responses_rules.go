package openai

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Lengths that the provider allows in input items.
const (
	maxCallID   = 64
	maxCallName = 128
)

// respItemTypes are the types of input items (openai-openapi, Aug 2026).
var respItemTypes = []string{
	"apply_patch_call", "apply_patch_call_output", "code_interpreter_call", "compaction", "computer_call",
	"computer_call_output", "configuration_update", "custom_tool_call", "custom_tool_call_output", "file_search_call",
	"function_call", "function_call_output", "image_generation_call", "item_reference", "local_shell_call",
	"local_shell_call_output", "mcp_approval_request", "mcp_approval_response", "mcp_call", "mcp_list_tools", "message",
	"program", "program_output", "reasoning", "shell_call", "shell_call_output", "tool_search_call",
	"tool_search_output", "web_search_call",
}

// input checks each item by itself.
func (k *respCheck) input() {
	input := k.n.body.Get("input")
	if input.Kind() != jsonx.Array {
		return
	}
	for i, v := range input.Items() {
		at := "input[" + itoa(i) + "]"
		if v.Kind() != jsonx.Object {
			k.wrongType(at, "an object", v)
		} else {
			k.item(at, v)
		}
		if k.done {
			return
		}
	}
	for _, item := range k.n.items {
		if item.missing || k.forgotten(item) {
			k.notStored(item.value.Get("id").Str())
		}
	}
}

// forgotten says whether the item is a thought that only the provider can know: one that was not stored, and that does
// not bring its encrypted content.
func (k *respCheck) forgotten(item respInputItem) bool {
	id := item.value.Get("id").Str()
	if item.typ != "reasoning" || id == "" || item.value.Get("encrypted_content").Str() != "" || !k.strict {
		return false
	}
	_, ok := respStoredItem(k.c, id)
	return !ok
}

func (k *respCheck) notStored(id string) {
	k.say(wire.Violation{Rule: "item-not-stored", Sure: true, Failure: &wire.Failure{
		Kind: wire.NotFound, Rule: "item-not-stored", Status: 404, Type: "invalid_request_error", Param: "input",
		Message: "Item with id '" + id + "' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
	}})
}

func (k *respCheck) item(at string, v jsonx.Value) {
	typ := respItemType(v)
	if t := v.Get("type"); t.Exists() && k.strict {
		k.oneOf("item-type", at, t.Str(), respItemTypes)
	}
	switch typ {
	case "":
		k.refuse("missing-role", "missing_required_parameter", at+".role", "Missing required parameter: '"+at+".role'.")
	case "message":
		k.message(at, v)
	case "function_call":
		k.need(at, v, "call_id", "name", "arguments")
	case "custom_tool_call":
		k.need(at, v, "call_id", "name", "input")
	case "function_call_output", "custom_tool_call_output":
		k.need(at, v, "call_id", "output")
		k.outputParts(at, v.Get("output"))
	case "reasoning":
		k.need(at, v, "summary")
	case "item_reference":
		k.need(at, v, "id")
	}
	if id := v.Get("call_id").Str(); len(id) > maxCallID {
		k.tooLong(at+".call_id", maxCallID, len(id))
	}
	if name := v.Get("name").Str(); len(name) > maxCallName {
		k.tooLong(at+".name", maxCallName, len(name))
	}
	k.idPrefix(at, typ, v.Get("id").Str())
}

func (k *respCheck) need(at string, v jsonx.Value, keys ...string) {
	for _, key := range keys {
		if !v.Get(key).Exists() {
			k.refuse("missing-parameter", "missing_required_parameter", at+"."+key, "Missing required parameter: '"+at+"."+key+"'.")
			return
		}
	}
}

func (k *respCheck) tooLong(param string, limit, got int) {
	k.refuse("too-long", "string_above_max_length", param, "Invalid '"+param+"': string too long. Expected a string with maximum length "+itoa(limit)+", but got a string with length "+itoa(got)+" instead.")
}

// idPrefix checks that an item's id is one of its type.
func (k *respCheck) idPrefix(at, typ, id string) {
	prefix := respPrefix(typ)
	if id == "" || prefix == "" || !k.strict || strings.HasPrefix(id, strings.TrimSuffix(prefix, "_")) {
		return
	}
	k.refuse("id-prefix", "invalid_value", at+".id", "Invalid '"+at+".id': '"+id+"'. Expected an ID that begins with '"+strings.TrimSuffix(prefix, "_")+"'.")
}

// respPrefix is what the ids of an item type begin with.
func respPrefix(typ string) string {
	switch typ {
	case "message":
		return "msg_"
	case "function_call":
		return "fc_"
	case "custom_tool_call":
		return "ctc_"
	case "reasoning":
		return "rs_"
	}
	return ""
}

func (k *respCheck) message(at string, v jsonx.Value) {
	if k.strict {
		k.oneOf("role", at, v.Get("role").Str(), []string{"assistant", "system", "developer", "user"})
	}
	content := v.Get("content")
	switch content.Kind() {
	case jsonx.Absent:
		k.refuse("missing-content", "missing_required_parameter", at+".content", "Missing required parameter: '"+at+".content'.")
	case jsonx.String:
	case jsonx.Array:
		for j, p := range content.Items() {
			k.contentPart(at+".content["+itoa(j)+"]", v.Get("role").Str(), p)
		}
	default:
		k.wrongType(at+".content", "one of an array of objects or string", content)
	}
}

// contentPart knows its types as recorded in 2026-08; `text` is Chat's word, and the usual mistake.
func (k *respCheck) contentPart(at, role string, p jsonx.Value) {
	if p.Kind() != jsonx.Object {
		k.wrongType(at, "an object", p)
		return
	}
	typ := p.Get("type")
	if !typ.Exists() {
		k.refuse("missing-type", "missing_required_parameter", at+".type", "Missing required parameter: '"+at+".type'.")
		return
	}
	if !k.strict {
		return
	}
	k.oneOf("content-type", at+".type", typ.Str(), []string{
		"input_text", "input_image", "input_audio", "output_text", "refusal", "input_file", "computer_screenshot", "summary_text", "encrypted_content",
	})
	if role == "assistant" {
		// recorded in many bug reports of 2025: what an assistant said is output_text or refusal.
		k.oneOf("content-type", at, typ.Str(), []string{"output_text", "refusal"})
	}
	if text := p.Get("text"); strings.HasSuffix(typ.Str(), "put_text") && text.Kind() != jsonx.String {
		if !text.Exists() {
			k.refuse("missing-text", "missing_required_parameter", at+".text", "Missing required parameter: '"+at+".text'.")
		} else {
			k.wrongType(at+".text", "a string", text)
		}
	}
}

// outputParts are the parts of a tool's output (recorded 2026-03).
func (k *respCheck) outputParts(at string, out jsonx.Value) {
	switch out.Kind() {
	case jsonx.Absent, jsonx.String:
		return
	case jsonx.Array:
	default:
		k.wrongType(at+".output", "one of an array of objects or string", out)
		return
	}
	for j, p := range out.Items() {
		if k.strict {
			k.oneOf("output-type", at+".output["+itoa(j)+"]", p.Get("type").Str(), []string{"input_text", "input_image", "input_file", "scoped_content"})
		}
	}
}

// pairs are calls without an output, outputs without a call, and thoughts without what they led to.
func (k *respCheck) pairs() {
	calls, answered := map[string]bool{}, map[string]bool{}
	var open []string
	for t := k.r.History; t != nil; t = t.Before {
		respHistoryCalls(t, calls, answered)
	}
	for id := range calls {
		if !answered[id] {
			open = append(open, id)
		}
	}
	for _, m := range k.r.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case wire.ToolCall:
				calls[p.ID] = true
				open = append(open, p.ID)
			case wire.ToolResult:
				answered[p.ID] = true
				if !calls[p.ID] && k.strict {
					k.refuse("call-missing", "", "input", "No tool call found for function call output with call_id "+p.ID+".")
				}
			}
			if k.done {
				return
			}
		}
	}
	if !k.strict {
		return
	}
	for _, id := range open {
		if !answered[id] {
			k.refuse("output-missing", "", "input", "No tool output found for function call "+id+".")
			return
		}
	}
	k.followers()
}

func respHistoryCalls(t *wire.Turn, calls, answered map[string]bool) {
	if t.Answer != nil {
		for _, call := range t.Answer.Calls() {
			calls[call.ID] = true
		}
	}
	if t.Request == nil {
		return
	}
	for _, m := range t.Request.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case wire.ToolCall:
				calls[p.ID] = true
			case wire.ToolResult:
				answered[p.ID] = true
			}
		}
	}
}

// followers checks that a stored thought comes with what it led to, and the other way round.
func (k *respCheck) followers() {
	thoughts := map[string]bool{}
	for i, item := range k.n.items {
		id := item.value.Get("id").Str()
		if item.typ == "reasoning" {
			if id != "" {
				thoughts[id] = true
			}
			if id != "" && !respFollows(k.n.items[i+1:]) {
				k.refuse("reasoning-follower", "", "input", "Item '"+id+"' of type 'reasoning' was provided without its required following item.")
				return
			}
			continue
		}
		if thought := respThoughtOf(k.c, id); thought != "" && !thoughts[thought] {
			k.refuse("reasoning-missing", "", "input", "Item '"+id+"' of type '"+item.typ+"' was provided without its required 'reasoning' item: '"+thought+"'.")
			return
		}
	}
}

// respFollows says whether the next item is one that the model made.
func respFollows(rest []respInputItem) bool {
	if len(rest) == 0 {
		return false
	}
	next := rest[0]
	if next.typ == "message" {
		return next.value.Get("role").Str() == "assistant"
	}
	return !strings.HasSuffix(next.typ, "_output")
}
