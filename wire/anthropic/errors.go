package anthropic

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// usual is how the provider sends a kind of failure (platform.claude.com/docs/en/api/errors, Aug 2026; messages as its
// clients' bug reports quote them).
type usual struct {
	kind    wire.FailureKind
	status  int
	name    string
	message string
}

// failures has one line a kind, in the order of wire.FailureKinds.
var failures = [...]usual{
	{wire.RateLimit, 429, "rate_limit_error", "This request would exceed your organization's rate limit of 10,000 requests per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for current usage. Please try again later."},
	{wire.Quota, 402, "billing_error", "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."},
	{wire.Overloaded, 529, "overloaded_error", "Overloaded"},
	{wire.ContextLength, 400, "invalid_request_error", ""},
	{wire.Auth, 401, "authentication_error", ""},
	{wire.Permission, 403, "permission_error", "Your API key does not have permission to use the specified resource."},
	{wire.NotFound, 404, "not_found_error", ""},
	{wire.Invalid, 400, "invalid_request_error", "There was an issue with the format or content of your request."},
	{wire.TooLarge, 413, "request_too_large", "Request exceeds the maximum size"},
	{wire.ContentFilter, 400, "invalid_request_error", "Output blocked by content filtering policy"},
	{wire.Timeout, 504, "timeout_error", "Request timed out"},
	{wire.ServerError, 500, "api_error", "Internal server error"},
}

// statuses are the kinds of the statuses that tell one.
var statuses = [...]struct {
	status int
	kind   wire.FailureKind
}{
	{400, wire.Invalid},
	{401, wire.Auth},
	{402, wire.Quota},
	{403, wire.Permission},
	{404, wire.NotFound},
	{408, wire.Timeout},
	{413, wire.TooLarge},
	{429, wire.RateLimit},
	{500, wire.ServerError},
	{504, wire.Timeout},
	{529, wire.Overloaded},
}

// kindOfStatus is the kind of a status; other client errors are invalid requests, all else is the server's.
func kindOfStatus(status int) wire.FailureKind {
	for _, s := range statuses {
		if s.status == status {
			return s.kind
		}
	}
	if status >= 400 && status < 500 {
		return wire.Invalid
	}
	return wire.ServerError
}

// refusal is an error as it travels: kind is the provider's error.type, code its error.details.error_code.
type refusal struct {
	failure wire.FailureKind
	status  int
	kind    string
	message string
	code    string
}

// refusalOf fills what a failure leaves out.
func refusalOf(c *wire.Call, f *wire.Failure) refusal {
	x := refusal{failure: f.Kind, status: f.Status, kind: f.Type, message: f.Message, code: f.Code}
	u, ok := usualOf(f.Kind)
	if !ok {
		kind := wire.ServerError
		if f.Status != 0 {
			kind = kindOfStatus(f.Status)
		}
		x.failure = kind
		u, _ = usualOf(kind)
	}
	if x.kind == "" && (kindOfType(x.code) != "" || strings.HasSuffix(x.code, "_error")) {
		// The provider's own word for what went wrong is its error's type.
		x.kind, x.code = x.code, ""
	}
	switch {
	case x.status != 0:
	case f.Rule == wrongMethod:
		x.status = http.StatusMethodNotAllowed
	default:
		x.status = u.status
	}
	if x.kind == "" {
		x.kind = u.name
	}
	if x.message == "" {
		x.message = u.message
		if m := messageFor(c, x); m != "" {
			x.message = m
		}
	}
	return x
}

func usualOf(k wire.FailureKind) (usual, bool) {
	for _, u := range failures {
		if u.kind == k {
			return u, true
		}
	}
	return usual{}, false
}

// messageFor is the usual message where it depends on the request.
func messageFor(c *wire.Call, x refusal) string {
	switch {
	case x.status == http.StatusMethodNotAllowed:
		return "Method Not Allowed"
	case x.failure == wire.NotFound:
		if c.Request != nil && c.Request.Model != "" {
			return "model: " + c.Request.Model
		}
		return "Not found"
	case x.failure == wire.ContextLength:
		limit := contextWindow(modelName(c))
		over := limit + max(1, wire.TokensOf(c.Probe.Body))
		return "prompt is too long: " + strconv.Itoa(over) + " tokens > " + strconv.Itoa(limit) + " maximum"
	case x.failure == wire.Auth:
		switch {
		case c.Probe.Header.Get("X-Api-Key") != "":
			return "invalid x-api-key"
		case c.Probe.Header.Get("Authorization") != "":
			return "invalid bearer token"
		}
		return "x-api-key header is required"
	}
	return ""
}

