package openai

import (
	"math"
	"strconv"
	"strings"
)

// responsesFields are the parameters of POST /responses (openai-openapi, Aug 2026; the newest from the Node library, Nov
// 2026).
func responsesFields() []typed {
	var all []typed
	add := func(expected string, kinds []string, names ...string) {
		for _, n := range names {
			all = append(all, typed{n, expected, kinds})
		}
	}
	add("a string", []string{"string"}, "model", "previous_response_id", "prompt_cache_key", "prompt_cache_retention", "safety_identifier", "service_tier", "truncation", "user")
	add("a boolean", []string{"boolean"}, "background", "parallel_tool_calls", "store", "stream")
	add("an array of strings", []string{"array"}, "include")
	add("an array of objects", []string{"array"}, "tools", "context_management", "access_programs")
	add("an object", []string{"object"}, "metadata", "prompt", "reasoning", "text", "stream_options", "background_options", "prompt_cache_options", "moderation", "image")
	add("a decimal", []string{"decimal"}, "temperature", "top_p", "frequency_penalty", "presence_penalty")
	add("an integer", []string{"integer"}, "max_output_tokens", "max_tool_calls", "top_logprobs")
	add("one of a string or array of objects", []string{"string", "array"}, "input", "instructions")
	add("one of a string or object", []string{"string", "object"}, "tool_choice", "conversation")
	return all
}

// ruleUnknownParameters: a parameter of Chat Completions is the usual one.
func ruleUnknownParameters(r *ruling) {
	if !respStrict(r.c) {
		return
	}
	known := map[string]bool{}
	for _, f := range responsesFields() {
		known[f.name] = true
	}
	for key := range r.body.Members() {
		if !known[key] {
			r.refuse(key, "unknown_parameter", "Unknown parameter: '%s'.", key)
		}
	}
}

// ruleWords checks the words inside the objects.
func ruleWords(r *ruling) {
	if !respStrict(r.c) {
		return
	}
	for _, p := range []struct {
		path  string
		words []string
	}{
		{"reasoning.effort", []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}},
		{"reasoning.summary", []string{"auto", "concise", "detailed"}},
		{"text.verbosity", []string{"low", "medium", "high"}},
		{"text.format.type", []string{"text", "json_object", "json_schema"}},
		{"truncation", []string{"auto", "disabled"}},
		{"tool_choice", []string{"none", "auto", "required"}},
	} {
		v := r.body
		for key := range strings.SplitSeq(p.path, ".") {
			v = v.Get(key)
		}
		if v.IsNull() || p.path == "tool_choice" && v.Kind().String() == "object" {
			continue
		}
		if r.is(v, p.path, "a string", "string") {
			r.oneOf(v, p.path, p.words...)
		}
	}
	if format := r.body.At("text", "format"); format.Get("type").Str() == "json_schema" {
		r.required(format.Get("name"), "text.format.name")
		r.required(format.Get("schema"), "text.format.schema")
	}
}

// ruleRanges are the limits of the numbers.
func ruleRanges(r *ruling) {
	for _, p := range []struct {
		name, kind string
		low, top   float64
	}{
		{"temperature", "decimal", 0, 2},
		{"top_p", "decimal", 0, 1},
		{"top_logprobs", "integer", 0, respMaxTop},
		{"max_output_tokens", "integer", 16, math.Inf(1)},
		{"max_tool_calls", "integer", 1, math.Inf(1)},
	} {
		f, ok := r.body.Get(p.name).Float()
		got := r.body.Get(p.name).Raw()
		switch {
		case !ok:
		case f < p.low:
			r.refuse(p.name, p.kind+"_below_min_value", "Invalid '%s': %s below minimum value. Expected a value >= %s, but got %s instead.", p.name, p.kind, respNumber(p.low), got)
		case f > p.top:
			r.refuse(p.name, p.kind+"_above_max_value", "Invalid '%s': %s above maximum value. Expected a value <= %s, but got %s instead.", p.name, p.kind, respNumber(p.top), got)
		}
	}
}

func respNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func itoa(i int) string { return strconv.Itoa(i) }
