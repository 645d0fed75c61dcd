package anthropic_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// refusalOf is the message with which a request is refused, "" where it is taken.
func refusalOf(t *testing.T, p *wire.Probe) string {
	t.Helper()
	c, f, err := wiretest.Call(anthropic.Provider(), p)
	switch {
	case err != nil:
		t.Fatal(err)
	case f != nil:
		if r := c.Endpoint.Codec.Refuse(c, f); r.Status != 400 {
			t.Errorf("status %d", r.Status)
		}
		return f.Message
	case c.Endpoint.Serve != nil:
		r := c.Endpoint.Serve(c)
		if r.Status == 200 {
			return ""
		}
		return parse(t, r.Body).At("error", "message").Str()
	}
	return first(c)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	const ok = `"model":"claude-opus-5","max_tokens":1024,`
	messages := func(m string) string { return `{` + ok + `"messages":[` + m + `]}` }
	block := func(b string) string { return messages(`{"role":"user","content":[` + b + `]}`) }
	with := func(field string) string {
		return `{` + ok + field + `,"messages":[{"role":"user","content":"Hi"}]}`
	}
	cases := []struct{ name, body, message string }{
		{"taken", askWhole, ""},
		{"no max_tokens", `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`, "max_tokens: Field required"},
		{"no messages", `{"model":"m","max_tokens":1}`, "messages: Field required"},
		{"no model", `{"max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}`, "model: Field required"},
		{"an empty object", `{}`, "max_tokens: Field required"},
		{"max_tokens as text", strings.Replace(askWhole, "1024", `"1024"`, 1), "max_tokens: Input should be a valid integer"},
		{"max_tokens with a fraction", strings.Replace(askWhole, "1024", `1.5`, 1), "max_tokens: Input should be a valid integer"},
		{"max_tokens null", strings.Replace(askWhole, "1024", `null`, 1), "max_tokens: Input should be a valid integer"},
		{"max_tokens below 0", strings.Replace(askWhole, "1024", `-1`, 1), "max_tokens: Input should be greater than or equal to 0"},
		{"max_tokens 0", strings.Replace(askWhole, "1024", `0`, 1), ""},
		{"messages as text", `{` + ok + `"messages":"Hi"}`, "messages: Input should be a valid list"},
		{"no message at all", messages(``), "messages: at least one message is required"},
		{"model as number", `{"model":5,"max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}`, "model: Input should be a valid string"},
		{"a message that is text", messages(`"Hi"`), "messages.0: Input should be a valid dictionary or object to extract fields from"},
		{"no role", messages(`{"content":"Hi"}`), "messages.0.role: Field required"},
		{"an unknown role", messages(`{"role":"tool","content":"Hi"}`), "messages.0.role: Input should be 'user', 'assistant' or 'system'"},
		{"a system message", messages(`{"role":"user","content":"Hi"},{"role":"system","content":"Hi"}`), ""},
		{"no content", messages(`{"role":"user"}`), "messages.0.content: Field required"},
		{"content null", messages(`{"role":"user","content":null}`), "messages.0.content: Input should be a valid list"},
		{"content an object", messages(`{"role":"user","content":{}}`), "messages.0.content: Input should be a valid list"},
		{"a block that is text", block(`"Hi"`), "messages.0.content.0: Input should be a valid dictionary or object to extract fields from"},
		{"a block without type", block(`{"text":"Hi"}`), "messages.0.content.0.type: Field required"},
		{"an unknown block", block(`{"type":"text","text":"a"},{"type":"input_text","text":"Hi"}`), "messages.0.content.1: Input tag 'input_text' found using 'type' does not match any of the expected tags: 'advisor_tool_result', 'bash_code_execution_tool_result',"},
		{"a text block without text", block(`{"type":"text"}`), "messages.0.content.0.text.text: Field required"},
		{"a text block with a number", block(`{"type":"text","text":1}`), "messages.0.content.0.text.text: Input should be a valid string"},
		{"a tool_use with text input", messages(`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":"{}"}]}`), "messages.0.content.0.tool_use.input: Input should be a valid dictionary"},
		{"a tool_result without id", block(`{"type":"tool_result","content":"x"}`), "messages.0.content.0.tool_result.tool_use_id: Field required"},
		{"a tool_result without content", block(`{"type":"tool_result","tool_use_id":"x"}`), ""},
		{"thinking without signature", messages(`{"role":"assistant","content":[{"type":"thinking","thinking":"x"}]}`), "messages.0.content.0.thinking.signature: Field required"},
		{"an image without source", block(`{"type":"image"}`), "messages.0.content.0.image.source: Field required"},
		{"system as number", with(`"system":1`), "system: Input should be a valid list"},
		{"system blocks", with(`"system":[{"type":"text","text":"x"}]`), ""},
		{"system null", with(`"system":null`), ""},
		{"a system block without text", with(`"system":[{"type":"text"}]`), "system.0.text.text: Field required"},
		{"stream as text", with(`"stream":"true"`), "stream: Input should be a valid boolean"},
		{"tools as object", with(`"tools":{}`), "tools: Input should be a valid list"},
		{"a tool without name", with(`"tools":[{"input_schema":{"type":"object"}}]`), "tools.0.custom.name: Field required"},
		{"a tool without schema", with(`"tools":[{"name":"f"}]`), "tools.0.custom.input_schema: Field required"},
		{"a custom tool by name", with(`"tools":[{"type":"custom","name":"f","input_schema":{"type":"object"}}]`), ""},
		{"a tool of the provider", with(`"tools":[{"type":"web_search_20260318","name":"web_search"}]`), ""},
		{"an unknown tool_choice", with(`"tool_choice":{"type":"required"}`), "tool_choice: Input tag 'required' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'"},
		{"a named tool_choice without name", with(`"tool_choice":{"type":"tool"}`), "tool_choice.tool.name: Field required"},
		{"tool_choice as text", with(`"tool_choice":"auto"`), "tool_choice: Input should be a valid dictionary"},
		{"thinking without budget", with(`"thinking":{"type":"enabled"}`), "thinking.enabled.budget_tokens: Field required"},
		{"adaptive thinking", with(`"thinking":{"type":"adaptive"}`), ""},
		{"temperature of 2026", with(`"temperature":1`), "temperature: Extra inputs are not permitted"},
		{"top_k of 2026", with(`"top_k":1`), "top_k: Extra inputs are not permitted"},
		{"a field of tomorrow", with(`"from_the_future":1`), ""},
		{"not JSON", `{"model": claude}`, "The request body is not valid JSON: unexpected character: line 1 column 11 (char 10)"},
		{"cut", `{"model":`, "The request body is not valid JSON: unexpected end of data: line 1 column 10 (char 9)"},
		{"empty", ``, "The request body is not valid JSON: unexpected end of data: line 1 column 1 (char 0)"},
		{"two documents", `{} {}`, "The request body is not valid JSON: unexpected content after document: line 1 column 4 (char 3)"},
		{"not UTF-8", "{\"model\":\"\xff\"}", "The request body is not valid JSON: str is not valid UTF-8"},
		{"null", `null`, "Input should be a valid dictionary or object to extract fields from"},
		{"a list", `[]`, "Input should be a valid dictionary or object to extract fields from"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := refusalOf(t, post(messagesPath, tc.body))
			if tc.message == "" && got != "" || !strings.HasPrefix(got, tc.message) {
				t.Errorf("got %q, want %q", got, tc.message)
			}
		})
	}
}

