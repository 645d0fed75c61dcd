package openai

import (
	"strconv"

	"github.com/mimus-go/mimus/wire"
)

// head makes the header of an answer: the content type, then the speaker's lines. c gives the ids.
//
// What api.openai.com sends was recorded in 2025 and 2026; lines of its edge (cf-ray, alt-svc, set-cookie) are not sent,
// for they speak of a connection that is not ours.
func (p *profile) head(c *wire.Call, contentType string, lists ...[]headerLine) wire.Header {
	n := 1
	for _, l := range lists {
		n += len(l)
	}
	h := make(wire.Header, 1, n+2)
	h[0] = wire.Field{Name: "Content-Type", Value: contentType}
	for _, lines := range lists {
		for i := range lines {
			if value := lines[i].resolve(c); value != "" {
				h = append(h, wire.Field{Name: lines[i].name, Value: value})
			}
		}
	}
	return h
}

func (l *headerLine) resolve(c *wire.Call) string {
	switch l.slot {
	case noSlot:
		return l.value
	case slotRequestID:
		return requestID(c)
	case slotUUID, slotHexID, slotApimID:
		return traceID(c, l.slot)
	case slotDeployment:
		return deployment(c.Probe.Path)
	case slotID:
		return profileOf(c).responseID(c, 0)
	case slotModel:
		if c.Request != nil {
			return snapshot(c.Request.Model)
		}
	}
	return ""
}

// requestID is x-request-id: "req_" and 32 hexadecimal digits, on errors too.
func requestID(c *wire.Call) string { return c.ID("req_", wire.Hex, 32, "request") }

// traceID is what other speakers name a request by: a UUID or 32 hexadecimal digits.
func traceID(c *wire.Call, s slot) string {
	switch s {
	case slotUUID:
		return formID(c, "{uuid}", "request")
	case slotApimID:
		return formID(c, "{uuid}", "apim")
	}
	return c.ID("", wire.Hex, 32, "request")
}

// bodyHead is the header of a whole answer.
func (p *profile) bodyHead(c *wire.Call) wire.Header {
	return p.head(c, orElse(p.q.BodyType, "application/json"), p.q.Headers, p.q.BodyHeaders)
}

// streamHead is the header of a stream.
func (p *profile) streamHead(c *wire.Call) wire.Header {
	return p.head(c, orElse(p.q.StreamType, "text/event-stream; charset=utf-8"), p.q.Headers, p.q.StreamHeaders)
}

// errorHead is the header of an error. OpenAI's 401 and its answers about unknown models come from layers that count no
// limits (recorded 2025-09 and 2026-03): those are bare.
func (p *profile) errorHead(c *wire.Call, w errorWords, f *wire.Failure) wire.Header {
	lines := p.q.Headers
	if w.bare {
		lines = p.q.ErrorHeaders
	}
	contentType := w.contentType
	if contentType == "" {
		contentType = orElse(p.q.ErrorContentType, "application/json")
	}
	h := p.head(c, contentType, lines, w.headers)
	if f.RetryAfter > 0 {
		h = append(h, wire.Field{Name: "Retry-After", Value: strconv.FormatInt(wholeSeconds(f.RetryAfter), 10)})
		if p.q.RetryAfterMs {
			h = append(h, wire.Field{Name: "Retry-After-Ms", Value: strconv.FormatInt(f.RetryAfter.Milliseconds(), 10)})
		}
	}
	if f.Rule == noStub {
		h = append(h, wire.Field{Name: "X-Mimus-Reason", Value: noStub}, wire.Field{Name: "X-Should-Retry", Value: "false"})
	}
	return h
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
