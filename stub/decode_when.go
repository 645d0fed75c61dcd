package stub

import (
	"slices"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// whenDraft is the conditions of a stub that are being read.
type whenDraft struct {
	conditions []Condition
	kind       wire.Kind
	o          DecodeOptions
}

func (w *whenDraft) add(c ...Condition) { w.conditions = append(w.conditions, c...) }

// conditionKeys are the conditions that can be negated.
var conditionKeys = []key[whenDraft]{
	{"about", "Texts that the conversation holds, or the texts to embed: one, or a list that must all be there.", `{"anyOf":[{"$ref":"#/$defs/textCondition"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/textCondition"}}]}`, readAbout},
	{"afterTool", "The tool whose result came last since the user wrote; any is whichever. Without it the stub answers only where there is none.", formText, func(n node, w *whenDraft) {
		if s, ok := n.text(); ok {
			w.add(AfterTool(s))
		}
	}},
	{"wire", "A provider, openai, or one of its endpoints, openai.chat.", formText, readWire},
	{"model", "The model's name; * is any text, ? one character.", formText, func(n node, w *whenDraft) {
		if s, ok := n.text(); ok {
			w.add(Model(s))
		}
	}},
	{"stream", "Whether a stream is asked for.", formBool, func(n node, w *whenDraft) {
		if b, ok := n.bool(); ok {
			w.add(Stream(b))
		}
	}},
	{"system", "A text in the system prompt.", formTextCondition, func(n node, w *whenDraft) {
		if t, ok := readText(n); ok {
			w.add(System(t))
		}
	}},
	{"user", "A text in what the user wrote last.", formTextCondition, func(n node, w *whenDraft) {
		if t, ok := readText(n); ok {
			w.add(User(t))
		}
	}},
	{"toolResult", "A text in a tool result that came since the user wrote.", formTextCondition, func(n node, w *whenDraft) {
		if t, ok := readText(n); ok {
			w.add(ToolResult(t))
		}
	}},
	{"tool", "A tool that the request offers, or a list of which all are offered.", `{"anyOf":[{"type":"string"},{"type":"array","minItems":1,"items":{"type":"string"}}]}`, func(n node, w *whenDraft) {
		names := []node{n}
		if n.v.Kind() == jsonx.Array {
			names = n.items("a list of names")
		}
		for _, item := range names {
			if s, ok := item.text(); ok {
				w.add(Tool(s))
			}
		}
	}},
	{"header", "Headers that the request has: names, and the value or how it is compared.", formValues, func(n node, w *whenDraft) { readValues(n, w, Header) }},
	{"query", "Parameters of the query: names, and the value or how it is compared.", formValues, func(n node, w *whenDraft) { readValues(n, w, Query) }},
}

// whenKeys are the keys of `when`.
var whenKeys = append(slices.Clone(conditionKeys), []key[whenDraft]{
	{"endpoint", "What is asked for; chat where it is not given.", enum(kindNames()), func(n node, w *whenDraft) {
		s, _ := n.word(kindNames())
		w.kind = wire.Kind(max(0, slices.Index(kindNames(), s)))
	}},
	{"not", "Conditions of which none may hold.", `{"$ref":"#/$defs/not"}`, func(n node, w *whenDraft) {
		inner := whenDraft{o: w.o}
		if readObject(n, conditionKeys, &inner) {
			w.add(Not(inner.conditions...)...)
		}
	}},
}...)

const formValues = `{"type":"object","additionalProperties":{"$ref":"#/$defs/textCondition"}}`

// readValues reads named values; a plain one is wanted whole.
func readValues(n node, w *whenDraft, is func(string, Text) Condition) {
	if n.v.Kind() != jsonx.Object {
		n.want("an object of names and values")
		return
	}
	for name, v := range n.v.Members() {
		if t, ok := readText(n.child(name, v)); ok {
			if v.Kind() == jsonx.String {
				t = Equals(v.Str())
			}
			w.add(is(name, t))
		}
	}
}

// kindNames are the kinds that a stub can answer, in the order of [wire.Kind].
func kindNames() []string {
	return []string{wire.Chat.String(), wire.Embeddings.String(), wire.Models.String()}
}

// DecodeWhen reads the `when` of a stub: what kind of endpoint is asked, and what must hold.
func DecodeWhen(v jsonx.Value, o DecodeOptions) (wire.Kind, []Condition, Problems) {
	n := rootNode(v)
	kind, conditions := readWhen(n, o)
	return kind, conditions, *n.problems
}

func readWhen(n node, o DecodeOptions) (wire.Kind, []Condition) {
	w := whenDraft{o: o}
	if !readObject(n, whenKeys, &w) || w.kind == wire.Chat {
		return w.kind, w.conditions
	}
	chatOnly := []string{"afterTool", "stream", "system", "user", "toolResult", "tool"}
	if w.kind == wire.Models {
		chatOnly = append(chatOnly, "about")
	}
	for _, name := range chatOnly {
		if n.has(name) {
			n.child(name, n.v.Get(name)).misplaced("%q has no meaning for the endpoint %s", name, w.kind)
		}
	}
	return w.kind, w.conditions
}

func readAbout(n node, w *whenDraft) {
	if n.v.Kind() != jsonx.Array {
		n.readAboutText(w)
		return
	}
	if n.v.Len() == 0 {
		n.wrong("want at least one text in the list")
	}
	for i, v := range n.v.Items() {
		n.child(i, v).readAboutText(w)
	}
}

func (n node) readAboutText(w *whenDraft) {
	t, ok := readText(n)
	if !ok {
		return
	}
	if t.kind == contains && t.text == "" {
		n.wrong("every request holds an empty text; leave it out")
		return
	}
	w.add(AboutText(t))
}

func readWire(n node, w *whenDraft) {
	s, ok := n.text()
	if !ok {
		return
	}
	if len(w.o.Wires) > 0 && !slices.Contains(w.o.Wires, s) {
		n.wrong("%q is no provider and no endpoint%s", s, hintWord(s, w.o.Wires))
		return
	}
	w.add(Wire(s))
}
