package jsonx

import "iter"

// Value is one value of a parsed document. It is small and meant to be passed
// by value. The zero Value is of kind [Absent], and each method works on it.
// A Value can be used by several goroutines at once.
type Value struct {
	tree *tree
	i    uint32 // of the node in tree
}

// node returns the node of the value, an empty one if it is absent.
func (v Value) node() node {
	if v.tree == nil {
		return node{}
	}
	return v.tree.nodes[v.i]
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind {
	if v.tree == nil {
		return Absent
	}
	return v.tree.nodes[v.i].kind
}

// Exists reports whether there is a value. A null exists.
func (v Value) Exists() bool { return v.tree != nil }

// IsNull reports whether the value is null; an absent one is not.
func (v Value) IsNull() bool { return v.Kind() == Null }

// Raw returns the value as it is written in the document, or "" if it is
// absent.
func (v Value) Raw() string {
	if v.tree == nil {
		return ""
	}
	n := &v.tree.nodes[v.i]
	return v.tree.doc[n.start:n.end]
}

// Offset returns how many bytes of the document come before the value. It is 0
// if the value is absent.
func (v Value) Offset() int { return int(v.node().start) }

// Get returns the member of an object with the given key, the last one if
// there are several, as encoding/json does. The result is absent if there is
// none or if the value is not an object.
func (v Value) Get(key string) Value {
	n := v.node()
	if n.kind != Object {
		return Value{}
	}
	var found Value
	nodes, doc := v.tree.nodes, v.tree.doc
	for k := v.i + 1; k < n.next; k = nodes[k+1].next {
		name := &nodes[k]
		if name.escaped {
			if v.tree.text(k) != key {
				continue
			}
		} else if int(name.end-name.start) != len(key)+2 || doc[name.start+1:name.end-1] != key {
			continue
		}
		found = Value{v.tree, k + 1}
	}
	return found
}

// At follows a path of object keys (string) and array indexes (int), such as
// v.At("messages", 0, "role"). The result is absent if a step leads nowhere or
// is of another type; without any step it is the value itself.
func (v Value) At(path ...any) Value {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.Get(step)
		case int:
			v = v.Index(step)
		default:
			return Value{}
		}
	}
	return v
}

// Str returns the decoded text of a string, and "" for other kinds.
func (v Value) Str() string {
	s, _ := v.Text()
	return s
}

// Text returns the decoded text of a string, and whether the value is one. The
// text is part of the document, not a copy, if it has no escapes.
func (v Value) Text() (string, bool) {
	if v.Kind() != String {
		return "", false
	}
	return v.tree.text(v.i), true
}

// Bool returns the value of a boolean, and whether the value is one.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.Raw() == "true", true
}

// Len returns the number of elements of an array or of members of an object,
// duplicates included, and 0 for other kinds.
func (v Value) Len() int { return int(v.node().size) }

// Index returns element i of an array. The result is absent if there is none
// or if the value is not an array. Its time grows with i unless all elements
// are scalars; [Value.Items] is the way to visit all of them.
func (v Value) Index(i int) Value {
	n := v.node()
	if n.kind != Array || i < 0 || i >= int(n.size) {
		return Value{}
	}
	at := v.i + 1
	if n.next-at == n.size {
		return Value{v.tree, at + uint32(i)}
	}
	for range i {
		at = v.tree.nodes[at].next
	}
	return Value{v.tree, at}
}

// Items yields the elements of an array with their indexes, and nothing for
// other kinds.
func (v Value) Items() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		n := v.node()
		if n.kind != Array {
			return
		}
		i := 0
		for at := v.i + 1; at < n.next; at = v.tree.nodes[at].next {
			if !yield(i, Value{v.tree, at}) {
				return
			}
			i++
		}
	}
}

// Members yields the members of an object with their decoded keys, in the
// order of the document and with duplicates, and nothing for other kinds.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		n := v.node()
		if n.kind != Object {
			return
		}
		for k := v.i + 1; k < n.next; k = v.tree.nodes[k+1].next {
			if !yield(v.tree.text(k), Value{v.tree, k + 1}) {
				return
			}
		}
	}
}
