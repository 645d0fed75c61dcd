package gemini

import (
	"encoding/base64"
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Check yields what the provider refuses: types, then the content.
func (generate) Check(c *wire.Call) iter.Seq[wire.Violation] {
	x := &exam{call: c, body: nativeOf(c).body, s: surfaceOf(c), message: generateRequest}
	return violations(x, messageRules[:], generateRules[:])
}

func violations(x *exam, tables ...[]rule) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		for _, table := range tables {
			for i := range table {
				r := &table[i]
				f := r.broken(x)
				if f == nil {
					continue
				}
				f.Rule = r.id
				if !yield(wire.Violation{Rule: r.id, Sure: r.sure, Failure: f}) {
					return
				}
			}
		}
	}
}

// walker holds a body against a message, and keeps what is wrong, a line each, as the provider tells all at once.
type walker struct {
	s        surface
	path     []step
	messages []string
	fields   []string
}

// step is a field's name, or an index where the name is "".
type step struct {
	name  string
	index int
}

func (w *walker) push(name string, index int) { w.path = append(w.path, step{name, index}) }
func (w *walker) pop()                        { w.path = w.path[:len(w.path)-1] }

// where is the path as errors write it: tools[0].function_declarations[0].name.
func (w *walker) where() string {
	var b []byte
	for _, s := range w.path {
		if s.name == "" {
			b = append(appendInt(append(b, '['), s.index), ']')
			continue
		}
		if len(b) > 0 {
			b = append(b, '.')
		}
		b = append(b, snake(s.name)...)
	}
	return string(b)
}

func (w *walker) report(message, where string) {
	w.messages = append(w.messages, message)
	w.fields = append(w.fields, where)
}

func (w *walker) failure() *wire.Failure {
	if len(w.messages) == 0 {
		return nil
	}
	fields := strings.Join(w.fields, "\n")
	if fields == "" {
		fields = "\n" // a field is wrong, and it has no place
	}
	return &wire.Failure{Kind: wire.Invalid, Message: strings.Join(w.messages, "\n"), Param: fields}
}

// wrong reports a value of a wrong type.
func (w *walker) wrong(f *fieldType, v jsonx.Value) {
	where := w.where()
	word := f.word
	switch f.kind {
	case objectKind:
		word = "type.googleapis.com/" + word
	case enumKind, messageKind:
		word = "type.googleapis.com/" + w.s.pkg() + "." + word
	}
	w.report("Invalid value at '"+where+"' ("+word+"), "+compact(v.Raw()), where)
}

// unknown reports a name that has no place where the path is; at the top level no place is told (PromptFuzz#42).
func (w *walker) unknown(name, why string) {
	where := w.where()
	message := "Invalid JSON payload received. Unknown name " + string(appendString(nil, name))
	if where != "" {
		message += " at '" + where + "'"
	}
	w.report(message+": "+why, where)
}

// onlyVertex says that AI Studio does not know a field: its schemas are of the older, smaller kind (mulmocast-app#934).
func onlyVertex(message, field string) bool {
	if message != "Schema" {
		return false
	}
	switch field {
	case "additionalProperties", "defs", "ref":
		return true
	}
	return false
}

// pkg is the protocol buffer package of the surface's messages.
func (s surface) pkg() string {
	if s.vertex {
		return "google.cloud.aiplatform.v1beta1"
	}
	return "google.ai.generativelanguage.v1beta"
}

// message looks at the fields. ProtoJSON refuses names that it does not know.
func (w *walker) message(v jsonx.Value, m *messageType) {
	const deepest = 64
	if m == nil || len(w.path) > deepest {
		return
	}
	for key, value := range v.Members() {
		f := m.field(key)
		switch {
		case f == nil || !w.s.vertex && onlyVertex(m.name, f.name):
			w.unknown(key, "Cannot find field.")
			continue
		case value.IsNull():
			continue
		}
		w.push(f.name, 0)
		w.field(f, value)
		w.pop()
	}
}

func (w *walker) field(f *fieldType, v jsonx.Value) {
	switch {
	case f.list && v.Kind() == jsonx.Array:
		for i, item := range v.Items() {
			w.push("", i)
			w.value(f, item)
			w.pop()
		}
	case f.mapped:
		if v.Kind() != jsonx.Object {
			w.wrong(f, v)
			return
		}
		i := 0
		for _, item := range v.Members() {
			// Entries of a map are counted in paths.
			w.push("", i)
			w.push("value", 0)
			w.value(f, item)
			w.pop()
			w.pop()
			i++
		}
	case !f.list && f.kind != anyKind && v.Kind() == jsonx.Array:
		at := w.path[len(w.path)-1]
		w.pop()
		w.unknown(at.name, "Proto field is not repeating, cannot start list.")
		w.path = append(w.path, at)
	default:
		w.value(f, v)
	}
}

func (w *walker) value(f *fieldType, v jsonx.Value) {
	switch f.kind {
	case anyKind:
	case objectKind:
		if v.Kind() != jsonx.Object {
			w.wrong(f, v)
		}
	case messageKind:
		if v.Kind() != jsonx.Object {
			w.wrong(f, v)
			return
		}
		w.message(v, f.message)
	case bytesKind:
		if text, ok := v.Text(); !ok {
			w.wrong(f, v)
		} else if !isBase64(text) {
			const shown = 32
			where := w.where()
			w.report("Invalid value at '"+where+"' (TYPE_BYTES), Base64 decoding failed for "+string(appendString(nil, strings.ToValidUTF8(text[:min(len(text), shown)], ""))), where)
		}
	default:
		if !f.takes(v) {
			w.wrong(f, v)
		}
	}
}

// takes says whether a value is one of a scalar or an enum, as ProtoJSON reads them: numbers as text too, enums as
// numbers and in small letters too (recorded 2026-08: "thinkingLevel": "medium").
func (f *fieldType) takes(v jsonx.Value) bool {
	switch f.kind {
	case stringKind:
		return v.Kind() == jsonx.String
	case boolKind:
		return v.Kind() == jsonx.Bool
	case floatKind, doubleKind:
		text := v.Str()
		return floatOf(v) != nil || text == "NaN" || text == "Infinity" || text == "-Infinity"
	case int32Kind, int64Kind:
		return intOf(v) != nil
	case enumKind:
		if _, ok := v.Int(); ok {
			return true
		}
		word := v.Str()
		for _, value := range f.values {
			if strings.EqualFold(value, word) {
				return true
			}
		}
	}
	return false
}

// isBase64 takes both alphabets, with and without padding.
func isBase64(s string) bool {
	s = strings.TrimRight(s, "=")
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/', c == '-', c == '_':
		default:
			return false
		}
	}
	return base64.RawStdEncoding.DecodedLen(len(s)) >= 0 && len(s)%4 != 1
}
