package ollama

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// inference is the codec of chats, and of single prompts.
type inference struct{ prompt bool }

// native is what Decode remembers for the answer.
type native struct {
	body jsonx.Value
	// raw says that the prompt goes to the model as it is; its answer has no context.
	raw bool
	// logprobs asks for probabilities, and top for so many alternatives.
	logprobs bool
	top      int
}

func nativeOf(c *wire.Call) *native {
	if c.Request != nil {
		if n, ok := c.Request.Native.(*native); ok {
			return n
		}
	}
	return &native{}
}

// Decode reads a request. A field of a wrong type is left out here; Check refuses it.
func (i inference) Decode(c *wire.Call) *wire.Failure {
	body, f := parseBody(c, i.form())
	if f != nil {
		return f
	}
	r := c.Request
	n := &native{body: body, raw: isTrue(body.Get("raw")), logprobs: isTrue(body.Get("logprobs"))}
	if top, ok := body.Get("top_logprobs").Int(); ok && top > 0 && top <= 20 {
		n.top = int(top)
	}
	r.Native = n
	r.Model = body.Get("model").Str()
	r.Stream = streams(body)
	if i.prompt {
		decodePrompt(r, body)
	} else {
		decodeMessages(r, body.Get("messages"))
		for _, t := range body.Get("tools").Items() {
			r.Tools = append(r.Tools, decodeTool(t))
		}
	}
	r.Output = decodeFormat(body.Get("format"))
	decodeSettings(&r.Settings, body)
	return nil
}

func (i inference) form() *form {
	if i.prompt {
		return generateForm
	}
	return chatForm
}

// streams says whether a request streams: all do that don't say `"stream": false`.
func streams(body jsonx.Value) bool {
	on, ok := body.Get("stream").Bool()
	return on || !ok
}

// decodePrompt makes one message of a prompt and its images; the text after a gap stands behind it.
func decodePrompt(r *wire.Request, body jsonx.Value) {
	r.System = body.Get("system").Str()
	m := wire.Message{Role: wire.User, Parts: []wire.Part{wire.Text{Text: body.Get("prompt").Str()}}}
	if s := body.Get("suffix").Str(); s != "" {
		m.Parts = append(m.Parts, wire.Text{Text: s})
	}
	m.Parts = appendImages(m.Parts, body.Get("images"))
	r.Messages = []wire.Message{m}
}

func decodeMessages(r *wire.Request, messages jsonx.Value) {
	r.Messages = make([]wire.Message, 0, messages.Len())
	// asked are the calls that wait for their results, in their order.
	var asked []wire.ToolCall
	for _, m := range messages.Items() {
		content := m.Get("content").Str()
		switch strings.ToLower(m.Get("role").Str()) {
		case "system":
			r.System = joinLines(r.System, content)
		case "tool":
			res := wire.ToolResult{ID: m.Get("tool_call_id").Str(), Name: m.Get("tool_name").Str(), Text: content}
			for _, p := range appendImages(nil, m.Get("images")) {
				res.Media = append(res.Media, p.(wire.Media))
			}
			asked = answers(&res, asked)
			r.Messages = append(r.Messages, wire.Message{Role: wire.ToolRole, Parts: []wire.Part{res}})
		case "assistant":
			parts := decodeAssistant(m, content)
			asked = wire.Answer{Parts: parts}.Calls()
			r.Messages = append(r.Messages, wire.Message{Role: wire.Assistant, Parts: parts})
		default:
			parts := appendImages([]wire.Part{wire.Text{Text: content}}, m.Get("images"))
			r.Messages = append(r.Messages, wire.Message{Role: wire.User, Parts: parts})
		}
	}
}

// answers takes the call that a result is for off the list. A result that names neither a call nor a tool, as those of
// clients from before 2025, is for the first that waits.
func answers(res *wire.ToolResult, asked []wire.ToolCall) []wire.ToolCall {
	for i, call := range asked {
		if res.ID != "" && call.ID == res.ID || res.ID == "" && (res.Name == "" || call.Name == res.Name) {
			if res.Name == "" {
				res.Name = call.Name
			}
			return append(asked[:i:i], asked[i+1:]...)
		}
	}
	return asked
}

func decodeAssistant(m jsonx.Value, content string) []wire.Part {
	var parts []wire.Part
	if thought := m.Get("thinking").Str(); thought != "" {
		parts = append(parts, wire.Reasoning{Text: thought})
	}
	if content != "" {
		parts = append(parts, wire.Text{Text: content})
	}
	parts = appendImages(parts, m.Get("images"))
	for _, call := range m.Get("tool_calls").Items() {
		parts = append(parts, callOf(call))
	}
	return parts
}

// callOf reads a call, of a request or an answer. One without arguments has none: an empty object.
func callOf(v jsonx.Value) wire.ToolCall {
	f := v.Get("function")
	call := wire.ToolCall{ID: v.Get("id").Str(), Name: f.Get("name").Str(), Arguments: "{}"}
	switch arguments := f.Get("arguments"); {
	case missing(arguments):
	case arguments.Kind() == jsonx.String:
		call.Arguments = arguments.Str()
	default:
		call.Arguments = string(jsonx.AppendCompact(nil, arguments.Raw()))
	}
	return call
}

func appendImages(parts []wire.Part, images jsonx.Value) []wire.Part {
	for _, image := range images.Items() {
		if data, ok := image.Text(); ok {
			parts = append(parts, wire.Media{Kind: "image", Data: data})
		}
	}
	return parts
}

func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

func decodeTool(t jsonx.Value) wire.Tool {
	f := t.Get("function")
	tool := wire.Tool{Name: f.Get("name").Str(), Description: f.Get("description").Str(), Type: t.Get("type").Str()}
	if p := f.Get("parameters"); !missing(p) {
		tool.Schema = p.Raw()
	}
	if tool.Type == "" {
		tool.Type = "function"
	}
	return tool
}

// decodeFormat reads "json", or a schema.
func decodeFormat(v jsonx.Value) *wire.Output {
	switch {
	case v.Kind() == jsonx.Object:
		return &wire.Output{Schema: v.Raw(), Strict: true}
	case v.Str() == "json":
		return &wire.Output{}
	}
	return nil
}

func decodeSettings(s *wire.Settings, body jsonx.Value) {
	o := body.Get("options")
	s.Temperature, s.TopP = floatOf(o.Get("temperature")), floatOf(o.Get("top_p"))
	s.TopK, s.Seed = intOf(o.Get("top_k")), intOf(o.Get("seed"))
	if n := intOf(o.Get("num_predict")); n != nil && *n >= 0 {
		// Below 0 there is no limit.
		s.MaxTokens = n
	}
	for _, v := range o.Get("stop").Items() {
		if text, ok := v.Text(); ok {
			s.Stop = append(s.Stop, text)
		}
	}
	think := body.Get("think")
	s.ReasoningEffort = think.Str()
	if on, ok := think.Bool(); ok && !on {
		s.ReasoningEffort = "none"
	}
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
