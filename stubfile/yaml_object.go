package stubfile

import (
	"github.com/goccy/go-yaml/ast"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// member is a key and value of a mapping, its own or merged into it.
type member struct {
	name  string
	key   ast.Node
	value ast.Node
}

func (c *converter) object(n ast.Node, values []*ast.MappingValueNode) {
	c.mark(n)
	c.out = append(c.out, '{')
	for i, m := range c.members(values, true) {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.mark(m.key)
		c.out = jsonx.AppendString(c.out, m.name)
		c.out = append(c.out, ':')
		c.value(m.value)
	}
	c.out = append(c.out, '}')
}

// members are the keys of a mapping in their order. Merged ones (<<) stand where the merge is written, and give way to
// the mapping's own.
func (c *converter) members(values []*ast.MappingValueNode, own bool) []member {
	names := make([]string, len(values))
	seen := make(map[string]bool, len(values))
	for i, v := range values {
		if isMerge(v.Key) {
			continue
		}
		name, ok := c.keyText(v.Key)
		switch {
		case !ok:
			c.wrong(v.Key, "a key must be a text")
		case seen[name] && own:
			c.wrong(v.Key, "the key %q is given twice", name)
		}
		names[i] = name
		seen[name] = true
	}
	written := make(map[string]bool, len(values))
	out := make([]member, 0, len(values))
	for i, v := range values {
		if !isMerge(v.Key) {
			if !written[names[i]] {
				written[names[i]] = true
				out = append(out, member{names[i], v.Key, v.Value})
			}
			continue
		}
		for _, m := range c.merged(v.Value) {
			if !seen[m.name] && !written[m.name] {
				written[m.name] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func isMerge(key ast.Node) bool {
	_, ok := key.(*ast.MergeKeyNode)
	return ok
}

// merged are the members that the value of a merge key brings: of one mapping, or of a list of them, of which the first
// wins.
func (c *converter) merged(n ast.Node) []member {
	if c.tooMuch(n) {
		return nil
	}
	switch n := n.(type) {
	case *ast.AliasNode:
		a := c.resolve(n)
		if a == nil {
			return nil
		}
		a.open = true
		defer func() { a.open = false }()
		return c.merged(a.node)
	case *ast.AnchorNode:
		return c.merged(n.Value)
	case *ast.MappingNode:
		return c.members(n.Values, false)
	case *ast.MappingValueNode:
		return c.members([]*ast.MappingValueNode{n}, false)
	case *ast.SequenceNode:
		var all []member
		for _, item := range n.Values {
			all = append(all, c.merged(item)...)
		}
		return all
	}
	c.wrong(n, "only mappings can be merged")
	return nil
}

// keyText is a key as a text: numbers and booleans as they are written.
func (c *converter) keyText(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		if n.Value != nil {
			return n.Value.Value, true
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.MappingKeyNode:
		return c.keyText(n.Value)
	case *ast.AnchorNode:
		c.anchors[c.name(n.Name)] = &anchor{node: n.Value}
		return c.keyText(n.Value)
	case *ast.AliasNode:
		if a := c.anchors[c.name(n.Value)]; a != nil && !a.open {
			a.open = true
			defer func() { a.open = false }()
			return c.keyText(a.node)
		}
	case *ast.TagNode:
		return c.keyText(n.Value)
	}
	return "", false
}
