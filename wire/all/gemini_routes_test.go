package all_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// TestGeminiAmongOthers has the paths that Gemini shares with other providers, and who answers there.
func TestGeminiAmongOthers(t *testing.T) {
	t.Parallel()
	router := wire.NewRouter(all.Providers()...)
	const (
		key    = "X-Goog-Api-Key"
		token  = "Authorization"
		claude = "Anthropic-Version"
	)
	for _, tt := range []struct{ method, target, header, want string }{
		{"GET", "/v1/models", token, "openai.models"},
		{"GET", "/v1/models", key, "gemini.models"},
		{"GET", "/v1/models?key=k", "", "gemini.models"},
		{"GET", "/v1beta/models", token, "gemini.models"},
		{"GET", "/v1/models", claude, "anthropic.models"},
		{"GET", "/v1beta/openai/models", token, "openai.models"},
		{"GET", "/v1beta1/publishers/google/models", token, "gemini.vertex_models"},
		{"GET", "/v1beta/models/gemini-2.5-flash", token, "gemini.model"},
		{"GET", "/v1/models/gpt-4.1", token, "openai.model"},
		{"GET", "/v1/models/claude-haiku-4-5", claude, "anthropic.model"},
		{"GET", "/v1beta1/publishers/google/models/gemini-2.5-flash", token, "gemini.vertex_model"},
		{"POST", "/v1/projects/p/locations/l/publishers/anthropic/models/claude-haiku-4-5:rawPredict", token, "anthropic.vertex"},
		{"POST", "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:generateContent", token, "gemini.generate"},
		{"POST", "/v1beta/openai/chat/completions", token, "openai.chat"},
		{"POST", "/v1/projects/p/locations/l/endpoints/openapi/chat/completions", token, "openai.chat"},
	} {
		u, err := url.Parse(tt.target)
		if err != nil {
			t.Fatal(err)
		}
		p := &wire.Probe{Method: tt.method, Path: u.EscapedPath(), Query: u.Query(), Header: http.Header{}}
		if tt.header != "" {
			p.Header.Set(tt.header, "secret")
		}
		_, e, _, _ := router.Route(p)
		got := ""
		if e != nil {
			got = e.Name
		}
		if got != tt.want {
			t.Errorf("%s %s with %q: %q, want %q", tt.method, tt.target, tt.header, got, tt.want)
		}
	}
}
