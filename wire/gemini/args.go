package gemini

import (
	"strconv"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// argument is a value of a call's arguments, as streamed arguments build it: an object or a list of others, or a leaf.
type argument struct {
	key      string // in an object
	form     argumentForm
	children []*argument
	// text is that of a string; raw is any other leaf.
	text []byte
	raw  string
	// more says that the text goes on.
	more bool
}

type argumentForm uint8

const (
	undecided argumentForm = iota
	object
	list
	stringLeaf
	otherLeaf
)

// argumentTree makes a tree of an object. It is false for one that cannot be streamed by paths: with an empty object or
// list in it, or with a key twice.
func argumentTree(v jsonx.Value) (*argument, bool) {
	if v.Kind() != jsonx.Object {
		return nil, false
	}
	root := &argument{form: object}
	return root, root.fill(v)
}

func (a *argument) fill(v jsonx.Value) bool {
	switch v.Kind() {
	case jsonx.Object:
		a.form = object
		for key, member := range v.Members() {
			if a.child(key) != nil || !a.add(key).fillInner(member) {
				return false
			}
		}
	case jsonx.Array:
		a.form = list
		for _, item := range v.Items() {
			if !a.add("").fillInner(item) {
				return false
			}
		}
	case jsonx.String:
		a.form, a.text = stringLeaf, []byte(v.Str())
	default:
		a.form, a.raw = otherLeaf, v.Raw()
	}
	return true
}

func (a *argument) fillInner(v jsonx.Value) bool {
	if k := v.Kind(); (k == jsonx.Object || k == jsonx.Array) && v.Len() == 0 {
		return false
	}
	return a.fill(v)
}

func (a *argument) add(key string) *argument {
	c := &argument{key: key}
	a.children = append(a.children, c)
	return c
}

func (a *argument) child(key string) *argument {
	for _, c := range a.children {
		if c.key == key {
			return c
		}
	}
	return nil
}

// append writes the value as compact JSON.
func (a *argument) append(b []byte) []byte {
	switch a.form {
	case object, list:
		open, closing := byte('{'), byte('}')
		if a.form == list {
			open, closing = '[', ']'
		}
		b = append(b, open)
		for i, c := range a.children {
			if i > 0 {
				b = append(b, ',')
			}
			if a.form == object {
				b = append(jsonx.AppendString(b, c.key), ':')
			}
			b = c.append(b)
		}
		return append(b, closing)
	case stringLeaf:
		return jsonx.AppendString(b, string(a.text))
	case otherLeaf:
		return append(b, a.raw...)
	}
	return append(b, "null"...)
}

// pieces yields the partialArgs of each value in turn, in the form of a stream's events. A string is followed by an empty
// piece that ends it; between two objects of a list comes an empty call (recorded 2026-04).
func (a *argument) pieces(yield func(piece []byte, tokens int)) { a.piecesAt("$", yield) }

const pieceRunes = 64

func (a *argument) piecesAt(path string, yield func(piece []byte, tokens int)) {
	switch a.form {
	case object:
		for _, c := range a.children {
			c.piecesAt(path+pathStep(c.key), yield)
		}
	case list:
		for i, c := range a.children {
			if i > 0 && c.form == object {
				yield(nil, 0)
			}
			c.piecesAt(path+"["+strconv.Itoa(i)+"]", yield)
		}
	case stringLeaf:
		for text := a.text; len(text) > 0; {
			n := 0
			for i := 0; i < pieceRunes && n < len(text); i++ {
				_, size := utf8.DecodeRune(text[n:])
				n += size
			}
			b := appendString(appendPath(path), string(text[:n]))
			yield(append(b, `,"willContinue": true}`...), wire.TokensOf(text[:n]))
			text = text[n:]
		}
		yield(append(appendPath(path), `""}`...), 0)
	default:
		yield(appendLeaf(path, a.raw), 1)
	}
}

// appendPath opens a piece of a string.
func appendPath(path string) []byte {
	return append(appendString([]byte(`{"jsonPath": `), path), `,"stringValue": `...)
}

func appendLeaf(path, raw string) []byte {
	b := appendString([]byte(`{"jsonPath": `), path)
	switch raw {
	case "null":
		return append(b, `,"nullValue": "NULL_VALUE"}`...)
	case "true", "false":
		b = append(b, `,"boolValue": `...)
	default:
		b = append(b, `,"numberValue": `...)
	}
	return append(append(b, raw...), '}')
}

// pathStep is a key as a step of a JSONPath (RFC 9535): .name, or ['any text'].
func pathStep(key string) string {
	plain := key != ""
	for i := range len(key) {
		c := key[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
		plain = plain && (letter || i > 0 && c >= '0' && c <= '9')
	}
	if plain {
		return "." + key
	}
	b := []byte("['")
	for i := range len(key) {
		if key[i] == '\'' || key[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, key[i])
	}
	return string(append(b, "']"...))
}
