package wire

import (
	"maps"
	"testing"
)

type routeProvider []Endpoint

func (p routeProvider) Name() string                     { return "test" }
func (p routeProvider) Endpoints() []Endpoint            { return p }
func (p routeProvider) Owns(*Probe) int                  { return 0 }
func (p routeProvider) Refuse(*Probe, *Failure) Response { return Response{} }

func TestRoute(t *testing.T) {
	t.Parallel()
	r := NewRouter(routeProvider{
		{Name: "chat", Method: "POST", Suffix: "/chat/completions"},
		{Name: "deployment", Method: "POST", Suffix: "/openai/deployments/{deployment}/chat/completions"},
		{Name: "models", Method: "GET", Suffix: "/models"},
		{Name: "model", Method: "GET", Suffix: "/models/{id...}"},
		{Name: "raw", Method: "POST", Suffix: "/publishers/anthropic/models/{model}:rawPredict"},
		{Name: "generate", Method: "POST", Suffix: "/models/{model}:generateContent"},
		{Name: "response", Method: "GET", Suffix: "/responses/{id}"},
		{Name: "items", Method: "GET", Suffix: "/responses/{id}/input_items"},
		{Name: "converse", Method: "POST", Suffix: "/model/{id...}/converse"},
	})
	for _, tt := range []struct {
		method, path, want string
		vars               map[string]string
	}{
		{"POST", "/v1/chat/completions", "chat", nil},
		{"POST", "/any/prefix/v1/chat/completions/", "chat", nil},
		{"POST", "/openai/deployments/d%20e/chat/completions", "deployment", map[string]string{"deployment": "d e"}},
		{"GET", "/v1/models", "models", nil},
		{"GET", "/v1/models/ft:gpt-4o:me", "model", map[string]string{"id": "ft:gpt-4o:me"}},
		{"GET", "/v1/models/meta/llama%2F3", "model", map[string]string{"id": "meta/llama/3"}},
		{"POST", "/v1/projects/p/locations/l/publishers/anthropic/models/claude@1:rawPredict", "raw", map[string]string{"model": "claude@1"}},
		{"POST", "/v1beta/models/gemini:generateContent", "generate", map[string]string{"model": "gemini"}},
		{"GET", "/v1/responses/resp_1", "response", map[string]string{"id": "resp_1"}},
		{"GET", "/v1/responses/resp_1/input_items", "items", map[string]string{"id": "resp_1"}},
		{"POST", "/model/arn:aws:bedrock:x/y/z/converse", "converse", map[string]string{"id": "arn:aws:bedrock:x/y/z"}},
		{"POST", "/v1/models", "", nil},
		{"POST", "/v1/xchat/completions/no", "", nil},
		{"POST", "/v1/notchat/completion", "", nil},
		{"GET", "/", "", nil},
		{"GET", "", "", nil},
	} {
		_, e, vars, methods := r.Route(&Probe{Method: tt.method, Path: tt.path})
		got := ""
		if e != nil {
			got = e.Name
		}
		if got != tt.want || !maps.Equal(vars, tt.vars) {
			t.Errorf("%s %s: got %q %v, want %q %v", tt.method, tt.path, got, vars, tt.want, tt.vars)
		}
		if tt.path == "/v1/models" && tt.method == "POST" && len(methods) == 0 {
			t.Errorf("POST /v1/models: no method is said to be right")
		}
	}
}
