package stubfile

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/stub"
)

// Error is one thing that is wrong with a file: where, in which stub, and what.
type Error struct {
	stub.Source
	// Stub is the name of the stub, where it has one.
	Stub string
	// Path leads to the place from the start of the stub, or of the document.
	Path []any
	// Message says what is wrong, the path before it where the position alone is not clear.
	Message string
}

// Error is "stubs/a.yaml:4:5: stub "name": unknown key "modell" (did you mean "model"?)".
func (e Error) Error() string {
	var b strings.Builder
	switch {
	case e.Line > 0:
		b.WriteString(e.String() + ": ")
	case e.File != "":
		b.WriteString(e.File + ": ")
	}
	if e.Stub != "" {
		b.WriteString("stub " + strconv.Quote(e.Stub) + ": ")
	}
	b.WriteString(e.Message)
	return b.String()
}

// Errors is all that is wrong with what was loaded, by file and position. It is an error.
type Errors []Error

// Error lists them, a line each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted brings the errors of each file into the order of their positions. Files stay in the order of loading.
func (e Errors) sorted() Errors {
	order := map[string]int{}
	for _, one := range e {
		if _, ok := order[one.File]; !ok {
			order[one.File] = len(order)
		}
	}
	slices.SortStableFunc(e, func(a, b Error) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return e
}
