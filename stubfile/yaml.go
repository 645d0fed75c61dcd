package stubfile

import (
	"fmt"
	"sort"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
)

// parseYAML reads the documents of a YAML file, those that hold nothing left out.
func parseYAML(file, text string) ([]*document, Errors) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	parsed, err := safeParse(text)
	if err != nil {
		return nil, Errors{syntaxError(file, err)}
	}
	var docs []*document
	var errs Errors
	for _, d := range parsed.Docs {
		body := d.Body
		if body == nil {
			continue
		}
		switch body.(type) {
		case *ast.DirectiveNode, *ast.CommentGroupNode, *ast.NullNode:
			continue
		}
		doc, wrong := convert(file, body)
		if len(wrong) > 0 {
			errs = append(errs, wrong...)
			continue
		}
		docs = append(docs, doc)
	}
	return docs, errs
}

// safeParse turns a panic of the parser, which gives them for some malformed input, into an error.
func safeParse(text string) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("this is no YAML that can be read (%v)", r)
		}
	}()
	return parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
}

// syntaxError gives the YAML parser's error our form.
func syntaxError(file string, err error) Error {
	e := Error{Source: stub.Source{File: file, Line: 1, Column: 1}, Message: err.Error()}
	// The parser's error types are internal; this is what they have in common.
	known, ok := err.(interface {
		GetToken() *token.Token
		GetMessage() string
	})
	if ok {
		e.Message = known.GetMessage()
		if t := known.GetToken(); t != nil && t.Position != nil {
			e.Line, e.Column = max(1, t.Position.Line), max(1, t.Position.Column)
		}
	}
	return e
}

// mark says where the value or key at an offset of the JSON text came from.
type mark struct{ offset, line, column int }

// convert makes a JSON tree of a YAML document.
func convert(file string, body ast.Node) (*document, Errors) {
	c := &converter{file: file, anchors: map[string]*anchor{}}
	c.value(body)
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	text := string(c.out)
	v, err := jsonx.Parse(text)
	if err != nil {
		return nil, Errors{{Source: stub.Source{File: file, Line: 1, Column: 1}, Message: err.Error()}}
	}
	return &document{file: file, value: v, text: text, locate: locator(c.marks)}, nil
}

func locator(marks []mark) func(int) (int, int) {
	return func(offset int) (int, int) {
		i := sort.Search(len(marks), func(i int) bool { return marks[i].offset > offset }) - 1
		if i < 0 {
			return 1, 1
		}
		return marks[i].line, marks[i].column
	}
}

// The bounds of a document. Aliases can make much of little.
const (
	maxDepth = 200
	maxBytes = 64 << 20
	maxSteps = 10_000_000
)

// converter writes the JSON text of YAML nodes and notes where each came from.
type converter struct {
	file    string
	out     []byte
	marks   []mark
	anchors map[string]*anchor
	errs    Errors
	depth   int
	steps   int
	stopped bool
}

type anchor struct {
	node ast.Node
	open bool // it is being written: an alias in it would never end
}

func (c *converter) wrong(n ast.Node, format string, args ...any) {
	line, column := position(n)
	c.errs = append(c.errs, Error{Source: stub.Source{File: c.file, Line: line, Column: column}, Message: fmt.Sprintf(format, args...)})
}

// tooMuch ends the conversion where a bound is passed.
func (c *converter) tooMuch(n ast.Node) bool {
	c.steps++
	switch {
	case c.stopped:
	case c.depth > maxDepth:
		c.wrong(n, "nested more than %d deep", maxDepth)
		c.stopped = true
	case c.steps > maxSteps || len(c.out) > maxBytes:
		c.wrong(n, "the document is too large once its aliases are filled in")
		c.stopped = true
	}
	return c.stopped
}

func (c *converter) mark(n ast.Node) {
	line, column := position(n)
	c.marks = append(c.marks, mark{len(c.out), line, column})
}

// position is where a node starts. That of a block mapping is its first key, not the colon that the parser gives.
func position(n ast.Node) (line, column int) {
	for {
		switch m := n.(type) {
		case *ast.MappingNode:
			if m.IsFlowStyle || len(m.Values) == 0 {
				return tokenPosition(m.Start)
			}
			n = m.Values[0]
		case *ast.MappingValueNode:
			n = m.Key
		case *ast.AnchorNode:
			if m.Value == nil {
				return tokenPosition(m.Start)
			}
			n = m.Value
		case nil:
			return 1, 1
		default:
			return tokenPosition(n.GetToken())
		}
	}
}

func tokenPosition(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil {
		return 1, 1
	}
	return t.Position.Line, t.Position.Column
}

func (c *converter) value(n ast.Node) {
	if c.tooMuch(n) {
		return
	}
	c.depth++
	defer func() { c.depth-- }()
	switch n := n.(type) {
	case *ast.MappingNode:
		c.object(n, n.Values)
	case *ast.MappingValueNode:
		c.object(n, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		c.mark(n)
		c.out = append(c.out, '[')
		for i, item := range n.Values {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			c.value(item)
		}
		c.out = append(c.out, ']')
	case *ast.AnchorNode:
		name := c.name(n.Name)
		a := &anchor{node: n.Value, open: true}
		c.anchors[name] = a
		c.value(n.Value)
		a.open = false
	case *ast.AliasNode:
		if a := c.resolve(n); a != nil {
			a.open = true
			c.value(a.node)
			a.open = false
		}
	case *ast.TagNode:
		c.tagged(n)
	default:
		c.mark(n)
		c.scalar(n)
	}
}

func (c *converter) name(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}

// resolve finds what an alias stands for; it says so where it stands for nothing.
func (c *converter) resolve(n *ast.AliasNode) *anchor {
	name := c.name(n.Value)
	a := c.anchors[name]
	switch {
	case a == nil:
		names := make([]string, 0, len(c.anchors))
		for known := range c.anchors {
			names = append(names, known)
		}
		sort.Strings(names)
		hint := ""
		if near := stub.Nearest(name, names); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		c.wrong(n, "no anchor %q comes before this alias%s", name, hint)
		return nil
	case a.open:
		c.wrong(n, "the alias %q stands in its own anchor", name)
		return nil
	}
	return a
}
