package wire_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func user(s string) wire.Message {
	return wire.Message{Role: wire.User, Parts: []wire.Part{wire.Text{Text: s}}}
}

func calls(c ...wire.ToolCall) wire.Message {
	m := wire.Message{Role: wire.Assistant}
	for _, call := range c {
		m.Parts = append(m.Parts, call)
	}
	return m
}

func results(r ...wire.ToolResult) wire.Message {
	m := wire.Message{Role: wire.ToolRole}
	for _, res := range r {
		m.Parts = append(m.Parts, res)
	}
	return m
}

func TestAfterTool(t *testing.T) {
	t.Parallel()
	ask := calls(wire.ToolCall{ID: "1", Name: "track"}, wire.ToolCall{ID: "2", Name: "weather"})
	both := wire.Message{Role: wire.User, Parts: []wire.Part{wire.ToolResult{ID: "1"}, wire.Text{Text: "and now?"}}}
	for _, tt := range []struct {
		name     string
		messages []wire.Message
		want     string
		ok       bool
	}{
		{"the user only", []wire.Message{user("hi")}, "", false},
		{"nothing", nil, "", false},
		{"a result", []wire.Message{user("hi"), ask, results(wire.ToolResult{ID: "1"})}, "track", true},
		{"of parallel results the last", []wire.Message{ask, results(wire.ToolResult{ID: "1"}, wire.ToolResult{ID: "2"})}, "weather", true},
		{"of several messages the last", []wire.Message{ask, results(wire.ToolResult{ID: "2"}), results(wire.ToolResult{ID: "1"})}, "track", true},
		{"the user wrote since", []wire.Message{ask, results(wire.ToolResult{ID: "1"}), user("thanks")}, "", false},
		{"blank text is no writing", []wire.Message{ask, results(wire.ToolResult{ID: "1"}), user("  ")}, "track", true},
		{"the assistant wrote since", []wire.Message{ask, results(wire.ToolResult{ID: "1"}), {Role: wire.Assistant, Parts: []wire.Part{wire.Text{Text: "…"}}}}, "track", true},
		{"a result and text in one message", []wire.Message{ask, both}, "track", true},
		{"an unknown call", []wire.Message{user("hi"), results(wire.ToolResult{ID: "9"})}, "", true},
	} {
		r := &wire.Request{Messages: tt.messages}
		r.NameResults(nil)
		if got, ok := r.AfterTool(); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %q %t, want %q %t", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

func TestNamesComeFromHistoryAndMemory(t *testing.T) {
	t.Parallel()
	r := &wire.Request{
		History:  &wire.Turn{Request: &wire.Request{Messages: []wire.Message{user("hi")}}, Answer: &wire.Answer{Parts: []wire.Part{wire.ToolCall{ID: "1", Name: "track"}}}},
		Messages: []wire.Message{results(wire.ToolResult{ID: "2"}, wire.ToolResult{ID: "1"})},
	}
	r.NameResults(func(id string) (string, bool) { return "weather", id == "2" })
	if got, _ := r.AfterTool(); got != "track" {
		t.Errorf("from history: %q", got)
	}
	if got := r.Messages[0].Parts[0].(wire.ToolResult).Name; got != "weather" {
		t.Errorf("from memory: %q", got)
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	r := &wire.Request{
		System: "Be kind.",
		History: &wire.Turn{
			Request: &wire.Request{System: "OLD INSTRUCTIONS", Messages: []wire.Message{user("first question")}},
			Answer:  &wire.Answer{Parts: []wire.Part{wire.Text{Text: "first answer"}}},
		},
		Messages: []wire.Message{
			calls(wire.ToolCall{Name: "track", Arguments: `{"street":"Hauptstra\u00dfe","n":[1.50,true],"inner":"{\"deep\":\"\\u00e4pfel\"}"}`}),
			results(wire.ToolResult{Name: "track", Text: `[{"state":"OUT"}]`}),
			user("{not json \\u00df"),
		},
		Tools: []wire.Tool{{Name: "OFFERED"}},
	}
	got := r.Conversation()
	for _, want := range []string{"Be kind.", "first question", "first answer", "track", "Hauptstraße", `Hauptstra\u00df`, "1.50", "true", "äpfel", "OUT", `{not json \u00df`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, not := range []string{"OLD INSTRUCTIONS", "OFFERED"} {
		if strings.Contains(got, not) {
			t.Errorf("%q is in\n%s", not, got)
		}
	}
}

func TestSent(t *testing.T) {
	t.Parallel()
	r := &wire.Request{Probe: &wire.Probe{Body: []byte(`{"secret_key":"v","tools":[{"description":"tool text"}],"arguments":"{\"city\":\"K\\u00f6ln\",\"n\":7}"}`)}}
	for text, want := range map[string]bool{"tool text": true, "Köln": true, "secret_key": false, "Lindenweg": false} {
		if got := r.Sent(text); got != want {
			t.Errorf("Sent(%q) = %t", text, got)
		}
	}
}

func TestCallID(t *testing.T) {
	t.Parallel()
	const first = "call_1601301351cf0db4a4ee3741"
	got := wire.CallID("call_", "track_parcel", `{"reference":"PX-AI-8102"}`, 0, nil)
	if got != first {
		t.Errorf("got %s, want %s", got, first)
	}
	again := wire.CallID("call_", "track_parcel", `{"reference":"PX-AI-8102"}`, 0, func(id string) bool { return id == first })
	if again == first || len(again) != len(first) {
		t.Errorf("the taken id gives %s", again)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	same := wire.ToolCall{Name: "f", Arguments: "{}"}
	c := &wire.Call{Probe: &wire.Probe{Body: make([]byte, 40)}, Request: &wire.Request{Messages: []wire.Message{calls(wire.ToolCall{ID: wire.CallID("call_", "f", "{}", 0, nil)})}}}
	r := wire.Complete(c, wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "12345678"}, same, same}}}}, "call_")
	got := r.Choices[0].Calls()
	if got[0].ID == got[1].ID || c.Request.HoldsCall(got[0].ID) || r.Choices[0].Stop != wire.StopTools {
		t.Errorf("calls %+v, stop %s", got, r.Choices[0].Stop)
	}
	if want := (wire.Usage{Input: 10, Output: 4}); *r.Usage != want {
		t.Errorf("usage %+v, want %+v", *r.Usage, want)
	}
	if again := wire.Complete(c, r, "call_"); again.Choices[0].Calls()[0] != got[0] || *again.Usage != *r.Usage {
		t.Errorf("Complete is not idempotent: %+v", again)
	}
}
