package gemini

import (
	"errors"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// generate is the codec of generateContent and streamGenerateContent.
type generate struct{}

// native is what Decode remembers for the rules and for the answer.
type native struct {
	body jsonx.Value
	// streamArguments says that the request wants the arguments of calls piece by piece.
	streamArguments bool
	// logprobs says that log probabilities are wanted, and alternatives how many others for each token.
	logprobs     bool
	alternatives int
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
func (generate) Decode(c *wire.Call) *wire.Failure {
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	decodeBody(c, body)
	c.Request.Stream = verbOf(c) == streamVerb
	return nil
}

func decodeBody(c *wire.Call, body jsonx.Value) {
	r := c.Request
	r.Version = versionOf(c.Probe.Path)
	r.Model = c.Probe.Vars["model"]
	n := &native{body: body}
	r.Native = n
	r.System = systemOf(pick(body, "systemInstruction"))
	for _, content := range each(pick(body, "contents")) {
		decodeContent(r, content)
	}
	for _, t := range each(pick(body, "tools")) {
		r.Tools = appendTools(r.Tools, t)
	}
	calling := pick(pick(body, "toolConfig"), "functionCallingConfig")
	r.ToolChoice = decodeChoice(calling)
	n.streamArguments = isTrue(pick(calling, "streamFunctionCallArguments"))
	config := pick(body, "generationConfig")
	n.logprobs = isTrue(pick(config, "responseLogprobs"))
	if k := intOf(pick(config, "logprobs")); k != nil && *k > 0 {
		const most = 20
		n.alternatives = int(min(*k, most))
	}
	r.Output = decodeOutput(config)
	decodeSettings(r, config)
}

func decodeContent(r *wire.Request, content jsonx.Value) {
	m := wire.Message{Role: wire.User}
	switch pick(content, "role").Str() {
	case "model":
		m.Role = wire.Assistant
	case "function":
		m.Role = wire.ToolRole
	}
	for _, p := range each(pick(content, "parts")) {
		m.Parts = appendRequestPart(m.Parts, p)
	}
	r.Messages = append(r.Messages, m)
}

// systemOf is the text of the instructions; thoughts are none.
func systemOf(v jsonx.Value) string {
	all := ""
	for _, p := range each(pick(v, "parts")) {
		text, ok := pick(p, "text").Text()
		if !ok || isTrue(pick(p, "thought")) {
			continue
		}
		if all != "" {
			all += "\n"
		}
		all += text
	}
	return all
}

// appendTools adds the functions of one tool, and the tools that the provider runs itself under their own names.
func appendTools(dst []wire.Tool, t jsonx.Value) []wire.Tool {
	for key, v := range t.Members() {
		if !sameName(key, "functionDeclarations") {
			dst = append(dst, wire.Tool{Name: camel(key), Type: camel(key)})
			continue
		}
		for _, f := range each(v) {
			tool := wire.Tool{Name: pick(f, "name").Str(), Description: pick(f, "description").Str(), Type: "function"}
			tool.Schema = pick(f, "parameters").Raw()
			if tool.Schema == "" {
				tool.Schema = pick(f, "parametersJsonSchema").Raw()
			}
			dst = append(dst, tool)
		}
	}
	return dst
}

// camel is a field's name in camelCase.
func camel(key string) string {
	if !strings.Contains(key, "_") {
		return key
	}
	var b strings.Builder
	up := false
	for i := range len(key) {
		c := key[i]
		if c == '_' && i > 0 {
			up = true
			continue
		}
		if up && c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		up = false
		b.WriteByte(c)
	}
	return b.String()
}

func decodeChoice(v jsonx.Value) *wire.ToolChoice {
	allowed := pick(v, "allowedFunctionNames")
	switch pick(v, "mode").Str() {
	case "AUTO", "VALIDATED":
		return &wire.ToolChoice{Mode: "auto"}
	case "NONE":
		return &wire.ToolChoice{Mode: "none"}
	case "ANY":
		if allowed.Len() == 1 {
			return &wire.ToolChoice{Mode: "named", Name: allowed.Index(0).Str()}
		}
		return &wire.ToolChoice{Mode: "required"}
	}
	return nil
}

// decodeOutput reads the schema under each of its names, and a response format of 2026.
func decodeOutput(config jsonx.Value) *wire.Output {
	for _, name := range [...]string{"responseJsonSchema", "_responseJsonSchema", "responseSchema"} {
		if schema := pick(config, name); schema.Exists() {
			return &wire.Output{Schema: schema.Raw(), Strict: true}
		}
	}
	json := pick(config, "responseMimeType").Str() == "application/json"
	for _, format := range each(pick(config, "responseFormat")) {
		text := pick(format, "text")
		if schema := pick(text, "schema"); schema.Exists() {
			return &wire.Output{Schema: schema.Raw(), Strict: true}
		}
		json = json || pick(text, "mimeType").Str() == "APPLICATION_JSON"
	}
	if json {
		return &wire.Output{}
	}
	return nil
}

const mostChoices = 128

func decodeSettings(r *wire.Request, config jsonx.Value) {
	s := &r.Settings
	s.Temperature = floatOf(pick(config, "temperature"))
	s.TopP = floatOf(pick(config, "topP"))
	s.TopK = intOf(pick(config, "topK"))
	s.MaxTokens = intOf(pick(config, "maxOutputTokens"))
	s.Seed = intOf(pick(config, "seed"))
	for _, v := range pick(config, "stopSequences").Items() {
		if text, ok := v.Text(); ok {
			s.Stop = append(s.Stop, text)
		}
	}
	thinking := pick(config, "thinkingConfig")
	s.ReasoningBudget = intOf(pick(thinking, "thinkingBudget"))
	s.ReasoningEffort = strings.ToLower(pick(thinking, "thinkingLevel").Str())
	if n := intOf(pick(config, "candidateCount")); n != nil && *n > 1 {
		r.Choices = int(min(*n, mostChoices))
	}
}

// parseBody reads the body as a JSON object; no body is an empty one.
func parseBody(c *wire.Call) (jsonx.Value, *wire.Failure) {
	text := string(c.Probe.Body)
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	v, err := jsonx.Parse(text)
	if err == nil && v.Kind() == jsonx.Object {
		return v, nil
	}
	if err == nil {
		return v, invalid("type", `Invalid JSON payload received. Unknown name "": Root element must be a message.`)
	}
	return v, invalid("json", notJSON(text, err))
}

// notJSON is the provider's complaint about a body that does not parse: what was wanted, a piece of the body, and a mark
// below the place.
func notJSON(body string, err error) string {
	const before, after = 20, 20
	what, at := "Unexpected token.", len(body)
	if syntax, ok := errors.AsType[*jsonx.SyntaxError](err); ok {
		at = min(syntax.Offset, len(body))
	}
	if at == len(body) {
		what = "Unexpected end of string. Expected a value."
	}
	start := max(0, at-before)
	start += strings.LastIndexByte(body[start:at], '\n') + 1
	end := min(len(body), at+after)
	if i := strings.IndexByte(body[at:end], '\n'); i >= 0 {
		end = at + i
	}
	piece := strings.ToValidUTF8(body[start:end], "")
	return "Invalid JSON payload received. " + what + "\n" + piece + "\n" + strings.Repeat(" ", min(at-start, len(piece))) + "^"
}

func invalid(rule, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Invalid, Rule: "gemini.generate." + rule, Message: message}
}
