package anthropic_test

import (
	"reflect"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

func decoded(t *testing.T, body string) *wire.Request {
	t.Helper()
	return open(t, post(messagesPath, body)).Request
}

func TestDecodeEverything(t *testing.T) {
	t.Parallel()
	r := decoded(t, `{
		"model": "claude-opus-5", "max_tokens": 1024, "stream": true,
		"system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}],
		"messages": [
			{"role": "user", "content": "Where is PX-AI-8102?"},
			{"role": "assistant", "content": [
				{"type": "thinking", "thinking": "hm", "signature": "c2ln"},
				{"type": "redacted_thinking", "data": "cmVk"},
				{"type": "text", "text": "I look.", "citations": [{"type": "char_location", "cited_text": "x", "document_index": 0, "document_title": "d", "start_char_index": 1, "end_char_index": 2}]},
				{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "parcel"}},
				{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
				{"type": "tool_use", "id": "toolu_1", "name": "track", "input": {"reference": "PX-AI-8102"}}
			]},
			{"role": "system", "content": "Answer in German."},
			{"role": "user", "content": [
				{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true, "content": [
					{"type": "text", "text": "lost"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}]},
				{"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
				{"type": "document", "source": {"type": "file", "file_id": "file_1"}},
				{"type": "search_result", "source": "s", "title": "t", "content": []},
				{"type": "from_the_future", "x": 1},
				{"type": "text", "text": "So?"}
			]}
		],
		"tools": [{"name": "track", "description": "Tracks.", "input_schema": {"type": "object"}}, {"type": "web_search_20260318", "name": "web_search"}],
		"tool_choice": {"type": "tool", "name": "track", "disable_parallel_tool_use": true},
		"stop_sequences": ["END"], "thinking": {"type": "enabled", "budget_tokens": 2048},
		"output_config": {"effort": "high", "format": {"type": "json_schema", "schema": {"type": "object"}}}
	}`)
	if r.Endpoint != "anthropic.messages" || r.Provider != "anthropic" || r.Model != "claude-opus-5" || !r.Stream || r.Version != "2026-10-21" {
		t.Errorf("%q %q %q %t %q", r.Endpoint, r.Provider, r.Model, r.Stream, r.Version)
	}
	if want := "Be brief.\nBe kind.\nAnswer in German."; r.System != want {
		t.Errorf("system %q", r.System)
	}
	wantMessages := []wire.Message{
		{Role: wire.User, Parts: []wire.Part{wire.Text{Text: "Where is PX-AI-8102?"}}},
		{Role: wire.Assistant, Parts: []wire.Part{
			wire.Reasoning{Text: "hm", Signature: "c2ln"},
			wire.Reasoning{Signature: "cmVk", Redacted: true},
			wire.Text{Text: "I look."},
			wire.Citation{Kind: "char_location", Title: "d", Text: "x", Start: 1, End: 2, Raw: `{"type":"char_location","cited_text":"x","document_index":0,"document_title":"d","start_char_index":1,"end_char_index":2}`},
			wire.ToolCall{ID: "srvtoolu_1", Name: "web_search", Arguments: `{"query":"parcel"}`},
			wire.Opaque{Type: "web_search_tool_result", Raw: `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`},
			wire.ToolCall{ID: "toolu_1", Name: "track", Arguments: `{"reference":"PX-AI-8102"}`},
		}},
		{Role: wire.User, Parts: []wire.Part{
			wire.ToolResult{ID: "toolu_1", Name: "track", Text: "lost", Error: true, Media: []wire.Media{{Kind: "image", MIME: "image/png", Data: "aGk="}}},
			wire.Media{Kind: "image", URL: "https://example.com/a.png"},
			wire.Media{Kind: "file", FileID: "file_1"},
			wire.Opaque{Type: "search_result", Raw: `{"type":"search_result","source":"s","title":"t","content":[]}`},
			wire.Opaque{Type: "from_the_future", Raw: `{"type":"from_the_future","x":1}`},
			wire.Text{Text: "So?"},
		}},
	}
	if !reflect.DeepEqual(r.Messages, wantMessages) {
		t.Errorf("messages\n got  %+v\n want %+v", r.Messages, wantMessages)
	}
	wantTools := []wire.Tool{
		{Name: "track", Description: "Tracks.", Schema: `{"type": "object"}`, Type: "function"},
		{Name: "web_search", Type: "web_search_20260318"},
	}
	if !reflect.DeepEqual(r.Tools, wantTools) {
		t.Errorf("tools %+v", r.Tools)
	}
	if r.ToolChoice == nil || *r.ToolChoice != (wire.ToolChoice{Mode: "named", Name: "track"}) {
		t.Errorf("tool choice %+v", r.ToolChoice)
	}
	if r.Output == nil || *r.Output != (wire.Output{Schema: `{"type": "object"}`, Strict: true}) {
		t.Errorf("output %+v", r.Output)
	}
	s := r.Settings
	if s.Temperature != nil || *s.MaxTokens != 1024 || *s.ReasoningBudget != 2048 || s.ReasoningEffort != "high" || *s.Parallel || !reflect.DeepEqual(s.Stop, []string{"END"}) {
		t.Errorf("settings %+v", s)
	}
}

func TestDecodeSettingsOf2023(t *testing.T) {
	t.Parallel()
	p := post(messagesPath, `{"model":"claude-3-opus","max_tokens":0,"temperature":0,"top_p":0.5,"top_k":3,"messages":[{"role":"user","content":"Hi"}],"output_format":{"type":"json_schema","schema":{"a":1}},"tool_choice":{"type":"any"}}`)
	p.Header.Set("Anthropic-Version", "2023-06-01")
	r := open(t, p).Request
	s := r.Settings
	if *s.Temperature != 0 || *s.TopP != 0.5 || *s.TopK != 3 || *s.MaxTokens != 0 || s.Parallel != nil {
		t.Errorf("%+v", s)
	}
	if r.Version != "2023-06-01" || r.Output.Schema != `{"a":1}` || r.ToolChoice.Mode != "required" {
		t.Errorf("%+v %+v", r.Output, r.ToolChoice)
	}
}

func TestDecodeOnVertex(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		path, model string
		body        string
		stream      bool
	}{
		{vertexPath + ":rawPredict", "claude-haiku-4-5@20251001", askVertex, false},
		{"/base/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-5:rawPredict", "claude-opus-5", askVertex, false},
		{vertexPath + ":streamRawPredict", "claude-haiku-4-5@20251001", askVertex, true},
		{vertexPath + ":rawPredict", "claude-haiku-4-5@20251001", `{"stream":true,"anthropic_version":"vertex-2023-10-16","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}`, true},
	} {
		r := open(t, post(tc.path, tc.body)).Request
		if r.Model != tc.model || r.Stream != tc.stream || r.Dialect != "vertex" || r.Version != "vertex-2023-10-16" || r.Endpoint != "anthropic.vertex" {
			t.Errorf("%s: %q stream=%t %q %q %q", tc.path, r.Model, r.Stream, r.Dialect, r.Version, r.Endpoint)
		}
	}
}

