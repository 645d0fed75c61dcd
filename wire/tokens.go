package wire

import (
	"encoding/binary"
	"unsafe"
)

// Tokens estimates how many tokens a text is: a quarter of its UTF-16 length, rounded up; 0 only for no text.
func Tokens(s string) int { return (utf16Len(s) + 3) / 4 }

// TokensOf is Tokens of bytes.
func TokensOf(b []byte) int { return Tokens(unsafe.String(unsafe.SliceData(b), len(b))) }

// utf16Len counts UTF-16 units, eight bytes at a time where they are ASCII.
func utf16Len(s string) int {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	n, i := 0, 0
	for i < len(b) {
		for i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&0x8080808080808080 == 0 {
			n += 8
			i += 8
		}
		for end := min(i+8, len(b)); i < end; i++ {
			switch {
			case b[i] >= 0xF0:
				n += 2
			case b[i]&0xC0 != 0x80:
				n++
			}
		}
	}
	return n
}
