package anthropic

import (
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Who asks is the same for everybody here.
const (
	organization = "5b1c7d4e-0f6a-4c1e-9a52-6d7c2f3b8e10"
	workspace    = "wrkspc_01mimusMimusMimusMimus01"
)

// requestID is the id of a call, the same in the header and in an error's body.
func requestID(c *wire.Call) string {
	if dialectOf(c).name == ollamaName {
		return c.ID("req_", wire.Hex, 24, "anthropic.request")
	}
	return c.ID("req_011", wire.Base62, 21, "anthropic.request")
}

// answerHeader is the header of an answer with status 200, with the names recorded in August 2026.
func answerHeader(c *wire.Call, q *Quirks, contentType string) wire.Header {
	h := make(wire.Header, 0, 24)
	h = append(h, wire.Field{Name: "Content-Type", Value: contentType})
	d := dialectOf(c)
	switch {
	case d.google:
		return googleHeader(h)
	case d.name != "":
		return h
	}
	if contentType == sseType {
		h = append(h, wire.Field{Name: "Cache-Control", Value: "no-cache"})
	}
	h = appendLimits(h, c, q, true)
	return appendIdentity(h, c, requestID(c))
}

const (
	jsonType = "application/json"
	sseType  = "text/event-stream; charset=utf-8"
)

// appendIdentity adds what every answer to a known organization has.
func appendIdentity(h wire.Header, c *wire.Call, id string) wire.Header {
	return append(h,
		wire.Field{Name: "Request-Id", Value: id},
		wire.Field{Name: "Strict-Transport-Security", Value: "max-age=31536000; includeSubDomains; preload"},
		wire.Field{Name: "Anthropic-Organization-Id", Value: organization},
		wire.Field{Name: "Anthropic-Workspace-Id", Value: workspace},
		wire.Field{Name: "Traceresponse", Value: traceResponse(c)},
		wire.Field{Name: "Server", Value: "cloudflare"},
		wire.Field{Name: "Vary", Value: "Accept-Encoding"},
		wire.Field{Name: "X-Robots-Tag", Value: "none"},
		wire.Field{Name: "Content-Security-Policy", Value: "default-src 'none'; frame-ancestors 'none'"},
		wire.Field{Name: "Cf-Cache-Status", Value: "DYNAMIC"},
	)
}

// appendStranger adds what an answer to nobody known has: a 401 names no organization (recorded 2026-08).
func appendStranger(h wire.Header, id string) wire.Header {
	return append(h,
		wire.Field{Name: "Request-Id", Value: id},
		wire.Field{Name: "Strict-Transport-Security", Value: "max-age=31536000; includeSubDomains; preload"},
		wire.Field{Name: "Server", Value: "cloudflare"},
		wire.Field{Name: "Vary", Value: "Accept-Encoding"},
		wire.Field{Name: "X-Robots-Tag", Value: "none"},
	)
}

// traceResponse is a W3C trace id: 00-(32 hex)-(16 hex)-(2 hex).
func traceResponse(c *wire.Call) string {
	b := []byte(c.ID("00-", wire.Hex, 52, "anthropic.trace"))
	b[3+32], b[3+32+1+16] = '-', '-'
	return string(b)
}

// appendLimits adds the rate limits, in the provider's order. left is false where a limit was hit.
func appendLimits(h wire.Header, c *wire.Call, q *Quirks, left bool) wire.Header {
	now := c.Env.Now().UTC()
	if q.UnifiedLimits {
		return appendUnified(h, now, left)
	}
	const name = "Anthropic-Ratelimit-"
	if !left {
		now = now.Add(time.Minute)
	}
	reset := now.Format(time.RFC3339)
	none := "0"
	remaining := func(n string) string {
		if left {
			return n
		}
		return none
	}
	return append(h,
		wire.Field{Name: name + "Input-Tokens-Limit", Value: "10000000"},
		wire.Field{Name: name + "Input-Tokens-Remaining", Value: remaining("10000000")},
		wire.Field{Name: name + "Input-Tokens-Reset", Value: reset},
		wire.Field{Name: name + "Output-Tokens-Limit", Value: "2000000"},
		wire.Field{Name: name + "Output-Tokens-Remaining", Value: remaining("2000000")},
		wire.Field{Name: name + "Output-Tokens-Reset", Value: reset},
		wire.Field{Name: name + "Requests-Limit", Value: "10000"},
		wire.Field{Name: name + "Requests-Remaining", Value: remaining("9999")},
		wire.Field{Name: name + "Requests-Reset", Value: reset},
		wire.Field{Name: name + "Tokens-Limit", Value: "12000000"},
		wire.Field{Name: name + "Tokens-Remaining", Value: remaining("12000000")},
		wire.Field{Name: name + "Tokens-Reset", Value: reset},
	)
}

// appendUnified adds the limits of a subscription: shares from 0 to 1, and times in seconds since 1970.
func appendUnified(h wire.Header, now time.Time, left bool) wire.Header {
	const name = "Anthropic-Ratelimit-Unified-"
	status, share := "allowed", "0.12"
	if !left {
		status, share = "rejected", "1.0"
	}
	short, long := now.Add(5*time.Hour).Unix(), now.Add(7*24*time.Hour).Unix()
	unix := func(n int64) string { return string(appendInt(nil, int(n))) }
	return append(h,
		wire.Field{Name: name + "Status", Value: status},
		wire.Field{Name: name + "5h-Status", Value: status},
		wire.Field{Name: name + "5h-Reset", Value: unix(short)},
		wire.Field{Name: name + "5h-Utilization", Value: share},
		wire.Field{Name: name + "7d-Status", Value: "allowed"},
		wire.Field{Name: name + "7d-Reset", Value: unix(long)},
		wire.Field{Name: name + "7d-Utilization", Value: "0.34"},
		wire.Field{Name: name + "Representative-Claim", Value: "five_hour"},
		wire.Field{Name: name + "Fallback-Percentage", Value: "0.5"},
		wire.Field{Name: name + "Reset", Value: unix(short)},
		wire.Field{Name: name + "Overage-Status", Value: "rejected"},
	)
}
