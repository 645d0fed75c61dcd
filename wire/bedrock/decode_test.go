package bedrock_test

import (
	"reflect"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func TestConverseReadsEverything(t *testing.T) {
	t.Parallel()
	c := open(t, post(claude+"/converse-stream", `{
		"system":[{"text":"Be brief."},{"guardContent":{"text":{"text":"Be kind."}}},{"cachePoint":{"type":"default"}}],
		"messages":[
			{"role":"user","content":[{"text":"Where?"},{"guardContent":{"text":{"text":"Now."}}},{"image":{"format":"png","source":{"bytes":"aGk="}}},
				{"document":{"name":"note","format":"md","source":{"text":"# Note"}}},{"cachePoint":{"type":"default"}}]},
			{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}},{"reasoningContent":{"redactedContent":"eHg="}},
				{"toolUse":{"toolUseId":"a","name":"track_parcel","input":{"reference": "PX"}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"a","status":"error","content":[{"text":"late"},{"json":{"state": "out"}},{"image":{"format":"jpeg","source":{"s3Location":{"uri":"s3://b/k"}}}}]}}]},
			{"role":"system","content":[{"text":"Hurry."}]}],
		"toolConfig":{"tools":[{"toolSpec":{"name":"track_parcel","description":"Tracks.","inputSchema":{"json":{"type":"object"}}}},{"systemTool":{"name":"nova_grounding"}},{"cachePoint":{"type":"default"}}],
			"toolChoice":{"tool":{"name":"track_parcel"}}},
		"inferenceConfig":{"maxTokens":100,"temperature":0.5,"topP":0.9,"stopSequences":["END"]},
		"additionalModelRequestFields":{"top_k":40,"thinking":{"type":"enabled","budget_tokens":1024}},
		"outputConfig":{"effort":"high","textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"parcel","schema":"{\"type\":\"object\"}"}}}}
	}`))
	r := c.Request
	if !r.Stream || r.Model != "us.anthropic.claude-haiku-4-5-20251001-v1:0" || r.System != "Be brief.\nBe kind.\nHurry." {
		t.Errorf("stream %t, model %s, system %q", r.Stream, r.Model, r.System)
	}
	want := []wire.Message{
		{Parts: []wire.Part{
			wire.Text{Text: "Where?"},
			wire.Text{Text: "Now."},
			wire.Media{Kind: "image", MIME: "image/png", Data: "aGk="},
			wire.Media{Kind: "file", MIME: "text/markdown", Data: "# Note"},
			wire.Opaque{Type: "cachePoint", Raw: `{"cachePoint":{"type":"default"}}`},
		}},
		{Role: wire.Assistant, Parts: []wire.Part{
			wire.Reasoning{Text: "hm", Signature: "c2ln"},
			wire.Reasoning{Signature: "eHg=", Redacted: true},
			wire.ToolCall{ID: "a", Name: "track_parcel", Arguments: `{"reference":"PX"}`},
		}},
		{Parts: []wire.Part{wire.ToolResult{
			ID: "a", Name: "track_parcel", Text: "late\n{\"state\":\"out\"}", Error: true,
			Media: []wire.Media{{Kind: "image", MIME: "image/jpeg", URL: "s3://b/k"}},
		}}},
	}
	if !reflect.DeepEqual(r.Messages, want) {
		t.Errorf("messages\n%+v, want\n%+v", r.Messages, want)
	}
	if !reflect.DeepEqual(r.Tools, []wire.Tool{
		{Name: "track_parcel", Description: "Tracks.", Schema: `{"type":"object"}`, Type: "function"}, {Name: "nova_grounding", Type: "systemTool"},
	}) {
		t.Errorf("tools %+v", r.Tools)
	}
	if *r.ToolChoice != (wire.ToolChoice{Mode: "named", Name: "track_parcel"}) || *r.Output != (wire.Output{Name: "parcel", Schema: `{"type":"object"}`, Strict: true}) {
		t.Errorf("choice %+v, output %+v", r.ToolChoice, r.Output)
	}
	s := r.Settings
	if *s.MaxTokens != 100 || *s.Temperature != 0.5 || *s.TopP != 0.9 || *s.TopK != 40 || *s.ReasoningBudget != 1024 || s.ReasoningEffort != "high" || s.Stop[0] != "END" {
		t.Errorf("settings %+v", s)
	}
}

func TestInvokeKnowsTheForms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ model, body, text string }{
		{"amazon.nova-lite-v1:0", `{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"inferenceConfig":{"max_new_tokens":5}}`, "Hi"},
		{"meta.llama3-8b-instruct-v1:0", `{"prompt":"Hi"}`, "Hi"},
		{"mistral.mistral-7b-instruct-v0:2", `{"prompt":"Hi"}`, "Hi"},
		{"mistral.mistral-large-2407-v1:0", `{"messages":[{"role":"user","content":"Hi"}]}`, "Hi"},
		{"amazon.titan-text-express-v1", `{"inputText":"Hi"}`, "Hi"},
		// An id that says nothing: the body tells.
		{"arn:aws:bedrock:us-east-1:1:imported-model/abc", `{"prompt":"Hi","max_gen_len":5}`, "Hi"},
		{"arn:aws:bedrock:us-east-1:1:imported-model/abc", `{"prompt":"Hi","max_tokens":5}`, "Hi"},
		{"arn:aws:bedrock:us-east-1:1:imported-model/abc", `{"messages":[{"role":"user","content":"Hi"}]}`, "Hi"},
		{"arn:aws:bedrock:us-east-1:1:imported-model/abc", `{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}`, "Hi"},
	} {
		c := open(t, post("/model/"+row.model+"/invoke", row.body))
		if c.Endpoint.Name != "bedrock.invoke" || c.Request.LastUser() != row.text {
			t.Errorf("%s %s: %s is about %q", row.model, row.body, c.Endpoint.Name, c.Request.LastUser())
		}
		reply, err := readBack(t, c, render(c, hello, "", wire.NoCut()))
		if err != nil || reply.Choices[0].Parts[0] != hello.Choices[0].Parts[0] {
			t.Errorf("%s %s: read as %+v, %v", row.model, row.body, reply, err)
		}
		// A reader that does not know the request tells the form from the answer.
		resp := render(c, hello, "", wire.NoCut())
		c.Request = nil
		if reply, err = readBack(t, c, resp); err != nil || reply.Choices[0].Parts[0] != hello.Choices[0].Parts[0] {
			t.Errorf("%s %s: read alone as %+v, %v", row.model, row.body, reply, err)
		}
	}
}

