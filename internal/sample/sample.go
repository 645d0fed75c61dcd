// Package sample holds one request for each endpoint that the provider would accept, key and version header included:
// to render answers to, to show, and to spoil in tests of bad input.
package sample

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Question is what the samples of chats ask, and Key the key that all of them send. It opens nothing.
const (
	Question = "Where is my parcel PX-AI-8102?"
	Key      = "test-key"
)

// request is a sample. Its body ends in "}" where it has one.
type request struct {
	endpoint     string
	method, path string
	header       []string // "Name: value"
	body         string
	// streamBody comes before the body's last brace, and streamPath replaces path, where a stream is asked for. wholeBody
	// is what asks for no stream, on wires that stream unless told otherwise.
	streamBody, streamPath, wholeBody string
}

const (
	bearer    = "Authorization: Bearer " + Key
	apiKey    = "X-Api-Key: " + Key
	anthropic = "Anthropic-Version: 2023-06-01"

	messages = `"messages":[{"role":"user","content":"` + Question + `"}]`
	// A signature is not looked at; it only has to be there.
	sigv4 = "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261130/us-east-1/bedrock/aws4_request, " +
		"SignedHeaders=content-type;host;x-amz-date, Signature=0000000000000000000000000000000000000000000000000000000000000000"
	amzDate  = "X-Amz-Date: 20261130T120000Z"
	converse = `"messages":[{"role":"user","content":[{"text":"` + Question + `"}]}]`
	nova     = "/model/amazon.nova-lite-v1%3A0"
	claude   = "/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0"

	vertex    = "/v1/projects/example-project/locations/europe-west1/publishers/anthropic/models/"
	streaming = `,"stream":true`
	googKey   = "X-Goog-Api-Key: " + Key
	studio    = "/v1beta/models/"
	contents  = `"contents":[{"role":"user","parts":[{"text":"` + Question + `"}]}]`
	whole     = `,"stream":false`
	llama     = `{"model":"llama3.2"`
	// The digest is that of the body.
	blob     = "/api/blobs/sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	response = "/v1/responses/resp_0123456789abcdef0123456789abcdef0123456789abcdef01"
)

