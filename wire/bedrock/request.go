package bedrock

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// native is what Decode remembers for the answer.
type native struct {
	body jsonx.Value
	form *form // of InvokeModel
	// stopField says that the request wants to be told which stop sequence was hit.
	stopField bool
	// latencyMode and tier are echoed.
	latencyMode, tier string
}

func nativeOf(c *wire.Call) *native {
	if c.Request != nil {
		if n, ok := c.Request.Native.(*native); ok {
			return n
		}
	}
	return &native{}
}

// parseBody reads the body as a JSON object.
func parseBody(c *wire.Call) (jsonx.Value, *wire.Failure) {
	v, err := jsonx.ParseBytes(c.Probe.Body)
	switch {
	case err != nil && len(c.Probe.Body) == 0:
		return v, invalid("json", "1 validation error detected: Value at 'body' failed to satisfy constraint: Member must not be null")
	case err != nil:
		return v, invalid("json", "Malformed input request: the body is no JSON: "+err.Error()+", please reformat your input and try again.")
	case v.Kind() != jsonx.Object:
		return v, invalid("json", "Malformed input request: #: expected type: JSONObject, found: "+javaName(v.Kind())+", please reformat your input and try again.")
	}
	return v, nil
}

// javaName is what the schema gate of InvokeModel calls a kind of JSON.
func javaName(k jsonx.Kind) string {
	switch k {
	case jsonx.String:
		return "String"
	case jsonx.Array:
		return "JSONArray"
	case jsonx.Number:
		return "Number"
	case jsonx.Bool:
		return "Boolean"
	case jsonx.Object:
		return "JSONObject"
	}
	return "Null"
}

func invalid(rule, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Invalid, Rule: "bedrock." + rule, Message: message}
}

// decodeConversation reads what Converse and Nova's own form have in common.
func decodeConversation(r *wire.Request, body jsonx.Value) {
	for _, b := range body.Get("system").Items() {
		if s := blockText(b); s != "" {
			r.System = joinLines(r.System, s)
		}
	}
	for _, m := range body.Get("messages").Items() {
		decodeMessage(r, m)
	}
	for _, t := range body.At("toolConfig", "tools").Items() {
		if tool, ok := decodeTool(t); ok {
			r.Tools = append(r.Tools, tool)
		}
	}
	choice := body.At("toolConfig", "toolChoice")
	switch {
	case choice.Get("auto").Exists():
		r.ToolChoice = &wire.ToolChoice{Mode: "auto"}
	case choice.Get("any").Exists():
		r.ToolChoice = &wire.ToolChoice{Mode: "required"}
	case choice.Get("tool").Exists():
		r.ToolChoice = &wire.ToolChoice{Mode: "named", Name: choice.At("tool", "name").Str()}
	}
	decodeSettings(&r.Settings, body)
}

func decodeMessage(r *wire.Request, m jsonx.Value) {
	content := m.Get("content")
	role := wire.User
	switch m.Get("role").Str() {
	case "assistant":
		role = wire.Assistant
	case "system":
		for _, b := range content.Items() {
			if s := blockText(b); s != "" {
				r.System = joinLines(r.System, s)
			}
		}
		return
	}
	msg := wire.Message{Role: role}
	if n := content.Len(); n > 0 {
		msg.Parts = make([]wire.Part, 0, n)
		for _, b := range content.Items() {
			msg.Parts = appendBlock(msg.Parts, b)
		}
	}
	r.Messages = append(r.Messages, msg)
}

// blockText is the text of a block, guarded or not.
func blockText(b jsonx.Value) string {
	if s, ok := b.Get("text").Text(); ok {
		return s
	}
	return b.At("guardContent", "text", "text").Str()
}

func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// decodeTool reads a tool of the client, or one that the provider runs; a cache point is none.
func decodeTool(t jsonx.Value) (wire.Tool, bool) {
	if spec := t.Get("toolSpec"); spec.Exists() {
		return wire.Tool{
			Name: spec.Get("name").Str(), Description: spec.Get("description").Str(),
			Schema: spec.At("inputSchema", "json").Raw(), Type: "function",
		}, true
	}
	if system := t.Get("systemTool"); system.Exists() {
		return wire.Tool{Name: system.Get("name").Str(), Type: "systemTool"}, true
	}
	return wire.Tool{}, false
}

func decodeSettings(s *wire.Settings, body jsonx.Value) {
	config := body.Get("inferenceConfig")
	s.Temperature = floatOf(config.Get("temperature"))
	s.TopP = floatOf(config.Get("topP"))
	s.TopK = intOf(config.Get("topK"))
	if s.MaxTokens = intOf(config.Get("maxTokens")); s.MaxTokens == nil {
		s.MaxTokens = intOf(config.Get("max_new_tokens"))
	}
	s.Stop = textsOf(config.Get("stopSequences"))
	// What only one model knows travels in its own words.
	more := body.Get("additionalModelRequestFields")
	if s.TopK == nil {
		s.TopK = intOf(more.Get("top_k"))
	}
	for _, key := range [...]string{"thinking", "reasoning_config"} {
		if s.ReasoningBudget == nil {
			s.ReasoningBudget = intOf(more.At(key, "budget_tokens"))
		}
	}
	s.ReasoningEffort = body.At("outputConfig", "effort").Str()
	if s.ReasoningEffort == "" {
		s.ReasoningEffort = more.At("reasoningConfig", "maxReasoningEffort").Str()
	}
}

// decodeOutput reads the schema that an answer must follow: a text that holds JSON, or the JSON itself.
func decodeOutput(body jsonx.Value) *wire.Output {
	format := body.At("outputConfig", "textFormat")
	if format.Get("type").Str() != "json_schema" {
		return nil
	}
	def := format.At("structure", "jsonSchema")
	schema := def.Get("schema")
	out := &wire.Output{Name: def.Get("name").Str(), Schema: schema.Raw(), Strict: true}
	if s, ok := schema.Text(); ok {
		out.Schema = strings.TrimSpace(s)
	}
	return out
}

func floatOf(v jsonx.Value) *float64 {
	if f, ok := v.Float(); ok {
		return &f
	}
	return nil
}

func intOf(v jsonx.Value) *int64 {
	if n, ok := v.Int(); ok {
		return &n
	}
	return nil
}

func textsOf(v jsonx.Value) []string {
	if s, ok := v.Text(); ok {
		return []string{s}
	}
	var out []string
	for _, item := range v.Items() {
		if s, ok := item.Text(); ok {
			out = append(out, s)
		}
	}
	return out
}

// compact is a JSON document without white space between its tokens.
func compact(raw string) string {
	if !strings.ContainsAny(raw, " \t\r\n") {
		return raw
	}
	return string(jsonx.AppendCompact(make([]byte, 0, len(raw)), raw))
}
