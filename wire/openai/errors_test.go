package openai

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
)

func TestRefuseEachKind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind             wire.FailureKind
		status           int
		typ, code, param string
		message          string
	}{
		{wire.RateLimit, 429, "requests", "rate_limit_exceeded", "", "Rate limit reached for gpt-4o"},
		{wire.Quota, 429, "insufficient_quota", "insufficient_quota", "", "You exceeded your current quota"},
		{wire.Overloaded, 503, "server_error", "", "", "The engine is currently overloaded"},
		{wire.ContextLength, 400, "invalid_request_error", "context_length_exceeded", "messages", "This model's maximum context length"},
		{wire.Auth, 401, "invalid_request_error", "invalid_api_key", "", "Incorrect API key provided: sk-test-************cdef."},
		{wire.Permission, 403, "invalid_request_error", "model_not_found", "", "does not have access to model `gpt-4o`"},
		{wire.NotFound, 404, "invalid_request_error", "model_not_found", "", "The model `gpt-4o` does not exist"},
		{wire.Invalid, 400, "invalid_request_error", "", "", "Your request is invalid"},
		{wire.TooLarge, 413, "server_error", "", "", "Maximum content size limit"},
		{wire.ContentFilter, 400, "invalid_request_error", "invalid_prompt", "", "Invalid prompt: your prompt was flagged"},
		{wire.Timeout, 408, "internal_error", "request_timeout", "", "Timed out generating response"},
		{wire.ServerError, 500, "server_error", "", "", "The server had an error while processing your request"},
	} {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			resp := refuse(chatCall(t, official, plainBody), &wire.Failure{Kind: tt.kind})
			same(t, "status", resp.Status, tt.status)
			e := whole(t, resp).Get("error")
			same(t, "keys", e.Len(), 4)
			same(t, "type", e.Get("type").Str(), tt.typ)
			for key, want := range map[string]string{"code": tt.code, "param": tt.param} {
				if want == "" {
					same(t, key, e.Get(key).Raw(), "null")
				} else {
					same(t, key, e.Get(key).Str(), want)
				}
			}
			if m := e.Get("message").Str(); !strings.Contains(m, tt.message) {
				t.Errorf("message %q lacks %q", m, tt.message)
			}
			if id := resp.Header.Get("X-Request-Id"); len(id) != len("req_")+32 {
				t.Errorf("request id %q", id)
			}
			if got := resp.Header.Get("X-Should-Retry") + resp.Header.Get("Retry-After"); got != "" {
				t.Errorf("retry headers nobody asked for: %q", got)
			}
		})
	}
}

// TestEveryFailureOfEverySpeakerIsReadBack refuses in each speaker's words, and reads the kind again.
func TestEveryFailureOfEverySpeakerIsReadBack(t *testing.T) {
	t.Parallel()
	// What a speaker's own words do not tell apart.
	alike := map[string]wire.FailureKind{
		"xai/quota": wire.Permission, "xai/content_filter": wire.Permission,
		"openrouter/content_filter": wire.Permission, "deepseek/content_filter": wire.Invalid,
		"zai/content_filter":  wire.Invalid,
		"cerebras/overloaded": wire.RateLimit, "gemini/quota": wire.RateLimit,
		"gemini/content_filter": wire.Invalid, "voyage/not_found": wire.Invalid,
	}
	for _, dialect := range append([]string{unknown}, provider{}.Dialects()...) {
		for _, kind := range wire.FailureKinds() {
			name := orElse(dialect, "unknown") + "/" + string(kind)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				resp := refuse(chatCall(t, dialect, plainBody), &wire.Failure{Kind: kind, RetryAfter: 2 * time.Second})
				header := http.Header{}
				resp.Header.WriteTo(header)
				f := readError(resp.Status, header, resp.Body)
				want := kind
				if other, ok := alike[name]; ok {
					if other == kind {
						t.Errorf("%s is told apart by now: take it off the list", name)
					}
					want = other
				}
				if f.Kind != want {
					t.Errorf("read as %s, want %s: %d %s", f.Kind, want, resp.Status, resp.Body)
				}
				if f.Message == "" {
					t.Errorf("no message: %s", resp.Body)
				}
				if f.RetryAfter != 2*time.Second {
					t.Errorf("retry after %v", f.RetryAfter)
				}
			})
		}
	}
}

