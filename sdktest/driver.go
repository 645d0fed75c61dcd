package sdktest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/vertex"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/azure"
	"github.com/openai/openai-go/v3/option"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// driver speaks one endpoint with its official SDK. It is made for one run of a case, and remembers the conversation: a
// further turn is asked with what came before, in the SDK's own way to send answers back.
type driver interface {
	// Do asks for an answer in one piece.
	Do(ctx context.Context, a *ask) outcome
	// Stream asks for a stream, and gives what the SDK's accumulator makes of it.
	Stream(ctx context.Context, a *ask) outcome
}

// drivers makes the driver of an endpoint. No base URL is given where the SDK knows the provider's address itself.
var drivers = map[string]func(b *book, e *endpoint, client *http.Client) driver{
	"openai.chat": func(b *book, e *endpoint, client *http.Client) driver {
		return &chatDriver{book: b, endpoint: e, client: openai.NewClient(option.WithHTTPClient(client), option.WithAPIKey("sk-test"))}
	},
	"openai.responses": func(b *book, e *endpoint, client *http.Client) driver {
		return &responsesDriver{book: b, endpoint: e, client: openai.NewClient(option.WithHTTPClient(client), option.WithAPIKey("sk-test"))}
	},
	"azure.chat": func(b *book, e *endpoint, client *http.Client) driver {
		return &chatDriver{book: b, endpoint: e, client: openai.NewClient(
			option.WithHTTPClient(client), azure.WithEndpoint("https://parcels.openai.azure.com", "2024-10-21"), azure.WithAPIKey("0123456789abcdef"))}
	},
	"azure.responses": func(b *book, e *endpoint, client *http.Client) driver {
		// The v1 paths need no api-version, and are spoken by the plain client.
		return &responsesDriver{book: b, endpoint: e, client: openai.NewClient(
			option.WithHTTPClient(client), option.WithBaseURL("https://parcels.openai.azure.com/openai/v1/"), option.WithAPIKey("0123456789abcdef"))}
	},
	"anthropic.messages": func(b *book, e *endpoint, client *http.Client) driver {
		return &messagesDriver{book: b, endpoint: e, client: anthropic.NewClient(
			anthropicoption.WithHTTPClient(client), anthropicoption.WithAPIKey("sk-ant-test"))}
	},
	"bedrock.converse":    newConverse,
	"bedrock.messages":    newBedrockMessages,
	"gemini.generate":     newGemini,
	"aiplatform.generate": newGeminiVertex,
	"ollama.native":       newOllama,
	"vertex.messages": func(b *book, e *endpoint, client *http.Client) driver {
		credentials := &google.Credentials{TokenSource: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "ya29.test"})}
		return &messagesDriver{book: b, endpoint: e, client: anthropic.NewClient(
			anthropicoption.WithHTTPClient(client), vertex.WithCredentials(context.Background(), "us-east5", "parcels", credentials))}
	},
}

// modelFor is the model that a turn asks for.
func (e *endpoint) modelFor(a *ask) string {
	switch {
	case a.Model != "":
		return a.Model
	case a.Reasoning != "" && e.ReasoningModel != "":
		return e.ReasoningModel
	}
	return e.Model
}

// object is a schema of the book in the form that the SDKs take it.
func object(raw json.RawMessage) map[string]any {
	var m map[string]any
	_ = json.Unmarshal(raw, &m) // the book was read as JSON
	return m
}

// maxTokens is what a turn asks for, or enough.
func (a *ask) maxTokens() int64 {
	if a.MaxTokens > 0 {
		return a.MaxTokens
	}
	return 4096
}
