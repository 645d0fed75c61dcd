package openai

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// asked is what a chat request wants of the form of its answer.
type asked struct {
	body jsonx.Value
	// usage and plain are stream_options: include_usage, and include_obfuscation where it is false.
	usage, plain bool
	// logprobs asks for one entry a token, with top alternatives.
	logprobs bool
	top      int
	// named says that tool_choice names a tool: the answer then ends with "stop" (github.com/vllm-project/vllm issue 25054
	// asked OpenAI itself).
	named bool
	// functions says that the request speaks the form of before tools.
	functions bool
	tier      string
	// counted is the usage of the fitted reply, for streams that count as they go.
	counted *wire.Usage
}

// askedOf never gives nil.
func askedOf(r *wire.Request) *asked {
	if r != nil {
		if a, ok := r.Native.(*asked); ok {
			return a
		}
	}
	return &asked{}
}

// Decode reads what it understands and leaves judging to Check.
func (chat) Decode(c *wire.Call) *wire.Failure {
	a := &asked{}
	c.Request.Native = a
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	r := c.Request
	a.body = body
	a.usage, _ = body.At("stream_options", "include_usage").Bool()
	if show, ok := body.At("stream_options", "include_obfuscation").Bool(); ok && !show {
		a.plain = true
	}
	a.logprobs, _ = body.Get("logprobs").Bool()
	if n, ok := body.Get("top_logprobs").Int(); ok && n > 0 {
		a.top = int(min(n, 20))
	}
	a.tier = body.Get("service_tier").Str()
	if n, ok := body.Get("n").Int(); ok && n > 1 {
		r.Choices = int(min(n, 128))
	}
	decodeTools(r, a, body)
	decodeChatSettings(r, body)
	decodeMessages(r, body.Get("messages"))
	return nil
}

func decodeTools(r *wire.Request, a *asked, body jsonx.Value) {
	for _, t := range body.Get("tools").Items() {
		kind := t.Get("type").Str()
		tool := wire.Tool{Type: kind}
		switch kind {
		case "custom":
			tool.Name, tool.Description = t.At("custom", "name").Str(), t.At("custom", "description").Str()
		default:
			fn := t.Get("function")
			tool.Name, tool.Description = fn.Get("name").Str(), fn.Get("description").Str()
			tool.Schema = fn.Get("parameters").Raw()
		}
		r.Tools = append(r.Tools, tool)
	}
	for _, fn := range body.Get("functions").Items() {
		a.functions = len(r.Tools) == 0 || a.functions
		r.Tools = append(r.Tools, wire.Tool{Type: "function", Name: fn.Get("name").Str(), Description: fn.Get("description").Str(), Schema: fn.Get("parameters").Raw()})
	}
	choice := body.Get("tool_choice")
	if !choice.Exists() {
		choice = body.Get("function_call")
	}
	switch choice.Kind() {
	case jsonx.String:
		r.ToolChoice = &wire.ToolChoice{Mode: choice.Str()}
	case jsonx.Object:
		r.ToolChoice = objectChoice(choice)
	}
	a.named = r.ToolChoice != nil && r.ToolChoice.Mode == "named" && !a.functions
}

func objectChoice(v jsonx.Value) *wire.ToolChoice {
	switch kind := v.Get("type").Str(); kind {
	case "allowed_tools":
		return &wire.ToolChoice{Mode: v.At("allowed_tools", "mode").Str()}
	case "function", "custom":
		return &wire.ToolChoice{Mode: "named", Name: v.At(kind, "name").Str()}
	}
	return &wire.ToolChoice{Mode: "named", Name: v.Get("name").Str()}
}

func decodeChatSettings(r *wire.Request, body jsonx.Value) {
	s := &r.Settings
	for name, v := range body.Members() {
		switch name {
		case "temperature":
			s.Temperature = floatOf(v)
		case "top_p":
			s.TopP = floatOf(v)
		case "top_k":
			s.TopK = intOf(v)
		case "max_completion_tokens":
			s.MaxTokens = intOf(v)
		case "max_tokens":
			if newer := intOf(body.Get("max_completion_tokens")); newer == nil {
				s.MaxTokens = intOf(v)
			}
		case "stop":
			s.Stop = stopsOf(v)
		case "seed":
			s.Seed = intOf(v)
		case "parallel_tool_calls":
			s.Parallel = boolOf(v)
		case "reasoning_effort":
			s.ReasoningEffort = v.Str()
		case "response_format":
			r.Output = outputOf(v)
		}
	}
}

