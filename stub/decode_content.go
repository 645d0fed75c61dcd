package stub

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// content is what one choice says, as it is written: in keys of any order, or in ordered parts.
type content struct {
	reasoning, refusal, text, json, calls, parts []wire.Part
	stop                                         wire.Stop
	sequence                                     string
}

var contentKeys = []key[content]{
	{"text", "The answer's text.", formText, func(n node, c *content) {
		if s, ok := n.text(); ok && s != "" {
			c.text = []wire.Part{wire.Text{Text: s}}
		}
	}},
	{"json", "A JSON value that the answer's text is made of: compact, its order and nulls kept. null is as if not given.", `true`, func(n node, c *content) {
		if !n.v.IsNull() {
			c.json = []wire.Part{wire.Text{Text: n.compact()}}
		}
	}},
	{"toolCalls", "The tools that the client shall run.", `{"type":"array","items":{"$ref":"#/$defs/toolCall"}}`, func(n node, c *content) {
		for _, item := range n.items("a list of tool calls") {
			c.calls = append(c.calls, readCall(item))
		}
	}},
	{"reasoning", "What the model thought before: a text, or a text with its signature.", `{"anyOf":[{"type":"string"},{"$ref":"#/$defs/reasoning"}]}`, func(n node, c *content) {
		if r := readReasoning(n); r != (wire.Reasoning{}) {
			c.reasoning = []wire.Part{r}
		}
	}},
	{"refusal", "The model declines, in these words.", formText, func(n node, c *content) {
		if s, ok := n.text(); ok {
			c.refusal = []wire.Part{wire.Refusal{Text: s}}
		}
	}},
	{"parts", "The content in an order of its own.", `{"type":"array","items":{"$ref":"#/$defs/part"}}`, func(n node, c *content) {
		for _, item := range n.items("a list of parts") {
			if p := readPart(item); p != nil {
				c.parts = append(c.parts, p)
			}
		}
	}},
	{"stop", "Why the answer ends. Without it the content says so.", `{"anyOf":[` + enum(stopNames()) + `,{"$ref":"#/$defs/stop"}]}`, readStop},
}

var contentNames = nameList(contentKeys)

// answer is the content in the order in which models give it, and whether there is any.
func (c *content) answer() (wire.Answer, bool) {
	a := wire.Answer{Parts: c.parts, Stop: c.stop, Sequence: c.sequence}
	for _, parts := range [][]wire.Part{c.reasoning, c.refusal, c.text, c.json, c.calls} {
		a.Parts = append(a.Parts, parts...)
	}
	return a, len(a.Parts) > 0 || a.Stop != ""
}

func (n node) checkContent() {
	n.apart("json", "text")
	n.apart("refusal", "text", "json")
	n.apart("parts", "text", "json", "toolCalls", "reasoning", "refusal")
}

func readChoices(n node, d *answerDraft) {
	items := n.items("a list of answers")
	if n.v.Kind() == jsonx.Array && len(items) == 0 {
		n.wrong("want at least one answer in the list")
	}
	for _, item := range items {
		var c content
		if readObject(item, contentKeys, &c) {
			item.checkContent()
		}
		a, _ := c.answer()
		d.Choices = append(d.Choices, a)
	}
}

type stopDraft struct{ sequence string }

var stopKeys = []key[stopDraft]{
	{"sequence", "The stop sequence of the request that the answer came to.", formText, into(node.text, func(s *stopDraft) *string { return &s.sequence })},
}

func readStop(n node, c *content) {
	if n.v.Kind() == jsonx.Object {
		var s stopDraft
		readObject(n, stopKeys, &s)
		n.require("sequence", "the text that the answer stopped at")
		c.stop, c.sequence = wire.StopSequence, s.sequence
		return
	}
	if n.v.Kind() != jsonx.String {
		n.want("a reason to stop, or an object with sequence")
		return
	}
	if s, ok := n.word(stopNames()); ok {
		c.stop = wire.Stop(s)
	}
}

func stopNames() []string {
	var names []string
	for _, s := range wire.Stops() {
		names = append(names, string(s))
	}
	return names
}
