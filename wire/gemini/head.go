package gemini

import "github.com/mimus-go/mimus/wire"

const (
	jsonType = "application/json; charset=UTF-8"
	sseType  = "text/event-stream"
)

// answerHeader is the header of a whole answer, as recorded in 2026. The line that names the protocols of Google's edge
// is not sent: it speaks of connections that are not ours.
func answerHeader(c *wire.Call, tier bool) wire.Header {
	h := make(wire.Header, 0, 10)
	if tier && c.Probe.Dialect != vertexName {
		h = append(h, wire.Field{Name: "X-Gemini-Service-Tier", Value: "standard"})
	}
	return appendFrontend(append(h, wire.Field{Name: "Content-Type", Value: jsonType}), c)
}

// streamHeader is the header of a stream. Only events come as an attachment (recorded).
func streamHeader(c *wire.Call, sse bool) wire.Header {
	if !sse {
		return answerHeader(c, false)
	}
	h := append(make(wire.Header, 0, 10), wire.Field{Name: "Content-Type", Value: sseType}, wire.Field{Name: "Content-Disposition", Value: "attachment"})
	return appendFrontend(h, c)
}

// appendFrontend adds what Google's front end adds to everything.
func appendFrontend(h wire.Header, c *wire.Call) wire.Header {
	h = append(h,
		wire.Field{Name: "Vary", Value: "Origin"},
		wire.Field{Name: "Vary", Value: "Referer"},
		wire.Field{Name: "Vary", Value: "X-Origin"},
		wire.Field{Name: "Server", Value: "scaffolding on HTTPServer2"},
		wire.Field{Name: "X-Xss-Protection", Value: "0"},
		wire.Field{Name: "X-Frame-Options", Value: "SAMEORIGIN"},
		wire.Field{Name: "X-Content-Type-Options", Value: "nosniff"},
	)
	if c.Probe.Dialect == vertexName {
		return h
	}
	// Recorded from AI Studio only. The duration is made up: nothing is measured here.
	const least, most = 50, 950
	took := least + c.Rand("gemini.took").IntN(most)
	return append(h, wire.Field{Name: "Server-Timing", Value: string(appendInt([]byte("gfet4t7; dur="), took))})
}
