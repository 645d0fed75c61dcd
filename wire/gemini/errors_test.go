package gemini

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// failed reads an answer that is to be an error.
func failed(t *testing.T, c *wire.Call, resp wire.Response) *wire.Failure {
	t.Helper()
	_, err := readBack(c, resp)
	var f *wire.Failure
	if !errors.As(err, &f) {
		t.Fatalf("%d %s\nread as %v, want a failure", resp.Status, resp.Bytes(), err)
	}
	return f
}

func readBack(c *wire.Call, resp wire.Response) (wire.Reply, error) {
	h := &wire.ResponseHead{Status: resp.Status, Header: http.Header{}, Request: c.Request}
	resp.Header.WriteTo(h.Header)
	return wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(resp.Bytes())))
}

// TestEveryKindIsReadBack sends each kind of failure on each surface, alone, in an array and inside a stream.
func TestEveryKindIsReadBack(t *testing.T) {
	t.Parallel()
	want := map[wire.FailureKind]int{
		wire.RateLimit: 429, wire.Quota: 429, wire.Overloaded: 503, wire.ContextLength: 400, wire.Auth: 400, wire.Permission: 403,
		wire.NotFound: 404, wire.Invalid: 400, wire.TooLarge: 400, wire.ContentFilter: 400, wire.Timeout: 504, wire.ServerError: 500,
	}
	for _, target := range []string{
		studio + "gemini-2.5-flash:generateContent", studio + "gemini-2.5-flash:streamGenerateContent?alt=sse",
		studio + "gemini-2.5-flash:streamGenerateContent", vertex + "gemini-2.5-flash:generateContent",
		vertex + "gemini-2.5-flash:streamGenerateContent?alt=sse", vertex + "gemini-2.5-flash:streamGenerateContent",
	} {
		for _, kind := range wire.FailureKinds() {
			t.Run(target+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				c := newCall(t, target, hello)
				status := want[kind]
				if kind == wire.Auth && c.Probe.Dialect == vertexName {
					status = 401
				}
				resp := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: kind})
				if resp.Status != status {
					t.Errorf("status %d, want %d", resp.Status, status)
				}
				if got := resp.Header.Get("Content-Type"); got != jsonType {
					t.Errorf("content type %q: SDKs read errors of JSON only", got)
				}
				f := failed(t, c, resp)
				if f.Kind != kind || f.Message == "" || f.Code == "" || f.Status != status || f.Sent != wire.Completed {
					t.Errorf("read as %+v", f)
				}
				if f.RetryAfter != 0 {
					t.Errorf("a delay of %v that nobody asked for", f.RetryAfter)
				}
				if !c.Request.Stream {
					return
				}
				cut := wire.NoCut()
				cut.FailAfter, cut.Failure = 1, &wire.Failure{Kind: kind, RetryAfter: 1500 * time.Millisecond}
				resp, _, _ = wire.Render(c, c.Endpoint.Codec, wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "a b"}}}}}, wire.Split{}, cut)
				if resp.Status != 200 || len(resp.Frames) != 2 {
					t.Fatalf("status %d, %d frames", resp.Status, len(resp.Frames))
				}
				f = failed(t, c, resp)
				if f.Kind != kind || f.Status != status || !f.PartialOutput || f.RetryAfter != 1500*time.Millisecond {
					t.Errorf("inside the stream read as %+v", f)
				}
			})
		}
	}
}

// TestUnknownNameHasDetails tells a name at the top level without a place.
func TestUnknownNameHasDetails(t *testing.T) {
	t.Parallel()
	c := newCall(t, studio+"m:generateContent", `{"contents":[{"parts":[{"text":"Hi"}]}],"max_tokens":5}`)
	for v := range c.Endpoint.Codec.Check(c) {
		r := c.Endpoint.Codec.Refuse(c, v.Failure)
		body, err := jsonx.ParseBytes(r.Body)
		violations := body.At("error", "details", 0, "fieldViolations")
		if err != nil || violations.Len() != 1 || violations.At(0, "field").Exists() || violations.At(0, "description").Str() == "" {
			t.Errorf("%v %s", err, r.Body)
		}
		return
	}
	t.Error("the name is let through")
}

// TestOwnWords lets a stub replace status, word and message.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	c := newCall(t, studio+"gemini-2.5-flash:generateContent", hello)
	f := failed(t, c, c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.ServerError, Status: 502, Message: "Bad <gateway>"}))
	if f.Status != 502 || f.Message != "Bad <gateway>" || f.Code != "UNKNOWN" {
		t.Errorf("%+v", f)
	}
	f = failed(t, c, c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.Invalid, Code: "FAILED_PRECONDITION", Message: "User location is not supported for the API use."}))
	if f.Status != 400 || f.Code != "FAILED_PRECONDITION" || f.Kind != wire.Invalid {
		t.Errorf("%+v", f)
	}
	f = failed(t, c, c.Endpoint.Codec.Refuse(c, &wire.Failure{Status: 409}))
	if f.Status != 409 || f.Code != "ABORTED" {
		t.Errorf("%+v", f)
	}
}

