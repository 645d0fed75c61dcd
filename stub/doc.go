// Package stub is the declarative stub: which requests it answers, with what, and what goes wrong on the way. Stub
// files, the admin API and the Go API all make these.
//
// It links the standard library only.
package stub
