package gemini

import (
	"reflect"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

const everything = `{
  "systemInstruction": {"parts": [{"text": "Be brief."}, {"text": "Be kind.", "thought": false}, {"text": "hm", "thought": true}]},
  "contents": [
    {"role": "user", "parts": [{"text": "Where?"}, {"inlineData": {"mimeType": "image/png", "data": "aGk="}}, {"fileData": {"mimeType": "application/pdf", "fileUri": "gs://b/f.pdf"}}]},
    {"role": "model", "parts": [{"text": "Hm.", "thought": true}, {"functionCall": {"id": "c1", "name": "track", "args": {"ref": "PX"}}, "thoughtSignature": "c2ln"}, {"executableCode": {"language": "PYTHON", "code": "1"}}]},
    {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "track", "response": {"state": "OUT"}, "parts": [{"inlineData": {"mimeType": "audio/wav", "data": "YQ=="}}]}}]}
  ],
  "tools": [{"functionDeclarations": [{"name": "track", "description": "Tracks.", "parameters": {"type": "OBJECT"}}, {"name": "g", "parametersJsonSchema": {"type": "object"}}]}, {"googleSearch": {}}],
  "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["track"]}},
  "generationConfig": {"temperature": 0.5, "topP": 0.9, "topK": 40, "maxOutputTokens": "100", "stopSequences": ["END"], "seed": 7, "candidateCount": 2,
    "responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}, "thinkingConfig": {"thinkingBudget": 128, "thinkingLevel": "LOW"}}
}`

const snakeCase = `{
  "system_instruction": {"parts": {"text": "Be brief.\nBe kind."}},
  "contents": [
    {"role": "user", "parts": [{"text": "Where?"}, {"inline_data": {"mime_type": "image/png", "data": "aGk="}}, {"file_data": {"mime_type": "application/pdf", "file_uri": "gs://b/f.pdf"}}]},
    {"role": "model", "parts": [{"text": "Hm.", "thought": true}, {"function_call": {"id": "c1", "name": "track", "args": {"ref": "PX"}}, "thought_signature": "c2ln"}, {"executableCode": {"language": "PYTHON", "code": "1"}}]},
    {"role": "user", "parts": [{"function_response": {"id": "c1", "name": "track", "response": {"state": "OUT"}, "parts": [{"inline_data": {"mime_type": "audio/wav", "data": "YQ=="}}]}}]}
  ],
  "tools": [{"function_declarations": [{"name": "track", "description": "Tracks.", "parameters": {"type": "OBJECT"}}, {"name": "g", "parameters_json_schema": {"type": "object"}}]}, {"google_search": {}}],
  "tool_config": {"function_calling_config": {"mode": "ANY", "allowed_function_names": ["track"]}},
  "generation_config": {"temperature": 0.5, "top_p": 0.9, "top_k": 40, "max_output_tokens": 100, "stop_sequences": ["END"], "seed": 7, "candidate_count": 2,
    "response_mime_type": "application/json", "_response_json_schema": {"type": "object"}, "thinking_config": {"thinking_budget": 128, "thinking_level": "LOW"}}
}`

func TestDecode(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"camelCase": everything, "snake_case": snakeCase} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCall(t, studio+"gemini-2.5-flash:streamGenerateContent", body)
			for v := range c.Endpoint.Codec.Check(c) {
				t.Errorf("refused: %v", v.Failure)
			}
			r := c.Request
			if r.Model != "gemini-2.5-flash" || !r.Stream || r.Version != "v1beta" || r.System != "Be brief.\nBe kind." || r.Choices != 2 {
				t.Errorf("model %q, stream %t, version %q, system %q, choices %d", r.Model, r.Stream, r.Version, r.System, r.Choices)
			}
			want := []wire.Message{
				{Role: wire.User, Parts: []wire.Part{
					wire.Text{Text: "Where?"},
					wire.Media{Kind: "image", MIME: "image/png", Data: "aGk="},
					wire.Media{Kind: "file", MIME: "application/pdf", URL: "gs://b/f.pdf"},
				}},
				{Role: wire.Assistant, Parts: []wire.Part{
					wire.Reasoning{Text: "Hm."},
					wire.Reasoning{Signature: "c2ln", Redacted: true},
					wire.ToolCall{ID: "c1", Name: "track", Arguments: `{"ref":"PX"}`},
					wire.Opaque{Type: "executableCode", Raw: `{"executableCode":{"language":"PYTHON","code":"1"}}`},
				}},
				{Role: wire.User, Parts: []wire.Part{wire.ToolResult{
					ID: "c1", Name: "track", Text: `{"state":"OUT"}`, Media: []wire.Media{{Kind: "audio", MIME: "audio/wav", Data: "YQ=="}},
				}}},
			}
			if !reflect.DeepEqual(r.Messages, want) {
				t.Errorf("messages:\n got  %+v\n want %+v", r.Messages, want)
			}
			tools := []wire.Tool{
				{Name: "track", Description: "Tracks.", Schema: `{"type": "OBJECT"}`, Type: "function"},
				{Name: "g", Schema: `{"type": "object"}`, Type: "function"},
				{Name: "googleSearch", Type: "googleSearch"},
			}
			if !reflect.DeepEqual(r.Tools, tools) {
				t.Errorf("tools %+v", r.Tools)
			}
			if r.ToolChoice == nil || *r.ToolChoice != (wire.ToolChoice{Mode: "named", Name: "track"}) {
				t.Errorf("tool choice %+v", r.ToolChoice)
			}
			if r.Output == nil || r.Output.Schema != `{"type": "object"}` {
				t.Errorf("output %+v", r.Output)
			}
			s := r.Settings
			if *s.Temperature != 0.5 || *s.TopP != 0.9 || *s.TopK != 40 || *s.MaxTokens != 100 || *s.Seed != 7 || s.Stop[0] != "END" ||
				*s.ReasoningBudget != 128 || s.ReasoningEffort != "low" {
				t.Errorf("settings %+v", s)
			}
			if name, ok := r.AfterTool(); name != "track" || !ok {
				t.Errorf("after the tool %q, %t", name, ok)
			}
		})
	}
}

