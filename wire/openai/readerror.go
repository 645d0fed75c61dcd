package openai

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// readError makes a failure of an error answer of OpenAI or of any server that speaks like it: whatever the shape of
// the body, the kind comes from code, type, message and status, in that order.
func readError(status int, header http.Header, body []byte) *wire.Failure {
	f := &wire.Failure{Status: status, Sent: wire.Completed}
	v, err := jsonx.ParseBytes(body)
	if err != nil {
		f.Message = plainText(string(body))
	} else {
		errorFields(f, v)
	}
	f.Kind = failureKind(f)
	f.RetryAfter = retryAfter(header)
	return f
}

// errorFields reads the shapes that are known: {"error":{…}}, [{"error":{…}}], {"error":"text"}, a flat object with
// "message", and {"detail":…}.
func errorFields(f *wire.Failure, v jsonx.Value) {
	if v.Kind() == jsonx.Array {
		v = v.Index(0)
	}
	e := v.Get("error")
	switch e.Kind() {
	case jsonx.Object:
		v = e
	case jsonx.String:
		f.Message = e.Str()
		f.Code = wordOf(v.Get("code"))
		return
	}
	f.Message = v.Get("message").Str()
	f.Type = wordOf(v.Get("type"))
	f.Param = wordOf(v.Get("param"))
	f.Code = wordOf(v.Get("code"))
	if f.Type == "" {
		f.Type = v.Get("status").Str() // Gemini's RESOURCE_EXHAUSTED
	}
	if f.Message == "" {
		f.Message = detailText(v.Get("detail"))
	}
	if f.Message == "" {
		// OpenRouter says what its provider said.
		f.Message = v.At("metadata", "raw").Str()
	}
}

func wordOf(v jsonx.Value) string {
	if s, ok := v.Text(); ok {
		return s
	}
	if v.Kind() == jsonx.Number {
		return v.Raw()
	}
	return ""
}

func detailText(v jsonx.Value) string {
	if s, ok := v.Text(); ok {
		return s
	}
	if m := v.Index(0).Get("msg").Str(); m != "" {
		return m
	}
	return v.Get("message").Str()
}

// plainText makes one line of a body that is no JSON: a proxy's page, usually.
func plainText(body string) string {
	const most = 200
	if title := between(body, "<title>", "</title>"); title != "" {
		return strings.TrimSpace(title)
	}
	body = strings.ToValidUTF8(strings.Join(strings.Fields(body), " "), "\uFFFD")
	if len(body) > most {
		body = strings.ToValidUTF8(body[:most], "") + "…"
	}
	return body
}

func between(s, open, end string) string {
	_, rest, ok := strings.Cut(s, open)
	if !ok {
		return ""
	}
	text, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return text
}

// kindsOfWord is the kind that a code or a type stands for, "" where it tells nothing.
func kindsOfWord(word string, status int) wire.FailureKind {
	switch strings.ToLower(word) {
	case "insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached", "insufficient balance",
		"exceeded_current_quota_error":
		return wire.Quota
	case "rate_limit_exceeded", "ratelimitreached", "too_many_requests", "rate_limit_error", "slow_down", "requests",
		"tokens", "resource_exhausted", "rate_limit":
		return wire.RateLimit
	case "context_length_exceeded", "exceed_context_size_error", "too_many_prompt_tokens", "string_above_max_length_context":
		return wire.ContextLength
	case "invalid_api_key", "wrong_api_key", "authentication_error", "unauthenticated":
		return wire.Auth
	case "content_filter", "invalid_prompt", "content_policy_violation", "moderation_blocked", "data_inspection_failed":
		return wire.ContentFilter
	case "server_is_overloaded", "overloaded_error", "service_unavailable_error", "unavailable_error", "unavailable",
		"engine_overloaded":
		return wire.Overloaded
	case "request_timeout", "timeout":
		return wire.Timeout
	case "unsupported_country_region_territory", "permission_denied", "permission_error", "request_forbidden":
		return wire.Permission
	case "model_not_found", "deploymentnotfound", "not_found_error", "not_found", "invalid_model":
		if status == http.StatusForbidden {
			return wire.Permission
		}
		return wire.NotFound
	}
	return ""
}

func failureKind(f *wire.Failure) wire.FailureKind {
	for _, word := range []string{f.Code, f.Type} {
		if kind := kindsOfWord(word, f.Status); kind != "" {
			return kind
		}
	}
	message := strings.ToLower(f.Message)
	says := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(message, t) })
	}
	switch {
	case says("exceeded your current quota", "insufficient balance", "insufficient credits"):
		return wire.Quota
	case f.Status != http.StatusTooManyRequests && says("maximum prompt length", "context window", "context length",
		"messages is too long", "too many tokens", "maximum number of tokens", "exceeds max length", "exceeded model token limit"):
		return wire.ContextLength
	case says("content management policy", "violating our usage policy"):
		return wire.ContentFilter
	// xAI and Gemini answer 400 to a wrong key (recorded 2026).
	case says("incorrect api key", "api key not valid"):
		return wire.Auth
	case f.Status == http.StatusBadRequest && says("model not exist", "not a valid model id", "unknown model"):
		return wire.NotFound
	case f.Status < 500 && says("overloaded"):
		return wire.Overloaded
	}
	if f.Status == 0 || f.Status == http.StatusOK {
		// An error inside a stream has no status: its type must do.
		if n, err := strconv.Atoi(f.Code); err == nil && n >= 400 {
			return wire.KindOfStatus(n)
		}
		if f.Type == "invalid_request_error" {
			return wire.Invalid
		}
		return wire.ServerError
	}
	return wire.KindOfStatus(f.Status)
}

// retryAfter reads the hint: retry-after-ms first, then retry-after in seconds, also with a fraction, or as a date. A
// negative or unreadable one is none.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		if s <= 0 || s > 1e9 {
			return 0
		}
		return time.Duration(s * float64(time.Second))
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	// A date counts from the answer's own clock; without one it says nothing.
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
