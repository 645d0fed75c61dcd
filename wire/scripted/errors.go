package scripted

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// usual is the status and the message of each kind of failure.
func usual(k wire.FailureKind) (status int, message string) {
	switch k {
	case wire.RateLimit:
		return http.StatusTooManyRequests, "Rate limit reached"
	case wire.Quota:
		return http.StatusPaymentRequired, "The quota is used up"
	case wire.Overloaded:
		return http.StatusServiceUnavailable, "The service is overloaded"
	case wire.ContextLength:
		return http.StatusBadRequest, "The input exceeds the context length"
	case wire.Auth:
		return http.StatusUnauthorized, "The key is not valid"
	case wire.Permission:
		return http.StatusForbidden, "The key may not do this"
	case wire.NotFound:
		return http.StatusNotFound, "Not found"
	case wire.TooLarge:
		return http.StatusRequestEntityTooLarge, "The request is too large"
	case wire.ContentFilter:
		return http.StatusBadRequest, "The prompt was blocked"
	case wire.Timeout:
		return http.StatusGatewayTimeout, "The request timed out"
	case wire.Invalid:
		return http.StatusBadRequest, "The request is not valid"
	}
	return http.StatusInternalServerError, "The server had an error"
}

// words are a failure's status, code and message, its own before the usual ones.
func words(f *wire.Failure) (status int, code, message string) {
	status, message = usual(f.Kind)
	if f.Status != 0 {
		status = f.Status
	}
	if f.Message != "" {
		message = f.Message
	}
	code = f.Code
	if code == "" {
		code = string(f.Kind)
	}
	return status, code, message
}

func refuse(f *wire.Failure) wire.Response {
	status, _, message := words(f)
	h := wire.Header{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}}
	if f.RetryAfter > 0 {
		h = h.Set("Retry-After", strconv.FormatInt(int64((f.RetryAfter+time.Second-1)/time.Second), 10))
	}
	return wire.Response{Status: status, Header: h, Body: []byte(message)}
}

// readFailure reads an error answer.
func readFailure(h *wire.ResponseHead, body io.Reader) *wire.Failure {
	text, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
	if err != nil {
		return broken(err, false, nil)
	}
	f := &wire.Failure{Kind: wire.KindOfStatus(h.Status), Status: h.Status, Message: string(text), Sent: wire.Completed}
	for _, k := range wire.FailureKinds() {
		// Where several kinds have a status, the usual message tells.
		if status, message := usual(k); status == h.Status && message == f.Message {
			f.Kind = k
		}
	}
	if s, err := strconv.Atoi(h.Header.Get("Retry-After")); err == nil && s > 0 && s < 1<<31 {
		f.RetryAfter = time.Duration(s) * time.Second
	}
	return f
}

func broken(err error, partial bool, u *wire.Usage) *wire.Failure {
	return &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent, PartialOutput: partial, Usage: u}
}
