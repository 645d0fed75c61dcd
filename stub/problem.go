package stub

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a stub: where, as a path of keys and indexes, and what.
type Problem struct {
	Path    []any
	Message string
	// Key says that the key at the end of Path is wrong, not its value.
	Key bool
}

// Problems are all that is wrong. It is an error.
type Problems []Problem

// Error lists them, a line each.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// String is "answer.toolCalls[0].name: what is wrong". A wrong key is named by the message, not by the path.
func (p Problem) String() string {
	var b strings.Builder
	path := p.Path
	if p.Key && len(path) > 0 {
		path = path[:len(path)-1]
	}
	for _, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		case string:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(step)
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	return b.String() + p.Message
}