// stopsOf are the stop sequences: one text, or a list.
func stopsOf(v jsonx.Value) []string {
	if v.Kind() == jsonx.String {
		return []string{v.Str()}
	}
	var stops []string
	for _, item := range v.Items() {
		stops = append(stops, item.Str())
	}
	return stops
}

// outputOf is the JSON that response_format asks for, nil where it asks for text.
func outputOf(format jsonx.Value) *wire.Output {
	switch format.Get("type").Str() {
	case "json_object":
		return &wire.Output{}
	case "json_schema":
		schema := format.Get("json_schema")
		strict, _ := schema.Get("strict").Bool()
		return &wire.Output{Name: schema.Get("name").Str(), Schema: schema.Get("schema").Raw(), Strict: strict}
	}
	return nil
}

func decodeMessages(r *wire.Request, messages jsonx.Value) {
	r.Messages = make([]wire.Message, 0, messages.Len())
	for _, m := range messages.Items() {
		content := contentParts(m.Get("content"))
		switch m.Get("role").Str() {
		case "system", "developer":
			text, _ := joinText(content)
			if r.System != "" {
				r.System += "\n"
			}
			r.System += text
		case "tool":
			text, media := joinText(content)
			r.Messages = append(r.Messages, wire.Message{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{ID: m.Get("tool_call_id").Str(), Text: text, Media: media}}})
		case "function":
			text, media := joinText(content)
			r.Messages = append(r.Messages, wire.Message{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{Name: m.Get("name").Str(), Text: text, Media: media}}})
		case "assistant":
			r.Messages = append(r.Messages, wire.Message{Role: wire.Assistant, Parts: assistantParts(m, content)})
		default:
			r.Messages = append(r.Messages, wire.Message{Role: wire.User, Parts: content})
		}
	}
}

// assistantParts is an earlier answer: thoughts (which some servers want back), content, refusal and calls.
func assistantParts(m jsonx.Value, content []wire.Part) []wire.Part {
	var parts []wire.Part
	if text := reasoningText(m); text != "" {
		parts = append(parts, wire.Reasoning{Text: text})
	}
	parts = append(parts, content...)
	if text := m.Get("refusal").Str(); text != "" {
		parts = append(parts, wire.Refusal{Text: text})
	}
	for _, call := range m.Get("tool_calls").Items() {
		parts = append(parts, toolCallOf(call))
	}
	if fn := m.Get("function_call"); fn.Kind() == jsonx.Object {
		parts = append(parts, wire.ToolCall{Name: fn.Get("name").Str(), Arguments: argumentsOf(fn.Get("arguments"))})
	}
	return parts
}

func reasoningText(v jsonx.Value) string {
	for _, key := range []string{"reasoning_content", "reasoning"} {
		if text := v.Get(key).Str(); text != "" {
			return text
		}
	}
	return ""
}

// toolCallOf reads a call of either type, from a request or an answer.
func toolCallOf(v jsonx.Value) wire.ToolCall {
	call := wire.ToolCall{ID: v.Get("id").Str()}
	if custom := v.Get("custom"); custom.Kind() == jsonx.Object {
		call.Name, call.Arguments, call.Custom = custom.Get("name").Str(), custom.Get("input").Str(), true
		return call
	}
	call.Name, call.Arguments = v.At("function", "name").Str(), argumentsOf(v.At("function", "arguments"))
	return call
}

// argumentsOf is the text of a call's arguments; some servers send an object.
func argumentsOf(v jsonx.Value) string {
	if s, ok := v.Text(); ok || !v.Exists() || v.IsNull() {
		return s
	}
	return string(jsonx.AppendCompact(nil, v.Raw()))
}
