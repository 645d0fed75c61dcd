package openai

import (
	"strings"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// apiVersion wants Azure's api-version: a date, with or without -preview, or one of three words. The v1 paths may leave
// it out. A missing or unknown one is "Resource not found". From general knowledge.
func apiVersion(c *wire.Call) *wire.Failure {
	if c.Probe.Dialect != azure {
		return nil
	}
	version := c.Probe.Query.Get("api-version")
	missing := version == "" && !strings.Contains(c.Probe.Path+"/", "/v1/")
	if missing || version != "" && !validVersion(version) {
		return &wire.Failure{Kind: wire.NotFound, Rule: "api-version"}
	}
	return nil
}

func validVersion(v string) bool {
	switch v {
	case "preview", "latest", "v1":
		return true
	}
	v, _, _ = strings.Cut(v, "-preview")
	_, err := time.Parse(time.DateOnly, v)
	return err == nil
}

// Gate wants Azure's API version, and a key, as OpenAI does before it reads a body: in an Authorization header, or in
// Azure's api-key. Which key it is does not matter.
func (provider) Gate(c *wire.Call) *wire.Failure {
	if f := apiVersion(c); f != nil {
		return f
	}
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