func TestDecodeOutput(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]*wire.Output{
		`{}`:                                nil,
		`{"responseMimeType":"text/plain"}`: nil,
		`{"responseMimeType":"application/json"}`:                                        {},
		`{"responseSchema":{"type":"OBJECT"}}`:                                           {Schema: `{"type":"OBJECT"}`, Strict: true},
		`{"_responseJsonSchema":{"type":"array"}}`:                                       {Schema: `{"type":"array"}`, Strict: true},
		`{"responseFormat":[{"text":{"mimeType":"APPLICATION_JSON","schema":{"a":1}}}]}`: {Schema: `{"a":1}`, Strict: true},
		`{"responseFormat":[{"text":{"mimeType":"APPLICATION_JSON"}}]}`:                  {},
	} {
		c := newCall(t, studio+"gemini-2.5-flash:generateContent", `{"contents":[],"generationConfig":`+config+`}`)
		if got := c.Request.Output; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", config, got, want)
		}
	}
}

func TestDecodeToolChoice(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]*wire.ToolChoice{
		`{}`:                   nil,
		`{"mode":"AUTO"}`:      {Mode: "auto"},
		`{"mode":"VALIDATED"}`: {Mode: "auto"},
		`{"mode":"NONE"}`:      {Mode: "none"},
		`{"mode":"ANY"}`:       {Mode: "required"},
		`{"mode":"ANY","allowedFunctionNames":["a","b"]}`: {Mode: "required"},
	} {
		c := newCall(t, studio+"gemini-2.5-flash:generateContent", `{"toolConfig":{"functionCallingConfig":`+config+`}}`)
		if got := c.Request.ToolChoice; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", config, got, want)
		}
	}
}

