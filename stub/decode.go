package stub

import (
	"encoding/json"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// DecodeAnswer reads the `answer` of a stub. An absent value is an empty answer.
func DecodeAnswer(v jsonx.Value) (Answer, Problems) {
	n := rootNode(v)
	if !v.Exists() {
		return Answer{}, nil
	}
	a := readAnswer(n)
	return a, *n.problems
}

// answerDraft is an answer and its content, which stands beside the other keys where there is one choice.
type answerDraft struct {
	Answer
	content content
}

var answerKeys = append(append(lift(contentKeys, func(a *answerDraft) *content { return &a.content }), []key[answerDraft]{
	{"choices", "Several answers, for requests that ask for more than one. The last is repeated where there are too few.", `{"type":"array","minItems":1,"items":{"$ref":"#/$defs/content"}}`, readChoices},
	{"usage", "The token counts. What is not given is estimated.", `{"$ref":"#/$defs/usage"}`, readUsage},
	{"embedding", "The vector that every text gets.", `{"type":"array","items":{"type":"number"}}`, readEmbedding},
	{"dimensions", "How long made vectors are, where the request does not say.", `{"type":"integer","minimum":1,"maximum":65536}`, func(n node, a *answerDraft) {
		a.Dimensions = n.between(1, maxDimensions)
	}},
	{"models", "The names of a model list.", formTexts, func(n node, a *answerDraft) { a.Models = n.texts() }},
	{"blocked", "Refuses the prompt, in the provider's way to say so.", enum([]string{"prompt"}), func(n node, a *answerDraft) {
		a.Blocked, _ = n.word([]string{"prompt"})
	}},
	{"error", "The provider's error instead of an answer, or inside a stream.", `{"$ref":"#/$defs/error"}`, readError},
	{"headers", "Response headers that replace the provider's or come beside them.", formHeaders, func(n node, a *answerDraft) { a.Headers = n.headers() }},
	{"raw", "A response byte by byte, in place of all else.", `{"$ref":"#/$defs/raw"}`, readRaw},
	{"quirks", "Deviations from the provider's usual form, by name.", formObject, readQuirks},
}...), lift(faultKeys, func(a *answerDraft) *Fault { return &a.Fault })...)

const maxDimensions = 1 << 16

func readAnswer(n node) Answer {
	var d answerDraft
	if n.v.IsNull() {
		n.wrong("an answer is missing; an empty one is {}")
		return Answer{}
	}
	if !readObject(n, answerKeys, &d) {
		return Answer{}
	}
	n.checkContent()
	n.checkFaults()
	for _, name := range contentNames {
		n.apart(name, "choices", "blocked")
	}
	n.apart("raw", append([]string{"choices", "usage", "embedding", "models", "blocked", "error", "headers", "quirks", "malformed"}, contentNames...)...)
	if len(d.Choices) == 0 {
		if c, given := d.content.answer(); given {
			d.Choices = append(d.Choices, c)
		}
	}
	return d.Answer
}

func readQuirks(n node, a *answerDraft) {
	if n.v.Kind() != jsonx.Object {
		n.want("an object")
		return
	}
	a.Quirks = json.RawMessage(n.compact())
}
