package bedrock

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/wire"
)

// Provider is Amazon Bedrock.
func Provider() wire.Provider { return provider{} }

type provider struct{}

const providerName = "bedrock"

// Name is "bedrock".
func (provider) Name() string { return providerName }

// The operations, by the last segment of their paths.
const (
	opConverse       = "/converse"
	opConverseStream = "/converse-stream"
	opInvoke         = "/invoke"
	opInvokeStream   = "/invoke-with-response-stream"
	opCount          = "/count-tokens"
)

// Endpoints are the operations. A model's id may have slashes, so that it reaches from "/model/" to the last segment.
func (provider) Endpoints() []wire.Endpoint {
	const model = "/model/{id...}"
	return []wire.Endpoint{
		{Name: "bedrock.converse", Kind: wire.Chat, Method: http.MethodPost, Suffix: model + opConverse, Codec: converse{}},
		{Name: "bedrock.converse", Kind: wire.Chat, Method: http.MethodPost, Suffix: model + opConverseStream, Codec: converse{}},
		{Name: "bedrock.embeddings", Kind: wire.Embeddings, Method: http.MethodPost, Suffix: model + opInvoke, Claims: claimsEmbeddings, Codec: embeddings{}},
		{Name: "bedrock.invoke", Kind: wire.Chat, Method: http.MethodPost, Suffix: model + opInvoke, Codec: invoke{}},
		{Name: "bedrock.invoke", Kind: wire.Chat, Method: http.MethodPost, Suffix: model + opInvokeStream, Codec: invoke{}},
		{Name: "bedrock.count_tokens", Kind: wire.Resource, Method: http.MethodPost, Suffix: model + opCount, Serve: serveCount},
	}
}

// Owns goes by the host, then by the path and by what only AWS clients send.
func (provider) Owns(p *wire.Probe) int {
	switch {
	case strings.HasPrefix(p.Host, "bedrock-runtime") && strings.Contains(p.Host, ".amazonaws.com"):
		return 100
	case strings.Contains(p.Header.Get("Authorization"), "/bedrock/aws4_request"):
		return 95
	case strings.HasPrefix(p.Path, "/model/"), strings.HasPrefix(p.Path, "/guardrail/"), strings.HasPrefix(p.Path, "/async-invoke"):
		return 85
	case strings.HasSuffix(p.Host, ".amazonaws.com"), p.Header.Get("Amz-Sdk-Invocation-Id") != "", p.Header.Get("X-Amz-Date") != "":
		return 70
	}
	return 0
}

// Gate looks at the credentials, which come before all else.
func (provider) Gate(c *wire.Call) *wire.Failure { return aws.Gate(c.Probe) }

// Refuse answers where no endpoint does.
func (provider) Refuse(p *wire.Probe, f *wire.Failure) wire.Response {
	return aws.Refuse(&wire.Call{Probe: p, Seed: seedOf(p)}, f, aws.Form{})
}

// seedOf makes the id of a refusal to which no call belongs.
func seedOf(p *wire.Probe) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(p.Path) {
		h = (h ^ uint64(p.Path[i])) * 1099511628211
	}
	for _, c := range p.Body {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// refuse is the error answer of a call.
func refuse(c *wire.Call, f *wire.Failure) wire.Response {
	q := quirksOf(c)
	return aws.Refuse(c, f, aws.Form{CapitalMessage: q.CapitalMessage, RetryHint: q.RetryHint})
}

// UsualModels are the models that code asks for most, newest first.
func (provider) UsualModels() []string {
	return []string{
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.anthropic.claude-haiku-4-5-20251001-v1:0",
		"us.amazon.nova-2-lite-v1:0", "amazon.nova-pro-v1:0", "amazon.nova-lite-v1:0", "amazon.nova-micro-v1:0",
		"us.meta.llama3-3-70b-instruct-v1:0", "mistral.mistral-large-2407-v1:0",
		"amazon.titan-embed-text-v2:0", "cohere.embed-v4:0", "cohere.embed-english-v3",
	}
}
