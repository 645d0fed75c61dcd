package openai

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// chatProbe is a chat request that the provider would take.
func chatProbe(dialect, body string) *wire.Probe {
	p := &wire.Probe{
		Method: http.MethodPost, Host: "api.openai.com", Path: "/v1/chat/completions", Query: url.Values{}, Dialect: dialect,
		Header: http.Header{"Authorization": {"Bearer sk-test-0123456789abcdef"}, "Content-Type": {"application/json"}},
		Body:   []byte(body),
	}
	if dialect == unknown {
		p.Host = "llm.example.com"
	}
	if dialect == azure {
		p.Host, p.Path = "example.openai.azure.com", "/openai/v1/chat/completions"
		p.Header = http.Header{"Api-Key": {"0123456789abcdef"}, "Content-Type": {"application/json"}}
	}
	return p
}

func chatCall(t *testing.T, dialect, body string) *wire.Call {
	t.Helper()
	c, f, err := wiretest.Call(Provider(), chatProbe(dialect, body))
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Fatal(f)
	}
	return c
}

// TestChatRoundTrip reads back what was rendered, for each speaker and each form of request.
func TestChatRoundTrip(t *testing.T) {
	t.Parallel()
	requests := map[string]string{
		"unary":              `{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]}`,
		"stream":             `{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}]}`,
		"stream usage":       `{"model":"gpt-5","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hi"}]}`,
		"two":                `{"model":"gpt-4o","n":2,"messages":[{"role":"user","content":"Hi"}]}`,
		"two streamed":       `{"model":"gpt-4o","n":2,"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false},"messages":[{"role":"user","content":"Hi"}]}`,
		"logprobs":           `{"model":"gpt-4o","logprobs":true,"top_logprobs":2,"stream":true,"messages":[{"role":"user","content":"Hi"}]}`,
		"logprobs whole":     `{"model":"gpt-4o","logprobs":true,"top_logprobs":2,"messages":[{"role":"user","content":"Hi"}]}`,
		"named":              `{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"f"}}}`,
		"functions":          `{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}],"functions":[{"name":"f","parameters":{"type":"object","properties":{}}}]}`,
		"functions streamed": `{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}],"functions":[{"name":"f","parameters":{"type":"object","properties":{}}}]}`,
	}
	dialects := append([]string{unknown}, provider{}.Dialects()...)
	for _, dialect := range dialects {
		for name, body := range requests {
			ours := dialect == unknown || dialect == official || dialect == azure
			if !ours && name != "unary" && name != "stream usage" && name != "named" {
				continue // what the others differ in shows in these
			}
			for _, r := range append(wiretest.Replies(), moreReplies()...) {
				if r.Name == "long text" && dialect != unknown && dialect != azure {
					continue // the same code, and many bytes to read one by one
				}
				t.Run(orElse(dialect, "unknown")+"/"+name+"/"+r.Name, func(t *testing.T) {
					t.Parallel()
					wiretest.RoundTrip(t, chatCall(t, dialect, body), r.Reply)
				})
			}
		}
	}
}

// moreReplies are answers that only this wire has.
func moreReplies() []wiretest.Named {
	one := func(parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
	}
	return []wiretest.Named{
		{Name: "custom tool call", Reply: one(wire.ToolCall{Name: "shell", Arguments: "ls -l\n", Custom: true})},
		{Name: "refusal and tool call", Reply: one(wire.Refusal{Text: "No."}, wire.ToolCall{Name: "f", Arguments: "{}"})},
		{Name: "citation", Reply: one(wire.Text{Text: "See here."}, wire.Citation{Kind: "url_citation", URL: "https://example.com", Title: "E", Start: 0, End: 3})},
		{Name: "thoughts alone", Reply: one(wire.Reasoning{Text: "hm"})},
		{Name: "everything", Reply: one(wire.Reasoning{Text: "hm"}, wire.Text{Text: "a b"}, wire.ToolCall{Name: "f", Arguments: `{"a":1}`}, wire.ToolCall{Name: "g", Arguments: `{"b":2}`})},
		{Name: "opaque", Reply: one(wire.Opaque{Type: "x", Raw: "{}"}, wire.Media{Kind: "image", URL: "https://example.com/a.png"})},
	}
}
