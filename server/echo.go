package server

import (
	"slices"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// echo answers every chat by saying what it heard: the user's last words, or what a tool gave since.
func echo() *stub.Stub {
	return &stub.Stub{
		Name: "what was heard", Origin: stub.File, Priority: stub.DefaultPriority,
		When: []stub.Condition{{
			// With this key the stub also answers where a tool result came.
			Key: "afterTool", Want: "whatever came", Match: func(*wire.Request) bool { return true },
		}},
		Answers: []stub.Answer{{Make: func(r *wire.Request) stub.Answer {
			return stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: heard(r)}}}}}
		}}},
	}
}

func heard(r *wire.Request) string {
	text, tool := r.LastUser(), ""
	if result, ok := lastResult(r); ok {
		text, tool = result.Text, " from the tool"
		if result.Name != "" {
			tool += " " + result.Name
		}
	}
	if text == "" {
		return "I heard nothing" + tool + " that I can repeat."
	}
	return "I heard" + tool + ": " + text
}

// lastResult is the last tool result since the user wrote.
func lastResult(r *wire.Request) (wire.ToolResult, bool) {
	if _, ok := r.AfterTool(); !ok {
		return wire.ToolResult{}, false
	}
	for _, m := range slices.Backward(r.Messages) {
		for _, p := range slices.Backward(m.Parts) {
			if result, ok := p.(wire.ToolResult); ok {
				return result, true
			}
		}
	}
	return wire.ToolResult{}, false
}
