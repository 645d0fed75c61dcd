package wire

import "bytes"

// Frame is exactly one event of a wire, before framing: so a fault can halve, drop or count it without knowing how it is
// framed.
type Frame struct {
	// Name is the event's name on wires that send one, else "".
	Name string
	// Data is the payload: usually one JSON document on one line.
	Data []byte
	// Tokens is how many tokens of the answer the frame carries; a pace waits for them.
	Tokens int
	// Except marks an exception of an AWS event stream.
	Except bool
}

// Framing puts frames on the connection. It knows no provider.
type Framing interface {
	// Open is what comes before the first frame: the "[" of an array.
	Open(dst []byte) []byte
	// Append adds one frame; i is its position.
	Append(dst []byte, f Frame, i int) []byte
	// Close is what comes after the last frame of a clean end, a cut answer's included: the "]" of an array.
	Close(dst []byte) []byte
	// Idle is what may be sent where nothing is said for long.
	Idle(dst []byte) []byte
}

// SSE frames server-sent events. Its zero value is the usual form: LF line ends and a space after the colon.
type SSE struct {
	// EOL ends a line; "" is "\n".
	EOL string
	// NoSpace leaves out the space after "data:" and "event:".
	NoSpace bool
	// NoFinalBlank leaves the blank line after a frame to the next one, so that the last frame has none.
	NoFinalBlank bool
}

// Open adds nothing.
func (SSE) Open(dst []byte) []byte { return dst }

// Append writes the event's name, if any, and one data line for each line of the data.
func (s SSE) Append(dst []byte, f Frame, i int) []byte {
	eol, colon := s.EOL, ": "
	if eol == "" {
		eol = "\n"
	}
	if s.NoSpace {
		colon = ":"
	}
	if s.NoFinalBlank && i > 0 {
		dst = append(dst, eol...)
	}
	if f.Name != "" {
		dst = append(dst, "event"...)
		dst = append(dst, colon...)
		dst = append(dst, f.Name...)
		dst = append(dst, eol...)
	}
	for data := f.Data; ; {
		line, rest, more := cutLine(data)
		dst = append(dst, "data"...)
		dst = append(dst, colon...)
		dst = append(dst, line...)
		dst = append(dst, eol...)
		if !more {
			break
		}
		data = rest
	}
	if s.NoFinalBlank {
		return dst
	}
	return append(dst, eol...)
}

func cutLine(b []byte) (line, rest []byte, more bool) {
	return bytes.Cut(b, []byte{'\n'})
}

// Close adds nothing.
func (SSE) Close(dst []byte) []byte { return dst }

// Idle is a comment.
func (SSE) Idle(dst []byte) []byte { return append(dst, ": \n\n"...) }

// NDJSON frames one JSON document a line.
type NDJSON struct{}

// Open adds nothing.
func (NDJSON) Open(dst []byte) []byte { return dst }

// Append writes the data and a line end.
func (NDJSON) Append(dst []byte, f Frame, _ int) []byte { return append(append(dst, f.Data...), '\n') }

// Close adds nothing.
func (NDJSON) Close(dst []byte) []byte { return dst }

// Idle is an empty line.
func (NDJSON) Idle(dst []byte) []byte { return append(dst, '\n') }

// JSONArray frames the elements of one JSON array. Separator comes between two of them; "" is ",".
type JSONArray struct {
	Separator string
	// End is what stands before the closing bracket.
	End string
}

// Open is the opening bracket.
func (JSONArray) Open(dst []byte) []byte { return append(dst, '[') }

// Append writes the separator, from the second frame on, and the data.
func (a JSONArray) Append(dst []byte, f Frame, i int) []byte {
	if i > 0 {
		if a.Separator == "" {
			dst = append(dst, ',')
		} else {
			dst = append(dst, a.Separator...)
		}
	}
	return append(dst, f.Data...)
}

// Close is the closing bracket.
func (a JSONArray) Close(dst []byte) []byte { return append(append(dst, a.End...), ']') }

// Idle adds nothing: white space inside an array is not every reader's.
func (JSONArray) Idle(dst []byte) []byte { return dst }

// Raw puts the data on the connection as it is.
type Raw struct{}

// Open adds nothing.
func (Raw) Open(dst []byte) []byte { return dst }

// Append writes the data.
func (Raw) Append(dst []byte, f Frame, _ int) []byte { return append(dst, f.Data...) }

// Close adds nothing.
func (Raw) Close(dst []byte) []byte { return dst }

// Idle adds nothing.
func (Raw) Idle(dst []byte) []byte { return dst }
