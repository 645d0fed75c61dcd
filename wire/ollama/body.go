package ollama

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// parseBody reads the body as the server does: Go's decoder takes the first document and leaves the rest alone, takes
// null for an empty object, and mends what is no UTF-8. What it says about a body that is no JSON is sent as it is, so
// the decoder itself is asked for it.
func parseBody(c *wire.Call, f *form) (jsonx.Value, *wire.Failure) {
	v, err := jsonx.ParseBytes(c.Probe.Body)
	if err != nil {
		var first json.RawMessage
		if err := json.NewDecoder(bytes.NewReader(c.Probe.Body)).Decode(&first); err != nil {
			if errors.Is(err, io.EOF) {
				return v, invalid("body", "missing request body")
			}
			return v, invalid("json", err.Error())
		}
		if v, err = jsonx.Parse(strings.ToValidUTF8(string(first), "\uFFFD")); err != nil {
			return v, invalid("json", err.Error())
		}
	}
	switch v.Kind() {
	case jsonx.Object, jsonx.Null:
		return v, nil
	}
	return v, invalid("type", "json: cannot unmarshal "+goKind(v)+" into Go value of type api."+f.name)
}

func invalid(rule, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Invalid, Rule: "ollama." + rule, Message: message}
}
