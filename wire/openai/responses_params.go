package openai

import (
	"math"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respParam is a parameter of POST /responses (openai-openapi, Aug 2026; the newest from the Node library, Nov 2026).
type respParam struct {
	name string
	// want is the type in the words of the error message.
	want  string
	kinds []jsonx.Kind
}

// respParams are all parameters. Each may be null.
var respParams = func() map[string]respParam {
	text, flag, list, object := []jsonx.Kind{jsonx.String}, []jsonx.Kind{jsonx.Bool}, []jsonx.Kind{jsonx.Array}, []jsonx.Kind{jsonx.Object}
	number := []jsonx.Kind{jsonx.Number}
	m := map[string]respParam{}
	add := func(want string, kinds []jsonx.Kind, names ...string) {
		for _, n := range names {
			m[n] = respParam{n, want, kinds}
		}
	}
	add("a string", text, "model", "previous_response_id", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "service_tier", "truncation", "user")
	add("a boolean", flag, "background", "parallel_tool_calls", "store", "stream")
	add("an array of strings", list, "include")
	add("an array of objects", list, "tools", "context_management", "access_programs")
	add("an object", object, "metadata", "prompt", "reasoning", "text", "stream_options", "background_options", "prompt_cache_options", "moderation", "image")
	add("a decimal", number, "temperature", "top_p", "frequency_penalty", "presence_penalty")
	add("an integer", number, "max_output_tokens", "max_tool_calls", "top_logprobs")
	add("one of a string or array of objects", []jsonx.Kind{jsonx.String, jsonx.Array}, "input", "instructions")
	add("one of a string or object", []jsonx.Kind{jsonx.String, jsonx.Object}, "tool_choice", "conversation")
	return m
}()

// parameters are known, and of the right type.
func (k *respCheck) parameters() {
	for key, v := range k.n.body.Members() {
		p, ok := respParams[key]
		switch {
		case !ok && k.strict:
			k.refuse("unknown-parameter", "unknown_parameter", key, "Unknown parameter: '"+key+"'.")
		case !ok || v.IsNull() && key != "model":
		case !isKind(v, p.kinds):
			k.wrongType(key, p.want, v)
		case p.want == "an integer":
			if _, whole := v.Int(); !whole {
				k.wrongType(key, p.want, v)
			}
		}
		if k.done {
			return
		}
	}
	k.nested()
}

// nested checks the types and words inside the objects.
func (k *respCheck) nested() {
	body := k.n.body
	text := []jsonx.Kind{jsonx.String, jsonx.Null}
	for _, p := range []struct {
		path  []string
		words []string
	}{
		{[]string{"reasoning", "effort"}, []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}},
		{[]string{"reasoning", "summary"}, []string{"auto", "concise", "detailed"}},
		{[]string{"text", "verbosity"}, []string{"low", "medium", "high"}},
		{[]string{"text", "format", "type"}, []string{"text", "json_object", "json_schema"}},
		{[]string{"truncation"}, []string{"auto", "disabled"}},
	} {
		v := body
		for _, key := range p.path {
			v = v.Get(key)
		}
		name := strings.Join(p.path, ".")
		switch {
		case !v.Exists() || v.IsNull():
		case !isKind(v, text):
			k.wrongType(name, "a string", v)
		case k.strict:
			k.oneOf("invalid-value", name, v.Str(), p.words)
		}
	}
	if v := body.Get("tool_choice"); v.Kind() == jsonx.String && k.strict {
		k.oneOf("invalid-value", "tool_choice", v.Str(), []string{"none", "auto", "required"})
	}
	if format := body.Get("text").Get("format"); format.Get("type").Str() == "json_schema" {
		for _, key := range []string{"name", "schema"} {
			if !format.Get(key).Exists() {
				k.refuse("missing-format", "missing_required_parameter", "text.format."+key, "Missing required parameter: 'text.format."+key+"'.")
			}
		}
	}
}

func (k *respCheck) oneOf(rule, param, got string, words []string) {
	for _, w := range words {
		if w == got {
			return
		}
	}
	k.refuse(rule, "invalid_value", param, "Invalid value: '"+got+"'. Supported values are: "+respWords(words)+".")
}

// respWords lists words as the provider does: 'a', 'b', and 'c'.
func respWords(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1 && len(words) == 2:
			b.WriteString(" and ")
		case i == len(words)-1:
			b.WriteString(", and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString("'" + w + "'")
	}
	return b.String()
}

func (k *respCheck) wrongType(param, want string, v jsonx.Value) {
	k.say(wire.Violation{Rule: "type", Sure: true, Failure: respTypeError(param, want, v)})
}

// respTypeError is the refusal of a value of the wrong type.
func respTypeError(param, want string, v jsonx.Value) *wire.Failure {
	return respInvalid("type", "invalid_type", param, "Invalid type for '"+param+"': expected "+want+", but got "+respKindWords(v)+" instead.")
}

func respKindWords(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.Null:
		return "null"
	case jsonx.Bool:
		return "a boolean"
	case jsonx.Number:
		if _, whole := v.Int(); whole {
			return "an integer"
		}
		return "a decimal"
	case jsonx.String:
		return "a string"
	case jsonx.Array:
		return "an array"
	}
	return "an object"
}

// ranges are the limits of the numbers.
func (k *respCheck) ranges() {
	body := k.n.body
	for _, p := range []struct {
		name     string
		low, top float64
		whole    bool
	}{
		{"temperature", 0, 2, false}, {"top_p", 0, 1, false}, {"top_logprobs", 0, 20, true},
		{"max_output_tokens", 16, math.Inf(1), true}, {"max_tool_calls", 1, math.Inf(1), true},
	} {
		f, ok := body.Get(p.name).Float()
		if !ok {
			continue
		}
		kind := "decimal"
		if p.whole {
			kind = "integer"
		}
		got := body.Get(p.name).Raw()
		switch {
		case f < p.low:
			k.refuse("range", kind+"_below_min_value", p.name, "Invalid '"+p.name+"': "+kind+" below minimum value. Expected a value >= "+respNumber(p.low)+", but got "+got+" instead.")
		case f > p.top:
			k.refuse("range", kind+"_above_max_value", p.name, "Invalid '"+p.name+"': "+kind+" above maximum value. Expected a value <= "+respNumber(p.top)+", but got "+got+" instead.")
		}
	}
}

func respNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func itoa(i int) string { return strconv.Itoa(i) }
