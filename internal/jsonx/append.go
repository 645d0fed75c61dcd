package jsonx

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// AppendString appends s to dst as a JSON string. It escapes only quotes,
// backslashes and control characters, the latter in the short form if there is
// one. Each invalid byte becomes the character U+FFFD; all else, also <, >, &
// and U+2028, stands for itself.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	valid := false // known to be
	for {
		i, ascii := skipPlain(s, 0)
		if !ascii && !valid {
			if valid = utf8.ValidString(s); !valid {
				s = string(appendValid(make([]byte, 0, len(s)+len(s)/8+8), s))
				valid = true
				continue
			}
		}
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[i])
		s = s[i+1:]
	}
}

// appendValid appends s with U+FFFD in place of each invalid byte.
func appendValid(dst []byte, s string) []byte {
	for _, r := range s {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// AppendFloat appends f to dst in the form of encoding/json: the shortest
// digits that read back as f, with an exponent below 1e-6 and from 1e21 on.
// JSON has no form for infinities and NaN; they become null.
func AppendFloat(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	return appendFloat(dst, f, 64, abs != 0 && (abs < 1e-6 || abs >= 1e21))
}

// AppendFloat32 is [AppendFloat] for a float32, which often needs fewer digits.
func AppendFloat32(dst []byte, f float32) []byte {
	abs := float32(math.Abs(float64(f)))
	return appendFloat(dst, float64(f), 32, abs != 0 && (abs < 1e-6 || abs >= 1e21))
}

func appendFloat(dst []byte, f float64, bitSize int, exponent bool) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return append(dst, "null"...)
	}
	if !exponent {
		return strconv.AppendFloat(dst, f, 'f', -1, bitSize)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bitSize)
	// As in encoding/json, e-09 becomes e-9.
	if n := len(dst); n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
