package openai

import (
	"github.com/mimus-go/mimus/internal/jsonx"
)

// Limits of tools (platform.openai.com/docs/api-reference/responses, Aug 2026).
const (
	respMaxTools    = 128
	respMaxToolName = 64
)

// tools checks the flat tool list, and the choice among it.
func (k *respCheck) tools() {
	tools := k.n.body.Get("tools")
	if n := tools.Len(); n > respMaxTools {
		k.refuse("too-many-tools", "array_above_max_length", "tools", "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length "+itoa(n)+" instead.")
		return
	}
	for i, t := range tools.Items() {
		k.tool("tools["+itoa(i)+"]", t)
		if k.done {
			return
		}
	}
	k.choice(tools)
}

func (k *respCheck) tool(at string, t jsonx.Value) {
	if t.Kind() != jsonx.Object {
		k.wrongType(at, "an object", t)
		return
	}
	typ := t.Get("type").Str()
	if typ == "" {
		k.refuse("missing-parameter", "missing_required_parameter", at+".type", "Missing required parameter: '"+at+".type'.")
		return
	}
	if typ != "function" && typ != "custom" {
		return
	}
	name := t.Get("name")
	switch {
	case !name.Exists():
		// The nested form of Chat Completions ends here too: its name is elsewhere.
		k.refuse("missing-parameter", "missing_required_parameter", at+".name", "Missing required parameter: '"+at+".name'.")
	case name.Kind() != jsonx.String:
		k.wrongType(at+".name", "a string", name)
	case len(name.Str()) > respMaxToolName:
		k.tooLong(at+".name", respMaxToolName, len(name.Str()))
	case !respToolName(name.Str()):
		k.refuse("tool-name", "invalid_value", at+".name", "Invalid '"+at+".name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.")
	}
	if p := t.Get("parameters"); p.Exists() && !p.IsNull() && p.Kind() != jsonx.Object {
		k.wrongType(at+".parameters", "an object", p)
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

func (k *respCheck) choice(tools jsonx.Value) {
	choice := k.n.body.Get("tool_choice")
	if choice.Str() == "required" && tools.Len() == 0 {
		k.guess("tool-choice", "", "tool_choice", "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.")
		return
	}
	typ, name := choice.Get("type").Str(), choice.Get("name").Str()
	if typ != "function" && typ != "custom" || name == "" || !k.strict {
		return
	}
	for _, t := range k.r.Tools {
		if t.Name == name {
			return
		}
	}
	k.guess("tool-choice", "", "tool_choice", "Tool choice '"+typ+"' not found in 'tools' parameter.")
}

// model checks what depends on the model; a name that nobody knows has no such rules.
func (k *respCheck) model() {
	facts := respModelFacts(k.r.Model)
	if !facts.known || !k.strict {
		return
	}
	body := k.n.body
	effort := orElse(body.Get("reasoning").Get("effort").Str(), facts.effort)
	if facts.reasons && effort != "none" {
		for _, key := range []string{"temperature", "top_p"} {
			v := body.Get(key)
			if f, ok := v.Float(); ok && f != 1 {
				// code is null here, unlike on Chat Completions (recorded 2026).
				k.refuse("sampling", "", key, "Unsupported parameter: '"+key+"' is not supported with this model.")
			}
		}
	}
	if e := body.Get("reasoning").Get("effort"); !facts.reasons && e.Str() != "" {
		k.refuse("reasoning", "unsupported_parameter", "reasoning.effort", "Unsupported parameter: 'reasoning.effort' is not supported with this model.")
	}
	k.jsonWord()
}

// jsonWord holds json_object to its rule: the word must be in the input; the instructions don't count.
func (k *respCheck) jsonWord() {
	if k.n.body.Get("text").Get("format").Get("type").Str() != "json_object" || respContainsFold(k.n.body.Get("input").Raw(), "json") || k.r.History != nil {
		return
	}
	k.refuse("json-word", "", "input", "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.")
}

func respContainsFold(text, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		j := 0
		for j < len(word) && text[i+j]|0x20 == word[j] {
			j++
		}
		if j == len(word) {
			return true
		}
	}
	return false
}
