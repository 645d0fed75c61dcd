package engine

import (
	"cmp"
	"slices"

	"github.com/mimus-go/mimus/stub"
)

// sortByRank puts the stub that is asked first first: lower priority; ours before WireMock's; ours with more conditions;
// ours added at run time before files; files in written order, run-time and WireMock stubs newest first.
func sortByRank(entries []*entry) {
	slices.SortStableFunc(entries, func(a, b *entry) int {
		if c := cmp.Compare(a.stub.Priority, b.stub.Priority); c != 0 {
			return c
		}
		wa, wb := a.stub.Origin == stub.WireMock, b.stub.Origin == stub.WireMock
		switch {
		case wa && wb:
			return cmp.Compare(b.order, a.order)
		case wa:
			return 1
		case wb:
			return -1
		}
		if c := cmp.Compare(b.weight, a.weight); c != 0 {
			return c
		}
		if c := cmp.Compare(a.stub.Origin, b.stub.Origin); c != 0 {
			return c
		}
		if a.stub.Origin == stub.Runtime {
			return cmp.Compare(b.order, a.order)
		}
		return cmp.Compare(a.order, b.order)
	})
}
