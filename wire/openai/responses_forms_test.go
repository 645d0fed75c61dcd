package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// TestResponsesBlockedPrompt: a prompt that the provider blocks is an error, streamed or not.
func TestResponsesBlockedPrompt(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"model":"gpt-4o","input":"Hi"}`, streamed} {
		c := responsesCall(t, body)
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, wire.Reply{Blocked: "prompt"}, wire.Split{}, wire.NoCut())
		refused(t, resp, http.StatusBadRequest, "", "invalid_prompt", "flagged")
	}
}

// TestResponsesOtherForm: a stream where a whole body was asked for, and the other way round.
func TestResponsesOtherForm(t *testing.T) {
	t.Parallel()
	reply := answerOf(wire.Text{Text: "Hi."})
	c := responsesCall(t, streamed)
	c.Quirks = []byte(`{"ignoreStream":true}`)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	if text := parsed(t, resp).At("output", 0, "content", 0, "text").Str(); text != "Hi." || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("a whole body for a stream: %v\n%s", resp.Header, resp.Bytes())
	}
	c = responsesCall(t, `{"model":"gpt-4o","input":"Hi","store":false}`)
	c.Quirks = []byte(`{"forceStream":true}`)
	resp, _, _ = wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	if text := string(resp.Bytes()); !strings.HasPrefix(text, "event: response.created\n") || !strings.Contains(text, "event: response.completed\n") ||
		!strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("a stream for a whole body: %v\n%s", resp.Header, text)
	}
}

// TestResponsesHeaders: a line that Chat Completions has and Responses has not (recorded 2026).
func TestResponsesHeaders(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"model":"gpt-4o","input":"Hi"}`, streamed} {
		c := responsesCall(t, body)
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, answerOf(wire.Text{Text: "Hi."}), wire.Split{}, wire.NoCut())
		if resp.Header.Get("X-Openai-Proxy-Wasm") != "" || resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("Cache-Control") != "" {
			t.Errorf("header: %v", resp.Header)
		}
	}
}

// TestResponsesSameSeedSameBytes: an answer is made of the seed and the request alone.
func TestResponsesSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	render := func(seed uint64) string {
		c := responsesCall(t, streamed)
		c.Seed = seed
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, answerOf(wire.Text{Text: "Hi."}), wire.Split{}, wire.NoCut())
		return string(resp.Bytes())
	}
	once, again, other := render(7), render(7), render(8)
	if once != again || once == other {
		t.Error("the bytes do not follow the seed")
	}
}
