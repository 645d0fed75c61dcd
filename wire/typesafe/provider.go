package typesafe

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Provider is TypeSafe.
func Provider() wire.Provider { return provider{} }

type provider struct{}

// Name is "typesafe".
func (provider) Name() string { return "typesafe" }

// Endpoints is the one that classifies.
func (provider) Endpoints() []wire.Endpoint {
	return []wire.Endpoint{{Name: "typesafe.systemone", Kind: wire.Chat, Method: http.MethodPost, Suffix: "/v1/systemone", Codec: codec{}}}
}

// Owns knows the host, and the path that nobody else has.
func (provider) Owns(p *wire.Probe) int {
	if strings.Contains(p.Path+"/", "/v1/systemone/") || p.Host == "typesafe.ai" || strings.HasSuffix(p.Host, ".typesafe.ai") {
		return 100
	}
	return 0
}

// Gate wants a key.
func (provider) Gate(c *wire.Call) *wire.Failure {
	if key, ok := strings.CutPrefix(c.Probe.Header.Get("Authorization"), "Bearer "); !ok || strings.TrimSpace(key) == "" {
		return &wire.Failure{Kind: wire.Auth, Rule: "no-key"}
	}
	return nil
}

// Refuse answers where no endpoint does.
func (provider) Refuse(_ *wire.Probe, f *wire.Failure) wire.Response { return refuse(f) }

type codec struct{}

// Refuse is an error answer. Its body is our own: no client reads it.
func (codec) Refuse(_ *wire.Call, f *wire.Failure) wire.Response { return refuse(f) }

func refuse(f *wire.Failure) wire.Response {
	status := f.Status
	if status == 0 {
		status = statusOf(f.Kind)
	}
	message := f.Message
	if message == "" {
		message = http.StatusText(status)
	}
	h := wire.Header{{Name: "Content-Type", Value: "application/json"}}
	if f.RetryAfter > 0 {
		h = h.Set("Retry-After", strconv.FormatInt(int64((f.RetryAfter+time.Second-1)/time.Second), 10))
	}
	body := jsonx.AppendString([]byte(`{"error":{"message":`), message)
	return wire.Response{Status: status, Header: h, Body: append(body, "}}"...)}
}

func statusOf(k wire.FailureKind) int {
	switch k {
	case wire.RateLimit:
		return http.StatusTooManyRequests
	case wire.Quota:
		return http.StatusPaymentRequired
	case wire.Overloaded:
		return http.StatusServiceUnavailable
	case wire.Auth:
		return http.StatusUnauthorized
	case wire.Permission:
		return http.StatusForbidden
	case wire.NotFound:
		return http.StatusNotFound
	case wire.TooLarge:
		return http.StatusRequestEntityTooLarge
	case wire.Timeout:
		return http.StatusGatewayTimeout
	case wire.Invalid, wire.ContextLength, wire.ContentFilter:
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// readFailure knows an error answer by its status.
func readFailure(h *wire.ResponseHead, body io.Reader) *wire.Failure {
	data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
	if err != nil {
		return &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent}
	}
	f := &wire.Failure{Kind: wire.KindOfStatus(h.Status), Status: h.Status, Sent: wire.Completed}
	if v, err := jsonx.ParseBytes(data); err == nil {
		f.Message = v.At("error", "message").Str()
	}
	if s, err := strconv.Atoi(h.Header.Get("Retry-After")); err == nil && s > 0 && s < 1<<31 {
		f.RetryAfter = time.Duration(s) * time.Second
	}
	return f
}