func TestUnknownModelComesFromAnotherLayer(t *testing.T) {
	t.Parallel()
	resp := refuse(chatCall(t, official, plainBody), &wire.Failure{Kind: wire.NotFound})
	if !bytes.HasPrefix(resp.Body, []byte("{\n    \"error\"")) || !bytes.HasSuffix(resp.Body, []byte("}\n")) {
		t.Errorf("want an indent of 4 and a final line end:\n%q", resp.Body)
	}
	same(t, "content type", resp.Header.Get("Content-Type"), "application/json; charset=utf-8")
	same(t, "limits", resp.Header.Get("X-Ratelimit-Limit-Requests"), "")
	resp = refuse(chatCall(t, official, plainBody), &wire.Failure{Kind: wire.Invalid})
	if !bytes.HasPrefix(resp.Body, []byte("{\n  \"error\"")) || bytes.HasSuffix(resp.Body, []byte("\n")) {
		t.Errorf("want an indent of 2 and no final line end:\n%q", resp.Body)
	}
	if resp.Header.Get("X-Ratelimit-Limit-Requests") == "" {
		t.Error("a 400 counts limits")
	}
}

func TestA401SaysWhatItWants(t *testing.T) {
	t.Parallel()
	resp := refuse(chatCall(t, official, plainBody), &wire.Failure{Kind: wire.Auth})
	same(t, "challenge", resp.Header.Get("Www-Authenticate"), `Bearer realm="OpenAI API"`)
	same(t, "organization", resp.Header.Get("Openai-Organization"), "")
}

func TestMissingKeyHasNoCode(t *testing.T) {
	t.Parallel()
	c := chatCall(t, official, plainBody)
	c.Probe.Header.Del("Authorization")
	f := provider{}.Gate(c)
	if f == nil {
		t.Fatal("a request without a key passes")
	}
	e := whole(t, refuse(c, f)).Get("error")
	same(t, "code", e.Get("code").Raw(), "null")
	if !strings.HasPrefix(e.Get("message").Str(), "You didn't provide an API key.") {
		t.Error(e.Raw())
	}
}

func TestMaskKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"test-context-key": "test-con****-key", "invalid-key": "invalid-key", "": "", "sk-0123456789abcdef": "sk-01234*******cdef"} {
		same(t, key, maskKey(key), want)
	}
}

func TestStatusAloneIsEnough(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{400: "invalid_request_error", 401: "invalid_request_error", 409: "invalid_request_error", 418: "invalid_request_error", 429: "requests", 500: "server_error", 502: "server_error", 503: "server_error", 504: "internal_error", 529: "server_error"} {
		resp := refuse(chatCall(t, official, plainBody), &wire.Failure{Status: status})
		same(t, "status", resp.Status, status)
		same(t, "type", whole(t, resp).At("error", "type").Str(), want)
	}
}

func TestRetryAfterIsWholeSeconds(t *testing.T) {
	t.Parallel()
	f := &wire.Failure{Kind: wire.RateLimit, RetryAfter: 1200 * time.Millisecond}
	resp := refuse(chatCall(t, official, plainBody), f)
	same(t, "retry-after", resp.Header.Get("Retry-After"), "2")
	same(t, "retry-after-ms", resp.Header.Get("Retry-After-Ms"), "")
	resp = refuse(chatCall(t, azure, plainBody), f)
	same(t, "Azure's retry-after", resp.Header.Get("Retry-After"), "2")
	same(t, "Azure's retry-after-ms", resp.Header.Get("Retry-After-Ms"), "1200")
}

func TestNoStub(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{official, azure, "mistral", "xai"} {
		resp := refuse(chatCall(t, dialect, plainBody), &wire.Failure{Kind: wire.NotFound, Rule: noStub, Message: "no stub matches"})
		same(t, "status", resp.Status, http.StatusNotFound)
		same(t, "reason", resp.Header.Get("X-Mimus-Reason"), "no-stub")
		same(t, "should retry", resp.Header.Get("X-Should-Retry"), "false")
		if !bytes.Contains(resp.Body, []byte("no stub matches")) {
			t.Errorf("the message is lost: %s", resp.Body)
		}
	}
}

