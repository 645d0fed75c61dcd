package load

import "bytes"

// eventCounter counts the lines that begin with "data:". Every event of the
// wires that are measured has exactly one.
type eventCounter struct {
	found func()
	col   int  // of the line's first bytes, up to len(mark)
	off   bool // the line begins otherwise
}

const mark = "data:"

// feed takes the next bytes of the stream, wherever they are cut.
func (e *eventCounter) feed(b []byte) {
	for len(b) > 0 {
		if e.col < len(mark) && !e.off {
			c := b[0]
			b = b[1:]
			switch {
			case c == '\n':
				e.col = 0
			case c != mark[e.col]:
				e.off = true
			default:
				if e.col++; e.col == len(mark) {
					e.found()
				}
			}
			continue
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			return
		}
		e.col, e.off = 0, false
		b = b[i+1:]
	}
}
