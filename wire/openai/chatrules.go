package openai

import (
	"iter"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Check yields what OpenAI refuses, in its order. Another speaker may be less strict: for it, all are guesses.
func (chat) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return bySpeaker(c, rulings(c, askedOf(c.Request).body, chatRules()))
}

// bySpeaker marks all violations as guesses where the speaker is somebody who has rules of its own.
func bySpeaker(c *wire.Call, violations iter.Seq[wire.Violation]) iter.Seq[wire.Violation] {
	switch c.Request.Dialect {
	case unknown, official, azure:
		return violations
	}
	return func(yield func(wire.Violation) bool) {
		for v := range violations {
			v.Sure = false
			if !yield(v) {
				return
			}
		}
	}
}

// chatRules are the rules of chat (types and limits: OpenAI's OpenAPI document, Aug 2026; the texts as reported in
// public issues, which the comments of each rule name where there is one).
func chatRules() []rule {
	return []rule{
		{name: "model", check: ruleModel},
		{name: "messages", check: ruleMessages},
		{name: "message", check: ruleEachMessage},
		{name: "fields", check: func(r *ruling) { r.fields(r.body, chatFields) }},
		{name: "tools", check: ruleTools},
		{name: "stream-options", check: ruleStreamOptions},
		{name: "tool-order", check: ruleToolOrder},
	}
}

// ruleModel: github.com/danielmiessler/Fabric issue 239. Azure's deployment paths need no model.
func ruleModel(r *ruling) {
	model := r.body.Get("model")
	if deployment(r.c.Probe.Path) != "" {
		return
	}
	if s, ok := model.Text(); !model.Exists() || model.IsNull() || ok && s == "" {
		r.refuse("", "", "you must provide a model parameter")
		return
	}
	r.is(model, "model", "a string", "string")
}

// ruleMessages: github.com/langchain-ai/langgraphjs issue 506.
func ruleMessages(r *ruling) {
	messages := r.body.Get("messages")
	if r.required(messages, "messages") && r.is(messages, "messages", "an array of objects", "array") {
		r.filled(messages, "messages")
	}
}

func ruleEachMessage(r *ruling) {
	for i, m := range r.body.Get("messages").Items() {
		if r.stopped {
			return
		}
		ruleMessage(r, m, i)
	}
}

func ruleMessage(r *ruling, m jsonx.Value, i int) {
	if !r.is(m, r.at("messages", i, ""), "an object", "object") {
		return
	}
	role := m.Get("role")
	if !r.required(role, r.at("messages", i, "role")) || !r.is(role, r.at("messages", i, "role"), "a string", "string") ||
		!r.oneOf(role, r.at("messages", i, "role"), "system", "assistant", "user", "function", "tool", "developer") {
		return
	}
	calls := m.Get("tool_calls")
	if calls.Exists() && !calls.IsNull() {
		if !r.is(calls, r.at("messages", i, "tool_calls"), "an array of objects", "array") || !r.filled(calls, r.at("messages", i, "tool_calls")) {
			return
		}
	}
	ruleContent(r, m, role.Str(), r.at("messages", i, "content"))
	if role.Str() == "tool" {
		id := m.Get("tool_call_id")
		if r.required(id, r.at("messages", i, "tool_call_id")) {
			r.is(id, r.at("messages", i, "tool_call_id"), "a string", "string")
		}
	}
}

// ruleContent: github.com/docker/docker-agent issue 63, github.com/langchain-ai/langchainjs issue 4153.
func ruleContent(r *ruling, m jsonx.Value, role, param string) {
	content := m.Get("content")
	if !content.Exists() || content.IsNull() {
		says := false
		if role == "assistant" {
			for _, key := range []string{"tool_calls", "function_call", "refusal", "audio"} {
				v := m.Get(key)
				says = says || v.Exists() && !v.IsNull()
			}
		}
		switch {
		case says || role == "function":
		case content.IsNull():
			r.refuse(param, "invalid_type", "Invalid type for '%s': expected a string, but got null instead.", param)
		default:
			r.required(content, param)
		}
		return
	}
	if !r.is(content, param, "one of a string or array of objects", "string", "array") || !r.filled(content, param) {
		return
	}
	for i, part := range content.Items() {
		if r.stopped || !r.is(part, r.at(param, i, ""), "an object", "object") {
			return
		}
		kind := part.Get("type")
		if !r.required(kind, r.at(param, i, "type")) || !r.is(kind, r.at(param, i, "type"), "a string", "string") ||
			!r.oneOf(kind, r.at(param, i, "type"), "text", "image_url", "input_audio", "refusal", "audio", "file") {
			return
		}
		if field := kind.Str(); field != "audio" {
			r.required(part.Get(field), r.at(param, i, field))
		}
	}
}