// requests is the table of all samples.
func requests() []request {
	return []request{
		{
			endpoint: "openai.chat", method: http.MethodPost, path: "/v1/chat/completions", header: []string{bearer},
			body: `{"model":"gpt-4.1-mini",` + messages + `}`, streamBody: streaming + `,"stream_options":{"include_usage":true}`,
		},
		{
			endpoint: "openai.responses", method: http.MethodPost, path: "/v1/responses", header: []string{bearer},
			body: `{"model":"gpt-4.1-mini","input":"` + Question + `"}`, streamBody: streaming,
		},
		{
			endpoint: "openai.responses.tokens", method: http.MethodPost, path: "/v1/responses/input_tokens", header: []string{bearer},
			body: `{"model":"gpt-4.1-mini","input":"` + Question + `"}`,
		},
		{
			endpoint: "openai.embeddings", method: http.MethodPost, path: "/v1/embeddings", header: []string{bearer},
			body: `{"model":"text-embedding-3-small","input":"` + Question + `"}`,
		},
		{endpoint: "openai.models", method: http.MethodGet, path: "/v1/models", header: []string{bearer}},
		{endpoint: "openai.model", method: http.MethodGet, path: "/v1/models/gpt-4.1-mini", header: []string{bearer}},
		{endpoint: "openai.model.delete", method: http.MethodDelete, path: "/v1/models/ft:gpt-4.1-mini:org-example::B0abcdef", header: []string{bearer}},
		{endpoint: "openai.responses.get", method: http.MethodGet, path: response, header: []string{bearer}},
		{endpoint: "openai.responses.delete", method: http.MethodDelete, path: response, header: []string{bearer}},
		{endpoint: "openai.responses.cancel", method: http.MethodPost, path: response + "/cancel", header: []string{bearer}},
		{endpoint: "openai.responses.items", method: http.MethodGet, path: response + "/input_items", header: []string{bearer}},
		{
			endpoint: "anthropic.messages", method: http.MethodPost, path: "/v1/messages", header: []string{apiKey, anthropic},
			body: `{"model":"claude-haiku-4-5","max_tokens":1024,` + messages + `}`, streamBody: streaming,
		},
		{
			endpoint: "anthropic.count_tokens", method: http.MethodPost, path: "/v1/messages/count_tokens", header: []string{apiKey, anthropic},
			body: `{"model":"claude-haiku-4-5",` + messages + `}`,
		},
		{endpoint: "anthropic.models", method: http.MethodGet, path: "/v1/models", header: []string{apiKey, anthropic}},
		{endpoint: "anthropic.model", method: http.MethodGet, path: "/v1/models/claude-haiku-4-5", header: []string{apiKey, anthropic}},
		{
			endpoint: "anthropic.vertex", method: http.MethodPost, path: vertex + "claude-haiku-4-5:rawPredict", header: []string{bearer},
			body:       `{"anthropic_version":"vertex-2023-10-16","max_tokens":1024,` + messages + `}`,
			streamPath: vertex + "claude-haiku-4-5:streamRawPredict", streamBody: streaming,
		},
		{
			endpoint: "gemini.generate", method: http.MethodPost, path: studio + "gemini-3.6-flash:generateContent", header: []string{googKey},
			body: `{` + contents + `}`, streamPath: studio + "gemini-3.6-flash:streamGenerateContent?alt=sse",
		},
		{
			endpoint: "gemini.count_tokens", method: http.MethodPost, path: studio + "gemini-3.6-flash:countTokens", header: []string{googKey},
			body: `{` + contents + `}`,
		},
		{
			endpoint: "gemini.embed", method: http.MethodPost, path: studio + "gemini-embedding-001:embedContent", header: []string{googKey},
			body: `{"content":{"parts":[{"text":"` + Question + `"}]}}`,
		},
		{
			endpoint: "gemini.batch_embed", method: http.MethodPost, path: studio + "gemini-embedding-001:batchEmbedContents", header: []string{googKey},
			body: `{"requests":[{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"` + Question + `"}]}}]}`,
		},
		{
			endpoint: "gemini.predict", method: http.MethodPost, header: []string{bearer},
			path: "/v1/projects/example-project/locations/europe-west1/publishers/google/models/text-embedding-005:predict",
			body: `{"instances":[{"content":"` + Question + `"}]}`,
		},
		{endpoint: "gemini.models", method: http.MethodGet, path: "/v1beta/models", header: []string{googKey}},
		{endpoint: "gemini.model", method: http.MethodGet, path: studio + "gemini-3.6-flash", header: []string{googKey}},
		{endpoint: "gemini.vertex_models", method: http.MethodGet, path: "/v1beta1/publishers/google/models", header: []string{bearer}},
		{endpoint: "gemini.vertex_model", method: http.MethodGet, path: "/v1beta1/publishers/google/models/gemini-3.6-flash", header: []string{bearer}},
		{
			endpoint: "anthropic.vertex_count_tokens", method: http.MethodPost, path: vertex + "count-tokens:rawPredict", header: []string{bearer},
			body: `{"anthropic_version":"vertex-2023-10-16","model":"claude-haiku-4-5",` + messages + `}`,
		},
		{
			endpoint: "anthropic.bedrock", method: http.MethodPost, path: claude + "/invoke", header: []string{sigv4, amzDate},
			body:       `{"anthropic_version":"bedrock-2023-05-31","max_tokens":1024,` + messages + `}`,
			streamPath: claude + "/invoke-with-response-stream",
		},
		{
			endpoint: "bedrock.converse", method: http.MethodPost, path: nova + "/converse", header: []string{sigv4, amzDate},
			body: `{` + converse + `}`, streamPath: nova + "/converse-stream",
		},
		{
			endpoint: "bedrock.invoke", method: http.MethodPost, path: nova + "/invoke", header: []string{sigv4, amzDate},
			body: `{` + converse + `}`, streamPath: nova + "/invoke-with-response-stream",
		},
		{
			endpoint: "bedrock.embeddings", method: http.MethodPost, path: "/model/amazon.titan-embed-text-v2%3A0/invoke", header: []string{sigv4, amzDate},
			body: `{"inputText":"` + Question + `"}`,
		},
		{
			endpoint: "bedrock.count_tokens", method: http.MethodPost, path: claude + "/count-tokens", header: []string{sigv4, amzDate},
			body: `{"input":{"converse":{` + converse + `}}}`,
		},
		{
			endpoint: "mimus.scripted", method: http.MethodPost, path: "/scripted",
			body: `{"model":"parcels-1",` + messages + `,"tools":[],"output":null}`, streamBody: " ",
		},
		{
			endpoint: "typesafe.systemone", method: http.MethodPost, path: "/v1/systemone", header: []string{bearer},
			body: `{"model":"systemone-1","state":"` + Question + `","questions":{"lost":{"type":"noul","instructions":"Is the parcel lost?"}}}`,
		},
		{
			endpoint: "ollama.chat", method: http.MethodPost, path: "/api/chat",
			body: llama + `,` + messages + `}`, streamBody: streaming, wholeBody: whole,
		},
		{
			endpoint: "ollama.generate", method: http.MethodPost, path: "/api/generate",
			body: llama + `,"prompt":"` + Question + `"}`, streamBody: streaming, wholeBody: whole,
		},
		{endpoint: "ollama.chat.load", method: http.MethodPost, path: "/api/chat", body: llama + `,"messages":[]}`},
		{endpoint: "ollama.generate.load", method: http.MethodPost, path: "/api/generate", body: llama + `,"prompt":""}`},
		{
			endpoint: "ollama.embed", method: http.MethodPost, path: "/api/embed",
			body: `{"model":"nomic-embed-text","input":"` + Question + `"}`,
		},
		{
			endpoint: "ollama.embeddings", method: http.MethodPost, path: "/api/embeddings",
			body: `{"model":"nomic-embed-text","prompt":"` + Question + `"}`,
		},
		{endpoint: "ollama.models", method: http.MethodGet, path: "/api/tags"},
		{endpoint: "ollama.models.head", method: http.MethodHead, path: "/api/tags"},
		{endpoint: "ollama.show", method: http.MethodPost, path: "/api/show", body: llama + `}`},
		{endpoint: "ollama.ps", method: http.MethodGet, path: "/api/ps"},
		{endpoint: "ollama.pull", method: http.MethodPost, path: "/api/pull", body: llama + `}`, streamBody: streaming, wholeBody: whole},
		{endpoint: "ollama.push", method: http.MethodPost, path: "/api/push", body: llama + `}`, streamBody: streaming, wholeBody: whole},
		{
			endpoint: "ollama.create", method: http.MethodPost, path: "/api/create",
			body: `{"model":"parcels","from":"llama3.2"}`, streamBody: streaming, wholeBody: whole,
		},
		{
			endpoint: "ollama.copy", method: http.MethodPost, path: "/api/copy",
			body: `{"source":"llama3.2","destination":"parcels"}`,
		},
		{endpoint: "ollama.delete", method: http.MethodDelete, path: "/api/delete", body: llama + `}`},
		{endpoint: "ollama.blob", method: http.MethodPost, path: blob, body: `{}`},
		{endpoint: "ollama.blob.head", method: http.MethodHead, path: blob},
		{endpoint: "ollama.version", method: http.MethodGet, path: "/api/version"},
		{endpoint: "ollama.version.head", method: http.MethodHead, path: "/api/version"},
		{endpoint: "ollama.status", method: http.MethodGet, path: "/api/status"},
		{endpoint: "ollama.root", method: http.MethodGet, path: "/"},
		{endpoint: "ollama.root.head", method: http.MethodHead, path: "/"},
	}
}

