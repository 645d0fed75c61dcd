package openai

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

type provider struct{}

// Provider is OpenAI, with everyone who speaks its wire as dialects.
func Provider() wire.Provider { return provider{} }

// Name is "openai".
func (provider) Name() string { return "openai" }

// Endpoints are the paths of OpenAI's API, as suffixes, so that Azure's and the vendors' are the same ones.
func (provider) Endpoints() []wire.Endpoint {
	list := []wire.Endpoint{
		{Name: "openai.chat", Kind: wire.Chat, Method: http.MethodPost, Suffix: "/chat/completions", Codec: chat{}},
		{Name: "openai.embeddings", Kind: wire.Embeddings, Method: http.MethodPost, Suffix: "/embeddings", Claims: claimsEmbeddings, Codec: embeddings{}},
		{Name: "openai.models", Kind: wire.Models, Method: http.MethodGet, Suffix: "/models", Claims: claimsModels, Codec: models{}},
		{Name: "openai.model", Kind: wire.Resource, Method: http.MethodGet, Suffix: "/models/{id...}", Claims: claimsModels, Serve: serveModel},
		{Name: "openai.model.delete", Kind: wire.Resource, Method: http.MethodDelete, Suffix: "/models/{id...}", Claims: claimsModels, Serve: deleteModel},
	}
	return append(list, responsesEndpoints()...)
}

// How sure the provider is of a stray request.
const (
	sureHost   = 100
	sureHeader = 50
	surePath   = 20
	fallback   = 1
)

// Owns is 100 for a host that has a file in vendors/, less for headers and paths in OpenAI's manner, and 1 for anything:
// where nobody else claims a stray request, it is answered in OpenAI's words.
func (pr provider) Owns(p *wire.Probe) int {
	if d := pr.Dialect(p); d != unknown && p.Host != "" && knownHost(p.Host) {
		return sureHost
	} else if d == azure {
		return sureHeader
	}
	switch {
	case p.Header.Get("Openai-Organization") != "" || p.Header.Get("Openai-Project") != "" ||
		strings.Contains(p.Header.Get("User-Agent"), "OpenAI/"):
		return sureHeader
	case strings.Contains(p.Path, "/v1/") && strings.HasPrefix(p.Header.Get("Authorization"), "Bearer "):
		return surePath
	}
	return fallback
}

func knownHost(host string) bool { return loadSpeakers().ofHost(host) != unknown }

// Refuse answers where no endpoint does: 404 "Invalid URL" for an unknown path, 405 for a wrong method, 413 for a body
// over the limit, 400 for one that cannot be read.
func (pr provider) Refuse(p *wire.Probe, f *wire.Failure) wire.Response {
	dialect := p.Dialect
	if dialect == "" {
		dialect = pr.Dialect(p)
	}
	c := &wire.Call{Probe: p, Request: &wire.Request{Provider: pr.Name(), Dialect: dialect, Version: p.Query.Get("api-version"), Probe: p}, Seed: seedOf(p)}
	g := *f
	switch {
	case g.Rule != "":
	case g.Status == http.StatusMethodNotAllowed:
		g.Rule = wrongMethod
	case g.Kind == wire.NotFound || g.Kind == "" && g.Status == http.StatusNotFound:
		g.Rule = unknownURL
	}
	return refuse(c, &g)
}

// seedOf makes ids for a request that never became a call.
func seedOf(p *wire.Probe) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range []string{p.Method, p.Path} {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	return h
}
