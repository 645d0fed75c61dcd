package gemini

import "github.com/mimus-go/mimus/wire"

// Gate looks at the credentials: AI Studio takes an API key, Vertex a token, or a key where the path names no project.
// Which key or token it is does not matter.
func (provider) Gate(c *wire.Call) *wire.Failure {
	p := c.Probe
	if bearer(p) || keyed(p) && (p.Dialect != vertexName || express(p)) {
		return nil
	}
	return &wire.Failure{Kind: wire.Auth, Rule: "gemini.credentials"}
}
