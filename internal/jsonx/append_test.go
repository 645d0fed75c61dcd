package jsonx_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func TestAppendString(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", `""`},
		{"plain", `"plain"`},
		{"say \"hi\" \\o/", `"say \"hi\" \\o/"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x1f\x7f", "\"\\u0000\\u001f\x7f\""},
		{"<a href='x'>&\u2028\u2029é😀", "\"<a href='x'>&\u2028\u2029é😀\""},
		{"\uFFFD", "\"\uFFFD\""},
		{"a\xffb", "\"a\uFFFDb\""},
		{"line\né\xe6\x97 \xed\xa0\x80\"", "\"line\\né\uFFFD\uFFFD \uFFFD\uFFFD\uFFFD\\\"\""},
	}
	for _, tt := range tests {
		if got := string(jsonx.AppendString([]byte("x"), tt.in)); got != "x"+tt.want {
			t.Errorf("%q: got %s, want %s", tt.in, got[1:], tt.want)
		}
	}
}

func TestAppendFloat(t *testing.T) {
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1.5, 0.1, 1e-6, 9.9e-7, 1e-7, 1e-10, 1e-300, 1e20, 1e21, 1.5e300,
		123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64, 1.0 / 3,
	} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(jsonx.AppendFloat(nil, f)); got != string(want) {
			t.Errorf("AppendFloat(%g) = %s, want %s", f, got, want)
		}
		f := float32(f)
		if math.IsInf(float64(f), 0) {
			continue
		}
		if want, err = json.Marshal(f); err != nil {
			t.Fatal(err)
		}
		if got := string(jsonx.AppendFloat32(nil, f)); got != string(want) {
			t.Errorf("AppendFloat32(%g) = %s, want %s", f, got, want)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		got := string(jsonx.AppendFloat32(jsonx.AppendFloat(nil, f), float32(f)))
		if got != "nullnull" {
			t.Errorf("%g: got %s", f, got)
		}
	}
}

var formatDocs = []string{
	"1", ` "a b" `, "[]", "{ }", "[ [ ] , { } ]", "\n[1,\t2 , -3.50e+1]\r\n",
	`{"a" : {"b":[{}, {"c": null}]}, "d":"x : y, {z} \" \\", "e":[[[true]]]}`,
	`{"url":"<\u003c>","long":"a string of more than eight bytes \\"}`,
}

func TestAppendCompactAndIndent(t *testing.T) {
	for _, doc := range formatDocs {
		checkFormats(t, doc)
	}
}

// checkFormats compares the writers with encoding/json on a valid document.
func checkFormats(t *testing.T, doc string) {
	t.Helper()
	var want bytes.Buffer
	if err := json.Compact(&want, []byte(doc)); err != nil {
		t.Fatal(err)
	}
	if got := jsonx.AppendCompact([]byte{'x'}, doc); string(got[1:]) != want.String() {
		t.Errorf("AppendCompact(%q) = %s, want %s", doc, got[1:], want.Bytes())
	}
	for _, indent := range []string{"", "  ", "\t"} {
		want.Reset()
		if err := json.Indent(&want, bytes.TrimRight([]byte(doc), " \t\r\n"), "", indent); err != nil {
			t.Fatal(err)
		}
		if got := jsonx.AppendIndent([]byte{'x'}, doc, indent); string(got[1:]) != want.String() {
			t.Errorf("AppendIndent(%q, %q) = %s, want %s", doc, indent, got[1:], want.Bytes())
		}
	}
}

func TestAppendSpaced(t *testing.T) {
	got := string(jsonx.AppendSpaced(nil, "{\n \"a:b\" :[ { \"c\":1 } , 2 ],\"d\" : { } }"))
	if want := `{"a:b": [{"c": 1},2],"d": {}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
