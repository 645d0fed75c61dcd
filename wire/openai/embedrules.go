package openai

import (
	"iter"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// maxInputs is how many texts one request may have (OpenAI's OpenAPI document, Aug 2026).
const maxInputs = 2048

// Check yields what OpenAI refuses.
func (embeddings) Check(c *wire.Call) iter.Seq[wire.Violation] {
	var body jsonx.Value
	if a, ok := c.Request.Native.(*embedAsked); ok {
		body = a.body
	}
	return bySpeaker(c, rulings(c, body, embeddingsRules()))
}

func embeddingsRules() []rule {
	return []rule{
		{name: "model", check: ruleModel},
		{name: "input", check: ruleInput},
		{name: "fields", check: func(r *ruling) {
			r.fields(r.body, []typed{
				{"dimensions", "an integer", []string{"integer"}},
				{"encoding_format", "a string", []string{"string"}},
				{"user", "a string", []string{"string"}},
			})
		}},
		{name: "dimensions", check: ruleDimensions},
	}
}

func ruleInput(r *ruling) {
	input := r.body.Get("input")
	if !r.required(input, "input") {
		return
	}
	bad := input.Kind() != jsonx.String && input.Kind() != jsonx.Array || input.Kind() == jsonx.String && input.Str() == "" ||
		input.Kind() == jsonx.Array && input.Len() == 0
	for _, item := range input.Items() {
		switch item.Kind() {
		case jsonx.String:
			bad = bad || item.Str() == ""
		case jsonx.Number, jsonx.Array:
		default:
			bad = true
		}
	}
	switch {
	case bad:
		// The old layer's text, still sent (github.com/openai/openai-python issue 519).
		r.refuse("", "", "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.")
	case input.Len() > maxInputs && input.Index(0).Kind() != jsonx.Number:
		r.refuse("input", "array_above_max_length", "Invalid 'input': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxInputs, input.Len())
	}
}

// ruleDimensions: recorded 2026.
func ruleDimensions(r *ruling) {
	if n, ok := r.body.Get("dimensions").Int(); ok && n < 1 {
		r.refuse("", "", "%d is less than the minimum of 1 - 'dimensions'", n)
	}
}
