package openai

import (
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Gate wants a key, as OpenAI does before it reads a body: in an Authorization header, or in Azure's api-key. Which key
// it is does not matter.
func (provider) Gate(c *wire.Call) *wire.Failure {
	h := c.Probe.Header
	_, given, _ := strings.Cut(strings.TrimSpace(h.Get("Authorization")), " ")
	if strings.TrimSpace(given) != "" || h.Get("Api-Key") != "" || h.Get("X-Api-Key") != "" {
		return nil
	}
	if p := profileOf(c); p == nil || p.q.Keyless {
		return nil
	}
	return &wire.Failure{Kind: wire.Auth, Rule: missingKey}
}
