package gemini

import (
	"html"
	"net/http"

	"github.com/mimus-go/mimus/wire"
)

// usual is how a surface sends a kind of failure (ai.google.dev/gemini-api/docs/troubleshooting, Aug 2026; messages as
// recorded, or as bug reports of clients quote them). "" is a message that depends on the request.
type usual struct {
	kind    wire.FailureKind
	code    int
	status  string
	studio  string
	vertex  string
	details detail
}

// detail is which google.rpc details come with a failure.
type detail uint8

const (
	none detail = iota
	quotaDetails
	authDetails
	permissionDetails
)

// failures has one line a kind, in the order of wire.FailureKinds.
var failures = [...]usual{
	{wire.RateLimit, 429, "RESOURCE_EXHAUSTED", "", "Resource exhausted. Please try again later. Please refer to https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429 for more details.", quotaDetails},
	{wire.Quota, 429, "RESOURCE_EXHAUSTED", "", "", quotaDetails},
	{wire.Overloaded, 503, "UNAVAILABLE", "This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.", "The service is currently unavailable.", none},
	{wire.ContextLength, 400, "INVALID_ARGUMENT", "", "", none},
	{wire.Auth, 401, "UNAUTHENTICATED", "", "", authDetails},
	{wire.Permission, 403, "PERMISSION_DENIED", "", "", permissionDetails},
	{wire.NotFound, 404, "NOT_FOUND", "", "", none},
	{wire.Invalid, 400, "INVALID_ARGUMENT", "Request contains an invalid argument.", "Request contains an invalid argument.", none},
	{wire.TooLarge, 400, "INVALID_ARGUMENT", tooLarge, tooLarge, none},
	{wire.ContentFilter, 400, "INVALID_ARGUMENT", filtered, filtered, none},
	{wire.Timeout, 504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete.", "Deadline expired before operation could complete.", none},
	{wire.ServerError, 500, "INTERNAL", "An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting", "Internal error encountered.", none},
}

const (
	tooLarge = "Request payload size exceeds the limit: 20971520 bytes."
	filtered = "The prompt could not be submitted. This prompt contains sensitive words that violate Google's Responsible AI practices. Try rephrasing the prompt. If you think this was an error, send feedback."
)

// statuses are the status words of HTTP codes (google/rpc/code.proto).
var statuses = [...]struct {
	code int
	word string
	kind wire.FailureKind
}{
	{400, "INVALID_ARGUMENT", wire.Invalid},
	{400, "FAILED_PRECONDITION", wire.Invalid},
	{400, "OUT_OF_RANGE", wire.Invalid},
	{401, "UNAUTHENTICATED", wire.Auth},
	{403, "PERMISSION_DENIED", wire.Permission},
	{404, "NOT_FOUND", wire.NotFound},
	{409, "ABORTED", wire.ServerError},
	{409, "ALREADY_EXISTS", wire.Invalid},
	{429, "RESOURCE_EXHAUSTED", wire.RateLimit},
	{499, "CANCELLED", wire.Canceled},
	{500, "INTERNAL", wire.ServerError},
	{500, "UNKNOWN", wire.ServerError},
	{500, "DATA_LOSS", wire.ServerError},
	{501, "UNIMPLEMENTED", wire.Invalid},
	{503, "UNAVAILABLE", wire.Overloaded},
	{504, "DEADLINE_EXCEEDED", wire.Timeout},
}

// refusal is an error as it travels.
type refusal struct {
	c       *wire.Call
	q       Quirks
	s       surface
	f       *wire.Failure
	kind    wire.FailureKind
	code    int
	status  string
	message string
	details detail
	// reason is that of the ErrorInfo.
	reason string
}

// refusalOf fills what a failure leaves out.
func refusalOf(c *wire.Call, f *wire.Failure) *refusal {
	x := &refusal{c: c, q: quirksOf(c), s: surfaceOf(c), f: f, kind: f.Kind}
	u, ok := usualOf(f.Kind)
	if !ok {
		x.kind = wire.ServerError
		if f.Status != 0 {
			x.kind = wire.KindOfStatus(f.Status)
		}
		u, _ = usualOf(x.kind)
	}
	x.code, x.status, x.details, x.message = u.code, u.status, u.details, u.studio
	if x.s.vertex {
		x.message = u.vertex
	}
	if x.kind == wire.Auth {
		x.auth()
	}
	if f.Status != 0 && f.Status != x.code {
		x.code, x.status = f.Status, statusOf(f.Status)
	}
	if f.Code != "" {
		x.status = f.Code
	}
	if x.message == "" {
		x.message = x.sentence()
	}
	if f.Message != "" {
		x.message = f.Message
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

func statusOf(code int) string {
	for _, s := range statuses {
		if s.code == code {
			return s.word
		}
	}
	if code >= 400 && code < 500 {
		return "FAILED_PRECONDITION"
	}
	return "UNKNOWN"
}

// auth goes by what credentials came: a bad key is an invalid argument, a bad token is not authenticated, and nothing at
// all is either, by the surface.
func (x *refusal) auth() {
	p := x.c.Probe
	switch {
	case keyed(p) && (!x.s.vertex || express(p)):
		x.code, x.status, x.reason = 400, "INVALID_ARGUMENT", "API_KEY_INVALID"
		x.message = "API key not valid. Please pass a valid API key."
	case keyed(p):
		x.reason = "CREDENTIALS_MISSING"
		x.message = "API keys are not supported by this API. Expected OAuth2 access token or other authentication credentials that assert a principal. See https://cloud.google.com/docs/authentication"
	case bearer(p):
		x.reason = "ACCESS_TOKEN_TYPE_UNSUPPORTED"
		x.message = "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
	case x.s.vertex:
		x.reason = "CREDENTIALS_MISSING"
		x.message = "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
	default:
		// Recorded 2025-08.
		x.code, x.status, x.details = 403, "PERMISSION_DENIED", none
		x.message = "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API."
	}
}

// sentence is the usual message where it depends on the request.
func (x *refusal) sentence() string {
	model := modelOf(x.c)
	switch x.kind {
	case wire.RateLimit, wire.Quota:
		return x.quotaMessage(model)
	case wire.ContextLength:
		limit := inputLimit(model)
		over := limit + max(1, wire.TokensOf(x.c.Probe.Body))
		b := appendInt([]byte("The input token count ("), over)
		b = appendInt(append(b, ") exceeds the maximum number of tokens allowed ("...), limit)
		return string(append(b, ")."...))
	case wire.Permission:
		if x.s.vertex {
			return "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/" + resource(x.c) + "' (or it may not exist)."
		}
		return "Generative Language API has not been used in project " + project + " before or it is disabled. Enable it by visiting " + consoleURL + " then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry."
	case wire.NotFound:
		if x.s.vertex {
			return "Publisher Model `" + resource(x.c) + "` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions"
		}
		return "models/" + model + " is not found for API version " + orElse(x.s.version, "v1beta") + ", or is not supported for " + orElse(verbOf(x.c), "getModel") + ". Call ModelService.ListModels to see the list of available models and their supported methods."
	}
	return ""
}

const (
	project    = "123456789012"
	consoleURL = "https://console.developers.google.com/apis/api/generativelanguage.googleapis.com/overview?project=" + project
)

func modelOf(c *wire.Call) string {
	if c.Request != nil && c.Request.Model != "" {
		return c.Request.Model
	}
	return c.Probe.Vars["model"]
}

// Refuse is the provider's error answer.
func (generate) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

func refuse(c *wire.Call, f *wire.Failure) wire.Response {
	x := refusalOf(c, f)
	h := wire.Header{}
	if x.code == http.StatusTooManyRequests && !x.s.vertex {
		h = append(h, wire.Field{Name: "X-Gemini-Service-Tier", Value: "standard"})
	}
	h = appendFrontend(append(h, wire.Field{Name: "Content-Type", Value: jsonType}), c)
	if x.code == http.StatusUnauthorized {
		h = append(h, wire.Field{Name: "Www-Authenticate", Value: `Bearer realm="https://accounts.google.com/", error="invalid_token"`})
	}
	body := pretty(x.body(), plainPrint(c))
	if x.wrapped() {
		body = append(arrayFraming.Append(arrayFraming.Open(nil), wire.Frame{Data: body[:len(body)-1]}, 0), "\n]"...)
	}
	return wire.Response{Status: x.code, Header: h, Body: body}
}

// wrapped says whether the error stands in an array: where the answer would have been one.
func (x *refusal) wrapped() bool {
	switch x.q.ErrorForm {
	case "array":
		return true
	case "object":
		return false
	}
	return verbOf(x.c) == streamVerb && x.c.Probe.Query.Get("alt") != "sse"
}

// notFoundPage is what Google's front end answers to a path that it does not know.
func notFoundPage(c *wire.Call) wire.Response {
	h := wire.Header{{Name: "Content-Type", Value: "text/html; charset=UTF-8"}, {Name: "Referrer-Policy", Value: "no-referrer"}}
	path := html.EscapeString(c.Probe.Path)
	body := "<!DOCTYPE html>\n<html lang=en>\n  <meta charset=utf-8>\n  <title>Error 404 (Not Found)!!1</title>\n" +
		"  <p><b>404.</b> <ins>That’s an error.</ins>\n" +
		"  <p>The requested URL <code>" + path + "</code> was not found on this server.  <ins>That’s all we know.</ins>\n"
	return wire.Response{Status: http.StatusNotFound, Header: h, Body: []byte(body)}
}
