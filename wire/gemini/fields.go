package gemini

import (
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// pick is the member of an object under its name in camelCase, or under the name that the same field has in the protocol
// buffer: generationConfig is generation_config too (protobuf.dev, ProtoJSON format). The last one counts.
func pick(v jsonx.Value, name string) jsonx.Value {
	var found jsonx.Value
	for key, member := range v.Members() {
		if sameName(key, name) {
			found = member
		}
	}
	if found.IsNull() {
		// A null is the same as no field.
		return jsonx.Value{}
	}
	return found
}

// sameName says whether key is camel, or camel in snake_case.
func sameName(key, camel string) bool {
	if key == camel {
		return true
	}
	i := 0
	for j := range len(camel) {
		c := camel[j]
		if c >= 'A' && c <= 'Z' {
			if i >= len(key) || key[i] != '_' {
				return false
			}
			i++
			c += 'a' - 'A'
		}
		if i >= len(key) || key[i] != c {
			return false
		}
		i++
	}
	return i == len(key)
}

// snake is a name of a field as messages of errors write it.
func snake(camel string) string {
	var b strings.Builder
	for i := range len(camel) {
		c := camel[i]
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// each gives the elements of a repeated field. One value that is no list stands for a list of one, as the examples of
// Vertex's documentation have it ("contents": {…}).
func each(v jsonx.Value) iter.Seq2[int, jsonx.Value] {
	if v.Kind() != jsonx.Object {
		return v.Items()
	}
	return func(yield func(int, jsonx.Value) bool) { yield(0, v) }
}

func isTrue(v jsonx.Value) bool {
	on, _ := v.Bool()
	return on
}

// floatOf and intOf read numbers; ProtoJSON takes them as strings too.
func floatOf(v jsonx.Value) *float64 {
	if f, ok := unquoted(v).Float(); ok {
		return &f
	}
	return nil
}

func intOf(v jsonx.Value) *int64 {
	if n, ok := unquoted(v).Int(); ok {
		return &n
	}
	return nil
}

func unquoted(v jsonx.Value) jsonx.Value {
	if s, ok := v.Text(); ok {
		n, err := jsonx.Parse(s)
		if err != nil {
			return jsonx.Value{}
		}
		return n
	}
	return v
}
