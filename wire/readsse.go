package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// SSEEvent is one server-sent event as a reader sees it. Name is "" where none was sent; Data joins several data lines
// by line ends.
type SSEEvent struct{ Name, Data string }

// MaxLine is the longest line that the readers of this package accept.
const MaxLine = 64 << 20

// ReadSSE reads server-sent events in any fragmentation, with LF, CRLF or CR line ends, comments and a byte order mark.
// An event that the stream's end cuts off before its blank line is given too. It ends with the reader's error, or with
// an error for a line over MaxLine.
func ReadSSE(r io.Reader) iter.Seq2[SSEEvent, error] {
	return func(yield func(SSEEvent, error) bool) {
		var name string
		var data []byte
		has := false
		flush := func() bool {
			if !has {
				name = ""
				return true
			}
			e := SSEEvent{name, string(data)}
			name, data, has = "", data[:0], false
			return yield(e, nil)
		}
		first := true
		for line, err := range lines(r, true) {
			if err != nil {
				if flush() {
					yield(SSEEvent{}, err)
				}
				return
			}
			if first {
				line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
				first = false
			}
			if len(line) == 0 {
				if !flush() {
					return
				}
				continue
			}
			field, value, _ := bytes.Cut(line, []byte(":"))
			value = bytes.TrimPrefix(value, []byte(" "))
			switch string(field) {
			case "event":
				name = string(value)
			case "data":
				if has {
					data = append(data, '\n')
				}
				data, has = append(data, value...), true
			}
		}
		flush()
	}
}

// ReadNDJSON reads one document a line, leaving out empty lines. The last line may lack its line end.
func ReadNDJSON(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for line, err := range lines(r, false) {
			if err != nil {
				yield("", err)
				return
			}
			if line = bytes.TrimSpace(line); len(line) > 0 && !yield(string(line), nil) {
				return
			}
		}
	}
}

var errLongLine = errors.New("wire: line over 64 MiB")

// lines gives lines without their ends. The slice is valid until the next one. A lone CR ends a line where cr is set.
func lines(r io.Reader, cr bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		br := bufio.NewReaderSize(r, 16<<10)
		var long []byte
		for {
			chunk, err := br.ReadSlice('\n')
			if len(long) > 0 || errors.Is(err, bufio.ErrBufferFull) {
				if len(long)+len(chunk) > MaxLine {
					yield(nil, errLongLine)
					return
				}
				long = append(long, chunk...)
				if errors.Is(err, bufio.ErrBufferFull) {
					continue
				}
				chunk = long
			}
			if !yieldLines(chunk, cr, err == nil, yield) {
				return
			}
			long = long[:0]
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// yieldLines gives the line in chunk, or the lines where lone CRs end them.
func yieldLines(chunk []byte, cr, whole bool, yield func([]byte, error) bool) bool {
	if whole {
		chunk = chunk[:len(chunk)-1]
		chunk = bytes.TrimSuffix(chunk, []byte("\r"))
	} else if len(chunk) == 0 {
		return true
	}
	for cr {
		i := bytes.IndexByte(chunk, '\r')
		if i < 0 {
			break
		}
		if !yield(chunk[:i], nil) {
			return false
		}
		chunk = chunk[i+1:]
		if len(chunk) == 0 && !whole {
			return true
		}
	}
	return yield(chunk, nil)
}