func TestVersionHeader(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ version, body, message string }{
		{"2023-06-01", askWhole, ""},
		{"2026-10-21", askWhole, ""},
		{"", askWhole, "anthropic-version: header is required"},
		{"2027-01-01", askWhole, `anthropic-version: "2027-01-01" is not a valid version`},
		// What is wrong with the header is said before what is wrong with the body.
		{"", `{`, "anthropic-version: header is required"},
		{"x", `[]`, `anthropic-version: "x" is not a valid version`},
		{"", `{}`, "anthropic-version: header is required"},
		{"2023-06-01", strings.Replace(askWhole, `"max_tokens"`, `"temperature":0.5,"top_p":0.9,"top_k":4,"max_tokens"`, 1), ""},
	} {
		p := post(messagesPath, tc.body)
		p.Header = http.Header{"X-Api-Key": {"sk-ant-test"}}
		if tc.version != "" {
			p.Header.Set("Anthropic-Version", tc.version)
		}
		if got := refusalOf(t, p); got != tc.message {
			t.Errorf("%q %s: got %q, want %q", tc.version, tc.body, got, tc.message)
		}
	}
}

func TestVertexHasItsVersionInTheBody(t *testing.T) {
	t.Parallel()
	for version, message := range map[string]string{
		`"anthropic_version":"vertex-2023-10-16",`: "",
		`"anthropic_version":"2026-10-21",`:        "",
		`"anthropic_version":"2023-06-01",`:        "",
		``:                                         "anthropic_version: Field required",
		`"temperature":1,"anthropic_version":"2026-10-21",`:        "temperature: Extra inputs are not permitted",
		`"temperature":1,"anthropic_version":"vertex-2023-10-16",`: "",
	} {
		p := post(vertexPath+":rawPredict", `{`+version+`"max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}`)
		if got := refusalOf(t, p); got != message {
			t.Errorf("%s: got %q, want %q", version, got, message)
		}
	}
}

