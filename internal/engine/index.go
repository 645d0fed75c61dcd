package engine

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/mimus-go/mimus/wire"
)

// index finds the stubs that could match a request in a time that hardly depends on how many there are.
//
// A stub with an `about` text is filed under four overlapping 4-byte grams of it. Wherever the text stands in a
// conversation, one of the four begins at a multiple of four, so only every fourth byte of the conversation is probed.
// Shorter texts are filed under their first bytes and probed at every byte, if there are any.
type index struct {
	all   []*entry // by rank
	loose []int    // ranks of the stubs without a text to file them under

	bits  []uint64 // a filter before grams
	shift uint
	grams map[uint32][]filed
	short [4]map[string][]int // ranks, by the length of their first bytes, 1 to 4
}

// filed is a stub under one gram: the gram begins at byte offset of text.
type filed struct {
	rank   int
	text   string
	offset int
}

const (
	gram       = 4
	indexable  = 2*gram - 1 // the shortest text with four grams
	maxWindows = 64
)

func newIndex(entries []*entry) *index {
	sortByRank(entries)
	x := &index{all: entries, grams: make(map[uint32][]filed, gram*len(entries)), shift: 64 - 12}
	size := uint(12)
	for size < 24 && 1<<size < 32*len(entries) {
		size++
	}
	x.shift = 64 - size
	x.bits = make([]uint64, (1<<size)/64)
	for rank, e := range entries {
		x.file(rank, e)
	}
	return x
}

func (x *index) file(rank int, e *entry) {
	text := ""
	for _, c := range e.conditions {
		if len(c.Anchor) > len(text) {
			text = c.Anchor
		}
	}
	switch {
	case text == "":
		x.loose = append(x.loose, rank)
	case len(text) < indexable:
		n := min(len(text), gram)
		if x.short[n-1] == nil {
			x.short[n-1] = map[string][]int{}
		}
		x.short[n-1][text[:n]] = append(x.short[n-1][text[:n]], rank)
	default:
		x.fileGrams(rank, text)
	}
}

// fileGrams files a text under the window of four grams that the fewest others share.
func (x *index) fileGrams(rank int, text string) {
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
		x.grams[g] = append(x.grams[g], filed{rank, text, best + o})
		h := x.hash(g)
		x.bits[h/64] |= 1 << (h % 64)
	}
}

func (x *index) hash(g uint32) uint64 { return uint64(g) * 0x9E3779B97F4A7C15 >> x.shift }

func gramAt(s string, i int) uint32 {
	return binary.LittleEndian.Uint32(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.StringData(s)), i)), gram))
}

// find is the first stub by rank that is ready and matches.
func (x *index) find(r *wire.Request) *entry {
	filed := x.candidates(r)
	for i, j := 0, 0; i < len(filed) || j < len(x.loose); {
		var rank int
		if j >= len(x.loose) || i < len(filed) && filed[i] < x.loose[j] {
			rank = filed[i]
			i++
		} else {
			rank = x.loose[j]
			j++
		}
		if e := x.all[rank]; e.matches(r) && e.ready() {
			return e
		}
	}
	return nil
}

// candidates are the ranks of the filed stubs whose text stands in the conversation, in order.
func (x *index) candidates(r *wire.Request) []int {
	if len(x.grams) == 0 && x.noShort() {
		return nil
	}
	text := r.Conversation()
	var found []int
	if len(x.grams) > 0 {
		for i := 0; i+gram <= len(text); i += gram {
			g := gramAt(text, i)
			if h := x.hash(g); x.bits[h/64]&(1<<(h%64)) == 0 {
				continue
			}
			for _, f := range x.grams[g] {
				start := i - f.offset
				if start >= 0 && start+len(f.text) <= len(text) && text[start:start+len(f.text)] == f.text {
					found = append(found, f.rank)
				}
			}
		}
	}
	for n, table := range x.short {
		if table == nil {
			continue
		}
		for i := 0; i+n+1 <= len(text); i++ {
			found = append(found, table[text[i:i+n+1]]...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func (x *index) noShort() bool {
	return x.short[0] == nil && x.short[1] == nil && x.short[2] == nil && x.short[3] == nil
}
