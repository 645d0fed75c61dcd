package jsonx

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text returns the decoded text of the string node i.
func (t *tree) text(i uint32) string {
	n := &t.nodes[i]
	inner := t.doc[n.start+1 : n.end-1]
	if !n.escaped {
		return inner
	}
	return unescape(inner)
}

// unescape decodes the inside of a valid string literal.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'u':
			r := hex4(s)
			s = s[4:]
			if utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if strings.HasPrefix(s, `\u`) {
					low = hex4(s[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					s = s[6:]
				}
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
		}
	}
}

// hex4 reads the four hexadecimal digits at the start of s.
func hex4(s string) rune {
	var r rune
	for i := range 4 {
		c := rune(s[i])
		if c > '9' {
			c = (c | 0x20) - 'a' + 10
		} else {
			c -= '0'
		}
		r = r<<4 | c
	}
	return r
}