func TestDecodeEmbeddings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		target, body string
		inputs       []string
		asked, usual int
	}{
		{studio + "gemini-embedding-001:embedContent", `{"content":{"parts":[{"text":"a"},{"text":"b"}]}}`, []string{"a\nb"}, 0, 3072},
		{studio + "gemini-embedding-001:batchEmbedContents", `{"requests":[{"content":{"parts":{"text":"a"}}},{"content":{"parts":[{"text":"b"}]},"output_dimensionality":7}]}`, []string{"a", "b"}, 7, 3072},
		{vertex + "text-embedding-004@001:predict", `{"instances":[{"content":"a","task_type":"RETRIEVAL_QUERY"}],"parameters":{"outputDimensionality":256}}`, []string{"a"}, 256, 768},
		{vertex + "gemini-embedding-001:embedContent", `{"content":{"parts":[{"text":"a"}]},"embedContentConfig":{"outputDimensionality":3}}`, []string{"a"}, 3, 3072},
		{studio + "gemini-embedding-001:embedContent", `{"content":{"parts":[{"text":"a"}]},"outputDimensionality":-1}`, []string{"a"}, 0, 3072},
	} {
		r := newCall(t, tt.target, tt.body).Request
		if !reflect.DeepEqual(r.Inputs, tt.inputs) || r.Dimensions != tt.asked || r.UsualDimensions != tt.usual {
			t.Errorf("%s: inputs %q, dimensions %d, usually %d", tt.body, r.Inputs, r.Dimensions, r.UsualDimensions)
		}
	}
}

// TestRoutes holds every path under which the API is asked.
func TestRoutes(t *testing.T) {
	t.Parallel()
	router := wire.NewRouter(Provider())
	for _, tt := range []struct {
		target, endpoint, model, dialect string
	}{
		{studioHost + "/v1/models/gemini-2.5-flash:generateContent", "gemini.generate", "gemini-2.5-flash", ""},
		{studioHost + "/v1alpha/models/gemini-2.5-flash:streamGenerateContent", "gemini.generate", "gemini-2.5-flash", ""},
		{studioHost + "/v1beta/models/gemini-2.5-flash%3AgenerateContent", "gemini.generate", "gemini-2.5-flash", ""},
		{studioHost + "/v1beta/models/models/gemini-2.5-flash:generateContent", "gemini.generate", "gemini-2.5-flash", ""},
		{studioHost + "/v1beta/tunedModels/mine:generateContent", "gemini.generate", "mine", ""},
		{"localhost/any/prefix/v1beta/models/a:b:generateContent", "gemini.generate", "a:b", ""},
		{"localhost/v1beta1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash@001:generateContent", "gemini.generate", "gemini-2.5-flash@001", vertexName},
		{"aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:generateContent", "gemini.generate", "gemini-2.5-flash", vertexName},
		{"localhost/v1/projects/p/locations/l/endpoints/123:streamGenerateContent", "gemini.generate", "123", vertexName},
		{"aiplatform.eu.rep.googleapis.com/v1/endpoints/123:generateContent", "gemini.generate", "123", vertexName},
		{studio + "m:countTokens", "gemini.count_tokens", "m", ""},
		{studio + "m:embedContent", "gemini.embed", "m", ""},
		{studio + "m:batchEmbedContents", "gemini.batch_embed", "m", ""},
		{vertex + "m:predict", "gemini.predict", "m", vertexName},
		{"localhost/v1/projects/p/locations/l/publishers/anthropic/models/m:predict", "", "", ""},
		{studio + "m:unknownVerb", "", "", ""},
	} {
		p := probe(tt.target, `{"instances":[{"content":"a"}]}`)
		p.Dialect = provider{}.Dialect(p)
		_, e, vars, _ := router.Route(p)
		got := ""
		if e != nil {
			got = e.Name
		}
		if got != tt.endpoint || vars["model"] != tt.model || p.Dialect != tt.dialect {
			t.Errorf("%s: got %q, model %q, dialect %q", tt.target, got, vars["model"], p.Dialect)
		}
	}
	image := probe(vertex+"imagen-4.0-generate-001:predict", `{"instances":[{"prompt":"a cat"}]}`)
	if _, e, _, _ := router.Route(image); e != nil {
		t.Errorf("a picture is claimed as %s", e.Name)
	}
}

