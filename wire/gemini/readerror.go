package gemini

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

func readError(h *wire.ResponseHead, body io.Reader, yield func(wire.Event, error) bool) {
	data, err := io.ReadAll(body)
	if err != nil {
		yield(wire.Event{}, broken(err, false, nil))
		return
	}
	yield(wire.Event{}, readFailure(h, data))
}

// readFailure reads an error answer: the envelope, alone or in a list, or a page of the front end.
func readFailure(h *wire.ResponseHead, body []byte) *wire.Failure {
	f := &wire.Failure{Status: h.Status, Sent: wire.Completed}
	v, err := jsonx.ParseBytes(body)
	if err != nil {
		f.Kind = wire.KindOfStatus(h.Status)
		f.Message = strings.TrimSpace(string(body))
	} else {
		if v.Kind() == jsonx.Array {
			v = v.Index(0)
		}
		readEnvelope(f, v.Get("error"))
		f.Status = h.Status
	}
	if f.RetryAfter == 0 {
		f.RetryAfter = retryAfter(h.Header)
	}
	return f
}

// readEnvelope reads the error object of an answer or of a message in a stream.
func readEnvelope(f *wire.Failure, v jsonx.Value) {
	f.Message = v.Get("message").Str()
	f.Code = v.Get("status").Str()
	if n, ok := v.Get("code").Int(); ok && n >= 100 && n < 1000 {
		f.Status = int(n)
	}
	daily := false
	for _, d := range v.Get("details").Items() {
		switch kind := d.Get("@type").Str(); kind[strings.LastIndexByte(kind, '.')+1:] {
		case "ErrorInfo":
			f.Type = d.Get("reason").Str()
			if delay, ok := durationOf(d.At("metadata", "quotaResetDelay").Str()); ok {
				f.RetryAfter = delay
			}
		case "RetryInfo":
			if delay, ok := durationOf(d.Get("retryDelay").Str()); ok {
				f.RetryAfter = delay
			}
		case "BadRequest":
			f.Param = d.At("fieldViolations", 0, "field").Str()
		case "QuotaFailure":
			for _, violation := range d.Get("violations").Items() {
				daily = daily || strings.Contains(violation.Get("quotaId").Str(), "PerDay")
			}
		}
	}
	if f.RetryAfter == 0 {
		f.RetryAfter = delayIn(f.Message)
	}
	f.Kind = kindOf(f, daily)
}

// kindOf goes by the reason, the status word and, where the word is vague, by the sentence.
func kindOf(f *wire.Failure, daily bool) wire.FailureKind {
	switch f.Type {
	case "API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "CREDENTIALS_MISSING", "ACCESS_TOKEN_EXPIRED", "ACCESS_TOKEN_TYPE_UNSUPPORTED":
		return wire.Auth
	case "BILLING_DISABLED":
		return wire.Quota
	}
	has := func(text string) bool { return strings.Contains(f.Message, text) }
	switch f.Code {
	case "RESOURCE_EXHAUSTED":
		if daily || has("per_day") || has("PerDay") {
			return wire.Quota
		}
		return wire.RateLimit
	case "INVALID_ARGUMENT":
		switch {
		case has("API key not valid"), has("API key expired"):
			return wire.Auth
		case has("maximum number of tokens"):
			return wire.ContextLength
		case has("payload size exceeds"):
			return wire.TooLarge
		case has("Responsible AI practices"):
			return wire.ContentFilter
		}
	case "PERMISSION_DENIED":
		if has("unregistered callers") {
			return wire.Auth
		}
	}
	for _, s := range statuses {
		if s.word == f.Code {
			return s.kind
		}
	}
	return wire.KindOfStatus(f.Status)
}

// durationOf reads "46s", "18.5s" and "373.8ms".
func durationOf(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// delayIn finds "Please retry in 48.9s." in a message.
func delayIn(message string) time.Duration {
	_, rest, ok := strings.Cut(message, "retry in ")
	if !ok {
		return 0
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return (c < '0' || c > '9') && c != '.' && c != 'm' && c != 's' && c != 'h' })
	if end >= 0 {
		rest = rest[:end]
	}
	d, _ := durationOf(strings.TrimRight(rest, "."))
	return max(0, d)
}

// retryAfter reads the header that Google does not send, but proxies do: seconds, or a date by the answer's own clock.
func retryAfter(h http.Header) time.Duration {
	const longest = float64(1<<31) * float64(time.Millisecond)
	text := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n*float64(time.Second) <= longest {
		return time.Duration(n * float64(time.Second))
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
