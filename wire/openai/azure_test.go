package openai

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

func TestAzureStreamBeginsWithTheVerdictOnThePrompt(t *testing.T) {
	t.Parallel()
	all := chunks(t, render(t, azure, usageBody, "", text("Out for delivery.")))
	first := all[0]
	for key, want := range map[string]string{"choices": "[]", "created": "0", "id": `""`, "model": `""`, "object": `""`} {
		same(t, key, first.Get(key).Raw(), want)
	}
	if !first.At("prompt_filter_results", 0, "content_filter_results", "jailbreak").Exists() {
		t.Errorf("no verdict: %s", first.Raw())
	}
	for _, key := range []string{"obfuscation", "usage", "service_tier", "system_fingerprint"} {
		if first.Get(key).Exists() {
			t.Errorf("the first chunk has %s", key)
		}
	}
	for _, v := range all[1 : len(all)-1] {
		c := v.At("choices", 0)
		says := c.At("delta", "content").Str() != ""
		if got := c.At("content_filter_results", "hate").Exists(); got != says {
			t.Errorf("verdict: %t, text: %t: %s", got, says, v.Raw())
		}
		same(t, "logprobs", c.Get("logprobs").Raw(), "null")
	}
	last := all[len(all)-1]
	if !last.Get("latency_checkpoint").Exists() || last.At("usage", "latency_checkpoint").Exists() {
		t.Errorf("latency_checkpoint is a key of the usage chunk itself: %s", last.Raw())
	}
}

func TestAzureKeysAreInTheOrderOfTheAlphabet(t *testing.T) {
	t.Parallel()
	var check func(v jsonx.Value, path string)
	check = func(v jsonx.Value, path string) {
		last := ""
		for key, m := range v.Members() {
			// Recorded so: the verdicts on a prompt are not sorted.
			if !strings.Contains(path, "filter_results") && key < last {
				t.Errorf("%s: %s comes after %s", path, key, last)
			}
			last = key
			check(m, path+"."+key)
		}
		for _, m := range v.Items() {
			check(m, path+"[]")
		}
	}
	calls := answer(wire.ToolCall{Name: "f", Arguments: `{}`})
	check(whole(t, render(t, azure, plainBody, "", text("Hi"))), "text")
	check(whole(t, render(t, azure, plainBody, "", calls)), "calls")
	for _, v := range chunks(t, render(t, azure, usageBody, "", calls))[1:] {
		check(v, "chunk")
	}
}

func TestAzureSaysThatTextWasFiltered(t *testing.T) {
	t.Parallel()
	r := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "So"}}, Stop: wire.StopSafety}}}
	c := whole(t, render(t, azure, plainBody, "", r)).At("choices", 0)
	same(t, "finish", c.Get("finish_reason").Str(), "content_filter")
	same(t, "hate", c.At("content_filter_results", "hate", "filtered").Raw(), "true")
}

func TestAzureBlocksAPrompt(t *testing.T) {
	t.Parallel()
	resp := refuse(chatCall(t, azure, plainBody), &wire.Failure{Kind: wire.ContentFilter, Param: "prompt"})
	same(t, "status", resp.Status, http.StatusBadRequest)
	e := whole(t, resp).Get("error")
	same(t, "code", e.Get("code").Str(), "content_filter")
	same(t, "param", e.Get("param").Str(), "prompt")
	same(t, "type", e.Get("type").Raw(), "null")
	if !e.At("innererror", "content_filter_result", "jailbreak").Exists() {
		t.Errorf("innererror has no content_filter_result: %s", e.Raw())
	}
	same(t, "OpenAI's param", whole(t, refuse(chatCall(t, official, plainBody), &wire.Failure{Kind: wire.ContentFilter, Param: "prompt"})).At("error", "param").Raw(), "null")
}

func TestAzureGatewayErrorsHaveCodeAndMessageOnly(t *testing.T) {
	t.Parallel()
	for kind, code := range map[wire.FailureKind]string{wire.Auth: "401", wire.RateLimit: "429"} {
		e := whole(t, refuse(chatCall(t, azure, plainBody), &wire.Failure{Kind: kind})).Get("error")
		same(t, "keys", e.Len(), 2)
		same(t, "code", e.Get("code").Str(), code)
	}
	e := whole(t, refuse(chatCall(t, azure, plainBody), &wire.Failure{Kind: wire.NotFound})).Get("error")
	same(t, "a missing deployment has a type", e.Get("type").Str(), "invalid_request_error")
}

func TestAzureDeploymentInThePath(t *testing.T) {
	t.Parallel()
	p := chatProbe("", `{"messages":[{"role":"user","content":"Hi"}]}`)
	p.Host, p.Path = "my.openai.azure.com", "/openai/deployments/gpt-4o/chat/completions"
	p.Query.Set("api-version", "2024-10-21")
	c := callOf(t, p)
	same(t, "dialect", c.Request.Dialect, azure)
	same(t, "model", c.Request.Model, "gpt-4o")
	same(t, "version", c.Request.Version, "2024-10-21")
	for v := range c.Endpoint.Codec.Check(c) {
		t.Errorf("refused: %v", v.Failure)
	}
	resp, _, _ := wire.Render(c, chat{}, text("Hi"), wire.Split{}, wire.NoCut())
	same(t, "model of the answer", whole(t, resp).Get("model").Str(), "gpt-4o-2024-08-06")
	same(t, "deployment header", resp.Header.Get("X-Ms-Deployment-Name"), "gpt-4o")
}

func TestAzureAPIVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path, version string
		ok            bool
	}{
		{"/openai/deployments/d/chat/completions", "", false},
		{"/openai/deployments/d/chat/completions", "latest-ish", false},
		{"/openai/deployments/d/chat/completions", "2024-10-21", true},
		{"/openai/deployments/d/chat/completions", "2025-04-01-preview", true},
		{"/openai/v1/chat/completions", "", true},
		{"/openai/v1/chat/completions", "preview", true},
		{"/openai/v1/chat/completions", "2024-13-45", false},
	} {
		p := chatProbe(azure, plainBody)
		p.Path = tt.path
		if tt.version != "" {
			p.Query.Set("api-version", tt.version)
		}
		c := callOf(t, p)
		f := provider{}.Gate(c)
		if (f == nil) != tt.ok {
			t.Errorf("%s %q: got %v, want ok: %t", tt.path, tt.version, f, tt.ok)
		}
		if f != nil {
			resp := refuse(c, f)
			same(t, "body", string(resp.Body), `{"error":{"code":"404","message":"Resource not found"}}`)
		}
	}
}

func TestAzureAsyncFilterComesAfterTheFinish(t *testing.T) {
	t.Parallel()
	resp := render(t, azure, streamBody, `{"asyncFilter":true}`, text("Hi"))
	all := chunks(t, resp)
	last, before := all[len(all)-1], all[len(all)-2]
	same(t, "finish", before.At("choices", 0, "finish_reason").Str(), "stop")
	same(t, "offset", last.At("choices", 0, "content_filter_offsets", "end_offset").Raw(), "2")
	if last.At("choices", 0, "delta").Exists() {
		t.Errorf("the filter's chunk has a delta: %s", last.Raw())
	}
	got, err := wire.Fold(chat{}.Read(&wire.ResponseHead{Status: 200, Header: http.Header{}}, bytes.NewReader(resp.Bytes())))
	if err != nil || len(got.Choices) != 1 {
		t.Errorf("read: %+v, %v", got, err)
	}
}
