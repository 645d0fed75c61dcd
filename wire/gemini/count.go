package gemini

import (
	"unicode"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// serveCount answers a token count: the same estimate that the usage of an answer has. AI Studio takes a whole request
// too, as generateContentRequest.
func serveCount(c *wire.Call) wire.Response {
	body, f := parseBody(c)
	if f != nil {
		return refuse(c, f)
	}
	inner := body
	if whole := pick(body, "generateContentRequest"); whole.Kind() == jsonx.Object {
		inner = whole
	}
	decodeBody(c, inner)
	for v := range violations(&exam{call: c, body: body, s: surfaceOf(c), message: countRequest}, messageRules[:], countRules[:]) {
		return refuse(c, v.Failure)
	}
	n := max(1, wire.TokensOf(c.Probe.Body))
	b := appendInt([]byte(`{"totalTokens": `), n)
	if c.Probe.Dialect == vertexName {
		b = appendInt(append(b, `,"totalBillableCharacters": `...), billable(c.Request))
	}
	b = appendModality(append(b, `,"promptTokensDetails": `...), n, false)
	return wire.Response{Status: 200, Header: answerHeader(c, false), Body: pretty(append(b, '}'), plainPrint(c))}
}

// billable counts the characters of a request's texts that are no white space (recorded: 25 of "What is the capital of
// France?").
func billable(r *wire.Request) int {
	n := billableText(r.System)
	for _, m := range r.Messages {
		n += billableText(m.Text())
	}
	return n
}

func billableText(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