func TestMistralReadsCallsAndResults(t *testing.T) {
	t.Parallel()
	c := open(t, post("/model/mistral.mistral-large-2407-v1:0/invoke", `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Where?"},
		{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]},
		{"role":"tool","tool_call_id":"a","content":"out"}],
		"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"tool_choice":"any","max_tokens":5}`))
	r := c.Request
	if name, ok := r.AfterTool(); !ok || name != "f" || r.System != "Be brief." || !r.Offers("f") || r.ToolChoice.Mode != "required" || *r.Settings.MaxTokens != 5 {
		t.Errorf("%+v", r)
	}
}

func TestGuardrailSpeaksInTheModelsPlace(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]string{
		nova + "/converse": ask, nova + "/converse-stream": ask,
		nova + "/invoke": `{"schemaVersion":"messages-v1",` + ask[1:], nova + "/invoke-with-response-stream": `{"schemaVersion":"messages-v1",` + ask[1:],
		"/model/meta.llama3-8b-instruct-v1:0/invoke": `{"prompt":"Hi"}`, "/model/meta.llama3-8b-instruct-v1:0/invoke-with-response-stream": `{"prompt":"Hi"}`,
		"/model/mistral.mistral-large-2407-v1:0/invoke":                      `{"messages":[{"role":"user","content":"Hi"}]}`,
		"/model/mistral.mistral-large-2407-v1:0/invoke-with-response-stream": `{"messages":[{"role":"user","content":"Hi"}]}`,
	} {
		c := open(t, post(path, body))
		c.Quirks = []byte(`{"blockedMessage":"Not here."}`)
		if _, lost := c.Endpoint.Codec.Fit(c, wire.Reply{Blocked: "prompt"}); lost != nil {
			t.Errorf("%s: lost %v", path, lost)
		}
		r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.ContentFilter, Param: "prompt"})
		reply, err := readBack(t, c, r)
		if err != nil || r.Status != 200 || reply.Choices[0].Stop != "guardrail_intervened" || reply.Choices[0].Parts[0] != (wire.Text{Text: "Not here."}) {
			t.Errorf("%s: %d, read as %+v, %v", path, r.Status, reply, err)
		}
	}
}
