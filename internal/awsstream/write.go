package awsstream

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"unicode/utf8"
)

// Append appends the frame of a message to dst. What the format has no room
// for is cut: a name after [MaxName] bytes, a value after [MaxValue] (text
// never inside a rune), and headers that would lead beyond [MaxHeaders] are
// left out. So what is appended is always a frame; [Check] tells beforehand
// whether it will hold everything.
func Append(dst []byte, headers []Header, payload []byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, preludeLen)...)
	for _, h := range headers {
		if len(dst)-start-preludeLen+headerLen(h) > MaxHeaders {
			break
		}
		dst = appendHeader(dst, h)
	}
	headersLen := len(dst) - start - preludeLen
	dst = append(dst, payload...)

	f := dst[start:]
	binary.BigEndian.PutUint32(f, uint32(len(f)+4))
	binary.BigEndian.PutUint32(f[4:], uint32(headersLen))
	binary.BigEndian.PutUint32(f[8:], crc32.ChecksumIEEE(f[:8]))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(f))
}

// Check returns an error that names the first thing of a message for which
// the format has no room. Its payload may have up to [MaxPayload] bytes.
func Check(headers []Header, payload []byte) error {
	total := 0
	for i, h := range headers {
		switch {
		case h.Name == "":
			return fmt.Errorf("awsstream: header %d has no name", i)
		case len(h.Name) > MaxName:
			return fmt.Errorf("awsstream: the name of header %d has %d bytes: %w", i, len(h.Name), ErrTooLarge)
		case len(h.Value.data) > MaxValue:
			return fmt.Errorf("awsstream: header %s has %d bytes: %w", h.Name, len(h.Value.data), ErrTooLarge)
		}
		total += headerLen(h)
	}
	if total > MaxHeaders {
		return fmt.Errorf("awsstream: the headers have %d bytes: %w", total, ErrTooLarge)
	}
	if len(payload) > MaxPayload {
		return fmt.Errorf("awsstream: the payload has %d bytes: %w", len(payload), ErrTooLarge)
	}
	return nil
}

// headerLen returns how many bytes appendHeader appends.
func headerLen(h Header) int {
	n := 1 + len(cut(h.Name, MaxName)) + 1
	switch h.Value.typ {
	case TypeByte:
		n++
	case TypeInt16:
		n += 2
	case TypeInt32:
		n += 4
	case TypeInt64, TypeTimestamp:
		n += 8
	case TypeBytes:
		n += 2 + min(len(h.Value.data), MaxValue)
	case TypeString:
		n += 2 + len(cut(h.Value.data, MaxValue))
	case TypeUUID:
		n += 16
	}
	return n
}

func appendHeader(dst []byte, h Header) []byte {
	name := cut(h.Name, MaxName)
	dst = append(dst, byte(len(name)))
	dst = append(dst, name...)
	v := h.Value
	dst = append(dst, byte(v.typ))
	switch v.typ {
	case TypeByte:
		dst = append(dst, byte(v.num))
	case TypeInt16:
		dst = binary.BigEndian.AppendUint16(dst, uint16(v.num))
	case TypeInt32:
		dst = binary.BigEndian.AppendUint32(dst, uint32(v.num))
	case TypeInt64, TypeTimestamp:
		dst = binary.BigEndian.AppendUint64(dst, uint64(v.num))
	case TypeBytes:
		dst = appendCounted(dst, v.data[:min(len(v.data), MaxValue)])
	case TypeString:
		dst = appendCounted(dst, cut(v.data, MaxValue))
	case TypeUUID:
		dst = append(dst, v.data...)
	}
	return dst
}

func appendCounted(dst []byte, s string) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(s)))
	return append(dst, s...)
}

// cut returns the longest beginning of s that has at most n bytes and ends
// where a rune does.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range utf8.UTFMax {
		if utf8.RuneStart(s[n-i]) {
			return s[:n-i]
		}
	}
	return s[:n] // no UTF-8 anyway
}
