// Package engine decides which stub answers a request, and remembers what a provider would remember.
//
// A [Space] is one namespace: its stubs, their sequences, the calls it has made, and a provider's stored objects.
// [Space.Peek] finds the stub without touching anything; [Space.Commit] uses it up, and gives a [Lease] that is kept
// when the answer left whole and given back when it did not.
package engine
