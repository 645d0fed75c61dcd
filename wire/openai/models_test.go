package openai

import (
	"bytes"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func callOf(t *testing.T, p *wire.Probe) *wire.Call {
	t.Helper()
	c, f, err := wiretest.Call(Provider(), p)
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Fatal(f)
	}
	return c
}

func get(path string, header http.Header) *wire.Probe {
	u, err := url.Parse(path)
	if err != nil {
		panic(err)
	}
	header.Set("Authorization", "Bearer sk-test-0123456789abcdef")
	return &wire.Probe{Method: http.MethodGet, Host: "api.openai.com", Path: u.EscapedPath(), Query: u.Query(), Header: header}
}

func TestModelListsOfOthersAreLeftToThem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path   string
		header http.Header
		want   bool
	}{
		{"/v1/models", http.Header{}, true},
		{"/v1/models", http.Header{"Anthropic-Version": {"2023-06-01"}}, false},
		{"/v1/models", http.Header{"X-Goog-Api-Key": {"k"}}, false},
		{"/v1/models?key=k", http.Header{}, false},
		{"/v1beta/models", http.Header{}, false},
		{"/v1beta1/publishers/google/models", http.Header{}, false},
		{"/v1beta/openai/models", http.Header{}, true},
		{"/v1/models/meta/llama-3", http.Header{}, true},
	} {
		p := get(tt.path, tt.header)
		_, e, _, _ := wire.NewRouter(Provider()).Route(p)
		same(t, tt.path, e != nil, tt.want)
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	c := callOf(t, get("/v1/models/mimus-1", http.Header{}))
	v := whole(t, c.Endpoint.Serve(c))
	same(t, "id", v.Get("id").Str(), "mimus-1")
	same(t, "object", v.Get("object").Str(), "model")
	c = callOf(t, get("/v1/models/org%2Fnone", http.Header{}))
	resp := c.Endpoint.Serve(c)
	same(t, "status", resp.Status, http.StatusNotFound)
	e := whole(t, resp).Get("error")
	same(t, "message", e.Get("message").Str(), "The model 'org/none' does not exist")
	same(t, "code", e.Get("code").Str(), "model_not_found")
	same(t, "param", e.Get("param").Str(), "model")
}

func TestDeleteModel(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{"/v1/models/ft:gpt-4o-mini:me::1": 200, "/v1/models/mimus-1": 403, "/v1/models/none": 404} {
		p := get(path, http.Header{})
		p.Method = http.MethodDelete
		c := callOf(t, p)
		resp := c.Endpoint.Serve(c)
		same(t, path, resp.Status, want)
		if want == 200 {
			same(t, "deleted", whole(t, resp).Get("deleted").Raw(), "true")
		}
	}
}

func TestModelListsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{"a", "b/c"}, {}} {
		c := callOf(t, get("/v1/models", http.Header{}))
		for range wiretest.RoundTrip(t, c, wire.Reply{Models: names}) {
			t.Error("something is lost")
		}
	}
}

func embedCall(t *testing.T, body string) *wire.Call {
	t.Helper()
	p := chatProbe(official, body)
	p.Path = "/v1/embeddings"
	return callOf(t, p)
}

func TestEmbeddingInputs(t *testing.T) {
	t.Parallel()
	for input, want := range map[string][]string{
		`"a b"`:         {"a b"},
		`["a","b"]`:     {"a", "b"},
		`[1, 2, 3]`:     {"[1,2,3]"},
		`[[1, 2], [3]]`: {"[1,2]", "[3]"},
	} {
		c := embedCall(t, `{"model":"text-embedding-3-small","input":`+input+`}`)
		if !reflect.DeepEqual(c.Request.Inputs, want) {
			t.Errorf("%s: got %q, want %q", input, c.Request.Inputs, want)
		}
		for v := range (embeddings{}).Check(c) {
			t.Errorf("%s: refused: %v", input, v.Failure)
		}
	}
}

func TestUsualDimensions(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]int{"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536, "nobody-knows": 1536, "mistral-embed": 1024} {
		c := embedCall(t, `{"model":"`+model+`","input":"a"}`)
		same(t, model, c.Request.UsualDimensions, want)
	}
	same(t, "as asked", embedCall(t, `{"model":"text-embedding-3-small","input":"a","dimensions":8}`).Request.Dimensions, 8)
}

