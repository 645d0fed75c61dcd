package openai

import (
	"net/http"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// responsesEndpoints are the endpoints of the Responses API (OpenAI's OpenAPI document, Aug 2026).
func responsesEndpoints() []wire.Endpoint {
	codec := responsesCodec{}
	return []wire.Endpoint{
		{Name: "openai.responses", Kind: wire.Chat, Method: http.MethodPost, Suffix: "/responses", Codec: codec},
		{Name: "openai.responses.tokens", Kind: wire.Resource, Method: http.MethodPost, Suffix: "/responses/input_tokens", Serve: serveInputTokens},
		{Name: "openai.responses.get", Kind: wire.Resource, Method: http.MethodGet, Suffix: "/responses/{id}", Serve: serveResponse},
		{Name: "openai.responses.delete", Kind: wire.Resource, Method: http.MethodDelete, Suffix: "/responses/{id}", Serve: serveDeleteResponse},
		{Name: "openai.responses.cancel", Kind: wire.Resource, Method: http.MethodPost, Suffix: "/responses/{id}/cancel", Serve: serveCancelResponse},
		{Name: "openai.responses.items", Kind: wire.Resource, Method: http.MethodGet, Suffix: "/responses/{id}/input_items", Serve: serveInputItems},
	}
}

// responsesCodec speaks POST /responses. Its methods are in the files named responses_*.go.
type responsesCodec struct{}

// respNative is what Decode keeps of a request for the other steps.
type respNative struct {
	body jsonx.Value
	// What `include` asks for.
	encrypted, logprobs bool
	store, background   bool
	obfuscation         bool
	// items are the input items in full, those that item_reference stands for included.
	items []respInputItem
	// commentary says that the reply to come goes on after its message, with tool calls.
	commentary bool
}

func respNativeOf(c *wire.Call) *respNative {
	if n, ok := c.Request.Native.(*respNative); ok {
		return n
	}
	return &respNative{store: true, obfuscation: true}
}

// Refuse is the provider's error answer.
func (responsesCodec) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return respRefuse(c, f) }

func respRefuse(c *wire.Call, f *wire.Failure) wire.Response {
	r := refuse(c, f)
	r.Header = respHeader(r.Header)
	return r
}
