package stub

import (
	"regexp"

	"github.com/mimus-go/mimus/internal/jsonx"
)

const formTextCondition = `{"$ref":"#/$defs/textCondition"}`

var textKeys = []key[Text]{
	{"contains", "The text holds this one, case and all.", formText, readTextKind(Contains)},
	{"equals", "The text is this one.", formText, readTextKind(Equals)},
	{"matches", "A regular expression (RE2) is found in the text.", `{"type":"string","format":"regex"}`, func(n node, t *Text) {
		s, ok := n.text()
		if !ok {
			return
		}
		re, err := regexp.Compile(s)
		if err != nil {
			n.wrong("%v", err)
			return
		}
		*t = Matches(re)
	}},
}

func readTextKind(is func(string) Text) func(node, *Text) {
	return func(n node, t *Text) {
		if s, ok := n.text(); ok {
			*t = is(s)
		}
	}
}

// readText reads a condition on a text: a substring, or an object that says how it is compared. It reports false where
// something is wrong.
func readText(n node) (Text, bool) {
	before := len(*n.problems)
	var t Text
	switch n.v.Kind() {
	case jsonx.Object:
		readObject(n, textKeys, &t)
		if n.v.Len() != 1 && len(*n.problems) == before {
			n.wrong("want one of %s", namesOf(textKeys))
		}
	case jsonx.Array, jsonx.Null:
		n.want("a text, or an object with " + namesOf(textKeys))
	default:
		s, _ := n.text()
		t = Contains(s)
	}
	return t, len(*n.problems) == before
}