func TestReadError(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		body   string
		kind   wire.FailureKind
	}{
		"quota inside 429":          {429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, wire.Quota},
		"old quota without a code":  {429, `{"error":{"message":"You exceeded your current quota, please check","type":"insufficient_quota","param":null,"code":null}}`, wire.Quota},
		"newer quota":               {429, `{"error":{"message":"x","type":"insufficient_quota","code":"credit_balance_exhausted"}}`, wire.Quota},
		"tokens per minute":         {429, `{"error":{"message":"Request too large","type":"tokens","code":"rate_limit_exceeded"}}`, wire.RateLimit},
		"newer overload":            {503, `{"error":{"message":"x","type":"service_unavailable_error","code":"server_is_overloaded"}}`, wire.Overloaded},
		"an HTML page":              {502, "<html><head><title>502 Bad Gateway</title></head></html>", wire.ServerError},
		"an HTML page of the edge":  {524, "<html><head><title>A timeout occurred</title></head></html>", wire.ServerError},
		"no body":                   {503, "", wire.Overloaded},
		"number as code":            {400, `{"error":{"message":"bad","type":"BadRequestError","param":null,"code":400}}`, wire.Invalid},
		"flat":                      {422, `{"object":"error","message":"bad","type":"invalid_request_error","param":null,"code":"3280"}`, wire.Invalid},
		"array":                     {429, `[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}}]`, wire.RateLimit},
		"text":                      {400, `{"code":"invalid-argument","error":"Incorrect API key provided."}`, wire.Auth},
		"detail list":               {422, `{"detail":[{"type":"missing","loc":["body"],"msg":"Field required"}]}`, wire.Invalid},
		"detail text":               {401, `{"detail":"Invalid API Key"}`, wire.Auth},
		"Azure's prompt filter":     {400, `{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, wire.ContentFilter},
		"Azure's number as text":    {429, `{"error":{"code":"429","message":"Requests have exceeded call rate limit"}}`, wire.RateLimit},
		"payment":                   {402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`, wire.Quota},
		"context":                   {400, `{"error":{"message":"too long","type":"exceed_context_size_error","code":400}}`, wire.ContextLength},
		"conflict":                  {409, `{"error":{"message":"again"}}`, wire.Invalid},
		"model without access":      {403, `{"error":{"message":"Project has no access","code":"model_not_found"}}`, wire.Permission},
		"an error of another shape": {418, `{"error":[1]}`, wire.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := readError(tt.status, http.Header{}, []byte(tt.body))
			same(t, "kind", f.Kind, tt.kind)
			same(t, "status", f.Status, tt.status)
			same(t, "sent", f.Sent, wire.Completed)
		})
	}
}

func TestReadRetryAfter(t *testing.T) {
	t.Parallel()
	const date = "Mon, 30 Nov 2026 12:00:00 GMT"
	for name, tt := range map[string]struct {
		header http.Header
		want   time.Duration
	}{
		"none":                   {http.Header{}, 0},
		"seconds":                {http.Header{"Retry-After": {"3"}}, 3 * time.Second},
		"a fraction":             {http.Header{"Retry-After": {"0.5"}}, 500 * time.Millisecond},
		"milliseconds win":       {http.Header{"Retry-After": {"3"}, "Retry-After-Ms": {"250.5"}}, 250500 * time.Microsecond},
		"zero milliseconds":      {http.Header{"Retry-After": {"1"}, "Retry-After-Ms": {"0"}}, time.Second},
		"zero":                   {http.Header{"Retry-After": {"0"}}, 0},
		"negative":               {http.Header{"Retry-After": {"-1"}}, 0},
		"huge":                   {http.Header{"Retry-After": {"1e300"}}, 0},
		"a date":                 {http.Header{"Retry-After": {"Mon, 30 Nov 2026 12:00:07 GMT"}, "Date": {date}}, 7 * time.Second},
		"a date that is past":    {http.Header{"Retry-After": {"Mon, 30 Nov 2026 11:00:00 GMT"}, "Date": {date}}, 0},
		"a date without a clock": {http.Header{"Retry-After": {"Mon, 30 Nov 2026 12:00:07 GMT"}}, 0},
		"no number and no date":  {http.Header{"Retry-After": {"soon"}}, 0},
	} {
		same(t, name, retryAfter(tt.header), tt.want)
	}
}

func TestStrayRequestsAreRefusedAsTheProviderDoes(t *testing.T) {
	t.Parallel()
	p := chatProbe(official, "{}")
	p.Dialect, p.Path = "", "/v1/foo"
	resp := Provider().Refuse(p, &wire.Failure{Kind: wire.NotFound, Rule: "unknown-path"})
	same(t, "status", resp.Status, http.StatusNotFound)
	same(t, "message", whole(t, resp).At("error", "message").Str(), "Invalid URL (POST /v1/foo)")
	p.Method, p.Path = http.MethodGet, "/v1/chat/completions"
	resp = Provider().Refuse(p, &wire.Failure{Kind: wire.Invalid, Rule: "wrong-method"})
	same(t, "status", resp.Status, http.StatusMethodNotAllowed)
	same(t, "code", whole(t, resp).At("error", "code").Str(), "method_not_supported")
	resp = Provider().Refuse(p, &wire.Failure{Kind: wire.TooLarge})
	same(t, "status", resp.Status, http.StatusRequestEntityTooLarge)
	p.Host = "example.openai.azure.com"
	resp = Provider().Refuse(p, &wire.Failure{Kind: wire.NotFound})
	same(t, "Azure", string(resp.Body), `{"error":{"code":"404","message":"Resource not found"}}`)
}
