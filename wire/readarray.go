package wire

import (
	"bufio"
	"errors"
	"io"
	"iter"
)

// ReadJSONArray reads the elements of one JSON array as they come in, in any fragmentation: each is given once its last
// byte is there. A document that is no array is its own only element. Elements are cut out, not checked; the array's
// brackets and commas are. An array that ends before its closing bracket ends with io.ErrUnexpectedEOF, after the
// elements that were whole.
func ReadJSONArray(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s := arrayScanner{in: bufio.NewReaderSize(r, 16<<10)}
		c, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			yield("", err)
			return
		case c != '[':
			element, err := s.element(c, false)
			if errors.Is(err, io.EOF) {
				err = nil
			}
			yield(element, err)
			return
		}
		s.elements(yield)
	}
}

var (
	errLongElement = errors.New("wire: JSON array element over 64 MiB")
	errArray       = errors.New("wire: want a comma or a closing bracket in a JSON array")
)

type arrayScanner struct {
	in  *bufio.Reader
	buf []byte
}

// next is the next byte that is no white space.
func (s *arrayScanner) next() (byte, error) {
	for {
		c, err := s.in.ReadByte()
		if err != nil || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, err
		}
	}
}

func (s *arrayScanner) elements(yield func(string, error) bool) {
	fail := func(err error) {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		yield("", err)
	}
	for first := true; ; first = false {
		c, err := s.next()
		switch {
		case err != nil:
			fail(err)
			return
		case c == ']' && first:
			return
		case c == ',' || c == ']':
			fail(errArray)
			return
		}
		element, err := s.element(c, true)
		if err != nil {
			fail(err)
			return
		}
		if !yield(element, nil) {
			return
		}
		c, err = s.next()
		switch {
		case err != nil:
			fail(err)
			return
		case c == ']':
			return
		case c != ',':
			fail(errArray)
			return
		}
	}
}

// element reads the value that starts with c: up to the bracket or quote that ends it, or, for a number or a word, up to
// what follows it. Outside an array only the end of input ends a value.
func (s *arrayScanner) element(c byte, inside bool) (string, error) {
	s.buf = s.buf[:0]
	depth, quoted := 0, false
	for {
		if len(s.buf) >= MaxLine {
			return "", errLongElement
		}
		s.buf = append(s.buf, c)
		switch {
		case quoted && c == '\\':
			escaped, err := s.in.ReadByte()
			if err != nil {
				return string(s.buf), err
			}
			s.buf = append(s.buf, escaped)
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if inside && depth <= 0 && !quoted {
			if c == '}' || c == ']' || c == '"' {
				return string(s.buf), nil
			}
			if ahead, err := s.in.Peek(1); err == nil && endsScalar(ahead[0]) {
				return string(s.buf), nil
			}
		}
		var err error
		if c, err = s.in.ReadByte(); err != nil {
			return string(s.buf), err
		}
	}
}

func endsScalar(c byte) bool {
	return c == ',' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
}
