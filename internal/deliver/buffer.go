package deliver

import (
	"sync"

	"github.com/mimus-go/mimus/wire"
)

// Limits of buffers: one up to small is worth nothing to others, one over large is left to the garbage collector.
const (
	small = 4 << 10
	large = 1 << 20
)

// buffers are for streams whose bytes need not be kept.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func borrow() []byte { return (*buffers.Get().(*[]byte))[:0] }

func giveBack(b []byte) {
	if cap(b) > small && cap(b) <= large {
		buffers.Put(&b)
	}
}

// sizeOf is roughly how long a stream is.
func sizeOf(frames []wire.Frame) int {
	size := 64
	for i := range frames {
		size += len(frames[i].Data) + len(frames[i].Name) + 24
	}
	return size
}
