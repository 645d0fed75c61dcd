package anthropic

import (
	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/wire"
)

// Gate looks at what comes before the body: a key, or a token, and the API version. Which key it is does not matter.
func (provider) Gate(c *wire.Call) *wire.Failure {
	h := c.Probe.Header
	d := dialectOf(c)
	if d.aws {
		if f := aws.Gate(c.Probe); f != nil {
			return f
		}
	}
	if d.name != ollamaName && h.Get("X-Api-Key") == "" && h.Get("Authorization") == "" {
		return &wire.Failure{Kind: wire.Auth, Rule: "anthropic.key"}
	}
	for v := range headerViolations(c) {
		return v.Failure
	}
	return nil
}
