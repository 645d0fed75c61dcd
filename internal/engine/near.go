package engine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// NearMiss is a stub that nearly matched, and why it did not.
type NearMiss struct {
	Stub   *stub.Stub
	Failed []Failed
	// UsedUp says that every condition held, but the stub has answered as often as it may.
	UsedUp bool
}

// Failed is a condition that did not hold.
type Failed struct{ Key, Want, Got string }

// String is one line: the stub and what failed.
func (n NearMiss) String() string {
	title := n.Stub.Title()
	if n.UsedUp {
		return title + ": used up"
	}
	reasons := make([]string, len(n.Failed))
	for i, f := range n.Failed {
		reasons[i] = f.Key + " wants " + f.Want
		if f.Got != "" {
			reasons[i] += ", got " + f.Got
		}
	}
	return title + ": " + strings.Join(reasons, "; ")
}

// mostSearched is how many bytes of conversation the search for near misses may go through, all stubs together: an
// unmatched request of a megabyte must not cost ten thousand searches of a megabyte.
const mostSearched = 64 << 20

// NearMisses are the most likely stubs of those that did not match, the likeliest first: those of the same kind of
// endpoint with the fewest conditions that failed, then with the most that held, then by rank.
func (s *Space) NearMisses(r *wire.Request, most int) []NearMiss {
	type score struct {
		entry             *entry
		kind, failed, met int
	}
	x := s.index()
	budget := max(100, mostSearched/(len(r.Conversation())+64))
	near := make([]score, 0, min(len(x.all), budget))
	for _, e := range x.all[:min(len(x.all), budget)] {
		n := score{entry: e}
		if e.stub.Kind != r.Kind {
			n.kind = 1
		}
		for i := range e.conditions {
			if e.conditions[i].Match(r) {
				n.met++
			} else {
				n.failed++
			}
		}
		near = append(near, n)
	}
	slices.SortStableFunc(near, func(a, b score) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.failed, b.failed), cmp.Compare(b.met, a.met))
	})
	out := make([]NearMiss, 0, most)
	for _, n := range near[:min(most, len(near))] {
		out = append(out, nearMiss(n.entry, r))
	}
	return out
}

// nearMiss says why a stub did not match.
func nearMiss(e *entry, r *wire.Request) NearMiss {
	n := NearMiss{Stub: e.stub}
	if e.stub.Kind != r.Kind && !e.stub.AnyKind {
		n.Failed = append(n.Failed, Failed{"endpoint", e.stub.Kind.String(), r.Kind.String()})
	}
	for _, c := range e.conditions {
		if c.Match(r) {
			continue
		}
		f := Failed{Key: c.Key, Want: c.Want}
		if c.Got != nil {
			f.Got = c.Got(r)
		}
		n.Failed = append(n.Failed, f)
	}
	n.UsedUp = len(n.Failed) == 0
	return n
}
