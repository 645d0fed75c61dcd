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

var whenKeys = []key[whenDraft]{
	{"about", "Texts that the conversation holds, or the texts to embed: one, or a list that must all be there.", `{"anyOf":[{"$ref":"#/$defs/textCondition"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/textCondition"}}]}`, readAbout},
	{"afterTool", "The tool whose result came last since the user wrote; any is whichever. Without it the stub answers only where there is none.", formText, func(n node, w *whenDraft) {
		if s, ok := n.text(); ok {
			w.add(AfterTool(s))
		}
	}},
	{"endpoint", "What is asked for; chat where it is not given.", enum(kindNames()), func(n node, w *whenDraft) {
		s, _ := n.word(kindNames())
		w.kind = wire.Kind(max(0, slices.Index(kindNames(), s)))
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
	chatOnly := []string{"afterTool", "stream", "system", "user"}
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
