package anthropic_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
)

func readFailure(t *testing.T, c *wire.Call, r wire.Response) *wire.Failure {
	t.Helper()
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) {
		t.Fatalf("read as %v", err)
	}
	return f
}

func TestEveryFailureHasItsEnvelope(t *testing.T) {
	t.Parallel()
	type form struct {
		status  int
		name    string
		message string
	}
	forms := map[wire.FailureKind]form{
		wire.RateLimit:     {429, "rate_limit_error", "rate limit"},
		wire.Quota:         {402, "billing_error", "Your credit balance is too low"},
		wire.Overloaded:    {529, "overloaded_error", "Overloaded"},
		wire.ContextLength: {400, "invalid_request_error", "tokens > 1000000 maximum"},
		wire.Auth:          {401, "authentication_error", "invalid x-api-key"},
		wire.Permission:    {403, "permission_error", "permission"},
		wire.NotFound:      {404, "not_found_error", "model: claude-opus-5"},
		wire.Invalid:       {400, "invalid_request_error", "format"},
		wire.TooLarge:      {413, "request_too_large", "maximum size"},
		wire.ContentFilter: {400, "invalid_request_error", "Output blocked by content filtering policy"},
		wire.Timeout:       {504, "timeout_error", "timed out"},
		wire.ServerError:   {500, "api_error", "Internal server error"},
	}
	for _, kind := range wire.FailureKinds() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			for _, body := range []string{askWhole, askStream} {
				c := open(t, post(messagesPath, body))
				sent := &wire.Failure{Kind: kind, RetryAfter: 7 * time.Second}
				r := c.Endpoint.Codec.Refuse(c, sent)
				v, f := parse(t, r.Body), forms[kind]
				if r.Status != f.status || v.Get("type").Str() != "error" || v.At("error", "type").Str() != f.name ||
					!strings.Contains(v.At("error", "message").Str(), f.message) {
					t.Errorf("%d %s", r.Status, r.Body)
				}
				if id := r.Header.Get("Request-Id"); id == "" || v.Get("request_id").Str() != id {
					t.Errorf("request id %q in %s", id, r.Body)
				}
				if got := r.Header.Get("X-Should-Retry"); (got == "false") != (f.status == 400 || f.status == 401) {
					t.Errorf("x-should-retry %q on %d", got, f.status)
				}
				if got := r.Header.Get("Anthropic-Organization-Id"); (got == "") != (f.status == 401) {
					t.Errorf("organization %q on %d", got, f.status)
				}
				got := readFailure(t, c, r)
				if got.Kind != kind || got.Status != f.status || got.RetryAfter != 7*time.Second || got.Sent != wire.Completed {
					t.Errorf("read as %+v", got)
				}
			}
		})
	}
}

func TestEveryFailureOnVertex(t *testing.T) {
	t.Parallel()
	googles := map[wire.FailureKind]string{
		wire.RateLimit: "RESOURCE_EXHAUSTED", wire.Quota: "RESOURCE_EXHAUSTED", wire.Auth: "UNAUTHENTICATED",
		wire.Permission: "PERMISSION_DENIED", wire.NotFound: "NOT_FOUND",
	}
	for _, kind := range wire.FailureKinds() {
		for _, verb := range []string{":rawPredict", ":streamRawPredict"} {
			t.Run(string(kind)+verb, func(t *testing.T) {
				t.Parallel()
				c := open(t, post(vertexPath+verb, askVertex))
				r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: kind})
				v := parse(t, r.Body)
				if google, ok := googles[kind]; ok {
					if verb == ":streamRawPredict" {
						if v.Len() != 1 {
							t.Fatalf("not a list of one: %s", r.Body)
						}
						v = v.Index(0)
					}
					code, _ := v.At("error", "code").Int()
					if v.At("error", "status").Str() != google || int(code) != r.Status {
						t.Errorf("%s", r.Body)
					}
				} else if v.Get("type").Str() != "error" {
					t.Errorf("%s", r.Body)
				}
				if r.Header.Get("Request-Id") != "" {
					t.Error("Google sends no request-id")
				}
				if got := readFailure(t, c, r); got.Kind != kind {
					t.Errorf("read as %+v", got)
				}
			})
		}
	}
}

