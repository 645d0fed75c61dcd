package all_test

import (
	"net/http"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// TestOllamaBesideTheOthers: paths that end alike find their own provider, below any prefix.
func TestOllamaBesideTheOthers(t *testing.T) {
	t.Parallel()
	router := wire.NewRouter(all.Providers()...)
	for _, c := range []struct{ method, path, body, endpoint string }{
		{"POST", "/api/embeddings", `{"model":"m","prompt":"a"}`, "ollama.embeddings"},
		{"POST", "/proxy/api/embeddings", `{"model":"m","prompt":"a"}`, "ollama.embeddings"},
		{"POST", "/v1/embeddings", `{"model":"m","input":"a"}`, "openai.embeddings"},
		{"POST", "/api/v1/embeddings", `{"model":"m","input":"a"}`, "openai.embeddings"},
		{"POST", "/api/embed", `{"model":"m","input":"a"}`, "ollama.embed"},
		{"POST", "/api/chat", `{"model":"m","messages":[{"role":"user","content":"a"}]}`, "ollama.chat"},
		{"POST", "/api/chat", `{"model":"m","messages":[]}`, "ollama.chat.load"},
		{"POST", "/api/generate", `{"model":"m","prompt":"a"}`, "ollama.generate"},
		{"POST", "/api/v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"a"}]}`, "openai.chat"},
		{"GET", "/api/tags", "", "ollama.models"},
		{"GET", "/api/v1/models", "", "openai.models"},
		{"GET", "/", "", "ollama.root"},
	} {
		p := &wire.Probe{Method: c.method, Host: "localhost", Path: c.path, Header: http.Header{}, Body: []byte(c.body)}
		_, e, _, _ := router.Route(p)
		if e == nil || e.Name != c.endpoint {
			t.Errorf("%s %s is %v, want %s", c.method, c.path, e, c.endpoint)
		}
	}
}
