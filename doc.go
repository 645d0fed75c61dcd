// Package mimus is a test double for LLM APIs. It answers in the wire format of
// any provider it knows: as strict as the provider, as broken as the provider
// when a test asks for that, and with everything that travelled open to the test.
//
// The package is the Go test API. It links the standard library only, so that a
// project that tests with it takes on no further module.
package mimus
