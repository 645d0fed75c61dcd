package openai

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Lengths that the provider allows in input items.
const (
	maxCallID   = 64
	maxCallName = 128
)

// respItemTypes are the types of input items (openai-openapi, Aug 2026).
func respItemTypes() []string {
	return []string{
		"apply_patch_call", "apply_patch_call_output", "code_interpreter_call", "compaction", "computer_call",
		"computer_call_output", "configuration_update", "custom_tool_call", "custom_tool_call_output",
		"file_search_call", "function_call", "function_call_output", "image_generation_call", "item_reference",
		"local_shell_call", "local_shell_call_output", "mcp_approval_request", "mcp_approval_response", "mcp_call",
		"mcp_list_tools", "message", "program", "program_output", "reasoning", "shell_call", "shell_call_output",
		"tool_search_call", "tool_search_output", "web_search_call",
	}
}

// ruleItems checks each input item by itself.
func ruleItems(r *ruling) {
	for i, v := range r.body.Get("input").Items() {
		if r.stopped {
			return
		}
		if r.is(v, r.at("input", i, ""), "an object", "object") {
			ruleItem(r, i, v)
		}
	}
}

func ruleItem(r *ruling, i int, v jsonx.Value) {
	path := r.at("input", i, "")
	if respStrict(r.c) && !r.oneOf(v.Get("type"), path, respItemTypes()...) {
		return
	}
	need := func(keys ...string) {
		for _, key := range keys {
			if !r.required(v.Get(key), path+"."+key) {
				return
			}
		}
	}
	typ := respItemType(v)
	switch typ {
	case "":
		need("role")
	case "message":
		ruleItemMessage(r, path, v)
	case "function_call":
		need("call_id", "name", "arguments")
	case "custom_tool_call":
		need("call_id", "name", "input")
	case "function_call_output", "custom_tool_call_output":
		need("call_id", "output")
		ruleToolOutput(r, path+".output", v.Get("output"))
	case "reasoning":
		need("summary")
	case "item_reference":
		need("id")
	}
	ruleLength(r, path+".call_id", v.Get("call_id").Str(), maxCallID)
	ruleLength(r, path+".name", v.Get("name").Str(), maxCallName)
	ruleIDPrefix(r, path, typ, v.Get("id").Str())
}

func ruleLength(r *ruling, param, text string, limit int) {
	if len(text) > limit {
		r.refuse(param, "string_above_max_length", "Invalid '%s': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", param, limit, len(text))
	}
}

// ruleIDPrefix checks that an item's id is one of its type.
func ruleIDPrefix(r *ruling, path, typ, id string) {
	prefix := strings.TrimSuffix(respPrefix(typ), "_")
	if id == "" || prefix == "" || !respStrict(r.c) || strings.HasPrefix(id, prefix) {
		return
	}
	r.refuse(path+".id", "invalid_value", "Invalid '%s.id': '%s'. Expected an ID that begins with '%s'.", path, id, prefix)
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

func ruleItemMessage(r *ruling, path string, v jsonx.Value) {
	role, content := v.Get("role"), v.Get("content")
	if !r.required(role, path+".role") || !r.is(role, path+".role", "a string", "string") || !r.required(content, path+".content") ||
		respStrict(r.c) && !r.oneOf(role, path, "assistant", "system", "developer", "user") {
		return
	}
	r.is(content, path+".content", "one of an array of objects or string", "string", "array")
	for i, p := range content.Items() {
		if r.stopped {
			return
		}
		ruleItemContent(r, r.at(path+".content", i, ""), role.Str(), p)
	}
}

// ruleItemContent knows its types as recorded in 2026-08; `text` is Chat's word, and the usual mistake.
func ruleItemContent(r *ruling, path, role string, p jsonx.Value) {
	typ := p.Get("type")
	if !r.is(p, path, "an object", "object") || !r.required(typ, path+".type") || !respStrict(r.c) {
		return
	}
	if !r.oneOf(typ, path+".type", "input_text", "input_image", "input_audio", "output_text", "refusal", "input_file", "computer_screenshot", "summary_text", "encrypted_content") {
		return
	}
	// What an assistant said is output_text or refusal (github.com/openai/openai-python issues, 2025).
	if role == "assistant" && !r.oneOf(typ, path, "output_text", "refusal") {
		return
	}
	if strings.HasSuffix(typ.Str(), "put_text") && r.required(p.Get("text"), path+".text") {
		r.is(p.Get("text"), path+".text", "a string", "string")
	}
}

// ruleToolOutput knows the parts of a tool's output as reported in 2026-03 (github.com/linanwx/nagobot issue 27).
func ruleToolOutput(r *ruling, path string, out jsonx.Value) {
	r.is(out, path, "one of an array of objects or string", "string", "array")
	for i, p := range out.Items() {
		if respStrict(r.c) {
			r.oneOf(p.Get("type"), r.at(path, i, ""), "input_text", "input_image", "input_file", "scoped_content")
		}
	}
}

// ruleStoredItems is about items that only the provider can know: references, and thoughts that come without their
// encrypted content (reported with store:false since 2025, github.com/home-assistant/core issue 150251).
func ruleStoredItems(r *ruling) {
	for _, item := range respNativeOf(r.c).items {
		id := item.value.Get("id").Str()
		if item.missing || respForgotten(r, item, id) {
			r.fail(respNotFound("input", "Item with id '"+id+"' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."))
		}
	}
}

func respForgotten(r *ruling, item respInputItem, id string) bool {
	if item.typ != "reasoning" || id == "" || item.value.Get("encrypted_content").Str() != "" || !respStrict(r.c) {
		return false
	}
	_, ok := respStoredItem(r.c, id)
	return !ok
}
