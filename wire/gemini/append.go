package gemini

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendString writes a string as Google's JSON printer does: angle brackets are escaped (recorded 2026-08), ampersands
// and quotes are not.
func appendString(b []byte, s string) []byte {
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '>') < 0 {
		return jsonx.AppendString(b, s)
	}
	start := len(b)
	b = jsonx.AppendString(b, s)
	plain := string(b[start:])
	b = b[:start]
	for i := range len(plain) {
		switch plain[i] {
		case '<':
			b = append(b, `\u003c`...)
		case '>':
			b = append(b, `\u003e`...)
		default:
			b = append(b, plain[i])
		}
	}
	return b
}

// compact is a JSON document without white space between its tokens.
func compact(raw string) string {
	if !strings.ContainsAny(raw, " \t\r\n") {
		return raw
	}
	return string(jsonx.AppendCompact(make([]byte, 0, len(raw)), raw))
}

// pretty is how a whole body travels: indented by two spaces, with a line end, unless the request wants neither.
//
// All of this package writes JSON in the form of a stream's events, a space after each colon and none after a comma;
// this makes the other form of it.
func pretty(body []byte, plain bool) []byte {
	if plain {
		return append(body, '\n')
	}
	return append(jsonx.AppendIndent(make([]byte, 0, 2*len(body)), string(body), "  "), '\n')
}