func modelName(c *wire.Call) string {
	if c.Request == nil {
		return ""
	}
	return c.Request.Model
}

// Refuse is the provider's error answer; on Vertex, Google's own layer speaks of keys, quotas and paths.
func (messages) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

func refuse(c *wire.Call, f *wire.Failure) wire.Response {
	if f.Kind == wire.ContentFilter && f.Param == "prompt" && c.Request != nil {
		// The provider has no error for a prompt that it does not take: it answers with a refusal.
		r, _, _ := wire.Render(c, messages{}, wire.Reply{Blocked: "prompt"}, wire.Split{}, wire.NoCut())
		return r
	}
	d := dialectOf(c)
	if d.aws {
		q := quirksOf(c)
		return aws.Refuse(c, f, aws.Form{CapitalMessage: q.CapitalMessage, RetryHint: q.RetryHint})
	}
	if d.google && google(f) {
		return refuseAsGoogle(c, f)
	}
	x := refusalOf(c, f)
	id := requestID(c)
	h := wire.Header{{Name: "Content-Type", Value: jsonType}}
	switch {
	case d.google:
		h = googleHeader(h)
	case d.name != "":
	default:
		h = identify(h, c, x, id)
	}
	h = appendHints(h, f, x.status, d.name == "")
	b := jsonx.AppendString([]byte(`{"type":"error","error":{"type":`), x.kind)
	b = jsonx.AppendString(append(b, `,"message":`...), x.message)
	if x.code != "" {
		b = appendDetails(append(b, `,"details":`...), x.code)
	}
	b = append(b, '}')
	b = append(jsonx.AppendString(append(b, `,"request_id":`...), id), '}')
	return wire.Response{Status: x.status, Header: h, Body: b}
}

// identify adds the headers that go with a status: a 401 knows no organization, a 400 has no rate limits (recorded).
func identify(h wire.Header, c *wire.Call, x refusal, id string) wire.Header {
	if x.status == 401 {
		return appendStranger(h, id)
	}
	if x.status == 429 && c.Env != nil {
		q := quirksOf(c)
		h = appendLimits(h, c, &q, false)
	}
	return appendIdentity(h, c, id)
}

// appendHints adds what a client goes by when it decides to try again.
func appendHints(h wire.Header, f *wire.Failure, status int, direct bool) wire.Header {
	switch {
	case f.Rule == noStub:
		h = append(h, wire.Field{Name: "X-Should-Retry", Value: "false"}, wire.Field{Name: "X-Mimus-Reason", Value: noStub})
	case direct && (status == 400 || status == 401):
		// Recorded on 400 and 401.
		h = append(h, wire.Field{Name: "X-Should-Retry", Value: "false"})
	}
	if f.Rule == wrongMethod && f.Param != "" {
		h = append(h, wire.Field{Name: "Allow", Value: f.Param})
	}
	if f.RetryAfter > 0 {
		seconds := (f.RetryAfter + time.Second - 1) / time.Second
		h = append(h, wire.Field{Name: "Retry-After", Value: strconv.FormatInt(int64(seconds), 10)})
		if f.RetryAfter%time.Second != 0 {
			// The SDKs take the more exact header first.
			h = append(h, wire.Field{Name: "Retry-After-Ms", Value: strconv.FormatInt(f.RetryAfter.Milliseconds(), 10)})
		}
	}
	return h
}

// The rules of failures that the pipeline makes.
const (
	noStub      = "no-stub"
	wrongMethod = "wrong-method"
)

// appendDetails writes error.details: null, or an object with the stable code that came in November 2026.
func appendDetails(b []byte, code string) []byte {
	if code == "" {
		return append(b, "null"...)
	}
	return append(jsonx.AppendString(append(b, `{"error_code":`...), code), '}')
}

// contextWindow is how many tokens a prompt may have (platform.claude.com/docs/en/about-claude/models, Aug 2026): a
// million since Claude Opus 4.6, for the larger models.
func contextWindow(model string) int {
	for _, small := range [...]string{"claude-2", "claude-3", "claude-haiku", "claude-instant", "-4-0", "-4-1", "-4-5", "-4-2025"} {
		if strings.Contains(model, small) {
			return 200000
		}
	}
	if strings.HasPrefix(model, "claude-") {
		return 1000000
	}
	return 200000
}

// longestAnswer is the largest max_tokens of a model, by the same page.
func longestAnswer(model string) int {
	if contextWindow(model) > 200000 {
		return 128000
	}
	return 64000
}
