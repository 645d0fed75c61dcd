package openai

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// refusal is the first thing that is wrong with a body, nil where all is well.
func refusal(t *testing.T, path, body string) *wire.Failure {
	t.Helper()
	p := chatProbe(official, body)
	p.Path = path
	_, e, _, _ := wire.NewRouter(Provider()).Route(p)
	c := &wire.Call{Probe: p, Endpoint: e}
	c.Request = c.NewRequest(Provider())
	if f := e.Codec.Decode(c); f != nil {
		return f
	}
	for v := range e.Codec.Check(c) {
		if !v.Sure {
			t.Errorf("a guess: %v", v.Failure)
		}
		return v.Failure
	}
	return nil
}

func TestChatRefusals(t *testing.T) {
	t.Parallel()
	const user = `{"role":"user","content":"Hi"}`
	const call = `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const tool = `{"role":"tool","tool_call_id":"a","content":"1"}`
	messages := func(m ...string) string { return `{"model":"gpt-4o","messages":[` + strings.Join(m, ",") + `]}` }
	with := func(field string) string { return `{"model":"gpt-4o","messages":[` + user + `],` + field + `}` }
	for _, tt := range []struct{ body, param, code, message string }{
		{`{`, "", "", badJSON},
		{``, "", "", badJSON},
		{`null`, "", "", badJSON},
		{`[]`, "", "", badJSON},
		{"{\"model\":\"\xff\"}", "", "", badJSON},
		{`{"model":"gpt-4o","messages":[` + user + `]} x`, "", "", badJSON},
		{`{"messages":[` + user + `]}`, "", "", "you must provide a model parameter"},
		{`{"model":null,"messages":[` + user + `]}`, "", "", "you must provide a model parameter"},
		{`{"model":7,"messages":[` + user + `]}`, "model", "invalid_type", "Invalid type for 'model': expected a string, but got an integer instead."},
		{`{"model":"gpt-4o"}`, "messages", "missing_required_parameter", "Missing required parameter: 'messages'."},
		{`{"model":"gpt-4o","messages":"Hi"}`, "messages", "invalid_type", "Invalid type for 'messages': expected an array of objects, but got a string instead."},
		{`{"model":"gpt-4o","messages":null}`, "messages", "invalid_type", "Invalid type for 'messages': expected an array of objects, but got null instead."},
		{messages(), "messages", "empty_array", "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."},
		{messages(`"Hi"`), "messages[0]", "invalid_type", "Invalid type for 'messages[0]': expected an object, but got a string instead."},
		{messages(`{"content":"Hi"}`), "messages[0].role", "missing_required_parameter", "Missing required parameter: 'messages[0].role'."},
		{messages(`{"role":"x","content":"Hi"}`), "messages[0].role", "invalid_value", "Invalid value: 'x'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'."},
		{messages(`{"role":"user","content":{"a":1}}`), "messages[0].content", "invalid_type", "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an object instead."},
		{messages(`{"role":"user","content":null}`), "messages[0].content", "invalid_type", "Invalid type for 'messages[0].content': expected a string, but got null instead."},
		{messages(`{"role":"user"}`), "messages[0].content", "missing_required_parameter", "Missing required parameter: 'messages[0].content'."},
		{messages(user, `{"role":"assistant","content":null}`), "messages[1].content", "invalid_type", "Invalid type for 'messages[1].content': expected a string, but got null instead."},
		{messages(`{"role":"user","content":[{"text":"Hi"}]}`), "messages[0].content[0].type", "missing_required_parameter", "Missing required parameter: 'messages[0].content[0].type'."},
		{messages(`{"role":"user","content":[{"type":"txt"}]}`), "messages[0].content[0].type", "invalid_value", "Invalid value: 'txt'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'."},
		{messages(user, `{"role":"assistant","content":"x","tool_calls":[]}`), "messages[1].tool_calls", "empty_array", "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead."},
		{messages(user, tool), "messages.[1].role", "", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."},
		{messages(user, call, tool, user), "messages.[3].role", "", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b"},
		{messages(user, call), "messages.[1].role", "", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: a, b"},
		{messages(user, call, `{"role":"tool","tool_call_id":"c","content":"1"}`), "messages.[2].tool_call_id", "", "Invalid parameter: 'tool_call_id' of 'c' not found in 'tool_calls' of previous message."},
		{with(`"stream":"yes"`), "stream", "invalid_type", "Invalid type for 'stream': expected a boolean, but got a string instead."},
		{with(`"n":1.5`), "n", "invalid_type", "Invalid type for 'n': expected an integer, but got a decimal instead."},
		{with(`"temperature":"hot"`), "temperature", "invalid_type", "Invalid type for 'temperature': expected a decimal, but got a string instead."},
		{with(`"tools":{}`), "tools", "invalid_type", "Invalid type for 'tools': expected an array of objects, but got an object instead."},
		{with(`"tools":[{"type":"function"}]`), "tools[0].function", "missing_required_parameter", "Missing required parameter: 'tools[0].function'."},
		{with(`"tools":[{"type":"function","function":{}}]`), "tools[0].function.name", "missing_required_parameter", "Missing required parameter: 'tools[0].function.name'."},
		{with(`"stream_options":{"include_usage":true}`), "stream_options", "", "The 'stream_options' parameter is only allowed when 'stream' is enabled."},
	} {
		f := refusal(t, "/v1/chat/completions", tt.body)
		if f == nil {
			t.Errorf("%s is not refused", tt.body)
			continue
		}
		same(t, tt.body+": message", f.Message, tt.message)
		same(t, tt.body+": param", f.Param, tt.param)
		same(t, tt.body+": code", f.Code, tt.code)
		resp := refuse(chatCall(t, official, plainBody), f)
		same(t, "status", resp.Status, 400)
		same(t, "type", whole(t, resp).At("error", "type").Str(), "invalid_request_error")
	}
}

// TestChatTakesWhatOpenAITakes holds what strict servers refuse and OpenAI does not.
func TestChatTakesWhatOpenAITakes(t *testing.T) {
	t.Parallel()
	const head = `{"model":"gpt-4o","messages":[`
	for _, body := range []string{
		head + `{"role":"user","content":"a"},{"role":"user","content":"b"},{"role":"system","content":"c"},{"role":"assistant","content":"d"}]}`,
		head + `{"role":"developer","content":[{"type":"text","text":"x"}]},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}]}`,
		head + `{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"not json"}},{"id":"b","type":"function","function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"b","content":"2"},{"role":"tool","tool_call_id":"a","content":"1"}]}`,
		head + `{"role":"user","content":"a"}],"temperature":1,"stop":null,"stream":null,"tools":[{"type":"custom","custom":{"name":"sh"}}],"seed":7}`,
		head + `{"role":"user","content":"a"},{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"1"}],"functions":[{"name":"f"}]}`,
	} {
		if f := refusal(t, "/v1/chat/completions", body); f != nil {
			t.Errorf("refused: %v\n%s", f, body)
		}
	}
}

