package jsonx

import "math/bits"

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// load64 reads the eight bytes of s from i on; the compiler makes it one load.
func load64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// skipPlain returns the index of the first byte of s from i on that cannot
// stand for itself inside a JSON string (a quote, a backslash or a control
// character), or len(s) if there is none. It looks at eight bytes at a time.
// If ascii is true, all the bytes passed over are ASCII; false means maybe not.
func skipPlain(s string, i int) (end int, ascii bool) {
	var seen uint64
	for i+8 <= len(s) {
		x := load64(s, i)
		seen |= x
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		// The high bit of a byte is set where the byte is zero (or, for x,
		// less than a space). A borrow can set it wrongly, but only above a
		// byte where it is right, and the lowest is the one that counts.
		hit := ((x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if hit != 0 {
			return i + bits.TrailingZeros64(hit)/8, seen&highs == 0
		}
		i += 8
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&highs == 0
}

// skipSpace returns the index of the first byte of s from i on that is not
// one of the four JSON white space characters.
func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t')
}

// skipString returns the index after the string literal that starts at i in a
// valid document; in one that is not, it may be the end of the document.
func skipString(s string, i int) int {
	i++
	for {
		i, _ = skipPlain(s, i)
		switch {
		case i >= len(s):
			return len(s)
		case s[i] == '"':
			return i + 1
		case s[i] == '\\':
			i++
		}
		i++
	}
}

// skipDigits returns the index of the first byte of s from i on that is not a
// decimal digit.
func skipDigits(s string, i int) int {
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	return i
}
