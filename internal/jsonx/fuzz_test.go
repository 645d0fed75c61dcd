package jsonx_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// FuzzParse compares Parse, what it decodes and the formats with encoding/json.
func FuzzParse(f *testing.F) {
	for _, doc := range formatDocs {
		f.Add(doc)
	}
	for _, doc := range []string{
		`{"a":1,"a":{"b":2}}`, `"\ud83d\ude00\ud83d\u00zz"`, "\"é\xff\"", "[1.0e-5,01]", "{\"a\"}", "[1,]", "tru",
		nested(512), nested(513), "\"0123456\n\"", `"0123456\"89abcde\\"`, "1e400", "-", "\ufeff1",
	} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		v, err := jsonx.Parse(doc)
		want := json.Valid([]byte(doc)) && utf8.ValidString(doc) && depth(doc) <= 512
		if (err == nil) != want {
			t.Fatalf("Parse: error %v, want valid: %t", err, want)
		}
		if got := jsonx.Valid(doc); got != want {
			t.Fatalf("Valid = %t, want %t", got, want)
		}
		if !want {
			checkError(t, doc, err)
			checkNoPanic(doc)
			return
		}
		var std any
		d := json.NewDecoder(strings.NewReader(doc))
		d.UseNumber()
		if err := d.Decode(&std); err != nil {
			t.Fatal(err)
		}
		if got := toAny(t, doc, v); !reflect.DeepEqual(got, std) {
			t.Fatalf("got %#v, want %#v", got, std)
		}
		checkFormats(t, doc)
		if spaced := jsonx.AppendSpaced(nil, doc); !bytes.Equal(jsonx.AppendCompact(nil, string(spaced)), jsonx.AppendCompact(nil, doc)) {
			t.Fatalf("AppendSpaced: %s", spaced)
		}
	})
}

// FuzzAppend checks that what AppendString writes decodes to the same string.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "plain text", "\"\\\x00\x1f\x7f\n", "é\xff\xfe日\u2028<>&", "01234567\n9\xe6\x97"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := jsonx.AppendString(nil, s)
		want := string([]rune(s)) // invalid bytes replaced
		v, err := jsonx.ParseBytes(out)
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		var std string
		if err := json.Unmarshal(out, &std); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		if v.Str() != want || std != want {
			t.Fatalf("%s: decoded to %q and %q, want %q", out, v.Str(), std, want)
		}
	})
}

func checkError(t *testing.T, doc string, err error) {
	t.Helper()
	var syntax *jsonx.SyntaxError
	if !errors.As(err, &syntax) || syntax.Msg == "" || syntax.Offset < 0 || syntax.Offset > len(doc) {
		t.Fatalf("error %#v", err)
	}
	jsonx.Position(doc, syntax.Offset)
}

// checkNoPanic runs the writers on a document that is not valid.
func checkNoPanic(doc string) {
	jsonx.AppendCompact(nil, doc)
	jsonx.AppendSpaced(nil, doc)
	if depth(doc) < 1000 {
		jsonx.AppendIndent(nil, doc, " ")
	}
}

// depth counts how deep arrays and objects are nested in a valid document.
func depth(doc string) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}', c == ']':
			now--
		}
	}
	return deepest
}

// toAny decodes v as encoding/json does into an any, checking the offsets and
// that each way to an element leads to the same.
func toAny(t *testing.T, doc string, v jsonx.Value) any {
	t.Helper()
	if raw := v.Raw(); doc[v.Offset():v.Offset()+len(raw)] != raw {
		t.Fatalf("offset %d does not point at %q", v.Offset(), raw)
	}
	switch v.Kind() {
	case jsonx.Bool:
		b, _ := v.Bool()
		return b
	case jsonx.Number:
		v.Int()
		v.Float()
		return json.Number(v.Raw())
	case jsonx.String:
		return v.Str()
	case jsonx.Array:
		list := []any{}
		for i, e := range v.Items() {
			if i != len(list) || (i < 8 && e != v.Index(i)) {
				t.Fatalf("element %d of %s", i, v.Raw())
			}
			list = append(list, toAny(t, doc, e))
		}
		if len(list) != v.Len() {
			t.Fatalf("length %d of %s", v.Len(), v.Raw())
		}
		return list
	case jsonx.Object:
		object, size := map[string]any{}, 0
		for key, m := range v.Members() {
			object[key] = toAny(t, doc, m)
			size++
		}
		for key, want := range object {
			if size < 8 && !reflect.DeepEqual(toAny(t, doc, v.Get(key)), want) {
				t.Fatalf("member %q of %s", key, v.Raw())
			}
		}
		if size != v.Len() {
			t.Fatalf("length %d of %s", v.Len(), v.Raw())
		}
		return object
	}
	return nil
}
