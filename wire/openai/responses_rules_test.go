package openai_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// verdict is the refusal of a request, by Decode or by the first rule, or nil.
func verdict(t *testing.T, dialect, body string) *wire.Failure {
	t.Helper()
	p := responsesProbe("POST", "/v1/responses", body)
	p.Dialect = dialect
	c, f, err := wiretest.Call(openai.Provider(), p)
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		return f
	}
	for v := range c.Endpoint.Codec.Check(c) {
		return v.Failure
	}
	return nil
}

func TestResponsesRefusals(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 129)
	for _, c := range []struct{ body, param, code, message string }{
		{`null`, "", "", "could not parse the JSON body"},
		{`[]`, "", "", "could not parse the JSON body"},
		{`{"model":"m","input":`, "", "", "could not parse the JSON body"},
		{`{"model":1,"input":"Hi"}`, "model", "invalid_type", "Invalid type for 'model': expected a string, but got an integer instead."},
		{`{"model":"m","input":{}}`, "input", "invalid_type", "expected one of a string or array of objects, but got an object instead."},
		{`{"model":"m","input":"Hi","stream":"yes"}`, "stream", "invalid_type", "expected a boolean, but got a string instead."},
		{`{"input":"Hi"}`, "model", "missing_required_parameter", "Missing required parameter: 'model'."},
		{`{"model":"m"}`, "input", "missing_required_parameter", "Missing required parameter: 'input'."},
		{`{"model":"m","input":"Hi","messages":[]}`, "messages", "unknown_parameter", "Unknown parameter: 'messages'."},
		{`{"model":"m","input":"Hi","store":"no"}`, "store", "invalid_type", "expected a boolean"},
		{`{"model":"m","input":"Hi","max_output_tokens":16.5}`, "max_output_tokens", "invalid_type", "expected an integer, but got a decimal instead."},
		{`{"model":"m","input":"Hi","max_output_tokens":5}`, "max_output_tokens", "integer_below_min_value", "Expected a value >= 16, but got 5 instead."},
		{`{"model":"m","input":"Hi","temperature":3}`, "temperature", "decimal_above_max_value", "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead."},
		{`{"model":"m","input":"Hi","top_logprobs":21}`, "top_logprobs", "integer_above_max_value", "<= 20"},
		{`{"model":"m","input":"Hi","reasoning":{"effort":"lots"}}`, "reasoning.effort", "invalid_value", "Invalid value: 'lots'. Supported values are: 'none', "},
		{`{"model":"m","input":"Hi","text":{"format":{"type":"json_schema","schema":{}}}}`, "text.format.name", "missing_required_parameter", "'text.format.name'"},
		{`{"model":"m","input":"Hi","text":{"format":{"type":"json_object"}}}`, "input", "", "must contain the word 'json'"},
		{`{"model":"m","input":"Hi","instructions":"Answer in JSON.","text":{"format":{"type":"json_object"}}}`, "input", "", "must contain the word 'json'"},
		{`{"model":"m","input":"Hi","stream_options":{"include_obfuscation":false}}`, "stream_options", "", "only allowed when 'stream' is enabled"},
		{`{"model":"m","input":"Hi","previous_response_id":"resp_x","conversation":"conv_x"}`, "previous_response_id", "mutually_exclusive_parameters", "Mutually exclusive"},
		{`{"model":"m","input":"Hi","previous_response_id":"resp_x"}`, "previous_response_id", "previous_response_not_found", "Previous response with id 'resp_x' not found."},
		{`{"model":"m","input":"Hi","conversation":{"id":"conv_x"}}`, "conversation", "", "Conversation with id 'conv_x' not found."},
		{`{"model":"m","input":["Hi"]}`, "input[0]", "invalid_type", "expected an object, but got a string instead."},
		{`{"model":"m","input":[{"content":"Hi"}]}`, "input[0].role", "missing_required_parameter", "'input[0].role'"},
		{`{"model":"m","input":[{"role":"tool","content":"Hi"}]}`, "input[0]", "invalid_value", "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'."},
		{`{"model":"m","input":[{"role":"user"}]}`, "input[0].content", "missing_required_parameter", "'input[0].content'"},
		{`{"model":"m","input":[{"role":"user","content":7}]}`, "input[0].content", "invalid_type", "expected one of an array of objects or string"},
		{`{"model":"m","input":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}`, "input[0].content[0].type", "invalid_value", "Invalid value: 'text'. Supported values are: 'input_text', 'input_image', "},
		{`{"model":"m","input":[{"role":"assistant","content":[{"type":"input_text","text":"Hi"}]}]}`, "input[0].content[0]", "invalid_value", "Supported values are: 'output_text' and 'refusal'."},
		{`{"model":"m","input":[{"role":"user","content":[{"type":"input_text"}]}]}`, "input[0].content[0].text", "missing_required_parameter", "'input[0].content[0].text'"},
		{`{"model":"m","input":[{"type":"tool_result"}]}`, "input[0]", "invalid_value", "Invalid value: 'tool_result'."},
		{`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f"}]}`, "input[0].arguments", "missing_required_parameter", "'input[0].arguments'"},
		{`{"model":"m","input":[{"type":"function_call","call_id":"` + long + `","name":"f","arguments":""}]}`, "input[0].call_id", "string_above_max_length", "maximum length 64, but got a string with length 129"},
		{`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"` + long + `","arguments":""}]}`, "input[0].name", "string_above_max_length", "maximum length 128"},
		{`{"model":"m","input":[{"type":"message","id":"x","role":"user","content":"Hi"}]}`, "input[0].id", "invalid_value", "Invalid 'input[0].id': 'x'. Expected an ID that begins with 'msg'."},
		{`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"role":"user","content":"Hi"}]}`, "input", "", "No tool output found for function call c."},
		{`{"model":"m","input":[{"type":"function_call_output","call_id":"c","output":"1"}]}`, "input", "", "No tool call found for function call output with call_id c."},
		{`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":[{"type":"output_text","text":"1"}]}]}`, "input[1].output[0]", "invalid_value", "Supported values are: 'input_text', 'input_image', 'input_file', and 'scoped_content'."},
		{`{"model":"m","input":[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":"Hi"}]}`, "input", "", "Item with id 'rs_1' not found."},
		{`{"model":"m","input":[{"type":"reasoning","id":"rs_1","encrypted_content":"x","summary":[]},{"role":"user","content":"Hi"}]}`, "input", "", "without its required following item"},
		{`{"model":"m","input":"Hi","tools":[{"type":"function","function":{"name":"f"}}]}`, "tools[0].name", "missing_required_parameter", "Missing required parameter: 'tools[0].name'."},
		{`{"model":"m","input":"Hi","tools":[{"type":"function","name":"a b"}]}`, "tools[0].name", "invalid_value", "^[a-zA-Z0-9_-]+$"},
		{`{"model":"m","input":"Hi","tools":[{"name":"f"}]}`, "tools[0].type", "missing_required_parameter", "'tools[0].type'"},
		{`{"model":"m","input":"Hi","tools":[` + strings.Repeat(`{"type":"web_search"},`, 128) + `{"type":"web_search"}]}`, "tools", "array_above_max_length", "maximum length 128, but got an array with length 129"},
		{`{"model":"m","input":"Hi","tool_choice":{"type":"function","name":"f"}}`, "tool_choice", "", "Tool choice 'function' not found in 'tools' parameter."},
		{`{"model":"gpt-5","input":"Hi","temperature":0.2}`, "temperature", "", "Unsupported parameter: 'temperature' is not supported with this model."},
		{`{"model":"gpt-4o","input":"Hi","reasoning":{"effort":"low"}}`, "reasoning.effort", "unsupported_parameter", "not supported with this model"},
		{`{"model":"m","input":"Hi","background":true,"store":false}`, "background", "", "'store'"},
	} {
		f := verdict(t, "", c.body)
		if f == nil {
			t.Errorf("%.120s: accepted, want %q", c.body, c.message)
		} else if f.Param != c.param || f.Code != c.code || !strings.Contains(f.Message, c.message) {
			t.Errorf("%.120s:\n got  %q %q %q\n want %q %q %q", c.body, f.Param, f.Code, f.Message, c.param, c.code, c.message)
		}
	}
}