// TestGate is who may ask: AI Studio takes a key in a header or the query, or a token; Vertex a token, or a key where the
// path names no project.
func TestGate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		target, header string
		status         int
		reason         string
	}{
		{studio + "m:generateContent", "X-Goog-Api-Key", 0, ""},
		{studio + "m:generateContent?key=k", "", 0, ""},
		{studio + "m:generateContent", "Authorization", 0, ""},
		{studio + "m:generateContent", "", 403, ""},
		{vertex + "m:generateContent", "Authorization", 0, ""},
		{vertex + "m:generateContent", "X-Goog-Api-Key", 401, "CREDENTIALS_MISSING"},
		{vertex + "m:generateContent", "", 401, "CREDENTIALS_MISSING"},
		{"aiplatform.googleapis.com/v1/publishers/google/models/m:generateContent", "X-Goog-Api-Key", 0, ""},
	} {
		p := probe(tt.target, hello)
		p.Header = http.Header{}
		if tt.header != "" {
			p.Header.Set(tt.header, "secret")
		}
		p.Dialect = provider{}.Dialect(p)
		c := &wire.Call{Probe: p, Endpoint: &wire.Endpoint{Codec: generate{}}}
		f := provider{}.Gate(c)
		if (f == nil) != (tt.status == 0) {
			t.Errorf("%s with %q: %v", tt.target, tt.header, f)
			continue
		}
		if f == nil {
			continue
		}
		got := failed(t, c, generate{}.Refuse(c, f))
		if got.Status != tt.status || got.Kind != wire.Auth || got.Type != tt.reason {
			t.Errorf("%s with %q: read as %+v", tt.target, tt.header, got)
		}
	}
}

// TestUnknownPath is the front end's page, not JSON.
func TestUnknownPath(t *testing.T) {
	t.Parallel()
	p := probe(studioHost+"/v1beta/nonsense<b>", hello)
	resp := Provider().Refuse(p, &wire.Failure{Kind: wire.NotFound, Rule: "unknown-path"})
	if resp.Status != 404 || resp.Header.Get("Content-Type") != "text/html; charset=UTF-8" || strings.Contains(string(resp.Body), "<b>n") {
		t.Errorf("%d %v\n%s", resp.Status, resp.Header, resp.Body)
	}
	if f := readFailure(&wire.ResponseHead{Status: 404, Header: http.Header{}}, resp.Body); f.Kind != wire.NotFound {
		t.Errorf("read as %+v", f)
	}
	resp = Provider().Refuse(p, &wire.Failure{Kind: wire.TooLarge, Rule: "too-large"})
	if resp.Status != 400 || !jsonx.Valid(string(resp.Body)) {
		t.Errorf("%d %s", resp.Status, resp.Body)
	}
}

// TestReadErrors reads what was recorded or reported, in forms that ours is not.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		status     int
		kind       wire.FailureKind
		delay      time.Duration
	}{
		{"a delay in words", `{"error":{"code":429,"message":"Quota exceeded. Please retry in 46.153412518s.","status":"RESOURCE_EXHAUSTED"}}`, 429, wire.RateLimit, 46153412518},
		{"a reset delay", `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"x","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","metadata":{"quotaResetDelay":"373.8ms"}}]}}`, 429, wire.RateLimit, 373800 * time.Microsecond},
		{"no delay", `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Resource has been exhausted (e.g. check quota)."}}`, 429, wire.RateLimit, 0},
		{"a wrong delay", `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"retry in vain","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"soon"}]}}`, 429, wire.RateLimit, 0},
		{"a daily quota with a short delay", `[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"x","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"18.5s"}]}}]`, 429, wire.Quota, 18500 * time.Millisecond},
		{"an expired key", `{"error":{"code":400,"message":"API key expired. Please renew the API key.","status":"INVALID_ARGUMENT"}}`, 400, wire.Auth, 0},
		{"a leaked key", `{"error":{"code":403,"message":"Your API key was reported as leaked. Please use another API key.","status":"PERMISSION_DENIED"}}`, 403, wire.Permission, 0},
		{"no billing", `{"error":{"code":403,"message":"x","status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"BILLING_DISABLED"}]}}`, 403, wire.Quota, 0},
		{"cancelled", `{"error":{"code":499,"message":"The operation was cancelled.","status":"CANCELLED"}}`, 499, wire.Canceled, 0},
		{"no status word", `{"error":{"code":503,"message":"x"}}`, 503, wire.Overloaded, 0},
		{"no JSON", `upstream connect error`, 502, wire.ServerError, 0},
		{"an empty array", `[]`, 500, wire.ServerError, 0},
		{"nothing", ``, 504, wire.Timeout, 0},
	} {
		f := readFailure(&wire.ResponseHead{Status: tt.status, Header: http.Header{}}, []byte(tt.body))
		if f.Kind != tt.kind || f.RetryAfter != tt.delay || f.Status != tt.status {
			t.Errorf("%s: read as %+v", tt.name, f)
		}
	}
	h := http.Header{"Retry-After": {"Mon, 30 Nov 2026 12:00:30 GMT"}, "Date": {"Mon, 30 Nov 2026 12:00:00 GMT"}}
	if f := readFailure(&wire.ResponseHead{Status: 429, Header: h}, nil); f.RetryAfter != 30*time.Second {
		t.Errorf("the header is read as %v", f.RetryAfter)
	}
}

