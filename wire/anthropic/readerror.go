package anthropic

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// readFailure reads an error answer: the provider's envelope, or Google's, alone or in a list. The body decides the kind
// before the status does, as a quota may come with any.
func readFailure(h *wire.ResponseHead, body []byte) *wire.Failure {
	f := &wire.Failure{Status: h.Status, Sent: wire.Completed, RetryAfter: retryAfter(h.Header)}
	v, err := jsonx.ParseBytes(body)
	if err != nil {
		f.Kind = wire.KindOfStatus(h.Status)
		f.Message = strings.TrimSpace(string(body))
		return f
	}
	if v.Kind() == jsonx.Array {
		v = v.Index(0)
	}
	readEnvelope(f, v.Get("error"))
	return f
}

// readEnvelope reads the error object of an answer or of an event.
func readEnvelope(f *wire.Failure, v jsonx.Value) {
	f.Message = v.Get("message").Str()
	f.Type = v.Get("type").Str()
	f.Code = v.At("details", "error_code").Str()
	if status, ok := v.Get("status").Text(); ok {
		f.Code = status
		f.Kind = kindOfGoogle(status, f.Message)
	} else {
		f.Kind = kindOfType(f.Type)
	}
	if f.Kind == "" && f.Status == 0 {
		f.Kind = wire.ServerError
	} else if f.Kind == "" {
		f.Kind = wire.KindOfStatus(f.Status)
	}
	f.Kind = refine(f.Kind, f.Code, f.Message)
}

func kindOfType(name string) wire.FailureKind {
	for _, u := range failures {
		if u.name == name && u.kind != wire.ContextLength && u.kind != wire.ContentFilter {
			return u.kind
		}
	}
	return ""
}

// refine looks for what the provider says in words or codes only.
func refine(kind wire.FailureKind, code, message string) wire.FailureKind {
	switch code {
	case "enforced_spend_limit_reached", "contract_spend_limit_reached":
		return wire.Quota
	case "request_body_too_large_after_decoding":
		return wire.TooLarge
	}
	if kind != wire.Invalid && kind != wire.TooLarge {
		return kind
	}
	// A 413 on Vertex may say "Prompt is too long", a limit of tokens told as one of bytes.
	lower := strings.ToLower(message)
	switch {
	case strings.Contains(lower, "prompt is too long"), strings.Contains(lower, "exceed context limit"):
		return wire.ContextLength
	case strings.Contains(lower, "credit balance is too low"), strings.Contains(lower, "specified api usage limits"):
		return wire.Quota
	case strings.Contains(lower, "content filtering policy"):
		return wire.ContentFilter
	}
	return kind
}

// kindOfGoogle reads the status word of Google's envelope. Daily quotas and billing do not come back by waiting.
func kindOfGoogle(status, message string) wire.FailureKind {
	switch status {
	case "RESOURCE_EXHAUSTED":
		if strings.Contains(message, "per_day") || strings.Contains(message, "PerDay") || strings.Contains(message, "per day") {
			return wire.Quota
		}
		return wire.RateLimit
	case "UNAUTHENTICATED":
		return wire.Auth
	case "PERMISSION_DENIED":
		if strings.Contains(message, "billing") {
			return wire.Quota
		}
		return wire.Permission
	case "NOT_FOUND":
		return wire.NotFound
	case "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE":
		return wire.Invalid
	case "UNAVAILABLE":
		return wire.Overloaded
	case "DEADLINE_EXCEEDED":
		return wire.Timeout
	case "INTERNAL", "UNKNOWN":
		return wire.ServerError
	}
	return ""
}

// retryAfter reads the hint as the SDKs do: milliseconds first, then seconds, then a date, taken from the answer's own
// Date.
func retryAfter(h http.Header) time.Duration {
	const longest = float64(1<<31) * float64(time.Millisecond)
	duration := func(text string, unit time.Duration) (time.Duration, bool) {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(n >= 0) || n*float64(unit) > longest {
			return 0, false
		}
		return time.Duration(n * float64(unit)), true
	}
	if d, ok := duration(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	text := h.Get("Retry-After")
	if d, ok := duration(text, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
