package stub

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// node is a value that is being read: what it is, where it is, and where to say what is wrong with it.
type node struct {
	v        jsonx.Value
	at       *step
	problems *Problems
}

// step is one key or index of a path, from its end.
type step struct {
	up  *step
	key any
}

func rootNode(v jsonx.Value) node { return node{v: v, problems: new(Problems)} }

func (n node) child(key any, v jsonx.Value) node {
	return node{v: v, at: &step{n.at, key}, problems: n.problems}
}

func (n node) path() []any {
	var path []any
	for s := n.at; s != nil; s = s.up {
		path = append(path, s.key)
	}
	slices.Reverse(path)
	return path
}

// wrong says what is wrong with the value.
func (n node) wrong(format string, args ...any) {
	*n.problems = append(*n.problems, Problem{Path: n.path(), Message: fmt.Sprintf(format, args...)})
}

// misplaced says what is wrong with the key that the value stands under.
func (n node) misplaced(format string, args ...any) {
	*n.problems = append(*n.problems, Problem{Path: n.path(), Message: fmt.Sprintf(format, args...), Key: true})
}

// want says that the value is of the wrong kind.
func (n node) want(what string) { n.wrong("want %s, got %s", what, got(n.v)) }

// got is a value in a few words.
func got(v jsonx.Value) string {
	const most = 40
	switch v.Kind() {
	case jsonx.String:
		if r := []rune(v.Str()); len(r) > most {
			return fmt.Sprintf("%q", string(r[:most])+"…")
		}
		return fmt.Sprintf("%q", v.Str())
	case jsonx.Number:
		if len(v.Raw()) > most {
			return "a number"
		}
		return "the number " + v.Raw()
	case jsonx.Bool:
		return v.Raw()
	case jsonx.Array:
		return "a list"
	case jsonx.Object:
		return "an object"
	}
	return "nothing"
}

func (n node) text() (string, bool) {
	s, ok := n.v.Text()
	if !ok {
		if k := n.v.Kind(); k == jsonx.Number || k == jsonx.Bool {
			n.wrong("want a text, got %s; put it in quotes", got(n.v))
			return "", false
		}
		n.want("a text")
	}
	return s, ok
}

func (n node) bool() (value, ok bool) {
	value, ok = n.v.Bool()
	if !ok {
		n.want("true or false")
	}
	return value, ok
}

// count is a whole number that is not negative.
func (n node) count() (int, bool) {
	i, ok := n.v.Int()
	if !ok || i < 0 || i > math.MaxInt32 {
		n.want("a whole number, 0 or more")
		return 0, false
	}
	return int(i), true
}

// between is a whole number of a range, else 0.
func (n node) between(low, high int) int {
	i, ok := n.v.Int()
	if !ok || i < int64(low) || i > int64(high) {
		n.want(fmt.Sprintf("a whole number from %d to %d", low, high))
		return 0
	}
	return int(i)
}

// number is a number that is not negative.
func (n node) number() (float64, bool) {
	f, ok := n.v.Float()
	if !ok || f < 0 {
		n.want("a number, 0 or more")
		return 0, false
	}
	return f, true
}

// longest is the longest time that can be asked for: more is a slip of the pen, and would not fit a duration.
const longest = 10 * 365 * 24 * time.Hour

// duration is a text in Go's form, or a number of seconds.
func (n node) duration() (time.Duration, bool) {
	const what = `a time such as "250ms", "1.5s" or "2m", or a number of seconds`
	var d time.Duration
	switch n.v.Kind() {
	case jsonx.Number:
		f, ok := n.v.Float()
		if !ok || f < 0 || f > longest.Seconds() {
			n.want(what)
			return 0, false
		}
		d = time.Duration(math.Round(f * float64(time.Second)))
	default:
		var err error
		d, err = time.ParseDuration(n.v.Str())
		if err != nil || d < 0 || d > longest {
			n.want(what)
			return 0, false
		}
	}
	return d, true
}

// word is one of some words.
func (n node) word(words []string) (string, bool) {
	s, ok := n.text()
	if !ok || slices.Contains(words, s) {
		return s, ok
	}
	n.wrong("%s is not one of %s%s", got(n.v), strings.Join(words, ", "), didYouMean(s, words))
	return "", false
}

func didYouMean(word string, words []string) string {
	if near := Nearest(word, words); near != "" {
		return " (did you mean " + strconv.Quote(near) + "?)"
	}
	return ""
}

// hintWord is the nearest of some words, or all of them.
func hintWord(word string, words []string) string {
	if near := didYouMean(word, words); near != "" {
		return near
	}
	return "; there are " + strings.Join(words, ", ")
}

// items yields the elements of a list; it says so where the value is none.
func (n node) items(what string) []node {
	if n.v.Kind() != jsonx.Array {
		n.want(what)
		return nil
	}
	items := make([]node, 0, n.v.Len())
	for i, v := range n.v.Items() {
		items = append(items, n.child(i, v))
	}
	return items
}

// texts is a list of texts.
func (n node) texts() []string {
	items := n.items("a list of texts")
	texts := make([]string, 0, len(items))
	for _, item := range items {
		if s, ok := item.text(); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// compact is the value as JSON without white space, its order, numbers and nulls as they are written.
func (n node) compact() string { return string(jsonx.AppendCompact(nil, n.v.Raw())) }
