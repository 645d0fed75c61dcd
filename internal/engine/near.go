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
	held   int
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

// NearMisses are the most likely stubs of those that did not match, the likeliest first.
func (s *Space) NearMisses(r *wire.Request, most int) []NearMiss {
	var near []NearMiss
	for _, e := range s.index().all {
		n := NearMiss{Stub: e.stub}
		if e.stub.Kind != r.Kind {
			n.Failed = append(n.Failed, Failed{"endpoint", e.stub.Kind.String(), r.Kind.String()})
			n.held--
		}
		for _, c := range e.conditions {
			if c.Match(r) {
				n.held++
				continue
			}
			f := Failed{Key: c.Key, Want: c.Want}
			if c.Got != nil {
				f.Got = c.Got(r)
			}
			n.Failed = append(n.Failed, f)
		}
		n.UsedUp = len(n.Failed) == 0
		near = append(near, n)
	}
	slices.SortStableFunc(near, func(a, b NearMiss) int {
		return cmp.Or(cmp.Compare(len(a.Failed), len(b.Failed)), cmp.Compare(b.held, a.held))
	})
	return near[:min(most, len(near))]
}
