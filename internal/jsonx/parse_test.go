package jsonx_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func nested(depth int) string {
	return strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

func TestParseAccepts(t *testing.T) {
	for _, doc := range []string{
		"null", "true", "false", "0", "-0", "12", "-1.5e+10", "1E5", "0.1", "0e1",
		`""`, `"a"`, `"\"\\\/\b\f\n\r\t\u00e9"`, `"\ud800"`, "\"\x7f\"", `"日本"`,
		"[]", "{}", "[ ]", "{ }", " \t\r\n[ 1 , 2 ]\n", `{"a":{"b":[{}]},"a":1}`,
		nested(512),
		strings.Repeat(`{"a":`, 511) + "[]" + strings.Repeat("}", 511),
	} {
		if v, err := jsonx.Parse(doc); err != nil {
			t.Errorf("Parse(%.40q): %v", doc, err)
		} else if got, want := v.Raw(), strings.Trim(doc, " \t\r\n"); got != want {
			t.Errorf("Parse(%.40q).Raw() = %q", doc, got)
		}
		if !jsonx.Valid(doc) {
			t.Errorf("Valid(%.40q) = false", doc)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		doc    string
		offset int
		msg    string
	}{
		{"", 0, "unexpected end of the document"},
		{"  ", 2, "unexpected end of the document"},
		{"[1,", 3, "unexpected end of the document"},
		{"[1", 2, "unexpected end of the document"},
		{"[", 1, "unexpected end of the document"},
		{"{", 1, "unexpected end of the document"},
		{`{"a"`, 4, "unexpected end of the document"},
		{`{"a":`, 5, "unexpected end of the document"},
		{`{"a":1`, 6, "unexpected end of the document"},
		{`"abc`, 4, "unexpected end of the document in a string"},
		{`"abc\`, 5, "unexpected end of the document in a string"},
		{`"\u12`, 5, "unexpected end of the document in a string"},
		{`"\u12g4"`, 5, `unexpected 'g' in a \u escape, want four hexadecimal digits`},
		{`"\x"`, 2, "unexpected 'x' after a backslash"},
		{"\"long enough\n\"", 12, "control character U+000A in a string, want an escape"},
		{"\"ab\xffcd\"", 3, "invalid UTF-8 in a string"},
		{"\"\uFFFD\\n\xed\xa0\x80\"", 6, "invalid UTF-8 in a string"},
		{"\"\xe6\x97", 1, "invalid UTF-8 in a string"},
		{"[\xff]", 1, "invalid UTF-8"},
		{"[1,]", 3, "unexpected ']' instead of a value"},
		{"[,1]", 1, "unexpected ',' instead of a value"},
		{"[1 2]", 3, "unexpected '2' after an array element, want a comma or ]"},
		{"{,}", 1, "unexpected ',' instead of a member name"},
		{`{"a":1,}`, 7, "unexpected '}' instead of a member name"},
		{`{a:1}`, 1, "unexpected 'a' instead of a member name"},
		{`{"a" 1}`, 5, "unexpected '1' after a member name, want a colon"},
		{`{"a":1 "b":2}`, 7, "unexpected '\"' after an object member, want a comma or }"},
		{"1 2", 2, "unexpected '2' after the document"},
		{"{}é", 2, "unexpected 'é' after the document"},
		{"\ufeff{}", 0, `unexpected '\ufeff' instead of a value`},
		{"\u00a0{}", 0, `unexpected '\u00a0' instead of a value`},
		{"\v1", 0, `unexpected '\v' instead of a value`},
		{"NaN", 0, "unexpected 'N' instead of a value"},
		{"tru", 0, "invalid literal, want true"},
		{"falsy", 0, "invalid literal, want false"},
		{"nul]", 0, "invalid literal, want null"},
		{"nullx", 4, "unexpected 'x' after the document"},
		{"01", 0, "number with a leading zero"},
		{"-01", 1, "number with a leading zero"},
		{"+1", 0, "unexpected '+' instead of a value"},
		{".5", 0, "unexpected '.' instead of a value"},
		{"-", 1, "unexpected end of the document"},
		{"[-]", 2, "unexpected ']' in a number, want a digit"},
		{"[1.]", 3, "unexpected ']' in a number, want a digit after the point"},
		{"[1e+]", 4, "unexpected ']' in a number, want a digit in the exponent"},
		{nested(513), 512, "nesting deeper than 512"},
	}
	for _, tt := range tests {
		_, err := jsonx.Parse(tt.doc)
		var syntax *jsonx.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Parse(%.40q): error %v, want a *SyntaxError", tt.doc, err)
			continue
		}
		if syntax.Offset != tt.offset || syntax.Msg != tt.msg {
			t.Errorf("Parse(%.40q): %d: %q, want %d: %q", tt.doc, syntax.Offset, syntax.Msg, tt.offset, tt.msg)
		}
		if jsonx.Valid(tt.doc) {
			t.Errorf("Valid(%.40q) = true", tt.doc)
		}
	}
}

// The scan of strings works on words of eight bytes: each byte that ends a run
// must be found at each place in a word, after each other byte.
func TestParseStringByteAtEachPlace(t *testing.T) {
	for c := range 128 {
		for at := range 20 {
			inner := strings.Repeat("\x7f", at) + string(rune(c)) + "!!!!!!!!!!"
			_, err := jsonx.Parse(`"` + inner + `"`)
			if plain := c >= ' ' && c != '"' && c != '\\'; (err == nil) != plain {
				t.Errorf("byte %#x at %d: error %v", c, at, err)
			}
			v, err := jsonx.ParseBytes(jsonx.AppendString(nil, inner))
			if err != nil || v.Str() != inner {
				t.Errorf("byte %#x at %d: read back %q, %v", c, at, v.Str(), err)
			}
		}
	}
}

func TestParseBytesEmpty(t *testing.T) {
	if _, err := jsonx.ParseBytes(nil); err == nil {
		t.Error("ParseBytes(nil): no error")
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := jsonx.Parse("[1,]")
	if got, want := err.Error(), "unexpected ']' instead of a value at offset 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPosition(t *testing.T) {
	const doc = "ab\né日c\r\n\nz"
	tests := []struct{ offset, line, column int }{
		{-1, 1, 1},
		{0, 1, 1},
		{2, 1, 3},
		{3, 2, 1},
		{5, 2, 2},
		{8, 2, 3},
		{11, 3, 1},
		{12, 4, 1},
		{13, 4, 2},
		{99, 4, 2},
	}
	for _, tt := range tests {
		if line, column := jsonx.Position(doc, tt.offset); line != tt.line || column != tt.column {
			t.Errorf("Position(%d) = %d:%d, want %d:%d", tt.offset, line, column, tt.line, tt.column)
		}
	}
}
