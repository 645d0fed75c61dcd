package ollama

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// readFailure reads an error answer: {"error":"text"}, or plain text.
func readFailure(h *wire.ResponseHead, body io.Reader) *wire.Failure {
	f := &wire.Failure{Status: h.Status, Sent: wire.Completed, RetryAfter: retryAfter(h.Header)}
	data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
	if err != nil && len(data) == 0 {
		f.Kind = wire.KindOfStatus(h.Status)
		return f
	}
	f.Message = strings.TrimSpace(string(data))
	if v, err := jsonx.ParseBytes(data); err == nil {
		if text, ok := v.Get("error").Text(); ok {
			f.Message = text
		} else if text, ok := v.At("error", "message").Text(); ok {
			f.Message = text
		}
	}
	f.Kind = kindOf(h.Status, f.Message)
	return f
}

// kindOf tells a failure by its status and words; status is 0 inside a stream, where only words come.
func kindOf(status int, message string) wire.FailureKind {
	lower := strings.ToLower(message)
	has := func(pieces ...string) bool {
		for _, p := range pieces {
			if strings.Contains(lower, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("usage limit", "requires a subscription"):
		return wire.Quota
	case has("context length", "prompt too long"):
		return wire.ContextLength
	case has("timed out waiting"):
		return wire.Timeout
	case has("content filter"):
		return wire.ContentFilter
	case status != 0 && status != 500:
		return wire.KindOfStatus(status)
	case has("option \"", "invalid format"):
		return wire.Invalid
	case status != 0:
		return wire.ServerError
	case has("server busy", "overloaded"):
		return wire.Overloaded
	case has("too many concurrent", "rate limit"):
		return wire.RateLimit
	case has("unauthorized"):
		return wire.Auth
	case has("cloud is disabled"):
		return wire.Permission
	case has("not found", "does not exist"):
		return wire.NotFound
	case has("body too large"):
		return wire.TooLarge
	case has("invalid"):
		return wire.Invalid
	}
	return wire.ServerError
}

// retryAfter reads the hint in seconds, or as a date against the answer's own.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
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
