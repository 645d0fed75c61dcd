package openai

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func TestDialect(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ host, path, query, want string }{
		{"api.openai.com", "/v1/chat/completions", "", "openai"},
		{"eu.api.openai.com", "/v1/chat/completions", "", "openai"},
		{"my.openai.azure.com", "/openai/deployments/d/chat/completions", "api-version=2024-10-21", "azure"},
		{"my.services.ai.azure.com", "/openai/v1/chat/completions", "", "azure"},
		{"my.services.ai.azure.com", "/models/chat/completions", "api-version=2024-05-01-preview", "foundry"},
		{"127.0.0.1", "/openai/deployments/d/chat/completions", "", "azure"},
		{"127.0.0.1", "/openai/v1/responses", "", "azure"},
		{"127.0.0.1", "/x/chat/completions", "api-version=preview", "azure"},
		{"api.groq.com", "/openai/v1/chat/completions", "", "groq"},
		{"api.deepseek.com", "/chat/completions", "", "deepseek"},
		{"openrouter.ai", "/api/v1/chat/completions", "", "openrouter"},
		{"generativelanguage.googleapis.com", "/v1beta/openai/chat/completions", "", "gemini"},
		{"127.0.0.1", "/v1beta/openai/chat/completions", "", "gemini"},
		{"127.0.0.1", "/api/coding/paas/v4/chat/completions", "", "zai"},
		{"llm.example.com", "/v1/chat/completions", "", ""},
		{"", "", "", ""},
	} {
		query, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		got := provider{}.Dialect(&wire.Probe{Host: tt.host, Path: tt.path, Query: query, Header: http.Header{}})
		same(t, tt.host+tt.path, got, tt.want)
	}
	for _, name := range []string{"openai", "azure", "deepseek", "openrouter", "groq", "xai", "perplexity", "mistral", "cerebras", "alibaba", "together", "fireworks", "moonshot", "zai", "vllm", "sglang", "llamacpp", "lmstudio", "ollama", "gemini", "litellm", "copilot", "huggingface", "voyage", "foundry"} {
		if !slices.Contains(provider{}.Dialects(), name) {
			t.Errorf("nobody is called %s", name)
		}
	}
}

func TestOwns(t *testing.T) {
	t.Parallel()
	p := Provider()
	stray := func(host string, header http.Header) *wire.Probe {
		return &wire.Probe{Host: host, Path: "/v1/foo", Header: header, Query: url.Values{}}
	}
	known := p.Owns(stray("api.openai.com", http.Header{}))
	headers := p.Owns(stray("127.0.0.1", http.Header{"Openai-Organization": {"o"}}))
	bearer := p.Owns(stray("127.0.0.1", http.Header{"Authorization": {"Bearer x"}}))
	nothing := p.Owns(stray("127.0.0.1", http.Header{}))
	if known <= headers || headers <= bearer || bearer <= nothing || nothing <= 0 {
		t.Errorf("host %d, headers %d, bearer %d, nothing %d: want falling numbers above 0", known, headers, bearer, nothing)
	}
}
