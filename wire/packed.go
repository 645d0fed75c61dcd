package wire

import (
	"bytes"
	"encoding/binary"
)

// Packed is frames in little memory, for streams that last and for answers that are kept. The events of a stream are
// much alike, so of each only that is held in which it differs from the one before.
type Packed struct {
	frames []byte
	count  int
}

// Pack packs frames.
func Pack(frames []Frame) Packed {
	p := Packed{count: len(frames)}
	var last Frame
	for _, f := range frames {
		named, except := uint64(0), uint64(0)
		if f.Name != last.Name {
			named = 1
		}
		if f.Except {
			except = 1
		}
		p.frames = binary.AppendVarint(p.frames, int64(f.Tokens))
		p.frames = binary.AppendUvarint(p.frames, uint64(len(f.Data))<<2|named<<1|except)
		if named == 1 {
			p.frames = appendBytes(p.frames, f.Name)
		}
		p.frames = appendChange(p.frames, last.Data, f.Data)
		last = f
	}
	p.frames = bytes.Clone(p.frames) // without the room for more
	return p
}

// alike is how much two frames must have in common in one place for it to be worth a reference.
const alike = 8

// appendChange writes how to make b of a, as steps: how much of a to skip, how much of it to take, and what comes then.
func appendChange(dst, a, b []byte) []byte {
	skip, same := 0, prefix(a, b)
	for {
		a, b = a[skip+same:], b[same:]
		var text int
		text, skip = meet(a, b)
		dst = binary.AppendUvarint(dst, uint64(same))
		dst = appendBytes(dst, b[:text])
		if b = b[text:]; len(b) == 0 {
			return dst
		}
		dst = binary.AppendUvarint(dst, uint64(skip))
		same = prefix(a[skip:], b)
	}
}

// meet is how much of b comes before it has something in common with a, and how much of a does.
func meet(a, b []byte) (text, skip int) {
	for text = range b {
		if len(b)-text < alike {
			break
		}
		if at := bytes.Index(a, b[text:text+alike]); at >= 0 {
			return text, at
		}
	}
	// The ends are often alike, however short.
	n := suffix(a, b)
	return len(b) - n, len(a) - n
}

// Len is how many frames there are.
func (p Packed) Len() int { return p.count }

// Size is roughly how much memory they take.
func (p Packed) Size() int { return len(p.frames) }

// Frames unpacks all.
func (p Packed) Frames() []Frame {
	frames := make([]Frame, 0, p.count)
	u := p.Unpack()
	for f, ok := u.Next(); ok; f, ok = u.Next() {
		f.Data = append(make([]byte, 0, len(f.Data)), f.Data...)
		frames = append(frames, f)
	}
	return frames
}

// Unpack begins to unpack, a frame at a time.
func (p Packed) Unpack() Unpacking { return Unpacking{rest: p.frames} }

// Unpacking is where one is in packed frames.
type Unpacking struct {
	rest  []byte
	last  Frame
	spare []byte
}

// Next is the next frame, whose data are good until the next call; false is the end.
func (u *Unpacking) Next() (Frame, bool) {
	if len(u.rest) == 0 {
		return Frame{}, false
	}
	tokens, n := binary.Varint(u.rest)
	u.rest = u.rest[n:]
	flags := u.number()
	u.last.Tokens, u.last.Except = int(tokens), flags&1 == 1
	if flags&2 != 0 {
		u.last.Name = string(u.bytes())
	}
	size, before := int(flags>>2), u.last.Data
	data := u.spare[:0]
	if cap(data) < size {
		data = make([]byte, 0, size+size/16) // the next may be a little longer
	}
	for from := 0; ; from += int(u.number()) {
		same := int(u.number())
		data = append(data, before[from:from+same]...)
		from += same
		if data = append(data, u.bytes()...); len(data) == size {
			break
		}
	}
	u.last.Data, u.spare = data, before
	return u.last, true
}

func (u *Unpacking) number() uint64 {
	v, n := binary.Uvarint(u.rest)
	u.rest = u.rest[n:]
	return v
}

func (u *Unpacking) bytes() []byte {
	n := u.number()
	b := u.rest[:n:n]
	u.rest = u.rest[n:]
	return b
}

func appendBytes[T string | []byte](dst []byte, b T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// prefix is how much of the beginning a and b share.
func prefix(a, b []byte) int {
	n := 0
	for n+8 <= len(a) && n+8 <= len(b) && binary.LittleEndian.Uint64(a[n:]) == binary.LittleEndian.Uint64(b[n:]) {
		n += 8
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// suffix is how much of the end a and b share.
func suffix(a, b []byte) int {
	n := 0
	for n+8 <= len(a) && n+8 <= len(b) && binary.LittleEndian.Uint64(a[len(a)-n-8:]) == binary.LittleEndian.Uint64(b[len(b)-n-8:]) {
		n += 8
	}
	for n < len(a) && n < len(b) && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}
