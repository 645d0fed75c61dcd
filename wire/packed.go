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
		before := prefix(last.Data, f.Data)
		after := suffix(last.Data[before:], f.Data[before:])
		named, except := uint64(0), uint64(0)
		if f.Name != last.Name {
			named = 1
		}
		if f.Except {
			except = 1
		}
		p.frames = binary.AppendVarint(p.frames, int64(f.Tokens))
		p.frames = binary.AppendUvarint(p.frames, uint64(before)<<2|named<<1|except)
		p.frames = binary.AppendUvarint(p.frames, uint64(after))
		p.frames = appendBytes(p.frames, f.Data[before:len(f.Data)-after])
		if named == 1 {
			p.frames = appendBytes(p.frames, f.Name)
		}
		last = f
	}
	p.frames = bytes.Clone(p.frames) // without the room for more
	return p
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
	rest []byte
	last Frame
}

// Next is the next frame, whose data are good until the next call; false is the end.
func (u *Unpacking) Next() (Frame, bool) {
	if len(u.rest) == 0 {
		return Frame{}, false
	}
	tokens, n := binary.Varint(u.rest)
	u.rest = u.rest[n:]
	flags := u.number()
	before, after := int(flags>>2), int(u.number())
	middle := u.bytes()
	data := u.last.Data
	end := len(data) - after
	grown := before + len(middle) + after
	if grown > cap(data) {
		data = make([]byte, grown, grown+grown/8)
		copy(data, u.last.Data[:before])
		copy(data[grown-after:], u.last.Data[end:])
	} else {
		data = data[:max(grown, len(data))]
		copy(data[grown-after:], data[end:end+after])
		data = data[:grown]
	}
	copy(data[before:], middle)
	u.last.Data, u.last.Tokens, u.last.Except = data, int(tokens), flags&1 == 1
	if flags&2 != 0 {
		u.last.Name = string(u.bytes())
	}
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