// chatFields are the fields whose type alone is judged here.
var chatFields = func() []typed {
	integer, decimal := []string{"integer"}, []string{"decimal"}
	boolean, text, object, list := []string{"boolean"}, []string{"string"}, []string{"object"}, []string{"array"}
	return []typed{
		{"stream", "a boolean", boolean},
		{"stream_options", "an object", object},
		{"n", "an integer", integer},
		{"max_tokens", "an integer", integer},
		{"max_completion_tokens", "an integer", integer},
		{"temperature", "a decimal", decimal},
		{"top_p", "a decimal", decimal},
		{"frequency_penalty", "a decimal", decimal},
		{"presence_penalty", "a decimal", decimal},
		{"logprobs", "a boolean", boolean},
		{"top_logprobs", "an integer", integer},
		{"seed", "an integer", integer},
		{"stop", "one of a string or array of strings", []string{"string", "array"}},
		{"logit_bias", "an object", object},
		{"response_format", "an object", object},
		{"tools", "an array of objects", list},
		{"functions", "an array of objects", list},
		{"tool_choice", "one of a string or object", []string{"string", "object"}},
		{"parallel_tool_calls", "a boolean", boolean},
		{"metadata", "an object", object},
		{"store", "a boolean", boolean},
		{"user", "a string", text},
		{"service_tier", "a string", text},
		{"reasoning_effort", "a string", text},
	}
}()

func ruleTools(r *ruling) {
	for i, t := range r.body.Get("tools").Items() {
		if r.stopped || !r.is(t, r.at("tools", i, ""), "an object", "object") {
			return
		}
		kind := t.Get("type")
		if !r.required(kind, r.at("tools", i, "type")) || !r.oneOf(kind, r.at("tools", i, "type"), "function", "custom") {
			return
		}
		of := t.Get(kind.Str())
		if r.required(of, r.at("tools", i, kind.Str())) && r.is(of, r.at("tools", i, kind.Str()), "an object", "object") {
			r.required(of.Get("name"), r.at("tools", i, kind.Str()+".name"))
		}
	}
}

func ruleStreamOptions(r *ruling) {
	if o := r.body.Get("stream_options"); o.Kind() == jsonx.Object && !r.c.Request.Stream {
		r.refuse("stream_options", "", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	}
}

// ruleToolOrder wants each call of an assistant message to be answered by the tool messages right behind it, in any
// order, and no other tool messages ("preceeding" is OpenAI's own spelling; github.com/dapr/dapr-agents issue 145).
func ruleToolOrder(r *ruling) {
	var open []string // calls of the last assistant message
	var waiting []string
	last := 0
	unanswered := func(i int) bool {
		if len(waiting) == 0 {
			return false
		}
		r.refuse(dotted(i), "", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: %s", strings.Join(waiting, ", "))
		return true
	}
	for i, m := range r.body.Get("messages").Items() {
		last = i
		if m.Get("role").Str() == "tool" {
			id := m.Get("tool_call_id").Str()
			switch {
			case open == nil:
				r.refuse(dotted(i), "", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.")
				return
			case !slices.Contains(open, id):
				r.refuse(strings.TrimSuffix(dotted(i), ".role")+".tool_call_id", "", "Invalid parameter: 'tool_call_id' of '%s' not found in 'tool_calls' of previous message.", id)
				return
			}
			waiting = slices.DeleteFunc(waiting, func(w string) bool { return w == id })
			continue
		}
		if unanswered(i) {
			return
		}
		open = nil
		for _, call := range m.Get("tool_calls").Items() {
			open = append(open, call.Get("id").Str())
		}
		waiting = slices.Clone(open)
	}
	unanswered(last)
}

// dotted is the form of a path in messages about the order of messages.
func dotted(i int) string { return "messages." + at("", i, "role") }
