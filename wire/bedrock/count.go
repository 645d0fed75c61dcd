package bedrock

import (
	"encoding/base64"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// serveCount answers CountTokens: the same estimate that the usage of an answer has. The request holds another one, of
// Converse or, in base64, of InvokeModel.
func serveCount(c *wire.Call) wire.Response {
	c.Request.Model = c.Probe.Vars["id"]
	body, f := parseBody(c)
	if f != nil {
		return refuse(c, f)
	}
	input := body.Get("input")
	counted := ""
	switch {
	case input.Get("converse").Kind() == jsonx.Object:
		x := &exam{c, input.Get("converse")}
		for v := range violations(x, "count_tokens.", converseRules[:]) {
			return refuse(c, v.Failure)
		}
		counted = x.body.Raw()
	case input.Get("invokeModel").Exists():
		raw, err := base64.StdEncoding.DecodeString(input.At("invokeModel", "body").Str())
		if err != nil || len(raw) == 0 {
			return refuse(c, invalid("count_tokens.body", "1 validation error detected: Value at 'input.invokeModel.body' failed to satisfy constraint: Member must be a blob in base64"))
		}
		if !jsonx.Valid(string(raw)) {
			return refuse(c, invalid("count_tokens.body", malformed("the body is no JSON")))
		}
		counted = string(raw)
	default:
		return refuse(c, invalid("count_tokens.input", "1 validation error detected: Value at 'input' failed to satisfy constraint: Member must not be null"))
	}
	b := appendInt([]byte(`{"inputTokens":`), max(1, wire.Tokens(counted)))
	return wire.Response{Status: 200, Header: aws.Head(c), Body: append(b, '}')}
}
