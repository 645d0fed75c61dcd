package openai

import (
	"reflect"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func TestDecodeChat(t *testing.T) {
	t.Parallel()
	c := chatCall(t, official, `{
		"model":"gpt-4o","stream":true,"n":3,"temperature":0,"top_p":0.5,"max_completion_tokens":7,"max_tokens":9,"stop":["a","b"],"seed":5,
		"parallel_tool_calls":false,"reasoning_effort":"low","stream_options":{"include_usage":true},"logprobs":true,"top_logprobs":2,
		"response_format":{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{"type":"object"}}},
		"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"custom","custom":{"name":"sh"}}],
		"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[]}},
		"messages":[
			{"role":"system","content":"S1"},{"role":"developer","content":[{"type":"text","text":"S2"}]},
			{"role":"user","content":[{"type":"text","text":"U"},{"type":"image_url","image_url":{"url":"https://example.com/i.png"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"input_audio","input_audio":{"data":"BB==","format":"wav"}},{"type":"file","file":{"file_id":"file-1"}},{"type":"new_thing","x":1}]},
			{"role":"assistant","content":"A","refusal":"R","reasoning_content":"T","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},{"id":"c2","type":"custom","custom":{"name":"sh","input":"ls"}}]},
			{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"r1"},{"type":"text","text":"r2"}]},
			{"role":"assistant","content":null,"function_call":{"name":"g","arguments":"{}"}},
			{"role":"function","name":"g","content":"r3"}
		]}`)
	r := c.Request
	same(t, "system", r.System, "S1\nS2")
	same(t, "model", r.Model, "gpt-4o")
	same(t, "stream", r.Stream, true)
	same(t, "choices", r.Choices, 3)
	want := []wire.Message{
		{Role: wire.User, Parts: []wire.Part{
			wire.Text{Text: "U"},
			wire.Media{Kind: "image", URL: "https://example.com/i.png"},
			wire.Media{Kind: "image", MIME: "image/png", Data: "AA=="},
			wire.Media{Kind: "audio", MIME: "audio/wav", Data: "BB=="},
			wire.Media{Kind: "file", FileID: "file-1"},
			wire.Opaque{Type: "new_thing", Raw: `{"type":"new_thing","x":1}`},
		}},
		{Role: wire.Assistant, Parts: []wire.Part{
			wire.Reasoning{Text: "T"},
			wire.Text{Text: "A"},
			wire.Refusal{Text: "R"},
			wire.ToolCall{ID: "c1", Name: "f", Arguments: `{"a": 1}`},
			wire.ToolCall{ID: "c2", Name: "sh", Arguments: "ls", Custom: true},
		}},
		{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{ID: "c1", Name: "f", Text: "r1\nr2"}}},
		{Role: wire.Assistant, Parts: []wire.Part{wire.ToolCall{Name: "g", Arguments: "{}"}}},
		{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{Name: "g", Text: "r3"}}},
	}
	if !reflect.DeepEqual(r.Messages, want) {
		t.Errorf("messages:\n got  %+v\n want %+v", r.Messages, want)
	}
	if want := []wire.Tool{{Name: "f", Description: "d", Schema: `{"type":"object"}`, Type: "function"}, {Name: "sh", Type: "custom"}}; !reflect.DeepEqual(r.Tools, want) {
		t.Errorf("tools: %+v", r.Tools)
	}
	if want := (&wire.ToolChoice{Mode: "required"}); !reflect.DeepEqual(r.ToolChoice, want) {
		t.Errorf("tool choice: %+v", r.ToolChoice)
	}
	if want := (&wire.Output{Name: "s", Schema: `{"type":"object"}`, Strict: true}); !reflect.DeepEqual(r.Output, want) {
		t.Errorf("output: %+v", r.Output)
	}
	s := r.Settings
	same(t, "temperature", *s.Temperature, 0.0)
	same(t, "top_p", *s.TopP, 0.5)
	same(t, "max tokens", *s.MaxTokens, int64(7))
	same(t, "seed", *s.Seed, int64(5))
	same(t, "parallel", *s.Parallel, false)
	same(t, "effort", s.ReasoningEffort, "low")
	same(t, "stops", len(s.Stop), 2)
}

func TestDecodeLeavesJudgingToCheck(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"messages":7,"model":[],"stream":"x","tools":{},"stop":7,"tool_choice":7,"response_format":"x","n":"x"}`, `{"messages":[7,{"role":7},{"role":"user","content":[7,null,{}]}]}`} {
		c := chatCall(t, official, body)
		if c.Request.Stream || c.Request.Choices != 1 {
			t.Errorf("%s: %+v", body, c.Request)
		}
	}
}

func TestToolChoiceAbsentIsNil(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]*wire.ToolChoice{
		``: nil, `,"tool_choice":"auto"`: {Mode: "auto"}, `,"function_call":{"name":"f"}`: {Mode: "named", Name: "f"},
		`,"tool_choice":{"type":"custom","custom":{"name":"f"}}`: {Mode: "named", Name: "f"},
	} {
		c := chatCall(t, official, `{"model":"m","messages":[{"role":"user","content":"Hi"}]`+choice+`}`)
		if !reflect.DeepEqual(c.Request.ToolChoice, want) {
			t.Errorf("%s: got %+v, want %+v", choice, c.Request.ToolChoice, want)
		}
	}
}
