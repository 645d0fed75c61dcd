package wire

import (
	"net/http"
	"net/url"
)

// Probe is one HTTP request before any codec has an opinion. Its body is read once, un-gzipped, shared and read-only.
type Probe struct {
	Method string
	// Host is the host that the client asked for, lower case, without a port.
	Host string
	// Port is the port that came with the host, "" where none did.
	Port string
	// Path is the escaped path, with routing prefixes such as /as/NAME already cut off.
	Path string
	// Target is the path and query as the client sent them, routing prefixes included; "" where the probe came from no
	// connection.
	Target string
	Query  url.Values
	Header http.Header
	Body   []byte
	// Dialect names who speaks a shared path: "azure", "deepseek", "vertex"; "" is the provider itself, or nobody knows.
	Dialect string
	// Vars are the values of the {x} in the endpoint's suffix, unescaped once.
	Vars map[string]string
	// TLS says that the client asked by https.
	TLS bool
}

// URL is the path and query as the client sent them, for messages and the journal.
func (p *Probe) URL() string {
	if p.Target != "" {
		return p.Target
	}
	if len(p.Query) == 0 {
		return p.Path
	}
	return p.Path + "?" + p.Query.Encode()
}
