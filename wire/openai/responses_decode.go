package openai

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Decode reads the body of POST /responses.
func (responsesCodec) Decode(c *wire.Call) *wire.Failure {
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	if f := respBasicTypes(c, body); f != nil {
		return f
	}
	r := c.Request
	n := &respNative{body: body, store: true, obfuscation: true}
	r.Native = n
	n.flags(body)
	respSettings(r, body)
	respTools(r, body.Get("tools"))
	r.ToolChoice = respToolChoice(body.Get("tool_choice"))
	r.Output = respOutput(body.Get("text").Get("format"))
	r.Previous = body.Get("previous_response_id").Str()
	if r.Previous == "" {
		r.Previous = respConversation(body)
	}
	d := respInput{c: c, r: r, n: n}
	d.read(body)
	return nil
}

// respBasicTypes refuses what makes no request at all.
func respBasicTypes(c *wire.Call, body jsonx.Value) *wire.Failure {
	model := []string{"string"}
	if c.Endpoint.Kind == wire.Resource {
		model = append(model, "null") // a token count needs none (OpenAI's OpenAPI document, Aug 2026)
	}
	basic := []typed{
		{"model", "a string", model},
		{"stream", "a boolean", []string{"boolean", "null"}},
		{"input", "one of a string or array of objects", []string{"string", "array", "null"}},
		{"tools", "an array of objects", []string{"array", "null"}},
	}
	for v := range rulings(c, body, []rule{{name: "fields", check: func(r *ruling) {
		for _, f := range basic {
			r.is(body.Get(f.name), f.name, f.expected, f.kinds...)
		}
	}}}) {
		return v.Failure
	}
	return nil
}

func (n *respNative) flags(body jsonx.Value) {
	if store, ok := body.Get("store").Bool(); ok {
		n.store = store
	}
	n.background, _ = body.Get("background").Bool()
	if on, ok := body.Get("stream_options").Get("include_obfuscation").Bool(); ok {
		n.obfuscation = on
	}
	for _, v := range body.Get("include").Items() {
		switch v.Str() {
		case "reasoning.encrypted_content":
			n.encrypted = true
		case "message.output_text.logprobs":
			n.logprobs = true
		}
	}
	if k, ok := body.Get("top_logprobs").Int(); ok && k > 0 {
		n.logprobs = true
	}
}

func respSettings(r *wire.Request, body jsonx.Value) {
	r.Settings = wire.Settings{
		Temperature: floatOf(body.Get("temperature")), TopP: floatOf(body.Get("top_p")),
		MaxTokens: intOf(body.Get("max_output_tokens")), Parallel: boolOf(body.Get("parallel_tool_calls")),
		ReasoningEffort: body.At("reasoning", "effort").Str(),
	}
}

// respTools reads the flat tool list; a namespace gives its tools.
func respTools(r *wire.Request, tools jsonx.Value) {
	for _, t := range tools.Items() {
		typ, name := t.Get("type").Str(), t.Get("name").Str()
		if typ == "namespace" {
			respTools(r, t.Get("tools"))
			continue
		}
		tool := wire.Tool{Name: name, Type: typ, Description: t.Get("description").Str()}
		if p := t.Get("parameters"); p.Kind() == jsonx.Object {
			tool.Schema = p.Raw()
		}
		if name == "" {
			tool.Name = typ
		}
		r.Tools = append(r.Tools, tool)
	}
}

func respToolChoice(v jsonx.Value) *wire.ToolChoice {
	switch v.Kind() {
	case jsonx.String:
		return &wire.ToolChoice{Mode: v.Str()}
	case jsonx.Object:
		switch typ := v.Get("type").Str(); typ {
		case "function", "custom", "mcp":
			return &wire.ToolChoice{Mode: "named", Name: v.Get("name").Str()}
		case "allowed_tools":
			return &wire.ToolChoice{Mode: v.Get("mode").Str()}
		default:
			return &wire.ToolChoice{Mode: "named", Name: typ}
		}
	}
	return nil
}

func respOutput(format jsonx.Value) *wire.Output {
	switch format.Get("type").Str() {
	case "json_object":
		return &wire.Output{}
	case "json_schema":
		o := &wire.Output{Name: format.Get("name").Str(), Strict: true}
		if s := format.Get("schema"); s.Kind() == jsonx.Object {
			o.Schema = s.Raw()
		}
		if strict, ok := format.Get("strict").Bool(); ok {
			o.Strict = strict
		}
		return o
	}
	return nil
}

// respConversation is the id of the conversation, which comes as a string or as an object.
func respConversation(body jsonx.Value) string {
	v := body.Get("conversation")
	if v.Kind() == jsonx.Object {
		v = v.Get("id")
	}
	return strings.TrimSpace(v.Str())
}