func TestStatusAloneSaysTheType(t *testing.T) {
	t.Parallel()
	for status, name := range map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
		404: "not_found_error", 405: "invalid_request_error", 409: "invalid_request_error", 413: "request_too_large",
		422: "invalid_request_error", 429: "rate_limit_error", 500: "api_error", 502: "api_error", 503: "api_error",
		504: "timeout_error", 529: "overloaded_error",
	} {
		c := open(t, post(messagesPath, askWhole))
		r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Status: status})
		if got := parse(t, r.Body).At("error", "type").Str(); r.Status != status || got != name {
			t.Errorf("%d: %d %s", status, r.Status, got)
		}
	}
}

func TestFailureFieldsReplaceTheUsual(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{
		Kind: wire.RateLimit, Status: 499, Type: "odd_error", Code: "ramp_limit_exceeded", Message: "slow down",
		RetryAfter: 1500 * time.Millisecond,
	})
	want(t, string(r.Body), `{"type":"error","error":{"type":"odd_error","message":"slow down","details":{"error_code":"ramp_limit_exceeded"}},"request_id":"`)
	if r.Status != 499 || r.Header.Get("Retry-After") != "2" || r.Header.Get("Retry-After-Ms") != "1500" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	if got := readFailure(t, c, r); got.RetryAfter != 1500*time.Millisecond || got.Code != "ramp_limit_exceeded" || got.Type != "odd_error" {
		t.Errorf("read as %+v", got)
	}
}

func TestNoStubSaysSo(t *testing.T) {
	t.Parallel()
	for _, p := range []*wire.Probe{post(messagesPath, askWhole), post(vertexPath+":rawPredict", askVertex)} {
		c := open(t, p)
		r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.NotFound, Rule: "no-stub", Message: "no stub answers"})
		if r.Status != 404 || r.Header.Get("X-Mimus-Reason") != "no-stub" || r.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("%d %v", r.Status, r.Header)
		}
		want(t, string(r.Body), "no stub answers")
	}
}

func TestUnifiedLimitsOfASubscription(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	c.Quirks = []byte(`{"unifiedLimits":true}`)
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.RateLimit, RetryAfter: 3 * time.Hour})
	if r.Header.Get("Anthropic-Ratelimit-Unified-Status") != "rejected" || r.Header.Get("Anthropic-Ratelimit-Requests-Limit") != "" ||
		r.Header.Get("Retry-After") != "10800" {
		t.Errorf("%v", r.Header)
	}
}

func TestReadsErrorsThatTellByWords(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	cases := []struct {
		name   string
		status int
		body   string
		kind   wire.FailureKind
	}{
		{"credit as a 400", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."}}`, wire.Quota},
		{"own spend limit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits."}}`, wire.Quota},
		{"spend cap as a 429", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}}`, wire.Quota},
		{"old context overflow", 400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000\"}}", wire.ContextLength},
		{"a 413 that counts tokens", 413, `{"type":"error","error":{"type":"request_too_large","message":"Prompt is too long"}}`, wire.ContextLength},
		{"a real 413", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, wire.TooLarge},
		{"max_tokens refused is no overflow", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens"}}`, wire.Invalid},
		{"unknown type, known status", 529, `{"type":"error","error":{"type":"new_error","message":"x"}}`, wire.Overloaded},
		{"a 503 of the provider", 503, `{"type":"error","error":{"type":"api_error","message":"x"}}`, wire.ServerError},
		{"no JSON", 502, `<html>Bad Gateway</html>`, wire.ServerError},
		{"no JSON, unavailable", 503, `upstream`, wire.Overloaded},
		{"empty", 401, ``, wire.Auth},
		{"null", 404, `null`, wire.NotFound},
		{"Google, billing", 403, `{"error":{"code":403,"message":"This API method requires billing to be enabled.","status":"PERMISSION_DENIED"}}`, wire.Quota},
		{"Google, not enabled", 400, `{"error":{"code":400,"message":"x","status":"FAILED_PRECONDITION"}}`, wire.Invalid},
		{"Google, unavailable", 503, `[{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]`, wire.Overloaded},
		{"Google, a new word", 418, `{"error":{"code":418,"message":"x","status":"TEAPOT"}}`, wire.Invalid},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := &wire.ResponseHead{Status: tc.status, Header: http.Header{"Content-Type": {"application/json"}}, Request: c.Request}
			_, err := wire.Fold(c.Endpoint.Codec.Read(h, strings.NewReader(tc.body)))
			var f *wire.Failure
			if !errors.As(err, &f) || f.Kind != tc.kind || f.Status != tc.status {
				t.Errorf("read as %+v, want %s", err, tc.kind)
			}
		})
	}
}

