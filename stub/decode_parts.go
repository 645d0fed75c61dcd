package stub

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

type callDraft struct {
	wire.ToolCall
	arguments, text *string
}

var callKeys = []key[callDraft]{
	{"name", "The tool's name.", formText, into(node.text, func(c *callDraft) *string { return &c.Name })},
	{"arguments", "The arguments. They travel compact, in the order in which they are written.", formObject, func(n node, c *callDraft) {
		if n.v.Kind() != jsonx.Object {
			n.want("an object; any other text is argumentsText")
			return
		}
		s := n.compact()
		c.arguments = &s
	}},
	{"argumentsText", "The arguments as the text that travels, valid JSON or not; a custom tool's input.", formText, intoPtr(node.text, func(c *callDraft) **string { return &c.text })},
	// An id that is no text is as good as none: the provider's own is made.
	{"id", "The call's id. Without it there is one, the same each time.", `true`, func(n node, c *callDraft) { c.ID = n.v.Str() }},
	{"custom", "The tool takes free text (OpenAI's custom tools).", formBool, into(node.bool, func(c *callDraft) *bool { return &c.Custom })},
}

func readCall(n node) wire.ToolCall {
	var c callDraft
	if !readObject(n, callKeys, &c) {
		return c.ToolCall
	}
	n.require("name", "which tool to call")
	n.apart("argumentsText", "arguments")
	if c.Custom && c.arguments != nil {
		n.child("arguments", n.v.Get("arguments")).misplaced("a custom tool takes a text: argumentsText")
	}
	switch {
	case c.text != nil:
		c.Arguments = *c.text
	case c.arguments != nil:
		c.Arguments = *c.arguments
	case !c.Custom:
		c.Arguments = "{}"
	}
	return c.ToolCall
}

var reasoningKeys = []key[wire.Reasoning]{
	{"text", "What the model thought.", formText, into(node.text, func(r *wire.Reasoning) *string { return &r.Text })},
	{"signature", "The provider's proof. Without it there is one, where the wire has such a thing.", formText, into(node.text, func(r *wire.Reasoning) *string { return &r.Signature })},
	{"redacted", "The provider gives the signature only.", formBool, into(node.bool, func(r *wire.Reasoning) *bool { return &r.Redacted })},
}

func readReasoning(n node) wire.Reasoning {
	var r wire.Reasoning
	switch n.v.Kind() {
	case jsonx.String:
		r.Text = n.v.Str()
	case jsonx.Object:
		readObject(n, reasoningKeys, &r)
		if r.Redacted {
			n.apart("text", "redacted")
		}
	default:
		n.want("a text, or an object with text, signature, redacted")
	}
	return r
}

// partDraft is a part that is being read. What it is, its first key says; the reasoning's other keys stand beside it.
type partDraft struct {
	part      wire.Part
	reasoning wire.Reasoning
	kinds     int
}

func (p *partDraft) is(part wire.Part) {
	p.part = part
	p.kinds++
}

var partKeys = []key[partDraft]{
	{"text", "Text.", formText, func(n node, p *partDraft) {
		s, _ := n.text()
		p.is(wire.Text{Text: s})
	}},
	{"json", "Text that is this JSON value.", `true`, func(n node, p *partDraft) { p.is(wire.Text{Text: n.compact()}) }},
	{"reasoning", "What the model thought.", `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/reasoning"}]}`, func(n node, p *partDraft) { p.is(readReasoning(n)) }},
	{"signature", "The signature of the reasoning beside it.", formText, into(node.text, func(p *partDraft) *string { return &p.reasoning.Signature })},
	{"redacted", "The reasoning is its signature only.", formBool, into(node.bool, func(p *partDraft) *bool { return &p.reasoning.Redacted })},
	{"toolCall", "A tool call.", `{"$ref":"#/$defs/toolCall"}`, func(n node, p *partDraft) { p.is(readCall(n)) }},
	{"refusal", "The model declines.", formText, func(n node, p *partDraft) {
		s, _ := n.text()
		p.is(wire.Refusal{Text: s})
	}},
	{"citation", "Where the text before it came from.", `{"$ref":"#/$defs/citation"}`, func(n node, p *partDraft) {
		var c wire.Citation
		readObject(n, citationKeys, &c)
		p.is(c)
	}},
	{"media", "An image, a sound or a file.", `{"$ref":"#/$defs/media"}`, func(n node, p *partDraft) {
		var m wire.Media
		readObject(n, mediaKeys, &m)
		n.require("kind", "image, audio, file or video")
		p.is(m)
	}},
	{"block", "A block of the provider's own, which travels as it is.", `{"type":"object","required":["type"],"properties":{"type":{"type":"string"}}}`, func(n node, p *partDraft) {
		if n.v.Kind() != jsonx.Object || n.v.Get("type").Kind() != jsonx.String {
			n.want("an object with the block's type, a text")
		}
		p.is(wire.Opaque{Type: n.v.Get("type").Str(), Raw: n.compact()})
	}},
}

var citationKeys = []key[wire.Citation]{
	{"kind", "The provider's word for it.", formText, into(node.text, func(c *wire.Citation) *string { return &c.Kind })},
	{"url", "The source's address.", formText, into(node.text, func(c *wire.Citation) *string { return &c.URL })},
	{"title", "The source's title.", formText, into(node.text, func(c *wire.Citation) *string { return &c.Title })},
	{"text", "The text that is cited.", formText, into(node.text, func(c *wire.Citation) *string { return &c.Text })},
	{"start", "Where it starts, as the provider counts.", formCount, into(node.count, func(c *wire.Citation) *int { return &c.Start })},
	{"end", "Where it ends.", formCount, into(node.count, func(c *wire.Citation) *int { return &c.End })},
}

var mediaKeys = []key[wire.Media]{
	{"kind", "What it is.", enum(mediaKinds()), func(n node, m *wire.Media) {
		m.Kind, _ = n.word(mediaKinds())
	}},
	{"mime", "Its media type.", formText, into(node.text, func(m *wire.Media) *string { return &m.MIME })},
	{"url", "Its address.", formText, into(node.text, func(m *wire.Media) *string { return &m.URL })},
	{"data", "The bytes as they travel, usually base64.", formText, into(node.text, func(m *wire.Media) *string { return &m.Data })},
	{"fileId", "The provider's id of the file.", formText, into(node.text, func(m *wire.Media) *string { return &m.FileID })},
}

func mediaKinds() []string { return []string{"image", "audio", "file", "video"} }

func readPart(n node) wire.Part {
	var p partDraft
	if !readObject(n, partKeys, &p) {
		return nil
	}
	r, reasoning := p.part.(wire.Reasoning)
	if !n.has("reasoning") && (n.has("signature") || n.has("redacted")) {
		// Redacted reasoning has no text, so that the signature says what the part is.
		reasoning = true
		p.kinds++
	}
	if p.kinds != 1 {
		n.wrong("want one of text, json, reasoning, toolCall, refusal, citation, media, block in a part, got %d of them", p.kinds)
		return nil
	}
	if !reasoning {
		return p.part
	}
	if p.reasoning.Signature != "" {
		r.Signature = p.reasoning.Signature
	}
	if p.reasoning.Redacted {
		r.Redacted = true
	}
	if r.Redacted && r.Text != "" {
		n.wrong("redacted reasoning has no text")
	}
	return r
}
