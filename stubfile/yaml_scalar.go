package stubfile

import (
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func (c *converter) scalar(n ast.Node) {
	switch n := n.(type) {
	case *ast.StringNode:
		// The parser takes some numbers of JSON for texts: 1e3, and whole numbers of many digits.
		if t := n.GetToken(); t != nil && t.Type == token.StringType && isNumber(n.Value) {
			c.out = append(c.out, n.Value...)
			return
		}
		c.out = jsonx.AppendString(c.out, n.Value)
	case *ast.LiteralNode:
		text := ""
		if n.Value != nil {
			text = n.Value.Value
		}
		c.out = jsonx.AppendString(c.out, text)
	case *ast.BoolNode:
		c.out = strconv.AppendBool(c.out, n.Value)
	case *ast.IntegerNode:
		c.number(n, n.Value)
	case *ast.FloatNode:
		c.number(n, n.Value)
	case *ast.InfinityNode, *ast.NanNode:
		c.wrong(n, "%s is no number that JSON has", n.GetToken().Value)
		c.out = append(c.out, "null"...)
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		c.out = append(c.out, "null"...)
	default:
		c.wrong(n, "YAML's %s has no place here", strings.ToLower(n.Type().String()))
		c.out = append(c.out, "null"...)
	}
}

// number writes a number as the file does, where JSON can; else as JSON writes it.
func (c *converter) number(n ast.Node, value any) {
	literal := n.GetToken().Value
	digits := strings.TrimLeft(literal, "+-")
	switch {
	case isNumber(literal):
		c.out = append(c.out, literal...)
		return
	case strings.Contains(literal, "_"), len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9':
		// 017 is 15 to some readers and 17 to others, and a text where it is a postcode; 1_000 is a text to most.
		c.wrong(n, "%s is read as a number by some and as a text by others; put it in quotes, or write the number plainly", literal)
		c.out = append(c.out, '0')
		return
	}
	switch value := value.(type) {
	case int64:
		c.out = strconv.AppendInt(c.out, value, 10)
	case uint64:
		c.out = strconv.AppendUint(c.out, value, 10)
	case float64:
		c.out = jsonx.AppendFloat(c.out, value)
	default:
		c.wrong(n, "%s is no number that JSON has", literal)
		c.out = append(c.out, '0')
	}
}

func isNumber(s string) bool {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	v, err := jsonx.Parse(s)
	return err == nil && v.Kind() == jsonx.Number && v.Raw() == s
}

// tagged writes a value with a tag: those of YAML's own that JSON knows.
func (c *converter) tagged(n *ast.TagNode) {
	tag := ""
	if n.Start != nil {
		tag = n.Start.Value
	}
	switch tag {
	case "!!str":
		s, ok := n.Value.(ast.ScalarNode)
		if !ok {
			c.wrong(n, "!!str wants a plain value")
		}
		c.mark(n)
		switch s := s.(type) {
		case *ast.StringNode, *ast.LiteralNode:
			text, _ := c.keyText(s)
			c.out = jsonx.AppendString(c.out, text)
		case nil, *ast.NullNode:
			c.out = append(c.out, `""`...)
		default:
			c.out = jsonx.AppendString(c.out, s.GetToken().Value)
		}
	case "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq":
		c.value(n.Value)
	default:
		c.wrong(n, "the tag %s has no meaning here", tag)
		c.out = append(c.out, "null"...)
	}
}
