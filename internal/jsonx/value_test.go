package jsonx_test

import (
	"reflect"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func mustParse(tb testing.TB, doc string) jsonx.Value {
	tb.Helper()
	v, err := jsonx.Parse(doc)
	if err != nil {
		tb.Fatalf("Parse(%.60q): %v", doc, err)
	}
	return v
}

func TestGet(t *testing.T) {
	v := mustParse(t, `{"a":1,"b":{"a":[2,{"c":3}]},"a":4,"\u0061b":5,"n":null,"":6}`)
	tests := []struct {
		name string
		got  jsonx.Value
		want string
	}{
		{"last duplicate", v.Get("a"), "4"},
		{"escaped key", v.Get("ab"), "5"},
		{"empty key", v.Get(""), "6"},
		{"null", v.Get("n"), "null"},
		{"missing", v.Get("x"), ""},
		{"other case", v.Get("A"), ""},
		{"in an array", v.Get("b").Get("a").Get("c"), ""},
		{"path", v.At("b", "a", 1, "c"), "3"},
		{"empty path", v.At("b", "a", 0).At(), "2"},
		{"negative index", v.At("b", "a", -1), ""},
		{"index too large", v.At("b", "a", 2), ""},
		{"index of an object", v.At(0), ""},
		{"unknown step type", v.At(1.5), ""},
	}
	for _, tt := range tests {
		if got := tt.got.Raw(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if got := tt.got.Exists(); got != (tt.want != "") {
			t.Errorf("%s: Exists() = %t", tt.name, got)
		}
		if got := tt.got.IsNull(); got != (tt.want == "null") {
			t.Errorf("%s: IsNull() = %t", tt.name, got)
		}
	}
}

func TestKindsAndOffsets(t *testing.T) {
	const doc = ` [ null , true , 1.5 , "s" , [ ] , { } ] `
	v := mustParse(t, doc)
	kinds := []jsonx.Kind{jsonx.Null, jsonx.Bool, jsonx.Number, jsonx.String, jsonx.Array, jsonx.Object}
	names := []string{"null", "boolean", "number", "string", "array", "object"}
	if v.Offset() != 1 || v.Len() != len(kinds) {
		t.Errorf("offset %d, length %d", v.Offset(), v.Len())
	}
	for i, e := range v.Items() {
		if e.Kind() != kinds[i] || e.Kind().String() != names[i] {
			t.Errorf("element %d is %v", i, e.Kind())
		}
		if e != v.Index(i) {
			t.Errorf("element %d is not Index(%d)", i, i)
		}
		if at := e.Offset(); doc[at:at+len(e.Raw())] != e.Raw() {
			t.Errorf("element %d: offset %d does not point at %q", i, at, e.Raw())
		}
	}
	if got := jsonx.Absent.String() + " " + jsonx.Kind(99).String(); got != "absent unknown" {
		t.Errorf("got %q", got)
	}
}

func TestIndexPastNestedElements(t *testing.T) {
	v := mustParse(t, `[[1,2],{"a":[3]},4]`)
	for i, want := range []string{"[1,2]", `{"a":[3]}`, "4"} {
		if got := v.Index(i).Raw(); got != want {
			t.Errorf("Index(%d) = %q, want %q", i, got, want)
		}
	}
}

func TestMembersInOrder(t *testing.T) {
	v := mustParse(t, `{"z":[{}],"\n":2,"z":3}`)
	var got []string
	for key, m := range v.Members() {
		got = append(got, key, m.Raw())
	}
	want := []string{"z", "[{}]", "\n", "2", "z", "3"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if v.Len() != 3 {
		t.Errorf("Len() = %d, want 3", v.Len())
	}
	for key := range v.Members() {
		if key == "\n" {
			break
		}
		if key != "z" {
			t.Errorf("member %q before the break", key)
		}
	}
}

// Each method must work on the zero Value and on values of each other kind.
func TestOtherKinds(t *testing.T) {
	values := []jsonx.Value{{}}
	for _, e := range mustParse(t, `[null,"s",true,7,[1],{"a":1}]`).Items() {
		values = append(values, e)
	}
	for _, v := range values {
		k := v.Kind()
		if _, ok := v.Text(); ok != (k == jsonx.String) || (v.Str() != "") != ok {
			t.Errorf("%v: Text is %t, Str is %q", k, ok, v.Str())
		}
		if b, ok := v.Bool(); ok != (k == jsonx.Bool) || b != ok {
			t.Errorf("%v: Bool is %t, %t", k, b, ok)
		}
		if n, ok := v.Int(); ok != (k == jsonx.Number) || (n == 7) != ok {
			t.Errorf("%v: Int is %d, %t", k, n, ok)
		}
		if f, ok := v.Float(); ok != (k == jsonx.Number) || (f == 7) != ok {
			t.Errorf("%v: Float is %g, %t", k, f, ok)
		}
		if got := v.Index(0).Exists(); got != (k == jsonx.Array) {
			t.Errorf("%v: Index is %t", k, got)
		}
		if got := v.Get("a").Exists(); got != (k == jsonx.Object) {
			t.Errorf("%v: Get is %t", k, got)
		}
		items, members := 0, 0
		for range v.Items() {
			items++
		}
		for range v.Members() {
			members++
		}
		if (items == 1) != (k == jsonx.Array) || (members == 1) != (k == jsonx.Object) || v.Len() != items+members {
			t.Errorf("%v: %d items, %d members, length %d", k, items, members, v.Len())
		}
	}
	if v := values[0]; v.Exists() || v.IsNull() || v.Raw() != "" || v.Offset() != 0 {
		t.Errorf("zero value: %t %t %q %d", v.Exists(), v.IsNull(), v.Raw(), v.Offset())
	}
}

func TestText(t *testing.T) {
	tests := []struct{ doc, want string }{
		{`""`, ""},
		{`"plain é"`, "plain é"},
		{`"a\"\\\/\b\f\n\r\tz"`, "a\"\\/\b\f\n\r\tz"},
		{`"\u0000\u00E9\u65e5"`, "\x00é日"},
		{`"\ud83d\ude00!"`, "😀!"},
		{`"\ud83d"`, "\uFFFD"},
		{`"\ude00\ud83d"`, "\uFFFD\uFFFD"},
		{`"\ud83d\u0041"`, "\uFFFDA"},
		{`"\ud83d\n"`, "\uFFFD\n"},
		{`"\ud83d\ud83d\ude00"`, "\uFFFD😀"},
		{`"\ufffd"`, "\uFFFD"},
	}
	for _, tt := range tests {
		if got := mustParse(t, tt.doc).Str(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.doc, got, tt.want)
		}
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		doc  string
		want int64
		ok   bool
	}{
		{"3", 3, true},
		{"3.0", 3, true},
		{"3e0", 3, true},
		{"-0", 0, true},
		{"-0.0e-99999999999", 0, true},
		{"1.5e1", 15, true},
		{"-1200e-2", -12, true},
		{"1E+3", 1000, true},
		{"0.001e3", 1, true},
		{"9223372036854775807", 1<<63 - 1, true},
		{"-9223372036854775808", -1 << 63, true},
		{"-9223372036854775.808e3", -1 << 63, true},
		{"9007199254740993.0", 9007199254740993, true},
		{"1e18", 1e18, true},
		{"1e19", 0, false},
		{"3.5", 0, false},
		{"1e-1", 0, false},
		{"9223372036854775808", 0, false},
		{"9223372036854775808.0", 0, false},
		{"1e99999999999", 0, false},
		{"1e-99999999999", 0, false},
		{"1e2147483647", 0, false},
		{`"3"`, 0, false},
	}
	for _, tt := range tests {
		if got, ok := mustParse(t, tt.doc).Int(); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %d, %t, want %d, %t", tt.doc, got, ok, tt.want, tt.ok)
		}
	}
}

func TestFloat(t *testing.T) {
	tests := []struct {
		doc  string
		want float64
		ok   bool
	}{
		{"0.7", 0.7, true},
		{"-1e-7", -1e-7, true},
		{"1e400", 0, false},
		{"1e-400", 0, true},
		{"null", 0, false},
	}
	for _, tt := range tests {
		if got, ok := mustParse(t, tt.doc).Float(); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %g, %t, want %g, %t", tt.doc, got, ok, tt.want, tt.ok)
		}
	}
}
