// Package journal keeps what was asked and what was answered, bounded in count and bytes.
//
// Bodies stay raw in memory, so that it can be proven what was never sent; every view of an entry is redacted, and of
// credentials only a keyed hash is ever kept.
package journal
