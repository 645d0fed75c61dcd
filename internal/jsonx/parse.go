package jsonx

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

const (
	maxDepth = 512           // of nested arrays and objects
	maxSize  = math.MaxInt32 // of a document, in bytes
)

// Parse reads exactly one JSON document, white space around it allowed. The
// result refers to doc: strings without escapes are parts of it, not copies.
//
// The error is a [*SyntaxError]. Besides bad syntax and data after the
// document, it reports invalid UTF-8, arrays and objects nested more than 512
// deep, and documents of 2 GiB or more. Escaped surrogates that do not form a
// pair are no error: they decode to U+FFFD.
func Parse(doc string) (Value, error) {
	p := parsers.Get().(*parser)
	defer p.release()
	if !p.parse(doc) {
		return Value{}, p.err
	}
	// The scratch goes back to the pool; the copy is just as long as needed.
	t := &tree{doc: doc, nodes: make([]node, len(p.nodes))}
	copy(t.nodes, p.nodes)
	return Value{tree: t}, nil
}

// ParseBytes is [Parse] for bytes. It does not copy them: b must not change as
// long as the result, or a string taken from it, is in use.
func ParseBytes(b []byte) (Value, error) {
	return Parse(unsafe.String(unsafe.SliceData(b), len(b)))
}

// Valid reports whether [Parse] accepts doc.
func Valid(doc string) bool {
	p := parsers.Get().(*parser)
	defer p.release()
	return p.parse(doc)
}

// A tree is a parsed document: its values in document order, each followed by
// the values in it. A member of an object is two nodes, its key and its value.
type tree struct {
	doc   string
	nodes []node
}

type node struct {
	start, end uint32 // in the document, quotes and brackets included
	next       uint32 // index of the first node after this one and all in it
	size       uint32 // elements of an array, members of an object
	kind       Kind
	escaped    bool // a string with at least one backslash
}

// A parser fills nodes. Its methods take the offset to read from and return
// the offset after what they read, or failed with err set.
type parser struct {
	tree
	err *SyntaxError
}

const failed = -1

var parsers = sync.Pool{New: func() any { return new(parser) }}

// release returns the parser to the pool, unless its scratch grew so large
// that keeping it would be a waste.
func (p *parser) release() {
	const keep = 1 << 16
	p.doc, p.err = "", nil
	if p.nodes = p.nodes[:0]; cap(p.nodes) <= keep {
		parsers.Put(p)
	}
}

func (p *parser) parse(doc string) bool {
	p.doc = doc
	if len(doc) > maxSize {
		p.fail(0, "document of 2 GiB or more")
		return false
	}
	i := p.value(skipSpace(doc, 0), 0)
	if i == failed {
		return false
	}
	if i = skipSpace(doc, i); i < len(doc) {
		p.unexpected(i, "after the document")
		return false
	}
	return true
}

// add appends a node without children and returns the offset after it.
func (p *parser) add(kind Kind, start, end int) int {
	p.nodes = append(p.nodes, node{
		start: uint32(start), end: uint32(end), next: uint32(len(p.nodes) + 1), kind: kind,
	})
	return end
}

func (p *parser) value(i, depth int) int {
	if i >= len(p.doc) {
		return p.unexpected(i, "")
	}
	switch c := p.doc[i]; c {
	case '"':
		return p.string(i)
	case '{', '[':
		if depth == maxDepth {
			return p.fail(i, fmt.Sprintf("nesting deeper than %d", maxDepth))
		}
		if c == '{' {
			return p.object(i, depth+1)
		}
		return p.array(i, depth+1)
	case 't':
		return p.literal(i, "true", Bool)
	case 'f':
		return p.literal(i, "false", Bool)
	case 'n':
		return p.literal(i, "null", Null)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.number(i)
	}
	return p.unexpected(i, "instead of a value")
}

func (p *parser) literal(i int, word string, kind Kind) int {
	if !strings.HasPrefix(p.doc[i:], word) {
		return p.fail(i, "invalid literal, want "+word)
	}
	return p.add(kind, i, i+len(word))
}

func (p *parser) array(i, depth int) int {
	self, size := len(p.nodes), 0
	p.add(Array, i, i)
	i = skipSpace(p.doc, i+1)
	if i < len(p.doc) && p.doc[i] == ']' {
		return p.close(self, size, i+1)
	}
	for {
		if i = p.value(i, depth); i == failed {
			return failed
		}
		size++
		i = skipSpace(p.doc, i)
		if i >= len(p.doc) {
			return p.unexpected(i, "")
		}
		switch p.doc[i] {
		case ',':
			i = skipSpace(p.doc, i+1)
		case ']':
			return p.close(self, size, i+1)
		default:
			return p.unexpected(i, "after an array element, want a comma or ]")
		}
	}
}