// Endpoints are the endpoints that have a sample.
func Endpoints() []string {
	var names []string
	for _, r := range requests() {
		names = append(names, r.endpoint)
	}
	return names
}

// Of is a new sample for an endpoint, by the endpoint's name. It is nil where there is none, or none that streams.
func Of(endpoint string, stream bool) *wire.Probe {
	for _, r := range requests() {
		if r.endpoint == endpoint && (!stream || r.streamBody != "" || r.streamPath != "") {
			return r.probe(stream)
		}
	}
	return nil
}

// All are the samples of an endpoint's name, which may stand for several paths, whole answers before streams.
func All(endpoint string) []*wire.Probe {
	var whole, streams []*wire.Probe
	for _, r := range requests() {
		if r.endpoint != endpoint {
			continue
		}
		whole = append(whole, r.probe(false))
		if r.streamBody != "" || r.streamPath != "" {
			streams = append(streams, r.probe(true))
		}
	}
	return append(whole, streams...)
}

func (r request) probe(stream bool) *wire.Probe {
	path, body := r.path, r.body
	switch {
	case stream:
		body = strings.TrimSuffix(body, "}") + r.streamBody + "}"
		if r.streamPath != "" {
			path = r.streamPath
		}
	case r.wholeBody != "":
		body = strings.TrimSuffix(body, "}") + r.wholeBody + "}"
	}
	p := &wire.Probe{Method: r.method, Host: "mimus.test", Path: path, Header: http.Header{}}
	if path, query, ok := strings.Cut(path, "?"); ok {
		p.Path = path
		p.Query, _ = url.ParseQuery(query)
	}
	for _, line := range r.header {
		name, value, _ := strings.Cut(line, ": ")
		p.Header.Set(name, value)
	}
	if body != "" {
		p.Body = []byte(body)
		p.Header.Set("Content-Type", "application/json")
	}
	return p
}
