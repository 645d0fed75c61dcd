package ollama

import "strings"

// name is a model's name taken apart: HOST/NAMESPACE/MODEL:TAG, where all but the model may be left out.
type name struct{ host, namespace, model, tag string }

const (
	registry = "registry.ollama.ai"
	library  = "library"
	latest   = "latest"
)

// nameOf takes a name apart and fills in what is left out. ok is false where it is no name.
func nameOf(s string) (n name, ok bool) {
	n = name{registry, library, "", latest}
	part := func(at *string, s string) bool {
		*at = s
		return s != ""
	}
	ok = true
	if colon := strings.LastIndexByte(s, ':'); colon > strings.LastIndexByte(s, '/') {
		ok = part(&n.tag, s[colon+1:])
		s = s[:colon]
	}
	rest, model, deep := cutLast(s)
	n.model = model
	if deep {
		var namespace string
		if rest, namespace, deep = cutLast(rest); true {
			ok = part(&n.namespace, namespace) && ok
		}
		if deep {
			_, host, found := strings.Cut(rest, "://")
			if !found {
				host = rest
			}
			ok = part(&n.host, host) && ok
		}
	}
	return n, ok && validPart(n.host, 350, ".:") && validPart(n.namespace, 80, "") && validPart(n.model, 80, ".") && validPart(n.tag, 80, ".")
}

// cutLast parts a path from its last segment.
func cutLast(s string) (rest, last string, deep bool) {
	if i := strings.LastIndexByte(s, '/'); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return "", s, false
}

// validPart says whether a part is letters, digits, _ and -, and what more is allowed, and begins with none of these but _.
func validPart(s string, longest int, more string) bool {
	for i := range len(s) {
		c := s[i]
		word := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
		if !word && (i == 0 || c != '-' && strings.IndexByte(more, c) < 0) {
			return false
		}
	}
	return s != "" && len(s) <= longest
}

// short is the name as lists show it: without the usual host and namespace, always with a tag.
func (n name) short() string {
	s := n.model + ":" + n.tag
	switch {
	case !strings.EqualFold(n.host, registry):
		return n.host + "/" + n.namespace + "/" + s
	case !strings.EqualFold(n.namespace, library):
		return n.namespace + "/" + s
	}
	return s
}

// full is the name with everything, as the scheduler's errors have it.
func (n name) full() string { return n.host + "/" + n.namespace + "/" + n.model + ":" + n.tag }

// key is what two spellings of one name have in common.
func (n name) key() string { return strings.ToLower(n.short()) }

// shown is a name of a list as it is shown; what is no name stays as it is.
func shown(s string) string {
	n, ok := nameOf(s)
	if !ok {
		return s
	}
	return n.short()
}

func keyOf(s string) string { return strings.ToLower(shown(s)) }