// TestModelListClaims is who answers GET /models: a key, a query, a version or Vertex's path make it this provider's.
func TestModelListClaims(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]bool{
		"localhost/v1beta/models": true, "localhost/v1/models?key=k": true, studioHost + "/v1/models": true,
		"localhost/v1beta1/publishers/google/models": true, "localhost/v1/models": false, "localhost/v1beta/openai/models": false,
	} {
		p := probe(target, "")
		if got := claimsModels(p); got != want {
			t.Errorf("%s: %t", target, got)
		}
		p.Header.Set("Anthropic-Version", "2023-06-01")
		if claimsModels(p) {
			t.Errorf("%s: Anthropic's header is ignored", target)
		}
	}
	p := probe("localhost/v1/models", "")
	p.Header.Set(keyHeader, "k")
	if !claimsModels(p) {
		t.Error("the key's header is ignored")
	}
}

func TestOwns(t *testing.T) {
	t.Parallel()
	sure := func(target string) int { return Provider().Owns(probe(target, "{}")) }
	if sure(studioHost+"/nonsense") != 100 || sure("us-aiplatform.googleapis.com/v1/nonsense") != 100 {
		t.Error("the provider's own hosts are not its own")
	}
	if sure("localhost/v1/publishers/anthropic/models/x:rawPredict") != 0 || sure("localhost/v1/chat/completions") != 0 {
		t.Error("others' requests are taken for its own")
	}
	if sure("localhost/v1beta/nonsense") == 0 {
		t.Error("the version tells nothing")
	}
}

func TestSameName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		key, camel string
		want       bool
	}{
		{"text", "text", true},
		{"inlineData", "inlineData", true},
		{"inline_data", "inlineData", true},
		{"inline_Data", "inlineData", false},
		{"inline", "inlineData", false},
		{"inline_data_", "inlineData", false},
		{"inlinedata", "inlineData", false},
		{"", "a", false},
		{"top_k", "topK", true},
		{"_response_json_schema", "_responseJsonSchema", true},
	} {
		if got := sameName(tt.key, tt.camel); got != tt.want {
			t.Errorf("%q for %q: %t", tt.key, tt.camel, got)
		}
		if tt.want && tt.key != tt.camel && snake(tt.camel) != tt.key {
			t.Errorf("snake(%q) = %q", tt.camel, snake(tt.camel))
		}
	}
}

func TestGeneration(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"gemini-2.5-flash": 25, "gemini-3-flash-preview": 30, "gemini-3.1-pro-preview": 31, "gemini-1.5-pro-002": 15, "gemini-2.0-flash": 20,
		"gemini-flash-latest": 36, "mine": 36, "gemini-": 36, "gemini-4": 40,
	} {
		if got := generation(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestDecodeTakesAnything reads fields of any type without a panic; the rules refuse them.
func TestDecodeTakesAnything(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`null`, `1`, `"x"`, `[]`, `{}`, `[[]]`, `[{"a":{}}]`, `true`} {
		body := `{"contents":` + value + `,"systemInstruction":` + value + `,"tools":` + value + `,"toolConfig":` + value + `,"generationConfig":` + value + `}`
		c, f, err := wiretest.Call(Provider(), probe(studio+"m:generateContent", body))
		if err != nil || f != nil {
			t.Fatalf("%s: %v %v", body, err, f)
		}
		refused := false
		for v := range c.Endpoint.Codec.Check(c) {
			refused = refused || v.Message != ""
		}
		if !refused {
			t.Errorf("%s is not refused", body)
		}
	}
}
