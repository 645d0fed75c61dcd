package anthropic

import "github.com/mimus-go/mimus/wire"

// serveCount answers a token count: the same estimate that the usage of an answer has. It looks at a request as the
// Messages API does, but for max_tokens.
func serveCount(c *wire.Call) wire.Response {
	body, f := parseBody(c)
	if f != nil {
		return refuse(c, f)
	}
	decodeBody(c, body)
	// A count on Vertex has the model in the body; its path names none.
	x := &exam{call: c, body: body, d: dialectOf(c), count: true}
	for v := range violations(x, headerRules[:], bodyRules[:]) {
		return refuse(c, v.Failure)
	}
	b := appendInt([]byte(`{"input_tokens":`), max(1, wire.TokensOf(c.Probe.Body)))
	return wire.Response{Status: 200, Header: plainHeader(c), Body: append(b, '}')}
}

// plainHeader is the header of an answer that no rate limit of tokens concerns (recorded 2026-08 on a token count).
func plainHeader(c *wire.Call) wire.Header {
	h := wire.Header{{Name: "Content-Type", Value: jsonType}}
	d := dialectOf(c)
	switch {
	case d.google:
		return googleHeader(h)
	case d.name != "":
		return h
	}
	return append(h,
		wire.Field{Name: "Request-Id", Value: requestID(c)},
		wire.Field{Name: "Anthropic-Organization-Id", Value: organization},
		wire.Field{Name: "Anthropic-Workspace-Id", Value: workspace},
		wire.Field{Name: "Vary", Value: "Accept-Encoding"},
		wire.Field{Name: "Server", Value: "cloudflare"},
		wire.Field{Name: "X-Robots-Tag", Value: "none"},
	)
}
