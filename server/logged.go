package server

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/redact"
	"github.com/mimus-go/mimus/wire"
)

// loggedRequest is one exchange as the admin API shows it: WireMock's fields, and ours beside them.
type loggedRequest struct {
	ID         string         `json:"id"`
	Request    loggedQuestion `json:"request"`
	Response   loggedAnswer   `json:"response"`
	WasMatched bool           `json:"wasMatched"`

	// Stub is the name of the stub that answered.
	Stub     string `json:"stub,omitempty"`
	Endpoint string `json:"endpoint,omitempty"`
	Dialect  string `json:"dialect,omitempty"`
	Model    string `json:"model,omitempty"`
	Stream   bool   `json:"stream"`
	// Outcome is delivered, client_cancelled or open.
	Outcome string `json:"outcome"`
	HungUp  bool   `json:"hungUp"`
	// Events is how many events of a stream left.
	Events int    `json:"events"`
	Fault  string `json:"fault,omitempty"`
	// Reason says why no stub answered: the provider's rule, or no-stub.
	Reason     string   `json:"reason,omitempty"`
	Warnings   []string `json:"warnings,omitempty"`
	NearMisses []string `json:"nearMisses,omitempty"`
	Timing     struct {
		Total int64 `json:"totalTime"` // milliseconds
	} `json:"timing"`
}

type loggedQuestion struct {
	Method     string         `json:"method"`
	URL        string         `json:"url"`
	Scheme     string         `json:"scheme"`
	Host       string         `json:"host"`
	Headers    map[string]any `json:"headers"`
	LoggedDate int64          `json:"loggedDate"` // milliseconds
	LoggedText string         `json:"loggedDateString"`
	loggedBody
}

type loggedAnswer struct {
	Status  int            `json:"status"`
	Headers map[string]any `json:"headers"`
	loggedBody
}

// loggedBody is a body as text, where it is text, and as base64.
type loggedBody struct {
	Body   *string `json:"body,omitempty"`
	Base64 string  `json:"bodyAsBase64"`
}

// logged is the redacted view of an entry.
func logged(e *journal.Entry) loggedRequest {
	header := http.Header{}
	e.Header.WriteTo(header)
	l := loggedRequest{
		ID: e.ID(), WasMatched: e.Matched, Stub: e.Stub, Endpoint: e.Endpoint, Outcome: e.Outcome.String(), HungUp: e.HungUp,
		Events: e.Frames, Fault: e.Fault, Reason: redact.Text(e.Reason), Warnings: redacted(e.Warnings), NearMisses: redacted(e.Near),
		Request: loggedQuestion{
			Method: e.Probe.Method, URL: redact.URL(e.Probe.URL()), Scheme: scheme(e.Probe), Host: e.Probe.Host,
			Headers: loggedHeaders(e.Probe.Header), LoggedDate: e.Time.UnixMilli(),
			LoggedText: e.Time.UTC().Format("2006-01-02T15:04:05.000Z"), loggedBody: showBody(e.Probe.Body),
		},
		Response: loggedAnswer{Status: e.Status, Headers: loggedHeaders(header), loggedBody: showBody(e.Body())},
	}
	if e.Request != nil {
		l.Dialect, l.Model, l.Stream = e.Request.Dialect, redact.Text(e.Request.Model), e.Request.Stream
	}
	if !e.Ended.IsZero() {
		l.Timing.Total = int64(e.Ended.Sub(e.Time) / time.Millisecond)
	}
	return l
}

func scheme(p *wire.Probe) string {
	if p.TLS {
		return "https"
	}
	return "http"
}

// loggedHeaders has a text for a header that came once, else a list.
func loggedHeaders(h http.Header) map[string]any {
	headers := make(map[string]any, len(h))
	for name, values := range h {
		shown := make([]string, len(values))
		for i, v := range values {
			shown[i] = redact.Text(v)
			if redact.Header(name) {
				shown[i] = redact.Mark
			}
		}
		headers[name] = shown
		if len(shown) == 1 {
			headers[name] = shown[0]
		}
	}
	return headers
}

// showBody hides keys in a body. Text is shown as text too.
func showBody(body []byte) loggedBody {
	text := redact.Body(body)
	shown := loggedBody{Base64: base64.StdEncoding.EncodeToString([]byte(text))}
	if utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
		shown.Body = &text
	}
	return shown
}

func redacted(texts []string) []string {
	shown := make([]string, len(texts))
	for i, t := range texts {
		shown[i] = redact.Text(t)
	}
	return shown
}
