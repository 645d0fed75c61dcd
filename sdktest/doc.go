// Package sdktest lets the official Go SDKs judge mimus: every case of e2e/cases.yaml on every endpoint that it names,
// whole and streamed, each with the SDK's own client, its own accumulator and its own errors.
//
// The cases are data and know no SDK. A [driver] is all that knows one: it makes a request of a turn and tells what the
// SDK made of the answer. Everything happens in memory, at the provider's real address and under the fake clock of
// testing/synctest, so that retries, delays and stalls are compared to the nanosecond.
//
// The module stands on its own go.mod, so that no SDK ever reaches a user's go.sum.
package sdktest
