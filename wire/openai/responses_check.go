package openai

import (
	"iter"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Check yields what the provider refuses of a request to POST /responses, in its order.
func (responsesCodec) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return bySpeaker(c, rulings(c, respNativeOf(c).body, responsesRules()))
}

// responsesRules are the rules of POST /responses (OpenAI's OpenAPI document, Aug 2026; texts as
// recorded, or as reported in public issues).
func responsesRules() []rule {
	return []rule{
		{name: "unknown-parameter", check: ruleUnknownParameters},
		{name: "fields", check: func(r *ruling) { r.fields(r.body, responsesFields()) }},
		{name: "words", check: ruleWords},
		{name: "required", check: ruleRequired},
		{name: "exclusive", guess: true, check: ruleExclusive},
		{name: "stream-options", check: ruleStreamOptions},
		{name: "background-store", guess: true, check: ruleBackgroundStore},
		{name: "range", check: ruleRanges},
		{name: "item", check: ruleItems},
		{name: "item-not-stored", check: ruleStoredItems},
		{name: "tools", check: ruleResponsesTools},
		{name: "tool-choice", guess: true, check: ruleToolChoice},
		{name: "sampling", check: ruleSampling},
		{name: "json-word", check: ruleJSONWord},
		{name: "previous-response", check: rulePrevious},
		{name: "tool-pairs", check: ruleToolPairs},
		{name: "reasoning-pairs", check: ruleThoughts},
	}
}

// respStrict says whether OpenAI itself answers, on its own hosts, on Azure or on a host that nobody knows. Compatible
// servers pass over what they do not know.
func respStrict(c *wire.Call) bool {
	switch c.Request.Dialect {
	case unknown, official, azure:
		return true
	}
	return false
}

// fail yields a violation that is no 400.
func (r *ruling) fail(f *wire.Failure) {
	if r.trying() {
		return
	}
	f.Rule = r.rule.name
	r.stopped = !r.yield(wire.Violation{Rule: r.rule.name, Sure: !r.rule.guess, Failure: f})
}

func ruleRequired(r *ruling) {
	if !r.body.Get("prompt").Exists() && !r.required(r.body.Get("model"), "model") {
		return
	}
	for _, key := range []string{"input", "previous_response_id", "prompt", "conversation"} {
		if v := r.body.Get(key); v.Exists() && !v.IsNull() {
			return
		}
	}
	r.required(jsonx.Value{}, "input")
}

func ruleExclusive(r *ruling) {
	conversation := r.body.Get("conversation")
	if r.body.Get("previous_response_id").Str() != "" && conversation.Exists() && !conversation.IsNull() {
		r.refuse("previous_response_id", "mutually_exclusive_parameters", "Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.")
	}
}

func ruleBackgroundStore(r *ruling) {
	if n := respNativeOf(r.c); n.background && !n.store {
		r.refuse("background", "", "Background responses require 'store' to be true.")
	}
}

// rulePrevious is about the response or conversation that this one continues.
func rulePrevious(r *ruling) {
	req := r.c.Request
	if req.Previous == "" || req.History != nil {
		return
	}
	if id := r.body.Get("previous_response_id").Str(); id != "" {
		r.refuse("previous_response_id", "previous_response_not_found", "Previous response with id '%s' not found.", id)
		return
	}
	r.fail(respNotFound("conversation", "Conversation with id '"+req.Previous+"' not found."))
}

func respNotFound(param, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.NotFound, Status: 404, Type: "invalid_request_error", Param: param, Message: message}
}

// respInvalid is a refusal outside of the rules.
func respInvalid(code, param, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Invalid, Rule: "parameter", Code: code, Param: param, Message: message}
}
