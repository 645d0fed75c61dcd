package ollama

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Provider is Ollama.
func Provider() wire.Provider { return provider{} }

type provider struct{}

const providerName = "ollama"

// Name is "ollama".
func (provider) Name() string { return providerName }

// Endpoints are the routes of the server's own API. What only loads a model comes before what answers.
func (provider) Endpoints() []wire.Endpoint {
	var chat, prompt inference
	prompt.prompt = true
	state := func(name, method, suffix string, serve func(*wire.Call) wire.Response) wire.Endpoint {
		return wire.Endpoint{Name: providerName + "." + name, Kind: wire.Resource, Method: method, Suffix: suffix, Serve: serve}
	}
	const get, head, post = http.MethodGet, http.MethodHead, http.MethodPost
	load := state("chat.load", post, "/api/chat", chat.serveLoad)
	load.Claims = chat.loads
	loadPrompt := state("generate.load", post, "/api/generate", prompt.serveLoad)
	loadPrompt.Claims = prompt.loads
	root, rootHead := state("root", get, "", serveRoot), state("root.head", head, "", serveRoot)
	root.Claims, rootHead.Claims = isRoot, isRoot
	return []wire.Endpoint{
		load,
		{Name: "ollama.chat", Kind: wire.Chat, Method: post, Suffix: "/api/chat", Codec: chat},
		loadPrompt,
		{Name: "ollama.generate", Kind: wire.Chat, Method: post, Suffix: "/api/generate", Codec: prompt},
		{Name: "ollama.embed", Kind: wire.Embeddings, Method: post, Suffix: "/api/embed", Codec: embeddings{}},
		{Name: "ollama.embeddings", Kind: wire.Embeddings, Method: post, Suffix: "/api/embeddings", Codec: embeddings{old: true}},
		{Name: "ollama.models", Kind: wire.Models, Method: get, Suffix: "/api/tags", Codec: tags{}},
		{Name: "ollama.models.head", Kind: wire.Models, Method: head, Suffix: "/api/tags", Codec: tags{}},
		state("show", post, "/api/show", serveShow),
		state("ps", get, "/api/ps", servePs),
		state("pull", post, "/api/pull", servePull),
		state("push", post, "/api/push", servePush),
		state("create", post, "/api/create", serveCreate),
		state("copy", post, "/api/copy", serveCopy),
		state("delete", http.MethodDelete, "/api/delete", serveDelete),
		state("blob.head", head, "/api/blobs/{digest}", serveHasBlob),
		state("blob", post, "/api/blobs/{digest}", serveBlob),
		state("version", get, "/api/version", serveVersion),
		state("version.head", head, "/api/version", serveVersion),
		state("status", get, "/api/status", serveStatus),
		root, rootHead,
	}
}

// isRoot says whether a request asks if Ollama is there: it is for no path at all, on a host that is no other provider's.
func isRoot(p *wire.Probe) bool {
	return strings.Trim(p.Path, "/") == "" && (isOurs(p) || !strings.Contains(p.Host, ".") || p.Host == "127.0.0.1")
}

const usualPort = "11434"

// isOurs says whether a request is surely meant for Ollama.
func isOurs(p *wire.Probe) bool {
	return p.Dialect == providerName || p.Port == usualPort || p.Host == "ollama.com" || strings.HasSuffix(p.Host, ".ollama.com") ||
		strings.HasPrefix(strings.ToLower(p.Header.Get("User-Agent")), "ollama")
}

// Owns goes by the host, the port and the client, then by the path, in which no version follows /api.
func (provider) Owns(p *wire.Probe) int {
	rest, ok := strings.CutPrefix(p.Path, "/api/")
	switch {
	case isOurs(p):
		return 90
	case strings.HasSuffix(p.Path, "/api/chat") || strings.HasSuffix(p.Path, "/api/generate") || strings.HasSuffix(p.Path, "/api/embed"):
		return 50
	case ok && !strings.HasPrefix(rest, "v1"):
		return 30
	}
	return 0
}

// Refuse answers where no endpoint does.
func (provider) Refuse(p *wire.Probe, f *wire.Failure) wire.Response { return refuseStray(p, f) }

// Dialects is the name under which other wires are spoken here.
func (provider) Dialects() []string { return []string{providerName} }

// Dialect knows Ollama's own port and host, on the paths of other wires too.
func (provider) Dialect(p *wire.Probe) string {
	if p.Port == usualPort || p.Host == "ollama.com" {
		return providerName
	}
	return ""
}