// Decode only reads: what is of a wrong type is left out, and Check says so.
func TestDecodeIsTolerant(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`, `{"messages":"x","model":3,"stream":"yes","system":{"a":1},"tools":{},"tool_choice":[],"max_tokens":"x"}`,
		`{"messages":[null,1,"x",[],{},{"role":3,"content":{}},{"content":[null,1,{},{"type":7},{"type":"tool_result"},{"type":"image"}]}]}`,
		`{"tools":[null,1,{}],"stop_sequences":[1],"output_config":{"format":{"type":"json_schema"}}}`,
	} {
		c := open(t, post(messagesPath, body))
		if c.Request.Stream {
			t.Errorf("%s streams", body)
		}
		if first(c) == "" {
			t.Errorf("%s is taken", body)
		}
	}
}

// first is what Check says first.
func first(c *wire.Call) string {
	for v := range c.Endpoint.Codec.Check(c) {
		return v.Message
	}
	return ""
}

func TestConversationHoldsCallsAndResults(t *testing.T) {
	t.Parallel()
	r := decoded(t, `{"model":"m","max_tokens":1,"messages":[
		{"role":"user","content":[{"type":"text","text":"Hallo"}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"track","input":{"street": "Hauptstra\u00dfe"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"OUT_FOR_DELIVERY"},{"type":"text","text":"Und?"}]}]}`)
	for _, part := range []string{"Hallo", "track", "Hauptstraße", "OUT_FOR_DELIVERY", "Und?"} {
		want(t, r.Conversation(), part)
	}
	if name, ok := r.AfterTool(); !ok || name != "track" {
		t.Errorf("after tool %q %t", name, ok)
	}
	if v, err := jsonx.Parse(r.Messages[1].Parts[0].(wire.ToolCall).Arguments); err != nil || v.Get("street").Str() != "Hauptstraße" {
		t.Error("the arguments are no JSON any more")
	}
}
