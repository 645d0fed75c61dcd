package anthropic

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// messages is the codec of the Messages API on every surface that speaks it.
type messages struct{}

// native is what Decode remembers for the answer.
type native struct {
	body jsonx.Value
	// omitThinking says that the request wants thoughts without their text.
	omitThinking bool
	// cacheHour says that the request caches for an hour, not for five minutes.
	cacheHour bool
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
func (messages) Decode(c *wire.Call) *wire.Failure {
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	decodeBody(c, body)
	return nil
}

func decodeBody(c *wire.Call, body jsonx.Value) {
	r := c.Request
	n := &native{body: body}
	r.Native = n
	r.Version = versionOf(c, body)
	r.Model = modelOf(c, body)
	r.Stream = isTrue(body.Get("stream")) || strings.HasSuffix(c.Probe.Path, ":streamRawPredict") || strings.HasSuffix(c.Probe.Path, bedrockStream)
	r.System = textOf(body.Get("system"))
	for _, m := range body.Get("messages").Items() {
		decodeMessage(r, m)
	}
	for _, t := range body.Get("tools").Items() {
		r.Tools = append(r.Tools, decodeTool(t))
	}
	r.ToolChoice = decodeChoice(body.Get("tool_choice"))
	r.Output = decodeOutput(body)
	decodeSettings(&r.Settings, body)
	n.omitThinking = body.At("thinking", "display").Str() == "omitted"
	n.cacheHour = strings.Contains(body.Raw(), `"1h"`)
}

// versionOf is the API version: in a header, or in the body where the header cannot travel.
func versionOf(c *wire.Call, body jsonx.Value) string {
	if v := c.Probe.Header.Get(versionHeader); v != "" {
		return v
	}
	return body.Get("anthropic_version").Str()
}

// modelOf is the model: in the path, or in the body.
func modelOf(c *wire.Call, body jsonx.Value) string {
	if m := c.Probe.Vars["model"]; m != "" {
		return m
	}
	return body.Get("model").Str()
}

func isTrue(v jsonx.Value) bool {
	on, _ := v.Bool()
	return on
}

func decodeMessage(r *wire.Request, m jsonx.Value) {
	content := m.Get("content")
	role := wire.User
	switch m.Get("role").Str() {
	case "system":
		if text := textOf(content); text != "" {
			r.System = joinLines(r.System, text)
		}
		return
	case "assistant":
		role = wire.Assistant
	}
	msg := wire.Message{Role: role}
	if text, ok := content.Text(); ok {
		msg.Parts = []wire.Part{wire.Text{Text: text}}
	} else if n := content.Len(); n > 0 {
		msg.Parts = make([]wire.Part, 0, n)
		for _, b := range content.Items() {
			msg.Parts = appendBlock(msg.Parts, b)
		}
	}
	r.Messages = append(r.Messages, msg)
}

func joinLines(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// textOf is a string, or the texts of a list of blocks, a line each.
func textOf(v jsonx.Value) string {
	if s, ok := v.Text(); ok {
		return s
	}
	all := ""
	for _, b := range v.Items() {
		s, ok := b.Text()
		if !ok {
			s, ok = b.Get("text").Text()
		}
		if !ok {
			// A search result among the results of a tool has texts of its own.
			s = textOf(b.Get("content"))
			ok = s != ""
		}
		if ok {
			all = joinLines(all, s)
		}
	}
	return all
}

func decodeTool(t jsonx.Value) wire.Tool {
	tool := wire.Tool{
		Name: t.Get("name").Str(), Description: t.Get("description").Str(), Schema: t.Get("input_schema").Raw(),
		Type: t.Get("type").Str(),
	}
	if tool.Type == "" || tool.Type == "custom" {
		tool.Type = "function"
	}
	return tool
}

func decodeChoice(v jsonx.Value) *wire.ToolChoice {
	switch v.Get("type").Str() {
	case "auto":
		return &wire.ToolChoice{Mode: "auto"}
	case "any":
		return &wire.ToolChoice{Mode: "required"}
	case "none":
		return &wire.ToolChoice{Mode: "none"}
	case "tool":
		return &wire.ToolChoice{Mode: "named", Name: v.Get("name").Str()}
	}
	return nil
}

// decodeOutput reads output_config.format, or output_format as it was called in the beta.
func decodeOutput(body jsonx.Value) *wire.Output {
	format := body.Get("output_format")
	if !format.Get("schema").Exists() {
		format = body.At("output_config", "format")
	}
	if format.Get("type").Str() != "json_schema" {
		return nil
	}
	return &wire.Output{Schema: format.Get("schema").Raw(), Strict: true}
}

func decodeSettings(s *wire.Settings, body jsonx.Value) {
	s.Temperature = floatOf(body.Get("temperature"))
	s.TopP = floatOf(body.Get("top_p"))
	s.TopK = intOf(body.Get("top_k"))
	s.MaxTokens = intOf(body.Get("max_tokens"))
	for _, v := range body.Get("stop_sequences").Items() {
		if text, ok := v.Text(); ok {
			s.Stop = append(s.Stop, text)
		}
	}
	s.ReasoningEffort = body.At("output_config", "effort").Str()
	s.ReasoningBudget = intOf(body.At("thinking", "budget_tokens"))
	if off, ok := body.At("tool_choice", "disable_parallel_tool_use").Bool(); ok {
		parallel := !off
		s.Parallel = &parallel
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

// parseBody reads the body as a JSON object. What is wrong with the headers is said before what is wrong with the body.
func parseBody(c *wire.Call) (jsonx.Value, *wire.Failure) {
	v, err := jsonx.ParseBytes(c.Probe.Body)
	if err == nil && v.Kind() == jsonx.Object {
		return v, nil
	}
	for violation := range headerViolations(c) {
		return v, violation.Failure
	}
	if err != nil {
		return v, invalid("json", notJSON(string(c.Probe.Body), err))
	}
	return v, invalid("type", "Input should be a valid dictionary or object to extract fields from")
}

// notJSON is the provider's sentence about a body that does not parse: what, the line, the column and the character
// (promptfoo/promptfoo#4489, 2025-06: "unexpected character: line 8 column 316 (char 466)").
func notJSON(body string, err error) string {
	const intro = "The request body is not valid JSON: "
	var syntax *jsonx.SyntaxError
	if !errors.As(err, &syntax) {
		return intro + "unexpected character: line 1 column 1 (char 0)"
	}
	what := "unexpected character"
	switch {
	case syntax.Offset >= len(body):
		what = "unexpected end of data"
	case strings.Contains(syntax.Msg, "after the document"):
		what = "unexpected content after document"
	case strings.Contains(syntax.Msg, "UTF-8"):
		what = "str is not valid UTF-8: surrogates not allowed"
	case strings.Contains(syntax.Msg, "control character"):
		what = "control character (\\u0000-\\u001F) found while parsing a string"
	}
	line, column := jsonx.Position(body, syntax.Offset)
	return intro + what + ": line " + strconv.Itoa(line) + " column " + strconv.Itoa(column) +
		" (char " + strconv.Itoa(min(syntax.Offset, len(body))) + ")"
}

func invalid(rule, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Invalid, Rule: "anthropic.messages." + rule, Message: message}
}
