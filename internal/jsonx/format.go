package jsonx

// AppendCompact appends doc to dst without white space between the tokens. All
// else is kept as it is written, strings and numbers included. The document
// must be valid; the result for another is not specified.
func AppendCompact(dst []byte, doc string) []byte {
	return layout{colon: ":"}.append(dst, doc)
}

// AppendSpaced is [AppendCompact] with one space after each colon, the form in
// which Google's APIs write stream events.
func AppendSpaced(dst []byte, doc string) []byte {
	return layout{colon: ": "}.append(dst, doc)
}

// AppendIndent appends doc to dst with each element and member on a line of
// its own, indented by one indent for each level. It writes what json.Indent
// does with an empty prefix, except that white space after the document is
// dropped too. The document must be valid, as for [AppendCompact].
func AppendIndent(dst []byte, doc string, indent string) []byte {
	return layout{colon: ": ", lines: true, indent: indent}.append(dst, doc)
}

// A layout says what to write between the tokens of a document.
type layout struct {
	colon  string
	lines  bool // break lines
	indent string
}

func (l layout) append(dst []byte, doc string) []byte {
	depth := 0
	for i := 0; i < len(doc); {
		start := i
		i++
		switch c := doc[start]; c {
		case ' ', '\n', '\r', '\t':
		case '"':
			i = skipString(doc, start)
			dst = append(dst, doc[start:i]...)
		case ':':
			dst = append(dst, l.colon...)
		case ',':
			dst = l.newLine(append(dst, c), depth)
		case '{', '[':
			dst = append(dst, c)
			i = skipSpace(doc, i)
			if i < len(doc) && doc[i] == c+2 { // in ASCII, ] and } are 2 after [ and {
				dst = append(dst, doc[i])
				i++
				continue
			}
			depth++
			dst = l.newLine(dst, depth)
		case '}', ']':
			depth--
			dst = append(l.newLine(dst, depth), c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func (l layout) newLine(dst []byte, depth int) []byte {
	if !l.lines {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, l.indent...)
	}
	return dst
}
