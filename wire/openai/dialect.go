package openai

import (
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Dialect names who speaks: by the host, where it is a known one, else by what only one speaker's paths, queries and
// headers have. "openai" is api.openai.com itself; "" is a host that nobody knows.
func (provider) Dialect(p *wire.Probe) string {
	all := loadSpeakers()
	host := all.ofHost(p.Host)
	for _, s := range all.byPath {
		if (host == unknown || s.within == host) && strings.Contains(p.Path, s.piece) {
			return s.name
		}
	}
	// Azure's own client libraries name the API version in each request (openai-python, src/openai/lib/azure.py, 2026);
	// its v1 paths may leave it out.
	if host == unknown && (p.Query.Has("api-version") || strings.Contains(p.Path, "/openai/deployments/") || strings.Contains(p.Path+"/", "/openai/v1/")) {
		return azure
	}
	return host
}

// Dialects lists everyone who has a file in vendors/.
func (provider) Dialects() []string {
	var names []string
	for _, v := range loadSpeakers().list {
		if v.name != unknown {
			names = append(names, v.name)
		}
	}
	return names
}
