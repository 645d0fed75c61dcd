package openai

import (
	"iter"

	"github.com/mimus-go/mimus/wire"
)

// Check yields what the provider refuses of a request to POST /responses. Compatible servers skip what they do not know,
// so the rules about unknown parameters and models are OpenAI's and Azure's alone.
func (responsesCodec) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		k := respCheck{c: c, r: c.Request, n: respNativeOf(c), strict: respStrict(c), yield: yield}
		for _, step := range []func(){k.parameters, k.required, k.exclusive, k.ranges, k.input, k.pairs, k.tools, k.model, k.history} {
			if step(); k.done {
				return
			}
		}
	}
}

// respStrict says whether OpenAI itself answers, on its own hosts, on Azure or on a host that nobody knows.
func respStrict(c *wire.Call) bool {
	switch c.Request.Dialect {
	case unknown, official, azure:
		return true
	}
	return false
}

type respCheck struct {
	c      *wire.Call
	r      *wire.Request
	n      *respNative
	strict bool
	yield  func(wire.Violation) bool
	done   bool
}

// refuse yields one violation of a rule that is known to hold.
func (k *respCheck) refuse(rule, code, param, message string) {
	k.say(wire.Violation{Rule: rule, Sure: true, Failure: respInvalid(rule, code, param, message)})
}

// guess yields one violation of a rule that nobody has recorded.
func (k *respCheck) guess(rule, code, param, message string) {
	k.say(wire.Violation{Rule: rule, Failure: respInvalid(rule, code, param, message)})
}

func (k *respCheck) say(v wire.Violation) {
	if !k.done {
		k.done = !k.yield(v)
	}
}

func respInvalid(rule, code, param, message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Invalid, Rule: rule, Status: 400, Type: "invalid_request_error", Code: code, Param: param, Message: message}
}

// required are the parameters that must be there.
func (k *respCheck) required() {
	body := k.n.body
	if !body.Get("model").Exists() && !body.Get("prompt").Exists() {
		k.refuse("missing-model", "missing_required_parameter", "model", "Missing required parameter: 'model'.")
		return
	}
	for _, key := range []string{"input", "previous_response_id", "prompt", "conversation"} {
		if v := body.Get(key); v.Exists() && !v.IsNull() {
			return
		}
	}
	k.refuse("missing-input", "missing_required_parameter", "input", "Missing required parameter: 'input'.")
}

// exclusive are the parameters that need or exclude each other.
func (k *respCheck) exclusive() {
	body := k.n.body
	previous, conversation := body.Get("previous_response_id"), body.Get("conversation")
	if previous.Str() != "" && conversation.Exists() && !conversation.IsNull() {
		k.guess("exclusive", "mutually_exclusive_parameters", "previous_response_id",
			"Mutually exclusive parameters: 'previous_response_id' and 'conversation'. Ensure you are only providing one of: 'previous_response_id' or 'conversation'.")
	}
	if options := body.Get("stream_options"); options.Exists() && !options.IsNull() && !k.r.Stream {
		k.guess("stream-options", "", "stream_options", "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
	}
	if k.n.background && !k.n.store {
		k.guess("background-store", "", "background", "Background responses require 'store' to be true.")
	}
}

// history is about the response that this one continues.
func (k *respCheck) history() {
	if k.r.Previous == "" || k.r.History != nil {
		return
	}
	if id := k.n.body.Get("previous_response_id").Str(); id != "" {
		k.refuse("previous-response", "previous_response_not_found", "previous_response_id", "Previous response with id '"+id+"' not found.")
		return
	}
	k.say(wire.Violation{Rule: "conversation", Sure: true, Failure: &wire.Failure{
		Kind: wire.NotFound, Rule: "conversation", Status: 404, Type: "invalid_request_error", Param: "conversation",
		Message: "Conversation with id '" + k.r.Previous + "' not found.",
	}})
}