func TestEmbeddingsAreReadBack(t *testing.T) {
	t.Parallel()
	vectors := [][]float32{{0.25, -0.1, 1e-9, math.MaxFloat32}, {0, 1, 2, 3}}
	for _, format := range []string{"", `,"encoding_format":"float"`, `,"encoding_format":"base64"`} {
		for _, dialect := range []string{official, azure, "mistral", "voyage"} {
			c := embedCall(t, `{"model":"text-embedding-3-small","input":["a","b"]`+format+`}`)
			c.Request.Dialect = dialect
			for range wiretest.RoundTrip(t, c, wire.Reply{Vectors: vectors, Usage: &wire.Usage{Input: 3}}) {
				t.Error("something is lost")
			}
		}
	}
}

func TestEmbeddingsHaveTwoLayouts(t *testing.T) {
	t.Parallel()
	r := wire.Reply{Vectors: [][]float32{{1, 0.5}}, Usage: &wire.Usage{Input: 3}}
	show := func(body, quirks string) string {
		c := embedCall(t, body)
		c.Quirks = []byte(quirks)
		resp, _, _ := wire.Render(c, embeddings{}, r, wire.Split{}, wire.NoCut())
		return string(resp.Body)
	}
	const floats = `{"object":"list","data":[{"object":"embedding","embedding":[1,0.5],"index":0}],"model":"text-embedding-3-small","usage":{"prompt_tokens":3,"total_tokens":3}}`
	const base64 = "{\n  \"object\": \"list\",\n  \"data\": [\n    {\n      \"object\": \"embedding\",\n      \"index\": 0,\n      \"embedding\": \"AACAPwAAAD8=\"\n    }\n  ],\n  \"model\": \"text-embedding-3-small\",\n  \"usage\": {\n    \"prompt_tokens\": 3,\n    \"total_tokens\": 3\n  }\n}\n"
	asFloats, asBase64 := `{"model":"text-embedding-3-small","input":"a"}`, `{"model":"text-embedding-3-small","input":"a","encoding_format":"base64"}`
	same(t, "floats", show(asFloats, ""), floats)
	same(t, "base64", show(asBase64, ""), base64)
	same(t, "encoding ignored", show(asBase64, `{"embeddingsIgnoreEncoding":true}`), floats)
}

func TestEmbeddingsShuffled(t *testing.T) {
	t.Parallel()
	c := embedCall(t, `{"model":"text-embedding-3-small","input":["a","b"]}`)
	c.Quirks = []byte(`{"embeddingsShuffle":true}`)
	resp, _, _ := wire.Render(c, embeddings{}, wire.Reply{Vectors: [][]float32{{1}, {2}}}, wire.Split{}, wire.NoCut())
	if !strings.Contains(string(resp.Body), `[{"object":"embedding","embedding":[2],"index":1}`) {
		t.Errorf("%s", resp.Body)
	}
	got, err := wire.Fold(embeddings{}.Read(&wire.ResponseHead{Status: 200}, bytes.NewReader(resp.Body)))
	if err != nil || !reflect.DeepEqual(got.Vectors, [][]float32{{1}, {2}}) {
		t.Errorf("read %v, %v", got.Vectors, err)
	}
}

func TestOllamasOwnEmbeddingsAreLeftToIt(t *testing.T) {
	t.Parallel()
	same(t, "legacy", claimsEmbeddings(&wire.Probe{Path: "/api/embeddings"}), false)
	same(t, "OpenRouter", claimsEmbeddings(&wire.Probe{Path: "/api/v1/embeddings"}), true)
}

func TestModelListsOfVendorsHaveTheirOwnForm(t *testing.T) {
	t.Parallel()
	for dialect, key := range map[string]string{"groq": "context_window", "mistral": "max_context_length", "openrouter": "pricing", azure: "capabilities", "vllm": "max_model_len"} {
		p := get("/v1/models", http.Header{})
		p.Dialect = dialect
		c := callOf(t, p)
		resp, _, _ := wire.Render(c, models{}, wire.Reply{Models: []string{"a"}}, wire.Split{}, wire.NoCut())
		if m := whole(t, resp).At("data", 0); !m.Get(key).Exists() || m.Get("id").Str() != "a" {
			t.Errorf("%s: %s", dialect, resp.Body)
		}
	}
}