func TestReadsRetryHints(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	for _, tc := range []struct {
		header http.Header
		want   time.Duration
	}{
		{http.Header{"Retry-After": {"7"}}, 7 * time.Second},
		{http.Header{"Retry-After": {" 0.5 "}}, 500 * time.Millisecond},
		{http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"1"}}, 250 * time.Millisecond},
		{http.Header{"Retry-After": {"Mon, 30 Nov 2026 12:00:09 GMT"}, "Date": {"Mon, 30 Nov 2026 12:00:00 GMT"}}, 9 * time.Second},
		{http.Header{"Retry-After": {"Mon, 30 Nov 2026 11:00:00 GMT"}, "Date": {"Mon, 30 Nov 2026 12:00:00 GMT"}}, 0},
		{http.Header{"Retry-After": {"Mon, 30 Nov 2026 12:00:09 GMT"}}, 0},
		{http.Header{"Retry-After": {"-3"}}, 0},
		{http.Header{"Retry-After": {"NaN"}}, 0},
		{http.Header{"Retry-After": {"1e300"}}, 0},
		{http.Header{"Retry-After": {"soon"}}, 0},
		{http.Header{}, 0},
	} {
		h := &wire.ResponseHead{Status: 429, Header: tc.header, Request: c.Request}
		_, err := wire.Fold(c.Endpoint.Codec.Read(h, strings.NewReader(`{}`)))
		var f *wire.Failure
		if !errors.As(err, &f) || f.RetryAfter != tc.want {
			t.Errorf("%v: %+v, want %v", tc.header, err, tc.want)
		}
	}
}

func TestProviderRefuses(t *testing.T) {
	t.Parallel()
	p := anthropic.Provider()
	for _, tc := range []struct {
		name, path string
		failure    wire.Failure
		status     int
		text       string
	}{
		{"unknown path", "/v1/nothing", wire.Failure{Kind: wire.NotFound, Rule: "unknown-path"}, 404, `"type":"not_found_error","message":"Not found"`},
		{"wrong method", messagesPath, wire.Failure{Kind: wire.Invalid, Rule: "wrong-method", Param: "POST"}, 405, `"message":"Method Not Allowed"`},
		{"too large", messagesPath, wire.Failure{Kind: wire.TooLarge}, 413, `"type":"request_too_large"`},
		{"unknown path on Vertex", "/v1/projects/p/locations/l/publishers/anthropic/models/m:predict", wire.Failure{Kind: wire.NotFound}, 404, `"status": "NOT_FOUND"`},
	} {
		probe := post(tc.path, `{}`)
		r := p.Refuse(probe, &tc.failure)
		if r.Status != tc.status || !bytes.Contains(r.Body, []byte(tc.text)) {
			t.Errorf("%s: %d %s", tc.name, r.Status, r.Body)
		}
		if again := p.Refuse(probe, &tc.failure); !bytes.Equal(again.Body, r.Body) {
			t.Errorf("%s: another time, other bytes", tc.name)
		}
	}
	r := p.Refuse(post(messagesPath, `{}`), &wire.Failure{Kind: wire.Invalid, Rule: "wrong-method", Param: "POST"})
	if r.Header.Get("Allow") != "POST" {
		t.Errorf("allow %q", r.Header.Get("Allow"))
	}
}

func TestBlockedPromptThatIsRefused(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.ContentFilter, Param: "prompt"})
	reply, err := readBack(t, c, r)
	if err != nil || r.Status != 200 || reply.Choices[0].Stop != wire.StopRefusal || reply.Choices[0].Parts != nil {
		t.Errorf("%d %+v %v", r.Status, reply, err)
	}
}