func (p *parser) object(i, depth int) int {
	self, size := len(p.nodes), 0
	p.add(Object, i, i)
	i = skipSpace(p.doc, i+1)
	if i < len(p.doc) && p.doc[i] == '}' {
		return p.close(self, size, i+1)
	}
	for {
		if i >= len(p.doc) || p.doc[i] != '"' {
			return p.unexpected(i, "instead of a member name")
		}
		if i = p.string(i); i == failed {
			return failed
		}
		i = skipSpace(p.doc, i)
		if i >= len(p.doc) || p.doc[i] != ':' {
			return p.unexpected(i, "after a member name, want a colon")
		}
		if i = p.value(skipSpace(p.doc, i+1), depth); i == failed {
			return failed
		}
		size++
		i = skipSpace(p.doc, i)
		if i >= len(p.doc) {
			return p.unexpected(i, "")
		}
		switch p.doc[i] {
		case ',':
			i = skipSpace(p.doc, i+1)
		case '}':
			return p.close(self, size, i+1)
		default:
			return p.unexpected(i, "after an object member, want a comma or }")
		}
	}
}

// close completes the node of an array or object that ends at end.
func (p *parser) close(self, size, end int) int {
	n := &p.nodes[self]
	n.end, n.next, n.size = uint32(end), uint32(len(p.nodes)), uint32(size)
	return end
}

func (p *parser) string(start int) int {
	i, ascii := skipPlain(p.doc, start+1)
	escaped := false
	for i < len(p.doc) && p.doc[i] == '\\' {
		escaped = true
		if i = p.escape(i); i == failed {
			return failed
		}
		var a bool
		i, a = skipPlain(p.doc, i)
		ascii = ascii && a
	}
	if !ascii && !utf8.ValidString(p.doc[start:i]) {
		return p.fail(start+invalidUTF8(p.doc[start:i]), "invalid UTF-8 in a string")
	}
	if i >= len(p.doc) {
		return p.fail(i, "unexpected end of the document in a string")
	}
	if p.doc[i] != '"' {
		return p.fail(i, fmt.Sprintf("control character %U in a string, want an escape", p.doc[i]))
	}
	p.add(String, start, i+1)
	p.nodes[len(p.nodes)-1].escaped = escaped
	return i + 1
}

// escape checks the escape sequence whose backslash is at i.
func (p *parser) escape(i int) int {
	if i+1 >= len(p.doc) {
		return p.fail(i+1, "unexpected end of the document in a string")
	}
	switch p.doc[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if j >= len(p.doc) {
				return p.fail(j, "unexpected end of the document in a string")
			}
			if !isHex(p.doc[j]) {
				return p.unexpected(j, `in a \u escape, want four hexadecimal digits`)
			}
		}
		return i + 6
	}
	return p.unexpected(i+1, "after a backslash")
}

func (p *parser) number(start int) int {
	s, i := p.doc, start
	if s[i] == '-' {
		i++
	}
	switch end := skipDigits(s, i); {
	case end == i:
		return p.unexpected(i, "in a number, want a digit")
	case s[i] == '0' && end > i+1:
		return p.fail(i, "number with a leading zero")
	default:
		i = end
	}
	if i < len(s) && s[i] == '.' {
		end := skipDigits(s, i+1)
		if end == i+1 {
			return p.unexpected(end, "in a number, want a digit after the point")
		}
		i = end
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		end := skipDigits(s, i)
		if end == i {
			return p.unexpected(end, "in a number, want a digit in the exponent")
		}
		i = end
	}
	return p.add(Number, start, i)
}

func (p *parser) fail(i int, msg string) int {
	p.err = &SyntaxError{Offset: i, Msg: msg}
	return failed
}

// unexpected reports the character at i, or the end of the document.
func (p *parser) unexpected(i int, where string) int {
	if i >= len(p.doc) {
		return p.fail(len(p.doc), "unexpected end of the document")
	}
	r, size := utf8.DecodeRuneInString(p.doc[i:])
	if r == utf8.RuneError && size == 1 {
		return p.fail(i, "invalid UTF-8")
	}
	return p.fail(i, fmt.Sprintf("unexpected %q %s", r, where))
}

// invalidUTF8 returns the offset of the first invalid byte, len(s) if none.
func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return len(s)
}

func isHex(c byte) bool {
	return c-'0' <= 9 || (c|0x20)-'a' <= 5
}
