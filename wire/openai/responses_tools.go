package openai

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Limits of tools (OpenAI's OpenAPI document has them for Chat Completions, Aug 2026; here they are taken to be the same).
const (
	respMaxTools    = 128
	respMaxToolName = 64
)

// ruleResponsesTools checks the flat tool list.
func ruleResponsesTools(r *ruling) {
	tools := r.body.Get("tools")
	if n := tools.Len(); n > respMaxTools {
		r.refuse("tools", "array_above_max_length", "Invalid 'tools': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", respMaxTools, n)
		return
	}
	for i, t := range tools.Items() {
		if r.stopped {
			return
		}
		if r.is(t, r.at("tools", i, ""), "an object", "object") && r.required(t.Get("type"), r.at("tools", i, "type")) {
			ruleResponsesTool(r, i, t)
		}
	}
}

func ruleResponsesTool(r *ruling, i int, t jsonx.Value) {
	if typ := t.Get("type").Str(); typ != "function" && typ != "custom" {
		return
	}
	// The nested form of Chat Completions ends here too: its name is elsewhere.
	name, param := t.Get("name"), r.at("tools", i, "name")
	if !r.required(name, param) || !r.is(name, param, "a string", "string") {
		return
	}
	ruleLength(r, param, name.Str(), respMaxToolName)
	if !respToolName(name.Str()) {
		r.refuse(param, "invalid_value", "Invalid '%s': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", param)
	}
	if p := t.Get("parameters"); !p.IsNull() {
		r.is(p, r.at("tools", i, "parameters"), "an object", "object")
	}
}

func respToolName(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return name != ""
}

func ruleToolChoice(r *ruling) {
	choice := r.body.Get("tool_choice")
	if choice.Str() == "required" && r.body.Get("tools").Len() == 0 {
		r.refuse("tool_choice", "", "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.")
		return
	}
	typ, name := choice.Get("type").Str(), choice.Get("name").Str()
	if typ != "function" && typ != "custom" || name == "" || r.c.Request.Offers(name) {
		return
	}
	r.refuse("tool_choice", "", "Tool choice '%s' not found in 'tools' parameter.", typ)
}

// ruleSampling is about models that think: they take no sampling parameters while they do. The code is null here, unlike
// on Chat Completions (recorded 2026). A name that nobody knows has no such rules.
func ruleSampling(r *ruling) {
	facts := respModelFacts(r.c.Request.Model)
	if !facts.known || !respStrict(r.c) {
		return
	}
	effort := r.body.At("reasoning", "effort").Str()
	if !facts.reasons {
		if effort != "" {
			r.refuse("reasoning.effort", "unsupported_parameter", "Unsupported parameter: 'reasoning.effort' is not supported with this model.")
		}
		return
	}
	if orElse(effort, facts.effort) == "none" {
		return
	}
	for _, key := range []string{"temperature", "top_p"} {
		if f, ok := r.body.Get(key).Float(); ok && f != 1 {
			r.refuse(key, "", "Unsupported parameter: '%s' is not supported with this model.", key)
		}
	}
}

// ruleJSONWord holds json_object to its condition: the word must be in the input; the instructions don't count.
func ruleJSONWord(r *ruling) {
	if r.body.At("text", "format", "type").Str() != "json_object" || r.c.Request.History != nil {
		return
	}
	if !strings.Contains(strings.ToLower(r.body.Get("input").Raw()), "json") {
		r.refuse("input", "", "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.")
	}
}
