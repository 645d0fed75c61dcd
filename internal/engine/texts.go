package engine

import (
	"encoding/binary"
	"slices"
	"strings"
	"unsafe"
)

// texts finds which of many texts stand in a long one.
//
// A text is filed under four overlapping 4-byte grams of it. Wherever it stands in a conversation, one of the four begins
// at a multiple of four, so only every fourth byte of the conversation is probed. Shorter texts are filed under their
// first two bytes, and probed at every byte, if there are any.
type texts struct {
	bits  []uint64 // a filter before grams: most probes end there
	shift uint
	grams map[uint32][]filed

	few   []int                 // short texts, while they are few
	pairs *[1 << 16 / 64]uint64 // a filter before short
	short map[uint16][]int      // texts of two bytes and more
	one   map[byte]int          // texts of one byte

	wanted []wantedText
	known  map[string]int // the place of a text in wanted
}

// wantedText is a text and who wants it, by rank.
type wantedText struct {
	text  string
	ranks []int
}

// filed is a text under a gram. The window of the four grams begins at byte at of the text, and the gram at byte skip of
// the window, whose bytes are looked at before the text is.
type filed struct {
	window   uint64
	id       int
	at, skip int
}

const (
	gram       = 4
	indexable  = 2*gram - 1 // the shortest text with four grams
	maxWindows = 64
	// fewest is how many short texts are looked for one by one, which the machine does many bytes at a time.
	fewest = 8
)

func (x *texts) prepare(n int) {
	x.grams = make(map[uint32][]filed, gram*n)
	x.known = make(map[string]int, n)
	size := uint(12)
	for size < 24 && 1<<size < 32*n {
		size++
	}
	x.shift = 64 + 6 - size
	x.bits = make([]uint64, (1<<size)/64)
}

func (x *texts) empty() bool { return len(x.wanted) == 0 }

func (x *texts) file(rank int, text string) {
	id, ok := x.known[text]
	if ok {
		x.wanted[id].ranks = append(x.wanted[id].ranks, rank)
		return
	}
	id = len(x.wanted)
	x.known[text] = id
	x.wanted = append(x.wanted, wantedText{text, []int{rank}})
	switch {
	case len(text) >= indexable:
		x.fileGrams(id, text)
	case x.pairs == nil && len(x.few) < fewest:
		x.few = append(x.few, id)
	default:
		x.fileShort(id)
	}
}

func (x *texts) fileShort(id int) {
	if x.pairs == nil {
		x.pairs, x.short, x.one = new([1 << 16 / 64]uint64), map[uint16][]int{}, map[byte]int{}
		for _, id := range x.few {
			x.fileShort(id)
		}
		x.few = nil
	}
	text := x.wanted[id].text
	if len(text) == 1 {
		x.one[text[0]] = id
		return
	}
	p := uint16(text[0]) | uint16(text[1])<<8
	x.short[p] = append(x.short[p], id)
	x.pairs[p/64] |= 1 << (p % 64)
}

// fileGrams files a text under the window of four grams that the fewest others share.
func (x *texts) fileGrams(id int, text string) {
	best, least := 0, -1
	last := len(text) - indexable
	for i := 0; i <= min(last, maxWindows); i++ {
		at := last - i // numbers that tell texts apart stand at their end more often than at their start
		crowd := 0
		for o := range gram {
			crowd += len(x.grams[gramAt(text, at+o)])
		}
		if least < 0 || crowd < least {
			best, least = at, crowd
		}
		if crowd == 0 {
			break
		}
	}
	for o := range gram {
		g := gramAt(text, best+o)
		x.grams[g] = append(x.grams[g], filed{windowAt(text, best), id, best, o})
		word, mask := x.hash(g)
		x.bits[word] |= mask
	}
}

// hash is where the filter has two bits for a gram: a word, and the bits in it.
func (x *texts) hash(g uint32) (word, mask uint64) {
	h := uint64(g) * 0x9E3779B97F4A7C15
	return h >> x.shift, 1<<(h>>36&63) | 1<<(h>>42&63)
}

func gramAt(s string, i int) uint32 {
	return binary.LittleEndian.Uint32(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i)), gram))
}

// windowAt is the bytes of four grams in one number.
func windowAt(s string, i int) uint64 {
	return uint64(gramAt(s, i)) | uint64(gramAt(s, i+indexable-gram))<<(8*(indexable-gram))
}

// in gives the ranks whose text stands in a conversation, in order.
func (x *texts) in(text string) []int {
	var ids found
	if len(x.grams) > 0 {
		x.findGrams(&ids, text)
	}
	for _, id := range x.few {
		if strings.Contains(text, x.wanted[id].text) {
			ids.add(id)
		}
	}
	if x.pairs != nil {
		x.findShort(&ids, text)
	}
	if len(ids) == 1 {
		return x.wanted[ids[0]].ranks
	}
	var ranks []int
	ids.compact()
	for _, id := range ids {
		ranks = append(ranks, x.wanted[id].ranks...)
	}
	slices.Sort(ranks)
	return ranks
}

func (x *texts) findGrams(ids *found, text string) {
	for i := 0; i+gram <= len(text); i += gram {
		g := gramAt(text, i)
		if word, mask := x.hash(g); x.bits[word]&mask != mask {
			continue
		}
		for _, f := range x.grams[g] {
			window := i - f.skip
			if window < f.at || window+indexable > len(text) || windowAt(text, window) != f.window {
				continue
			}
			if strings.HasPrefix(text[window-f.at:], x.wanted[f.id].text) {
				ids.add(f.id)
			}
		}
	}
}

func (x *texts) findShort(ids *found, text string) {
	for b, id := range x.one {
		if strings.IndexByte(text, b) >= 0 {
			ids.add(id)
		}
	}
	for i := 0; i+1 < len(text); i++ {
		p := uint16(text[i]) | uint16(text[i+1])<<8
		if x.pairs[p/64]&(1<<(p%64)) == 0 {
			continue
		}
		for _, id := range x.short[p] {
			if strings.HasPrefix(text[i:], x.wanted[id].text) {
				ids.add(id)
			}
		}
	}
}

// found collects ids. A text may stand in a conversation very often, so repetitions are weeded out on the way.
type found []int

func (f *found) add(id int) {
	if n := len(*f); n > 0 && (*f)[n-1] == id {
		return
	}
	if len(*f) == cap(*f) && len(*f) >= 64 {
		f.compact()
		*f = slices.Grow(*f, len(*f)+64)
	}
	*f = append(*f, id)
}

func (f *found) compact() {
	slices.Sort(*f)
	*f = slices.Compact(*f)
}
