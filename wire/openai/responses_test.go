package openai_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// onlyResponses is the provider with the endpoints of the Responses API alone.
type onlyResponses struct{ wire.Provider }

func (p onlyResponses) Endpoints() []wire.Endpoint {
	var list []wire.Endpoint
	for _, e := range p.Provider.Endpoints() {
		if strings.HasPrefix(e.Name, "openai.responses") {
			list = append(list, e)
		}
	}
	return list
}

func (p onlyResponses) Dialect(probe *wire.Probe) string {
	return p.Provider.(wire.Dialecter).Dialect(probe)
}

func (p onlyResponses) Dialects() []string { return p.Provider.(wire.Dialecter).Dialects() }

func TestResponsesGoldens(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, onlyResponses{openai.Provider()}, "testdata/responses")
}