func TestCountTokens(t *testing.T) {
	t.Parallel()
	const ask = `{"model":"claude-opus-5","messages":[{"role":"user","content":"Hi"}]}`
	vertex := "/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict"
	for _, tc := range []struct{ path, body, message string }{
		{"/v1/messages/count_tokens", ask, ""},
		{"/v1/messages/count_tokens", `{"messages":[{"role":"user","content":"Hi"}]}`, "model: Field required"},
		{"/v1/messages/count_tokens", `{"model":"m","messages":[{"role":"user","content":[{"type":"text"}]}]}`, "messages.0.content.0.text.text: Field required"},
		{"/v1/messages/count_tokens", `{"model":"m","messages":[]}`, "messages: at least one message is required"},
		{"/v1/messages/count_tokens", `nonsense`, "The request body is not valid JSON: unexpected character: line 1 column 1 (char 0)"},
		{vertex, strings.Replace(ask, `{`, `{"anthropic_version":"vertex-2023-10-16",`, 1), ""},
		{vertex, `{"anthropic_version":"vertex-2023-10-16","messages":[{"role":"user","content":"Hi"}]}`, "model: Field required"},
	} {
		if got := refusalOf(t, post(tc.path, tc.body)); got != tc.message {
			t.Errorf("%s %s: got %q, want %q", tc.path, tc.body, got, tc.message)
		}
	}
	c := open(t, post("/v1/messages/count_tokens", ask))
	r := c.Endpoint.Serve(c)
	if n, ok := parse(t, r.Body).Get("input_tokens").Int(); !ok || n < 1 || r.Header.Get("Request-Id") == "" {
		t.Errorf("%s %v", r.Body, r.Header)
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	big := func(n int) string { return askWhole + strings.Repeat(" ", n-len(askWhole)) }
	for n, status := range map[int]int{32 << 20: 0, 32<<20 + 1: 413} {
		c := open(t, post(messagesPath, big(n)))
		got := 0
		for v := range c.Endpoint.Codec.Check(c) {
			got = c.Endpoint.Codec.Refuse(c, v.Failure).Status
			break
		}
		if got != status {
			t.Errorf("%d bytes: status %d, want %d", n, got, status)
		}
	}
}