func TestDurationText(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		7 * time.Second: "7s", 1500 * time.Millisecond: "1.500s", time.Microsecond: "0.000001s", 48939935699: "48.939935699s", 0: "0s",
	} {
		if got := durationText(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
		if back, ok := durationOf(durationText(d)); !ok || back != d {
			t.Errorf("%v is read back as %v", d, back)
		}
	}
}

// TestRules has a request for each rule that breaks it, and what the provider says.
func TestRules(t *testing.T) {
	t.Parallel()
	parts := `"parts":[{"text":"Hi"}]`
	for _, tt := range []struct{ target, body, rule, message string }{
		{studio + "m:generateContent", hello, "", ""},
		{studio + "m:generateContent", `{"contents":{"parts":{"text":"Hi"}}}`, "", ""},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"generationConfig":{"temperature":"0.5","topK":40.0,"seed":null},"safetySettings":[{"category":10,"threshold":3}]}`, "", ""},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"unknownName":1}`, "gemini.fields", `Unknown name "unknownName": Cannot find field.`},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","additionalProperties":false}}]}]}`, "gemini.fields", `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`},
		{vertex + "m:generateContent", `{"contents":[{"role":"user",` + parts + `}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","additionalProperties":false}}]}]}`, "", ""},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object","additionalProperties":false}}]}]}`, "", ""},
		{studio + "m:generateContent", ` `, "gemini.generate.contents", "contents is not specified"},
		{studio + "m:generateContent", `{"contents":[]}`, "gemini.generate.contents", "contents is not specified"},
		{vertex + "m:generateContent", `{"contents":[]}`, "gemini.generate.contents", "must include at least one parts field"},
		{studio + "m:generateContent", `{"contents":"Hi"}`, "gemini.fields", `Invalid value at 'contents' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), "Hi"`},
		{studio + "m:generateContent", `{"contents":[{"role":"assistant",` + parts + `}]}`, "gemini.generate.role", "valid role: user, model."},
		{studio + "m:generateContent", `{"contents":[{"role":"system",` + parts + `}]}`, "gemini.generate.role", "system role is not supported"},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"HUGE"}}}`, "gemini.fields", `ThinkingLevel), "HUGE"`},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"generationConfig":{"responseSchema":{"type":["STRING","NULL"]}}}`, "gemini.fields", `Unknown name "type" at 'generation_config.response_schema': Proto field is not repeating`},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"generationConfig":{"candidateCount":1.5}}`, "gemini.fields", "'generation_config.candidate_count'"},
		{studio + "m:generateContent", `{"contents":[{` + parts + `}],"tools":[{"functionDeclarations":[{"name":"f","parameters":{"properties":[]}}]}]}`, "gemini.fields", "'tools[0].function_declarations[0].parameters.properties'"},
		{studio + "m:embedContent", `{}`, "gemini.embed.content", "content is not specified"},
		{studio + "m:batchEmbedContents", `{"requests":[]}`, "gemini.batch_embed.requests", "requests is not specified"},
		{studio + "m:batchEmbedContents", `{"requests":[{"model":"models/other","content":{` + parts + `}}]}`, "gemini.batch_embed.model", "requests[0].model: model must match"},
		{studio + "m:batchEmbedContents", `{"requests":[` + strings.Repeat(`{"model":"models/m","content":{}},`, 100) + `{"model":"models/m","content":{}}]}`, "gemini.batch_embed.requests", "at most 100"},
		{vertex + "text-embedding-005:predict", `{"instances":[{"content":5}]}`, "gemini.fields", "'instances[0].content' (TYPE_STRING), 5"},
		{studioHost + "/v1beta/models?pageSize=many", "", "gemini.models.page_size", "page_size"},
	} {
		c := newCall(t, tt.target, tt.body)
		got, message := "", ""
		for v := range c.Endpoint.Codec.Check(c) {
			got, message = v.Rule, v.Message
			break
		}
		if got != tt.rule || !strings.Contains(message, tt.message) {
			t.Errorf("%.120s: %q %q, want %q %q", tt.body, got, message, tt.rule, tt.message)
		}
	}
}
