package ollama

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// appendString writes a string as Go's encoding/json does, which Ollama answers with: <, >, & and the line separators
// U+2028 and U+2029 are escaped too.
func appendString(dst []byte, s string) []byte {
	start := len(dst)
	return escape(jsonx.AppendString(dst, s), start)
}

// escape rewrites the JSON from start on in the form of encoding/json. All that is escaped can only stand in strings.
func escape(dst []byte, start int) []byte {
	if first := special(dst[start:]); first < 0 {
		return dst
	} else {
		start += first
	}
	const digits = "0123456789abcdef"
	rest := string(dst[start:])
	dst = dst[:start]
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '<' || c == '>' || c == '&':
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		case isSeparator(rest[i:]):
			dst = append(dst, `\u202`...)
			dst = append(dst, digits[rest[i+2]&15])
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// special is where the first byte that may need an escape is, -1 where there is none.
func special(b []byte) int {
	for i, c := range b {
		if c == '<' || c == '>' || c == '&' || c == 0xE2 {
			return i
		}
	}
	return -1
}

func isSeparator(s string) bool {
	return strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")
}

// compact is a JSON document without white space between its tokens, in the form of encoding/json. The order of keys and
// the spelling of numbers stay.
func compact(raw string) string {
	return string(escape(jsonx.AppendCompact(make([]byte, 0, len(raw)), raw), 0))
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

func isTrue(v jsonx.Value) bool {
	on, _ := v.Bool()
	return on
}

// missing says whether a value is not there, as encoding/json sees it: null is not there either.
func missing(v jsonx.Value) bool { return !v.Exists() || v.IsNull() }
