package ollama_test

import (
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func TestDecodeChat(t *testing.T) {
	t.Parallel()
	r := open(t, post(chatPath, `{"model":"qwen3","think":"low","format":{"type":"object"},"options":{"temperature":0,"top_p":0.5,"top_k":3,"seed":7,"num_predict":9,"stop":["END"]},
		"tools":[{"type":"function","function":{"name":"f","description":"does","parameters":{"type":"object","properties":{}}}}],
		"messages":[{"role":"system","content":"Be brief."},{"role":"System","content":"And kind."},
		{"role":"user","content":"Look","images":["aGk="]},
		{"role":"assistant","content":"I do.","thinking":"hm","tool_calls":[{"id":"c1","function":{"index":0,"name":"f","arguments":{"b": 1.50, "a": "x"}}},{"id":"c2","function":{"name":"g"}}]},
		{"role":"tool","tool_call_id":"c1","content":"one"},{"role":"tool","tool_name":"g","content":"two"}]}`)).Request
	if r.System != "Be brief.\nAnd kind." || r.Model != "qwen3" || !r.Stream || r.Choices != 1 {
		t.Errorf("%q %q %t %d", r.System, r.Model, r.Stream, r.Choices)
	}
	if len(r.Messages) != 4 {
		t.Fatalf("%d messages", len(r.Messages))
	}
	parts := r.Messages[1].Parts
	if r.Messages[0].Parts[1] != (wire.Media{Kind: "image", Data: "aGk="}) || parts[0] != (wire.Reasoning{Text: "hm"}) ||
		parts[2] != (wire.ToolCall{ID: "c1", Name: "f", Arguments: `{"b":1.50,"a":"x"}`}) || parts[3] != (wire.ToolCall{ID: "c2", Name: "g", Arguments: "{}"}) {
		t.Errorf("%+v", r.Messages)
	}
	if name, ok := r.AfterTool(); name != "g" || !ok {
		t.Errorf("after %q %t", name, ok)
	}
	s := r.Settings
	if *s.Temperature != 0 || *s.TopP != 0.5 || *s.TopK != 3 || *s.Seed != 7 || *s.MaxTokens != 9 || s.Stop[0] != "END" || s.ReasoningEffort != "low" {
		t.Errorf("%+v", s)
	}
	if !r.Offers("f") || r.Tools[0].Description != "does" || r.Tools[0].Schema != `{"type":"object","properties":{}}` || r.Output.Schema != `{"type":"object"}` {
		t.Errorf("%+v %+v", r.Tools, r.Output)
	}
}

// TestDecodeResultsWithoutNames: clients from before 2025 send results without a name or an id; they go by order.
func TestDecodeResultsWithoutNames(t *testing.T) {
	t.Parallel()
	r := open(t, post(chatPath, `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}},{"function":{"name":"g","arguments":{}}}]},
		{"role":"tool","content":"one"},{"role":"tool","content":"two"},{"role":"tool","content":"three"}]}`)).Request
	var got []string
	for _, m := range r.Messages[1:] {
		got = append(got, m.Parts[0].(wire.ToolResult).Name)
	}
	if len(got) != 3 || got[0] != "f" || got[1] != "g" || got[2] != "" {
		t.Errorf("%q", got)
	}
}

func TestDecodePrompt(t *testing.T) {
	t.Parallel()
	r := open(t, post(promptPath, `{"model":"m","system":"Be brief.","prompt":"def f(","suffix":"return 1","images":["aGk="],"format":"json","options":{"num_predict":-1},"think":false}`)).Request
	if r.System != "Be brief." || len(r.Messages) != 1 || r.LastUser() != "def f(\nreturn 1" || len(r.Messages[0].Parts) != 3 {
		t.Errorf("%q %+v", r.System, r.Messages)
	}
	if r.Output == nil || r.Output.Schema != "" || r.Settings.MaxTokens != nil || r.Settings.ReasoningEffort != "none" {
		t.Errorf("%+v %+v", r.Output, r.Settings)
	}
}

func TestDecodeInputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, body string
		inputs     int
		dimensions int
	}{
		{"/api/embed", `{"model":"m","input":"a"}`, 1, 0},
		{"/api/embed", `{"model":"m","input":["a","","b"],"dimensions":64}`, 3, 64},
		{"/api/embed", `{"model":"m","input":""}`, 0, 0},
		{"/api/embed", `{"model":"m"}`, 0, 0},
		{"/api/embeddings", `{"model":"m","prompt":"a","dimensions":64}`, 1, 0},
		{"/api/embeddings", `{"model":"m","prompt":""}`, 0, 0},
	} {
		r := open(t, post(c.path, c.body)).Request
		if len(r.Inputs) != c.inputs || r.Dimensions != c.dimensions || r.Stream || r.Kind != wire.Embeddings {
			t.Errorf("%s %s: %q, %d", c.path, c.body, r.Inputs, r.Dimensions)
		}
	}
}
