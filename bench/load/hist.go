package load

import (
	"math/bits"
	"time"
)

// Hist is a histogram of durations with 64 buckets to a power of two, so that
// what it returns is wrong by less than 1.6 %.
type Hist struct {
	buckets [59 * 64]int64
	n, max  int64
}

func bucket(v int64) int {
	if v < 64 {
		return int(v)
	}
	top := bits.Len64(uint64(v)) - 1
	return (top-5)*64 + int(v>>(top-6))&63
}

// lowest returns the smallest value of a bucket.
func lowest(i int) int64 {
	if i < 64 {
		return int64(i)
	}
	return int64(64+i%64) << (i/64 - 1)
}

// Add counts d; a negative d counts as 0.
func (h *Hist) Add(d time.Duration) {
	v := max(int64(d), 0)
	h.buckets[bucket(v)]++
	h.n++
	h.max = max(h.max, v)
}

// Merge adds what o has counted.
func (h *Hist) Merge(o *Hist) {
	for i, n := range o.buckets {
		h.buckets[i] += n
	}
	h.n += o.n
	h.max = max(h.max, o.max)
}

// Count returns how many durations were counted.
func (h *Hist) Count() int64 { return h.n }

// Max returns the longest duration, exactly.
func (h *Hist) Max() time.Duration { return time.Duration(h.max) }

// Quantile returns the duration below which the share p lies, p from 0 to 1.
func (h *Hist) Quantile(p float64) time.Duration {
	want, seen := int64(p*float64(h.n)), int64(0)
	for i, n := range h.buckets {
		if seen += n; seen > want {
			return time.Duration(lowest(i))
		}
	}
	return h.Max()
}
