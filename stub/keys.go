package stub

import (
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// key is one key of an object in a stub: what decodes it, and what the published schema says of it.
type key[T any] struct {
	name string
	doc  string
	// form is the JSON Schema of its value.
	form string
	read func(n node, t *T)
}

// readObject reads an object by a table of keys. It says so where the value is none.
func readObject[T any](n node, keys []key[T], t *T) bool {
	if n.v.Kind() != jsonx.Object {
		n.want("an object with " + namesOf(keys))
		return false
	}
	seen := make([]bool, len(keys))
	for name, v := range n.v.Members() {
		c := n.child(name, v)
		i := slices.IndexFunc(keys, func(k key[T]) bool { return k.name == name })
		switch {
		case i < 0:
			c.misplaced("unknown key %q%s", name, hint(name, keys))
		case seen[i]:
			c.misplaced("the key %q is given twice", name)
		default:
			seen[i] = true
			keys[i].read(c, t)
		}
	}
	return true
}

func hint[T any](name string, keys []key[T]) string {
	if near := didYouMean(name, nameList(keys)); near != "" {
		return near
	}
	return "; the keys here are " + namesOf(keys)
}

func nameList[T any](keys []key[T]) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

func namesOf[T any](keys []key[T]) string { return strings.Join(nameList(keys), ", ") }

// lift makes keys of a part into keys of the whole.
func lift[T, P any](keys []key[P], part func(*T) *P) []key[T] {
	lifted := make([]key[T], len(keys))
	for i, k := range keys {
		lifted[i] = key[T]{k.name, k.doc, k.form, func(n node, t *T) { k.read(n, part(t)) }}
	}
	return lifted
}

// has says whether an object gives a key. `json: null` is the same as no json.
func (n node) has(name string) bool {
	v := n.v.Get(name)
	return v.Exists() && (name != "json" || !v.IsNull())
}

// apart refuses a key beside others.
func (n node) apart(name string, others ...string) {
	if !n.has(name) {
		return
	}
	for _, other := range others {
		if n.has(other) {
			n.child(name, n.v.Get(name)).misplaced("%q cannot stand beside %q", name, other)
			return
		}
	}
}

// needs refuses a key without another.
func (n node) needs(name, other string) {
	if n.has(name) && !n.has(other) {
		n.child(name, n.v.Get(name)).misplaced("%q needs %q beside it", name, other)
	}
}

// require wants a key.
func (n node) require(name, what string) {
	if n.v.Kind() == jsonx.Object && !n.has(name) {
		n.wrong("%q is missing: %s", name, what)
	}
}

// into makes a reader of a getter: it sets the field that a function points at.
func into[T, V any](get func(node) (V, bool), field func(*T) *V) func(node, *T) {
	return func(n node, t *T) {
		if v, ok := get(n); ok {
			*field(t) = v
		}
	}
}

// intoPtr is into for fields that are nil where nothing is given.
func intoPtr[T, V any](get func(node) (V, bool), field func(*T) **V) func(node, *T) {
	return func(n node, t *T) {
		if v, ok := get(n); ok {
			*field(t) = &v
		}
	}
}

// enum is the schema of one of some words.
func enum(words []string) string { return `{"enum":["` + strings.Join(words, `","`) + `"]}` }

// The schemas of simple values.
const (
	formText     = `{"type":"string"}`
	formBool     = `{"type":"boolean"}`
	formCount    = `{"type":"integer","minimum":0}`
	formDuration = `{"$ref":"#/$defs/duration"}`
	formObject   = `{"type":"object"}`
	formTexts    = `{"type":"array","items":{"type":"string"}}`
	formHeaders  = `{"$ref":"#/$defs/headers"}`
	formStatus   = `{"type":"integer","minimum":200,"maximum":599}`
)