func TestResponsesAccepts(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"model":"gpt-5.4","input":"Hi","temperature":0.2}`,
		`{"model":"gpt-5.4","input":"Hi","temperature":0.2,"reasoning":{"effort":"none"}}`,
		`{"model":"my-model","input":"Hi","temperature":0.2,"reasoning":{"effort":"high"}}`,
		`{"model":"gpt-5","input":"Hi","temperature":1,"top_p":1}`,
		`{"model":"m","input":"Say JSON","text":{"format":{"type":"json_object"}}}`,
		`{"model":"m","input":[]}`,
		`{"model":"m","input":"Hi","instructions":null,"tools":null,"metadata":null,"stream":null,"temperature":null,"text":null,"reasoning":null}`,
		`{"model":"m","input":[{"role":"developer","content":"x"},{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AA=="},{"type":"input_file","file_id":"file-1"}]}]}`,
		`{"model":"m","input":[{"type":"shell_call","call_id":"c","action":{"commands":["ls"]}},{"type":"shell_call_output","call_id":"c","output":[]}]}`,
		`{"model":"m","input":[{"type":"reasoning","id":"rs_1","encrypted_content":"x","summary":[]},{"type":"function_call","call_id":"c","name":"f","arguments":"no json"},{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"1"}]}]}`,
		`{"model":"m","input":[{"type":"web_search_call","id":"ws_1","status":"completed"},{"type":"compaction","encrypted_content":"x"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}]}`,
		`{"model":"m","prompt":{"id":"pmpt_1"}}`,
	} {
		if f := verdict(t, "", body); f != nil {
			t.Errorf("%s: refused: %v", body, f)
		}
	}
	// A compatible server passes over what OpenAI refuses.
	for _, body := range []string{`{"model":"m","input":"Hi","num_ctx":8192}`, `{"model":"m","input":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}`} {
		if f := verdict(t, "xai", body); f != nil {
			t.Errorf("xai: %s: refused: %v", body, f)
		}
	}
}

func TestResponsesDecode(t *testing.T) {
	t.Parallel()
	c := responsesCall(t, `{"model":"gpt-5","stream":true,"instructions":"Be kind.","max_output_tokens":99,"parallel_tool_calls":false,
		"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"}},{"type":"custom","name":"g"},{"type":"web_search"},{"type":"namespace","name":"n","tools":[{"type":"function","name":"h"}]}],
		"tool_choice":{"type":"function","name":"f"},"text":{"format":{"type":"json_schema","name":"o","schema":{"type":"object"}}},"reasoning":{"effort":"low"},
		"input":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"input_text","text":"Look:"},{"type":"input_image","image_url":"https://example.com/a.png"}]},
		{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"},{"role":"assistant","content":[{"type":"output_text","text":"Yes."},{"type":"refusal","refusal":"No."}]},
		{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},{"type":"custom_tool_call","call_id":"c2","name":"g","input":"ls"},
		{"type":"function_call_output","call_id":"c1","output":"one"},{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"two"}]}]}`)
	r := c.Request
	if r.System != "Be kind.\nBe brief." || !r.Stream || *r.Settings.MaxTokens != 99 || *r.Settings.Parallel || r.Settings.ReasoningEffort != "low" {
		t.Errorf("request: %+v", r)
	}
	for _, tool := range []string{"f", "g", "web_search", "h"} {
		if !r.Offers(tool) {
			t.Errorf("tool %s is not offered", tool)
		}
	}
	if r.ToolChoice.Mode != "named" || r.ToolChoice.Name != "f" || r.Output.Schema != `{"type":"object"}` || !r.Output.Strict {
		t.Errorf("choice %+v, output %+v", r.ToolChoice, r.Output)
	}
	if len(r.Messages) != 3 || r.Messages[1].Role != wire.Assistant || len(r.Messages[1].Parts) != 5 || len(r.Messages[2].Parts) != 2 {
		t.Fatalf("messages: %+v", r.Messages)
	}
	if name, ok := r.AfterTool(); !ok || name != "g" {
		t.Errorf("after tool %q, %t", name, ok)
	}
	if m, ok := r.Messages[0].Parts[1].(wire.Media); !ok || m.URL != "https://example.com/a.png" {
		t.Errorf("image: %+v", r.Messages[0].Parts[1])
	}
}