func TestEmbeddingsRefusals(t *testing.T) {
	t.Parallel()
	long := `{"model":"m","input":["a"` + strings.Repeat(`,"a"`, 2048) + `]}`
	for _, tt := range []struct{ body, param, code, message string }{
		{`{"input":"a"}`, "", "", "you must provide a model parameter"},
		{`{"model":"m"}`, "input", "missing_required_parameter", "Missing required parameter: 'input'."},
		{`{"model":"m","input":""}`, "", "", "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference."},
		{`{"model":"m","input":[]}`, "", "", "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference."},
		{`{"model":"m","input":{}}`, "", "", "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference."},
		{`{"model":"m","input":"a","dimensions":-1}`, "", "", "-1 is less than the minimum of 1 - 'dimensions'"},
		{`{"model":"m","input":"a","dimensions":"x"}`, "dimensions", "invalid_type", "Invalid type for 'dimensions': expected an integer, but got a string instead."},
		{long, "input", "array_above_max_length", "Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead."},
	} {
		f := refusal(t, "/v1/embeddings", tt.body)
		if f == nil {
			t.Errorf("%.80s is not refused", tt.body)
			continue
		}
		same(t, "message", f.Message, tt.message)
		same(t, "param", f.Param, tt.param)
		same(t, "code", f.Code, tt.code)
	}
}

func TestRulesOfOthersAreGuesses(t *testing.T) {
	t.Parallel()
	p := chatProbe("deepseek", `{"model":"deepseek-chat","messages":[]}`)
	c := callOf(t, p)
	n := 0
	for v := range (chat{}).Check(c) {
		n++
		same(t, "sure", v.Sure, false)
	}
	same(t, "violations", n, 1)
}
