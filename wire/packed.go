package wire

import (
	"bytes"
	"encoding/binary"
	"sync"
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
	var c change
	var shape, was []byte
	for _, f := range frames {
		lens := c.lens
		c.make(last.Data, f.Data)
		named, except := uint64(0), uint64(0)
		if f.Name != last.Name {
			named = 1
		}
		if f.Except {
			except = 1
		}
		shape = binary.AppendVarint(shape[:0], int64(f.Tokens))
		shape = binary.AppendUvarint(shape, uint64(len(c.steps))<<2|named<<1|except)
		for i, s := range c.steps {
			shape = binary.AppendUvarint(shape, uint64(s.same))
			shape = binary.AppendVarint(shape, int64(s.skip-lens[min(i, most)]))
		}
		if bytes.Equal(shape, was) {
			p.frames = append(p.frames, 0)
		} else {
			p.frames = appendBytes(p.frames, shape)
			shape, was = was, shape
		}
		if named == 1 {
			p.frames = appendBytes(p.frames, f.Name)
		}
		for _, s := range c.steps {
			p.frames = appendBytes(p.frames, s.text)
		}
		last = f
	}
	p.frames = bytes.Clone(p.frames) // without the room for more
	return p
}

// A frame is made of the one before in steps. Their shape is mostly that of the steps before, and then only the texts are
// written: what is skipped is mostly the text that stood there.
type (
	change struct {
		steps []step
		lens  lengths // of the texts
	}
	step struct {
		same int // how much is taken
		text []byte
		skip int // how much is left out then
	}
	lengths [most + 1]int
)

const (
	// most is how many texts of a frame are expected to be replaced, each by one; the last of lengths is always 0.
	most = 4
	// alike is how much two frames must have in common in one place for it to be worth a step.
	alike = 8
)

// make finds the steps from a to b.
func (c *change) make(a, b []byte) {
	c.steps, c.lens = c.steps[:0], lengths{}
	same := prefix(a, b)
	for {
		a, b = a[same:], b[same:]
		text, skip := meet(a, b)
		if n := len(c.steps); n < most {
			c.lens[n] = text
		}
		c.steps = append(c.steps, step{same, b[:text], skip})
		a, b = a[skip:], b[text:]
		if len(b) == 0 {
			return
		}
		same = prefix(a, b)
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
	shape []byte
	lens  lengths
}

// scratch is where a frame is made of the one before.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// Next is the next frame, whose data are good until the next call; false is the end.
func (u *Unpacking) Next() (Frame, bool) {
	if len(u.rest) == 0 {
		return Frame{}, false
	}
	if shape := cutBytes(&u.rest); len(shape) > 0 {
		u.shape = shape
	}
	shape := u.shape
	u.last.Tokens = int(cutVarint(&shape))
	flags := cutUvarint(&shape)
	u.last.Except = flags&1 == 1
	if flags&2 != 0 {
		u.last.Name = string(cutBytes(&u.rest))
	}
	made := scratch.Get().(*[]byte)
	data, before, lens := (*made)[:0], u.last.Data, u.lens
	u.lens = lengths{}
	for i := range int(flags >> 2) {
		same := int(cutUvarint(&shape))
		skip := int(cutVarint(&shape)) + lens[min(i, most)]
		text := cutBytes(&u.rest)
		data = append(append(data, before[:same]...), text...)
		before = before[same+skip:]
		if i < most {
			u.lens[i] = len(text)
		}
	}
	u.last.Data = append(u.last.Data[:0], data...)
	if cap(data) <= 64<<10 {
		*made = data
		scratch.Put(made)
	}
	return u.last, true
}

func cutUvarint(b *[]byte) uint64 {
	v, n := binary.Uvarint(*b)
	*b = (*b)[n:]
	return v
}

func cutVarint(b *[]byte) int64 {
	v, n := binary.Varint(*b)
	*b = (*b)[n:]
	return v
}

func cutBytes(b *[]byte) []byte {
	n := cutUvarint(b)
	out := (*b)[:n:n]
	*b = (*b)[n:]
	return out
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
