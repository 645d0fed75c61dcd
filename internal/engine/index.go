package engine

import (
	"slices"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// index finds the stubs that could match a request in a time that hardly depends on how many there are: a stub is filed
// under the longest text that it wants in the conversation, else under a label (a model, a tool, a wire), else it is
// loose and looked at every time.
type index struct {
	all   []*entry // by rank
	texts texts
	shelf [wire.Session + 1]shelf // by kind
}

// shelf holds the stubs of one kind of endpoint that are filed under no text, by rank.
type shelf struct {
	loose    []int
	labelled map[stub.Label][]int
}

func newIndex(entries []*entry) *index {
	sortByRank(entries)
	x := &index{all: entries}
	x.texts.prepare(len(entries))
	for rank, e := range entries {
		x.file(rank, e)
	}
	return x
}

func (x *index) file(rank int, e *entry) {
	text := ""
	for _, c := range e.conditions {
		if len(c.Anchor) > len(text) {
			text = c.Anchor
		}
	}
	if text != "" {
		x.texts.file(rank, text)
		return
	}
	s := &x.shelf[min(int(e.stub.Kind), len(x.shelf)-1)]
	var best stub.Label
	for _, c := range e.conditions {
		if c.Label.Of != 0 && (best.Of == 0 || len(s.labelled[c.Label]) < len(s.labelled[best])) {
			best = c.Label
		}
	}
	if best.Of == 0 {
		s.loose = append(s.loose, rank)
		return
	}
	if s.labelled == nil {
		s.labelled = map[stub.Label][]int{}
	}
	s.labelled[best] = append(s.labelled[best], rank)
}

// find is the first stub by rank that is not spent and matches, and its next step.
func (x *index) find(r *wire.Request) (*entry, int) {
	var room [8][]int
	lists := x.lists(room[:0], r)
	for {
		first := -1
		for i, l := range lists {
			if len(l) > 0 && (first < 0 || l[0] < lists[first][0]) {
				first = i
			}
		}
		if first < 0 {
			return nil, 0
		}
		e := x.all[lists[first][0]]
		lists[first] = lists[first][1:]
		if e.spent.Load() || !e.matches(r) {
			continue
		}
		if step, ok := e.peek(); ok {
			return e, step
		}
	}
}

// lists are the ranks of the stubs that could match, each list in order.
func (x *index) lists(dst [][]int, r *wire.Request) [][]int {
	if !x.texts.empty() {
		dst = append(dst, x.texts.in(r.Conversation()))
	}
	s := &x.shelf[min(int(r.Kind), len(x.shelf)-1)]
	dst = append(dst, s.loose)
	if s.labelled == nil {
		return dst
	}
	add := func(of stub.Field, value string) {
		if l := s.labelled[stub.Label{Of: of, Value: value}]; l != nil {
			dst = append(dst, l)
		}
	}
	add(stub.OfModel, r.Model)
	add(stub.OfWire, r.Endpoint)
	if r.Provider != r.Endpoint {
		add(stub.OfWire, r.Provider)
	}
	if name, ok := r.AfterTool(); ok {
		add(stub.OfAfterTool, name)
	}
	for i, t := range r.Tools {
		if !slices.ContainsFunc(r.Tools[:i], func(before wire.Tool) bool { return before.Name == t.Name }) {
			add(stub.OfTool, t.Name)
		}
	}
	return dst
}
