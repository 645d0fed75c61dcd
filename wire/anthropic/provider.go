package anthropic

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Provider is Anthropic.
func Provider() wire.Provider { return provider{} }

type provider struct{}

const providerName = "anthropic"

// Name is "anthropic".
func (provider) Name() string { return providerName }

// Endpoints are the routes of the API. The suffix of messages has the version, as other providers have a resource of
// the same name.
func (provider) Endpoints() []wire.Endpoint {
	const vertex = "/publishers/anthropic/models/"
	return []wire.Endpoint{
		{Name: "anthropic.messages", Kind: wire.Chat, Method: http.MethodPost, Suffix: "/v1/messages", Codec: messages{}},
		{Name: "anthropic.vertex", Kind: wire.Chat, Method: http.MethodPost, Suffix: vertex + "{model}:rawPredict", Codec: messages{}},
		{Name: "anthropic.vertex", Kind: wire.Chat, Method: http.MethodPost, Suffix: vertex + "{model}:streamRawPredict", Codec: messages{}},
		{Name: bedrockEndpoint, Kind: wire.Chat, Method: http.MethodPost, Suffix: "/model/{model...}/invoke", Claims: claimsBedrock, Codec: messages{}},
		{Name: bedrockEndpoint, Kind: wire.Chat, Method: http.MethodPost, Suffix: "/model/{model...}" + bedrockStream, Claims: claimsBedrock, Codec: messages{}},
		{Name: "anthropic.count_tokens", Kind: wire.Resource, Method: http.MethodPost, Suffix: "/v1/messages/count_tokens", Serve: serveCount},
		{Name: "anthropic.vertex_count_tokens", Kind: wire.Resource, Method: http.MethodPost, Suffix: vertex + "count-tokens:rawPredict", Serve: serveCount},
		{Name: "anthropic.models", Kind: wire.Models, Method: http.MethodGet, Suffix: "/models", Claims: hasVersion, Codec: models{}},
		{Name: "anthropic.model", Kind: wire.Models, Method: http.MethodGet, Suffix: "/models/{id}", Claims: hasVersion, Codec: models{one: true}},
	}
}

// hasVersion tells a model list of this provider from the others' by its header.
func hasVersion(p *wire.Probe) bool { return p.Header.Get(versionHeader) != "" }

const versionHeader = "Anthropic-Version"

// Owns goes by the host, then by what only this provider's clients send.
func (provider) Owns(p *wire.Probe) int {
	switch {
	case p.Host == "api.anthropic.com" || strings.HasSuffix(p.Host, ".anthropic.com"):
		return 100
	case isVertex(p):
		return 90
	case hasVersion(p):
		return 80
	case p.Header.Get("Anthropic-Beta") != "" || strings.HasPrefix(p.Header.Get("User-Agent"), "Anthropic/"):
		return 60
	case p.Header.Get("X-Api-Key") != "":
		return 20
	}
	return 0
}

// Refuse answers where no endpoint does. An unknown path says "Not found".
func (provider) Refuse(p *wire.Probe, f *wire.Failure) wire.Response {
	if p.Dialect == "" {
		if d := (provider{}).Dialect(p); d != "" {
			q := *p
			q.Dialect = d
			p = &q
		}
	}
	return refuse(&wire.Call{Probe: p, Seed: seedOf(p)}, f)
}

// seedOf makes the ids of a refusal to which no call belongs.
func seedOf(p *wire.Probe) uint64 {
	h := uint64(14695981039346656037)
	add := func(c byte) { h = (h ^ uint64(c)) * 1099511628211 }
	for i := range len(p.Path) {
		add(p.Path[i])
	}
	for _, c := range p.Body {
		add(c)
	}
	return h
}

// Dialects are the other speakers of this wire.
func (provider) Dialects() []string {
	names := make([]string, 0, len(dialects))
	for _, d := range dialects {
		// "bedrock" is a provider of its own, and has the name.
		if d.name != "" && d.name != bedrockName {
			names = append(names, d.name)
		}
	}
	return names
}

// Dialect knows Vertex by its paths and hosts, Bedrock by its paths.
func (provider) Dialect(p *wire.Probe) string {
	switch {
	case isVertex(p):
		return vertexName
	case isBedrock(p):
		return bedrockName
	}
	return ""
}

// isVertex knows Google's paths of Claude, and its hosts where the path is of no use:
// REGION-aiplatform.googleapis.com, aiplatform.googleapis.com, aiplatform.REGION.rep.googleapis.com.
func isVertex(p *wire.Probe) bool {
	return strings.Contains(p.Path, "/publishers/anthropic/") ||
		strings.HasSuffix(p.Host, ".googleapis.com") && strings.Contains(p.Host, "aiplatform") && strings.Contains(p.Path, "/v1/messages")
}
