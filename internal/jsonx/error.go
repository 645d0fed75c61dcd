package jsonx

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError says what is wrong with a document, and where. [Position] turns
// its offset into a line and a column.
type SyntaxError struct {
	// Offset counts the bytes before the place of the error.
	Offset int
	// Msg says what was found there, in lower case and without the offset.
	Msg string
}

// Error returns the message followed by the offset.
func (e *SyntaxError) Error() string {
	return e.Msg + " at offset " + strconv.Itoa(e.Offset)
}

// Position returns the line and the column of an offset in doc, both counted
// from 1. Lines end at "\n"; columns count runes, not bytes, and an invalid
// byte counts as one rune. An offset outside doc is moved to its nearest end.
func Position(doc string, offset int) (line, column int) {
	before := doc[:min(max(offset, 0), len(doc))]
	line = 1 + strings.Count(before, "\n")
	column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return line, column
}
