package anthropic

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// google says whether Google's layer refuses in the model's place: before the model is asked, it looks at keys, quotas
// and paths. What Anthropic checks itself has Anthropic's envelope on Vertex too (cline#651, aider#1912).
func google(f *wire.Failure) bool {
	if f.Type != "" {
		return false
	}
	kind := f.Kind
	if kind == "" {
		kind = kindOfStatus(f.Status)
	}
	switch kind {
	case wire.RateLimit, wire.Quota, wire.Auth, wire.Permission, wire.NotFound:
		return true
	}
	return false
}

// refuseAsGoogle writes {"error":{code,message,status}}, indented as Google's frontend does; in a list of one where the
// request wanted a stream.
func refuseAsGoogle(c *wire.Call, f *wire.Failure) wire.Response {
	x := refusalOf(c, f)
	code, status, message := googleError(c, x.failure)
	if f.Status != 0 {
		code = f.Status
	}
	if f.Message != "" {
		message = f.Message
	}
	if f.Code != "" {
		status = f.Code
	}
	list := strings.HasSuffix(c.Probe.Path, ":streamRawPredict")
	b := make([]byte, 0, 256)
	if list {
		b = append(b, '[')
	}
	b = appendInt(append(b, "{\n  \"error\": {\n    \"code\": "...), code)
	b = jsonx.AppendString(append(b, ",\n    \"message\": "...), message)
	b = jsonx.AppendString(append(b, ",\n    \"status\": "...), status)
	b = append(b, "\n  }\n}\n"...)
	if list {
		b = append(b, ']')
	}
	h := googleHeader(wire.Header{{Name: "Content-Type", Value: "application/json; charset=UTF-8"}})
	return wire.Response{Status: code, Header: appendHints(h, f, code, false), Body: b}
}

// googleError is Google's form of a kind.
func googleError(c *wire.Call, kind wire.FailureKind) (code int, status, message string) {
	model := modelName(c)
	base := "anthropic-" + baseModel(model)
	switch kind {
	case wire.RateLimit:
		return 429, "RESOURCE_EXHAUSTED", "Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_base_model with base model: " + base + ". Please submit a quota increase request. https://cloud.google.com/vertex-ai/docs/generative-ai/quotas-genai."
	case wire.Quota:
		return 429, "RESOURCE_EXHAUSTED", "Quota exceeded for aiplatform.googleapis.com/online_prediction_requests_per_day_per_base_model with base model: " + base + ". Please submit a quota increase request. https://cloud.google.com/vertex-ai/docs/generative-ai/quotas-genai."
	case wire.Auth:
		return 401, "UNAUTHENTICATED", "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
	case wire.Permission:
		return 403, "PERMISSION_DENIED", "Permission 'aiplatform.endpoints.predict' denied on resource '" + resource(c) + "' (or it may not exist)."
	}
	if model == "" {
		return 404, "NOT_FOUND", "Not found."
	}
	return 404, "NOT_FOUND", "Publisher Model `" + resource(c) + "` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions"
}

// resource is the path of what was asked, from projects/ on, without the verb.
func resource(c *wire.Call) string {
	path := c.Probe.Path
	if i := strings.Index(path, "/projects/"); i >= 0 {
		path = path[i+1:]
	}
	if i := strings.LastIndexByte(path, ':'); i >= 0 {
		path = path[:i]
	}
	return strings.TrimPrefix(path, "/")
}

// baseModel is a model's name without its version.
func baseModel(model string) string {
	base, _, _ := strings.Cut(model, "@")
	return base
}

// googleHeader adds the headers of Google's frontend (recorded on its own models, 2026-08).
func googleHeader(h wire.Header) wire.Header {
	return append(h,
		wire.Field{Name: "Vary", Value: "Origin"},
		wire.Field{Name: "Vary", Value: "X-Origin"},
		wire.Field{Name: "Vary", Value: "Referer"},
		wire.Field{Name: "X-Xss-Protection", Value: "0"},
		wire.Field{Name: "X-Frame-Options", Value: "SAMEORIGIN"},
		wire.Field{Name: "X-Content-Type-Options", Value: "nosniff"},
	)
}
