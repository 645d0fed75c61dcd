package gemini

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// set takes one piece of streamed arguments, and says whether it has a place.
func (a *argument) set(piece jsonx.Value) bool {
	path, ok := strings.CutPrefix(pick(piece, "jsonPath").Str(), "$")
	if !ok {
		return false
	}
	at := a
	for path != "" {
		if at, path, ok = at.step(path); !ok {
			return false
		}
	}
	return at.leaf(piece)
}

// step goes to the child that the first step of a path names, and makes it where there is none. A list grows by its next
// element only.
func (a *argument) step(path string) (child *argument, rest string, ok bool) {
	key, index, rest, ok := cutStep(path)
	switch {
	case !ok:
		return nil, "", false
	case index >= 0:
		if a.form == undecided {
			a.form = list
		}
		if a.form != list || index > len(a.children) {
			return nil, "", false
		}
		if index == len(a.children) {
			return a.add(""), rest, true
		}
		return a.children[index], rest, true
	}
	if a.form == undecided {
		a.form = object
	}
	if a.form != object {
		return nil, "", false
	}
	if c := a.child(key); c != nil {
		return c, rest, true
	}
	return a.add(key), rest, true
}

// cutStep reads .name, ['any text'], ["any text"] or [7]; index is -1 for a key.
func cutStep(path string) (key string, index int, rest string, ok bool) {
	if name, ok := strings.CutPrefix(path, "."); ok {
		end := strings.IndexAny(name, ".[")
		if end < 0 {
			end = len(name)
		}
		return name[:end], -1, name[end:], end > 0
	}
	inner, ok := strings.CutPrefix(path, "[")
	if !ok || inner == "" {
		return "", 0, "", false
	}
	if quote := inner[0]; quote == '\'' || quote == '"' {
		var b strings.Builder
		for i := 1; i < len(inner); i++ {
			switch c := inner[i]; {
			case c == '\\' && i+1 < len(inner):
				i++
				b.WriteByte(inner[i])
			case c == quote:
				rest, ok = strings.CutPrefix(inner[i+1:], "]")
				return b.String(), -1, rest, ok
			default:
				b.WriteByte(c)
			}
		}
		return "", 0, "", false
	}
	digits, rest, ok := strings.Cut(inner, "]")
	n, err := strconv.ParseUint(digits, 10, 31)
	return "", int(n), rest, ok && err == nil
}

// leaf takes the value of a piece; a text is added to the one that goes on.
func (a *argument) leaf(piece jsonx.Value) bool {
	if len(a.children) > 0 {
		return false
	}
	if text, ok := pick(piece, "stringValue").Text(); ok {
		if a.form != stringLeaf || !a.more {
			a.text = a.text[:0]
		}
		a.form, a.text = stringLeaf, append(a.text, text...)
		a.more = isTrue(pick(piece, "willContinue"))
		return true
	}
	a.form = otherLeaf
	for _, name := range [...]string{"numberValue", "boolValue"} {
		if v := pick(piece, name); v.Exists() {
			a.raw = v.Raw()
			return true
		}
	}
	a.raw = "null"
	return true
}
