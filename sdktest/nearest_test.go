package sdktest

import (
	"errors"
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestNearest spoils an outcome in every way that the table has words for, and wants none of them called the same.
func TestNearest(t *testing.T) {
	t.Parallel()
	e := &endpoint{
		Finish:       map[string]string{"complete": "stop", "tool_calls": "tools", "length": "length", "guardrail": "guard"},
		Errors:       map[string]failure{"rate_limit": {Status: 429}, "quota": {Status: 429}, "server": {Status: 500}, "content_filter": {Status: 403}},
		StreamErrors: map[string]failure{"server": {Type: "server"}},
	}
	answer := func(parts ...wire.Part) *stub.Answer { return &stub.Answer{Choices: []wire.Answer{{Parts: parts}}} }
	saw := func(c choice) outcome { return outcome{choices: []choice{c}} }
	text := answer(wire.Text{Text: "Hi"})
	thought := answer(wire.Reasoning{Text: "Hm", Signature: "c2ln"}, wire.Text{Text: "Hi"})
	redacted := answer(wire.Reasoning{Signature: "c2ln", Redacted: true}, wire.Text{Text: "Hi"})
	calls := answer(wire.ToolCall{ID: "own", Name: "track", Arguments: `{"a": 1}`}, wire.Text{Text: "Hi"})
	called := func(c call) choice { return choice{text: "Hi", calls: []call{c}, finish: "tools"} }
	counted := &stub.Answer{Choices: text.Choices, Usage: &wire.Usage{Input: 9, Output: 4, CacheRead: 3}}
	sequence := &stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "Hi"}}, Stop: wire.StopComplete, Sequence: "x"}}}
	failed := func(kind wire.FailureKind) *stub.Answer { return &stub.Answer{Error: &stub.Error{Kind: kind}} }
	for _, row := range []struct {
		answer *stub.Answer
		saw    outcome
		want   string
	}{
		{text, saw(choice{text: "Hi", finish: "stop", parts: []string{"text"}}), same},
		{text, saw(choice{text: "Ho", finish: "stop"}), `text: "Ho"`},
		{text, saw(choice{text: "Hi", finish: "length"}), "stop: length"},
		{text, saw(choice{text: "Hi", finish: "odd"}), "stop: odd"},
		{text, saw(choice{text: "Hi", finish: "stop", reasoning: "Hm"}), "reasoning"},
		{text, saw(choice{text: "Hi", finish: "stop", refusal: "No"}), `refusal: "No"`},
		{text, saw(choice{text: "Hi", finish: "stop", parts: []string{"text", "call"}}), "in the order: text, call"},
		{text, outcome{}, broken + "no answer"},
		{text, outcome{choices: make([]choice, 1), symptom: "truncated"}, broken + "<nil> truncated"},
		{sequence, saw(choice{text: "Hi", finish: "stop"}), "not which"},
		{thought, saw(choice{text: "Hi", finish: "stop", reasoning: "Hm", signature: true}), same},
		{thought, saw(choice{text: "Hi", finish: "stop", reasoning: "Hm"}), "no signature"},
		{thought, saw(choice{text: "Hi", finish: "stop"}), "no reasoning"},
		{redacted, saw(choice{text: "Hi", finish: "stop", redacted: true, signature: true, parts: []string{"reasoning", "text"}}), same},
		{redacted, saw(choice{text: "Hi", finish: "stop", redacted: true, signature: true, parts: []string{"text"}}), "on the text"},
		{redacted, saw(choice{text: "Hi", finish: "stop"}), "no reasoning"},
		{answer(wire.Refusal{Text: "No"}), saw(choice{text: "No", finish: "stop"}), "as text, stop: complete"},
		{calls, saw(called(call{id: "own", name: "track", arguments: `{"a":1}`})), "no order"},
		{calls, saw(called(call{id: "other", name: "track", arguments: `{"a":1}`})), "no id of one's own, no order"},
		{calls, saw(called(call{id: "own", name: "pay", arguments: `{"a":1}`})), "call: pay, no order"},
		{calls, saw(called(call{id: "own", name: "track", arguments: `{"a":2}`})), "`{\"a\":2}`, no order"},
		{calls, saw(choice{text: "Hi", finish: "tools", parts: []string{"call", "text"}}), "0 of 1 calls, stop: tools"},
		{counted, outcome{choices: []choice{{text: "Hi", finish: "stop"}}, usage: &usage{Input: 9, Output: 5}}, "output tokens: 5, no cache read tokens"},
		{counted, saw(choice{text: "Hi", finish: "stop"}), "no usage"},
		{&stub.Answer{Embedding: []float32{0.5}}, outcome{vectors: [][]float64{{0.25}}}, broken + "vectors [[0.25]]"},
		{&stub.Answer{Models: []string{"a"}}, outcome{models: []string{"b"}}, broken + "models [b]"},
		{failed(wire.RateLimit), outcome{failure: &failure{Status: 429}}, same},
		{failed(wire.Quota), outcome{failure: &failure{Status: 429}}, "as rate_limit"},
		{failed(wire.Quota), outcome{failure: &failure{Status: 418}}, broken + "an error of no kind: {Kind: Status:418 Type: Code: Param: Message: InStream:false Requests:0}"},
		{failed(wire.ServerError), outcome{failure: &failure{Type: "server", InStream: true}}, same},
		{failed(wire.ServerError), outcome{failure: &failure{Message: "Oh", InStream: true}}, "only a message"},
		{failed(wire.ServerError), outcome{err: errors.New("EOF"), symptom: "truncated"}, broken + "no error truncated"},
		{&stub.Answer{Blocked: "prompt"}, outcome{failure: &failure{Status: 403}}, same},
		{&stub.Answer{Blocked: "prompt"}, outcome{status: "SAFETY"}, "no candidates, block reason SAFETY"},
		{&stub.Answer{Blocked: "prompt"}, saw(choice{finish: "guard"}), "stop: guardrail"},
	} {
		if got := nearest(e, row.answer, row.saw); got != row.want {
			t.Errorf("%+v: got %q, want %q", row.saw, got, row.want)
		}
	}
}
