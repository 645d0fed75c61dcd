package awsstream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// What [Reader.Next] finds wrong with a stream, besides
// [io.ErrUnexpectedEOF]. Test with [errors.Is].
var (
	ErrPreludeChecksum = errors.New("prelude checksum does not match")
	ErrMessageChecksum = errors.New("message checksum does not match")
	ErrTooLarge        = errors.New("larger than allowed")
	ErrMalformed       = errors.New("malformed")
)

// Reader reads the messages of a stream. Only R need be set.
type Reader struct {
	// R is what to read from. A Reader reads no byte beyond the message that
	// Next returns.
	R io.Reader
	// MaxPayload is how many bytes a payload may have; 0 means [MaxPayload],
	// the package's.
	MaxPayload int

	err error
	n   int
}

// Next returns the next message. It returns [io.EOF] where the stream ends
// after a whole message, and [io.ErrUnexpectedEOF] where it ends inside one.
// Any other error is wrapped and names the message by its number, from 0.
// After an error, Next returns the same error again.
func (r *Reader) Next() (Message, error) {
	if r.err != nil {
		return Message{}, r.err
	}
	m, err := r.read()
	if err != nil {
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("awsstream: message %d: %w", r.n, err)
		}
		r.err = err
		return Message{}, err
	}
	r.n++
	return m, nil
}

func (r *Reader) read() (Message, error) {
	var prelude [preludeLen]byte
	if _, err := io.ReadFull(r.R, prelude[:]); err != nil {
		return Message{}, err
	}
	if crc32.ChecksumIEEE(prelude[:8]) != binary.BigEndian.Uint32(prelude[8:]) {
		return Message{}, ErrPreludeChecksum
	}
	total := int64(binary.BigEndian.Uint32(prelude[:]))
	headersLen := int64(binary.BigEndian.Uint32(prelude[4:]))
	limit := int64(r.MaxPayload)
	if limit <= 0 {
		limit = MaxPayload
	}
	switch {
	case total < minFrame:
		return Message{}, fmt.Errorf("%w: a total length of %d", ErrMalformed, total)
	case headersLen > total-minFrame:
		return Message{}, fmt.Errorf("%w: a total length of %d with headers of %d", ErrMalformed, total, headersLen)
	case headersLen > MaxHeaders:
		return Message{}, fmt.Errorf("headers of %d bytes: %w", headersLen, ErrTooLarge)
	case total-minFrame-headersLen > limit:
		return Message{}, fmt.Errorf("a payload of %d bytes: %w", total-minFrame-headersLen, ErrTooLarge)
	}

	// The buffer grows with what arrives, so a prelude that promises much
	// costs nothing.
	var buf bytes.Buffer
	rest := total - preludeLen
	buf.Grow(int(min(rest, 16<<10)))
	if n, err := io.CopyN(&buf, r.R, rest); err != nil {
		if n < rest && errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Message{}, err
	}
	b := buf.Bytes()
	sum := crc32.Update(crc32.ChecksumIEEE(prelude[:]), crc32.IEEETable, b[:len(b)-4])
	if sum != binary.BigEndian.Uint32(b[len(b)-4:]) {
		return Message{}, ErrMessageChecksum
	}
	headers, err := parseHeaders(b[:headersLen])
	if err != nil {
		return Message{}, err
	}
	return Message{Headers: headers, Payload: b[headersLen : len(b)-4 : len(b)-4]}, nil
}

func parseHeaders(b []byte) ([]Header, error) {
	var hs []Header
	for len(b) > 0 {
		name, rest, ok := take(b[1:], int(b[0]))
		if !ok || len(rest) == 0 {
			return nil, fmt.Errorf("%w: header %d ends early", ErrMalformed, len(hs))
		}
		if len(name) == 0 {
			return nil, fmt.Errorf("%w: header %d has no name", ErrMalformed, len(hs))
		}
		v, rest, err := parseValue(Type(rest[0]), rest[1:])
		if err != nil {
			return nil, fmt.Errorf("header %q: %w", name, err)
		}
		hs = append(hs, Header{Name: string(name), Value: v})
		b = rest
	}
	return hs, nil
}

func parseValue(t Type, b []byte) (v Value, rest []byte, err error) {
	size := 0
	switch t {
	case TypeTrue, TypeFalse:
	case TypeByte:
		size = 1
	case TypeInt16:
		size = 2
	case TypeInt32:
		size = 4
	case TypeInt64, TypeTimestamp:
		size = 8
	case TypeUUID:
		size = 16
	case TypeBytes, TypeString:
		count, after, ok := take(b, 2)
		if !ok {
			return v, nil, fmt.Errorf("%w: its value ends early", ErrMalformed)
		}
		size = int(binary.BigEndian.Uint16(count))
		if size > MaxValue {
			return v, nil, fmt.Errorf("a value of %d bytes: %w", size, ErrTooLarge)
		}
		b = after
	default:
		return v, nil, fmt.Errorf("%w: no header has %v", ErrMalformed, t)
	}
	raw, rest, ok := take(b, size)
	if !ok {
		return v, nil, fmt.Errorf("%w: its value ends early", ErrMalformed)
	}
	v.typ = t
	switch t {
	case TypeByte:
		v.num = int64(int8(raw[0]))
	case TypeInt16:
		v.num = int64(int16(binary.BigEndian.Uint16(raw)))
	case TypeInt32:
		v.num = int64(int32(binary.BigEndian.Uint32(raw)))
	case TypeInt64, TypeTimestamp:
		v.num = int64(binary.BigEndian.Uint64(raw))
	default:
		v.data = string(raw)
	}
	return v, rest, nil
}

// take splits b after n bytes, if it has as many.
func take(b []byte, n int) (head, tail []byte, ok bool) {
	if len(b) < n {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}
