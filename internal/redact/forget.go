package redact

import (
	"hash/maphash"
	"maps"
	"net/http"
	"net/url"
)

// Keyed hashes credentials, so that equal ones can be told to be equal and nothing else. The key is made anew for each
// Keyed, and never leaves it.
type Keyed struct{ seed maphash.Seed }

// NewKeyed makes a Keyed.
func NewKeyed() Keyed { return Keyed{maphash.MakeSeed()} }

// Hash is what is kept of a credential.
func (k Keyed) Hash(secret string) string {
	const hex = "0123456789abcdef"
	b := append(make([]byte, 0, len(Mark)+11), Mark+" ("...)
	for h, i := maphash.String(k.seed, secret), 0; i < 8; i++ {
		b = append(b, hex[h&15])
		h >>= 4
	}
	return string(append(b, ')'))
}

// Headers is h without its credentials: a copy that holds their hashes, or h itself where there are none.
func (k Keyed) Headers(h http.Header) http.Header { return hashed(k, h, Header) }

// Values is q without its credentials: a copy that holds their hashes, or q itself where there are none.
func (k Keyed) Values(q url.Values) url.Values { return hashed(k, q, queryKey) }

func hashed[M ~map[string][]string](k Keyed, m M, secret func(name string) bool) M {
	out, copied := m, false
	for name, values := range m {
		if !secret(name) {
			continue
		}
		if !copied {
			out, copied = maps.Clone(m), true
		}
		hashes := make([]string, len(values))
		for i, v := range values {
			hashes[i] = k.Hash(v)
		}
		out[name] = hashes
	}
	return out
}
