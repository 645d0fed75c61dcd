package bedrock_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/bedrock"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// refusal is the first thing that is wrong with a request, "" where nothing is.
func refusal(t *testing.T, p *wire.Probe) string {
	t.Helper()
	c, f, err := wiretest.Call(bedrock.Provider(), p)
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		for v := range c.Endpoint.Codec.Check(c) {
			f = v.Failure
			break
		}
	}
	if f == nil {
		return ""
	}
	r := c.Endpoint.Codec.Refuse(c, f)
	if !strings.HasPrefix(r.Header.Get("X-Amzn-Errortype"), "ValidationException:") || r.Status != 400 {
		t.Errorf("%s: %d %v", p.Body, r.Status, r.Header)
	}
	return f.Message
}

func TestConverseRefuses(t *testing.T) {
	t.Parallel()
	user := func(content string) string { return `{"messages":[{"role":"user","content":` + content + `}]}` }
	for name, row := range map[string]struct{ body, want string }{
		"no JSON":           {`{"messages":`, "Malformed input request: the body is no JSON"},
		"nothing":           {``, "Value at 'body' failed to satisfy constraint: Member must not be null"},
		"a list":            {`[]`, "#: expected type: JSONObject, found: JSONArray"},
		"no messages":       {`{}`, "A conversation must start with a user message."},
		"messages a text":   {`{"messages":"Hi"}`, "Value at 'messages' failed to satisfy constraint: Member must be a list"},
		"message a text":    {`{"messages":["Hi"]}`, "Value at 'messages.1.member' failed to satisfy constraint: Member must be a structure"},
		"role":              {`{"messages":[{"role":"tool","content":[{"text":"x"}]}]}`, "Value 'tool' at 'messages.1.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant, system]"},
		"no role":           {`{"messages":[{"content":[{"text":"x"}]}]}`, "Value at 'messages.1.member.role' failed to satisfy constraint: Member must not be null"},
		"no content":        {`{"messages":[{"role":"user"}]}`, "Value at 'messages.1.member.content' failed to satisfy constraint: Member must not be null"},
		"content a text":    {user(`"Hi"`), "Value at 'messages.1.member.content' failed to satisfy constraint: Member must be a list"},
		"empty content":     {user(`[]`), "The content field in the Message object at messages.0 is empty."},
		"blank text":        {user(`[{"text":" \n"}]`), "The text field in the ContentBlock object at messages.0.content.0 is blank."},
		"empty block":       {user(`[{}]`), "The ContentBlock object at messages.0.content.0 must set one of the following keys: text, image, toolUse"},
		"two keys":          {user(`[{"text":"x","image":{}}]`), "must set one of the following keys"},
		"text a number":     {user(`[{"text":7}]`), "Value at 'messages.1.member.content.1.member.text' failed to satisfy constraint: Member must be a string"},
		"assistant first":   {`{"messages":[{"role":"assistant","content":[{"text":"Hi"}]}]}`, "A conversation must start with a user message."},
		"Anthropic's block": {user(`[{"type":"text","text":"Hi"}]`), "#/messages/0/content/0: extraneous key [type] is not permitted"},
		"topP":              {`{"inferenceConfig":{"topP":1.5}}`, "Value '1.5' at 'inferenceConfig.topP' failed to satisfy constraint: Member must have value less than or equal to 1"},
		"no tools":          {`{"toolConfig":{"tools":[]}}`, "'toolConfig.tools' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		"a tool's name":     {`{"toolConfig":{"tools":[{"toolSpec":{"name":"a b","inputSchema":{"json":{}}}}]}}`, "Value 'a b' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern"},
		"a long name":       {`{"toolConfig":{"tools":[{"toolSpec":{"name":"` + strings.Repeat("a", 65) + `","inputSchema":{"json":{}}}}]}}`, "Member must have length less than or equal to 64"},
		"calls without tools": {
			`{"messages":[{"role":"user","content":[{"text":"x"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"y"}]}}]}]}`,
			"The toolConfig field must be defined when using toolUse and toolResult content blocks.",
		},
	} {
		if got := refusal(t, post(nova+"/converse", row.body)); !strings.Contains(got, row.want) {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}

func TestConverseHoldsCallsAndResultsTogether(t *testing.T) {
	t.Parallel()
	const tools = `"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]}`
	turn := func(input string, results ...string) string {
		var b strings.Builder
		b.WriteString(`{"messages":[{"role":"user","content":[{"text":"x"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":` + input + `}}]},{"role":"user","content":[{"text":"and"}`)
		for _, id := range results {
			b.WriteString(`,{"toolResult":{"toolUseId":"` + id + `","content":[{"json":{"state":"out"}}]}}`)
		}
		return b.String() + `]}],` + tools + `}`
	}
	for body, want := range map[string]string{
		turn(`{}`, "a"):      "",
		turn(`{}`):           "Expected toolResult blocks at messages.2.content for the following Ids: a",
		turn(`{}`, "b"):      "Expected toolResult blocks at messages.2.content for the following Ids: a",
		turn(`{}`, "a", "b"): "The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.",
		turn(`"x"`, "a"):     "The format of the value at messages.1.content.0.toolUse.input is invalid. Provide a json object for the field and try again.",
	} {
		if got := refusal(t, post(nova+"/converse", body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestPromptsNeedNoMessages(t *testing.T) {
	t.Parallel()
	if got := refusal(t, post("/model/arn:aws:bedrock:us-east-1:111122223333:prompt/ABCDE12345:1/converse", `{}`)); got != "" {
		t.Error(got)
	}
}

func TestInvokeRefuses(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ model, body, want string }{
		{"amazon.nova-lite-v1:0", `{}`, "#: required key [messages] not found"},
		{"amazon.nova-lite-v1:0", `{"messages":"x"}`, "#/messages: expected type: JSONArray, found: String"},
		{"amazon.nova-lite-v1:0", `{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`, "#/messages/0/content/0: extraneous key [type] is not permitted"},
		{"amazon.nova-lite-v1:0", `{"schemaVersion":1,"messages":[{"role":"user","content":[{"text":"x"}]}]}`, "#/schemaVersion: expected type: String, found: Number"},
		{"meta.llama3-8b-instruct-v1:0", `{"max_gen_len":5}`, "#: required key [prompt] not found"},
		{"mistral.mistral-7b-instruct-v0:2", `{"max_tokens":5}`, "#: required key [prompt] not found"},
		{"amazon.titan-embed-text-v2:0", `{}`, "#: required key [inputText] not found"},
		{"amazon.titan-embed-text-v2:0", `{"inputText":""}`, "#/inputText: expected minLength: 1, actual: 0"},
		{"amazon.titan-embed-text-v2:0", `{"inputText":"x","dimensions":300}`, "#/dimensions: 300 is not a valid enum value"},
		{"cohere.embed-english-v3", `{"texts":["x"]}`, "#: required key [input_type] not found"},
		{"cohere.embed-english-v3", `{"texts":["` + strings.Repeat("x", 2049) + `"],"input_type":"search_query"}`, "#/texts/0: expected maxLength: 2048, actual: 2049"},
		{"cohere.embed-english-v3", `{"texts":["x"` + strings.Repeat(`,"x"`, 96) + `],"input_type":"search_query"}`, "#/texts: expected maximum item count: 96, found: 97"},
		{"amazon.titan-text-express-v1", `{"prompt":7}`, "#: required key [inputText] not found"},
		{"anthropic.claude-3-haiku-20240307-v1:0", `{"max_tokens":5}`, "#: required key [anthropic_version] not found"},
	} {
		if got := refusal(t, post("/model/"+row.model+"/invoke", row.body)); !strings.Contains(got, row.want) {
			t.Errorf("%s %.80s: %q, want %q", row.model, row.body, got, row.want)
		}
	}
	big := post("/model/amazon.titan-embed-text-v2:0/invoke", `{"inputText":"`+strings.Repeat("x", 25_000_000)+`"}`)
	if got := refusal(t, big); !strings.Contains(got, "less than or equal to 25000000") {
		t.Errorf("a body of %d bytes: %q", len(big.Body), got)
	}
}

func TestCountTokensRefuses(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{}`: "Value at 'input'", `{"input":{"invokeModel":{"body":"%"}}}`: "input.invokeModel.body",
		`{"input":{"invokeModel":{"body":"eA=="}}}`: "the body is no JSON",
		`{"input":{"converse":{"messages":[]}}}`:    "A conversation must start with a user message.",
		`{"input":{"invokeModel":{"body":"e30="}}}`: "",
		`{"input":{"converse":` + ask + `}}`:        "",
	} {
		c := open(t, post(claude+"/count-tokens", body))
		r := c.Endpoint.Serve(c)
		if want == "" {
			if r.Status != 200 || !strings.HasPrefix(string(r.Body), `{"inputTokens":`) {
				t.Errorf("%s: %d %s", body, r.Status, r.Body)
			}
		} else if r.Status != 400 || !strings.Contains(string(r.Body), want) {
			t.Errorf("%s: %d %s, want %q", body, r.Status, r.Body, want)
		}
	}
}

func TestQuirkNames(t *testing.T) {
	t.Parallel()
	names := bedrock.QuirkNames()
	q := reflect.TypeFor[bedrock.Quirks]()
	if len(names) != q.NumField() {
		t.Errorf("%d names for %d fields", len(names), q.NumField())
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			t.Errorf("%s is there twice", name)
		}
		if _, ok := q.FieldByNameFunc(func(f string) bool { return strings.EqualFold(f, name) }); !ok {
			t.Errorf("no field for %s", name)
		}
	}
	// What is of a wrong kind, of another provider, or no JSON changes nothing.
	usual := string(stream(t, hello, "").Bytes())
	for _, quirks := range []string{`{"noPadding":1,"latency":"x","trace":[],"blockedMessage":7}`, `{"ping":"never"}`, `[]`, `{`} {
		if got := string(stream(t, hello, quirks).Bytes()); got != usual {
			t.Errorf("%s changes the answer", quirks)
		}
	}
	want(t, string(whole(t, hello, `{"latency":7,"cacheCounters":true,"noServerToolUsage":true}`).Body),
		`{"metrics":{"latencyMs":7},"output":{"message":{"content":[{"text":"Hello there."}],"role":"assistant"}},"stopReason":"end_turn",`+
			`"usage":{"cacheReadInputTokenCount":0,"cacheReadInputTokens":0,"cacheWriteInputTokenCount":0,"cacheWriteInputTokens":0,"inputTokens":`)
}
