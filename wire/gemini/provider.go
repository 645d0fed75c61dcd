package gemini

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Provider is Google, with Vertex AI as a dialect.
func Provider() wire.Provider { return provider{} }

type provider struct{}

const providerName = "gemini"

// Name is "gemini".
func (provider) Name() string { return providerName }

// Endpoints are the routes of the API. The verb stands after the last colon of any resource: models/X, tunedModels/X,
// publishers/google/models/X, endpoints/X.
func (provider) Endpoints() []wire.Endpoint {
	post := func(name string, kind wire.Kind, verb string, codec wire.Codec) wire.Endpoint {
		return wire.Endpoint{Name: name, Kind: kind, Method: http.MethodPost, Suffix: "/{model}:" + verb, Codec: codec}
	}
	count := post("gemini.count_tokens", wire.Resource, "countTokens", nil)
	count.Serve = serveCount
	predict := post("gemini.predict", wire.Embeddings, "predict", embeddings{form: predicted})
	predict.Claims = embedsTexts
	return []wire.Endpoint{
		post("gemini.generate", wire.Chat, "generateContent", generate{}),
		post("gemini.generate", wire.Chat, streamVerb, generate{}),
		count,
		post("gemini.embed", wire.Embeddings, "embedContent", embeddings{form: single}),
		post("gemini.batch_embed", wire.Embeddings, "batchEmbedContents", embeddings{form: batch}),
		predict,
		{Name: "gemini.models", Kind: wire.Models, Method: http.MethodGet, Suffix: "/models", Claims: claimsModels, Codec: models{}},
		{Name: "gemini.model", Kind: wire.Models, Method: http.MethodGet, Suffix: "/models/{id}", Claims: claimsModels, Codec: models{one: true}},
		{Name: "gemini.vertex_models", Kind: wire.Models, Method: http.MethodGet, Suffix: garden, Codec: models{}},
		{Name: "gemini.vertex_model", Kind: wire.Models, Method: http.MethodGet, Suffix: garden + "/{id}", Codec: models{one: true}},
	}
}

const (
	streamVerb = "streamGenerateContent"
	// garden is Vertex's list of Google's own models.
	garden     = "/publishers/google/models"
	keyHeader  = "X-Goog-Api-Key"
	keyQuery   = "key"
	studioHost = "generativelanguage.googleapis.com"
)

// claimsModels tells this provider's model list from the others': by its key, its version or Vertex's path. The paths of
// its OpenAI-compatible layer are OpenAI's.
func claimsModels(p *wire.Probe) bool {
	if strings.Contains(p.Path, "/openai/") || p.Header.Get("Anthropic-Version") != "" {
		return false
	}
	return p.Header.Get(keyHeader) != "" || p.Query.Get(keyQuery) != "" || p.Host == studioHost ||
		strings.Contains(p.Path, "/v1beta/") || isVertex(p)
}

// Owns goes by the host and the path, then by what only Google's clients send.
func (provider) Owns(p *wire.Probe) int {
	switch {
	case strings.Contains(p.Path, "/publishers/") && !strings.Contains(p.Path, "/publishers/google/"):
		return 0
	case p.Host == studioHost, isVertex(p):
		return 100
	case p.Header.Get(keyHeader) != "":
		return 80
	case strings.Contains(p.Header.Get("X-Goog-Api-Client"), "google-genai-sdk"):
		return 60
	case strings.Contains(p.Path, "/v1beta/"), strings.Contains(p.Path, "/v1beta1/"):
		return 40
	}
	return 0
}

// Refuse answers where no endpoint does. Google's front end knows no unknown path in JSON: it sends a page.
func (provider) Refuse(p *wire.Probe, f *wire.Failure) wire.Response {
	if p.Dialect == "" && isVertex(p) {
		q := *p
		q.Dialect = vertexName
		p = &q
	}
	c := &wire.Call{Probe: p, Seed: seedOf(p)}
	if f.Rule == "unknown-path" || f.Rule == "wrong-method" {
		return notFoundPage(c)
	}
	return refuse(c, f)
}

// seedOf makes what is random in a refusal to which no call belongs.
func seedOf(p *wire.Probe) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range [...]string{p.Method, p.Path} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	return h
}

// Dialects are the other speakers of this wire.
func (provider) Dialects() []string { return []string{vertexName} }

// Dialect knows Vertex by its paths and hosts.
func (provider) Dialect(p *wire.Probe) string {
	if isVertex(p) {
		return vertexName
	}
	return ""
}
