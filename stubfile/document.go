package stubfile

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
)

// document is one document of a file as a JSON tree, and where its values stand in the file.
type document struct {
	file  string
	value jsonx.Value
	// locate gives the line and column of an offset in the JSON text.
	locate func(offset int) (line, column int)
	// text is the JSON text; its white space is part of it where the file is JSON.
	text string
}

// at is the place of a value.
func (d *document) at(v jsonx.Value) stub.Source {
	line, column := d.locate(v.Offset())
	return stub.Source{File: d.file, Line: line, Column: column}
}

// atKey is the place of the key that a value stands under.
func (d *document) atKey(v jsonx.Value) stub.Source {
	line, column := d.locate(keyOffset(d.text, v.Offset()))
	return stub.Source{File: d.file, Line: line, Column: column}
}

// keyOffset finds where the key of a member starts, given where its value does: backwards over the colon and the
// string, whose quotes are those without a backslash.
func keyOffset(text string, offset int) int {
	end := strings.LastIndexByte(text[:offset], '"')
	for i := end - 1; i >= 0; i-- {
		if text[i] != '"' {
			continue
		}
		escapes := i
		for escapes > 0 && text[escapes-1] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 0 {
			return i
		}
	}
	return offset
}

// find is the value at a path, or what is nearest to it.
func (d *document) find(from jsonx.Value, path []any) jsonx.Value {
	for _, step := range path {
		next := from.At(step)
		if !next.Exists() {
			break
		}
		from = next
	}
	return from
}

// first is the place of the first key of an object, or of another value.
func (d *document) first(v jsonx.Value) stub.Source {
	for _, member := range v.Members() {
		return d.atKey(member)
	}
	return d.at(v)
}

// parse reads a file's documents.
func parse(file string, data []byte) ([]*document, Errors) {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if i := invalidByte(text); i >= 0 {
		line, column := jsonx.Position(text, i)
		return nil, Errors{{Source: stub.Source{File: file, Line: line, Column: column}, Message: fmt.Sprintf("the byte %#02x is not UTF-8", text[i])}}
	}
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return parseJSON(file, text)
	}
	return parseYAML(file, text)
}

func invalidByte(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i
			}
		}
	}
	return -1
}

func parseJSON(file, text string) ([]*document, Errors) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	v, err := jsonx.Parse(text)
	if err != nil {
		where := stub.Source{File: file}
		message := err.Error()
		if e, ok := err.(*jsonx.SyntaxError); ok { //nolint:errorlint // Parse gives no other
			where.Line, where.Column = jsonx.Position(text, e.Offset)
			message = e.Msg
		}
		return nil, Errors{{Source: where, Message: message}}
	}
	lines := newLines(text)
	return []*document{{file: file, value: v, text: text, locate: lines.position}}, nil
}

// lines knows where the lines of a text start.
type lines struct {
	text   string
	starts []int
}

func newLines(text string) *lines {
	l := &lines{text: text, starts: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

func (l *lines) position(offset int) (line, column int) {
	i := sort.SearchInts(l.starts, offset+1) - 1
	return i + 1, utf8.RuneCountInString(l.text[l.starts[i]:offset]) + 1
}
