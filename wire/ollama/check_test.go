package ollama_test

import (
	"strings"
	"testing"
)

// TestRefusals: what the server says to bad input. The texts of encoding/json were taken from Ollama's own package api,
// v0.17.4, reading the same bodies.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const field = "json: cannot unmarshal "
	user := func(rest string) string {
		return `{"model":"llama3.2","messages":[{"role":"user","content":"Hi"` + rest + `}]}`
	}
	asked := func(rest string) string {
		return `{"model":"llama3.2","messages":[{"role":"user","content":"Hi"}],` + rest + `}`
	}
	tool := func(f string) string { return asked(`"tools":[{"type":"function","function":` + f + `}]`) }
	for _, c := range []struct {
		name, path, body string
		status           int
		said             string
	}{
		{"no body", chatPath, "", 400, "missing request body"},
		{"cut", chatPath, `{"model":`, 400, "unexpected EOF"},
		{"a list", chatPath, `[]`, 400, field + "array into Go value of type api.ChatRequest"},
		{"a text", promptPath, `"a"`, 400, field + "string into Go value of type api.GenerateRequest"},
		{"null", chatPath, `null`, 400, "model is required"},
		{"a truth", chatPath, `true`, 400, field + "bool into Go value of type api.ChatRequest"},
		{"model", chatPath, `{"model":3,"messages":[{"role":"user"}]}`, 400, field + "number into Go struct field ChatRequest.model of type string"},
		{"messages", chatPath, `{"model":"m","messages":{"role":1}}`, 400, field + "object into Go struct field ChatRequest.messages of type []api.Message"},
		{"a message", chatPath, `{"model":"m","messages":["role"]}`, 400, field + "string into Go struct field ChatRequest.messages of type api.Alias"},
		{"role", chatPath, `{"model":"m","messages":[{"role":1}]}`, 400, field + "number into Go struct field ChatRequest.messages.role of type string"},
		{"content", chatPath, `{"messages":[{"role":"user","content":1.5}]}`, 400, field + "number into Go struct field ChatRequest.messages.content of type string"},
		{"tool name", chatPath, user(`,"tool_name":3`), 400, field + "number into Go struct field ChatRequest.messages.tool_name of type string"},
		{"image", chatPath, user(`,"images":["!!"]`), 400, "illegal base64 data at input byte 0"},
		{"images", chatPath, user(`,"images":"aa"`), 400, field + "string into Go struct field ChatRequest.messages.images of type []api.ImageData"},
		{"image number", chatPath, user(`,"images":[1]`), 400, field + "number into Go struct field ChatRequest.messages.images of type api.ImageData"},
		{"arguments as text", chatPath, user(`,"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]`), 400, "Value looks like object, but can't find closing '}' symbol"},
		{"call name", chatPath, user(`,"tool_calls":[{"function":{"name":3}}]`), 400, field + "number into Go struct field ChatRequest.messages.tool_calls.function.name of type string"},
		{"calls", chatPath, user(`,"tool_calls":{}`), 400, field + "object into Go struct field ChatRequest.messages.tool_calls of type []api.ToolCall"},
		{"call", chatPath, user(`,"tool_calls":["x"]`), 400, field + "string into Go struct field ChatRequest.messages.tool_calls of type api.ToolCall"},
		{"call function", chatPath, user(`,"tool_calls":[{"function":"x"}]`), 400, field + "string into Go struct field ChatRequest.messages.tool_calls.function of type api.ToolCallFunction"},
		{"call index", chatPath, user(`,"tool_calls":[{"function":{"index":"3"}}]`), 400, field + "string into Go struct field ChatRequest.messages.tool_calls.function.index of type int"},
		{"tools", chatPath, asked(`"tools":{}`), 400, field + "object into Go struct field ChatRequest.tools of type api.Tools"},
		{"tool", chatPath, asked(`"tools":["x"]`), 400, field + "string into Go struct field ChatRequest.tools of type api.Tool"},
		{"tool type", chatPath, asked(`"tools":[{"type":3}]`), 400, field + "number into Go struct field Tool.tools.type of type string"},
		{"tool function", chatPath, tool(`"x"`), 400, field + "string into Go struct field Tool.tools.function of type api.ToolFunction"},
		{"tool function name", chatPath, tool(`{"name":3}`), 400, field + "number into Go struct field ToolFunction.tools.function.name of type string"},
		{"parameters", chatPath, tool(`{"parameters":"x"}`), 400, field + "string into Go struct field ToolFunction.tools.function.parameters of type api.ToolFunctionParameters"},
		{"parameter type", chatPath, tool(`{"parameters":{"type":["a"]}}`), 400, field + "array into Go struct field ToolFunctionParameters.tools.function.parameters.type of type string"},
		{"required", chatPath, tool(`{"parameters":{"required":"a"}}`), 400, field + "string into Go struct field ToolFunctionParameters.tools.function.parameters.required of type []string"},
		{"properties", chatPath, tool(`{"parameters":{"properties":[]}}`), 400, "Value looks like object, but can't find closing '}' symbol"},
		{"stream", chatPath, asked(`"stream":1`), 400, field + "number into Go struct field ChatRequest.stream of type bool"},
		{"options", chatPath, asked(`"options":[]`), 400, field + "array into Go struct field ChatRequest.options of type map[string]interface {}"},
		{"think", chatPath, asked(`"think":"x"`), 400, `invalid think value: "x" (must be "high", "medium", "low", "max", true, or false)`},
		{"think number", chatPath, asked(`"think":3`), 400, `think must be a boolean or string ("high", "medium", "low", "max", true, or false)`},
		{"keep_alive", chatPath, asked(`"keep_alive":"x"`), 400, `time: invalid duration "x"`},
		{"keep_alive truth", chatPath, asked(`"keep_alive":true`), 400, "Unsupported type: 'bool'"},
		{"keep_alive list", chatPath, asked(`"keep_alive":[]`), 400, "Unsupported type: '[]interface {}'"},
		{"keep_alive object", chatPath, asked(`"keep_alive":{}`), 400, "Unsupported type: 'map[string]interface {}'"},
		{"top_logprobs half", chatPath, asked(`"top_logprobs":1.5`), 400, field + "number 1.5 into Go struct field ChatRequest.top_logprobs of type int"},
		{"top_logprobs", chatPath, asked(`"top_logprobs":21`), 400, "top_logprobs must be between 0 and 20"},
		{"the first in the body", chatPath, `{"think":3,"model":4,"messages":[{"role":"user"}]}`, 400, "think must be a boolean or string"},
		{"no model", chatPath, `{"messages":[{"role":"user","content":"Hi"}]}`, 400, "model is required"},
		{"bad name", chatPath, strings.Replace(askChat, "llama3.2", "a b", 1), 400, "invalid model name"},
		{"empty tag", chatPath, strings.Replace(askChat, "llama3.2", "llama3.2:", 1), 400, "invalid model name"},
		{"thinking", chatPath, asked(`"think":true`), 400, `"llama3.2" does not support thinking`},
		{"tools of a model without", chatPath, strings.Replace(askTools, "llama3.2", "gemma3", 1), 400, "registry.ollama.ai/library/gemma3:latest does not support tools"},
		{"chat of an embedder", chatPath, strings.Replace(askChat, "llama3.2", "nomic-embed-text", 1), 400, `"nomic-embed-text" does not support chat`},
		{"option", chatPath, asked(`"options":{"temperature":"warm"}`), 500, `option "temperature" must be of type float32`},
		{"option integer", chatPath, asked(`"options":{"num_predict":"3"}`), 500, `option "num_predict" must be of type integer`},
		{"option truth", chatPath, asked(`"options":{"use_mmap":1}`), 500, `option "use_mmap" must be of type boolean`},
		{"option list", chatPath, asked(`"options":{"stop":"x"}`), 500, `option "stop" must be of type array`},
		{"option texts", chatPath, asked(`"options":{"stop":[3]}`), 500, `option "stop" must be of an array of strings`},
		{"format", chatPath, asked(`"format":"xml"`), 500, `invalid format: "\"xml\""; expected "json" or a valid JSON Schema object`},
		{"prompt", promptPath, `{"prompt":3}`, 400, field + "number into Go struct field GenerateRequest.prompt of type string"},
		{"context", promptPath, `{"prompt":"x","context":["x"]}`, 400, field + "string into Go struct field GenerateRequest.context of type int"},
		{"context half", promptPath, `{"prompt":"x","context":[1.5]}`, 400, field + "number 1.5 into Go struct field GenerateRequest.context of type int"},
		{"prompt without a model", promptPath, `{"prompt":"x"}`, 404, "model '' not found"},
		{"raw", promptPath, `{"model":"m","prompt":"x","raw":true,"system":"y"}`, 400, "raw mode does not support template, system, or context"},
		{"suffix", promptPath, `{"model":"llama3.2","prompt":"x","suffix":"y"}`, 400, "registry.ollama.ai/library/llama3.2:latest does not support insert"},
		{"prompt of an embedder", promptPath, `{"model":"all-minilm","prompt":"x"}`, 400, `"all-minilm" does not support generate`},
		{"load without a model", chatPath, `{"messages":[]}`, 400, "model is required"},
		{"input", "/api/embed", `{"model":"m","input":7}`, 400, "invalid input type"},
		{"inputs", "/api/embed", `{"model":"m","input":["a",7]}`, 400, "invalid input type"},
		{"dimensions", "/api/embed", `{"model":"m","input":"a","dimensions":"x"}`, 400, field + "string into Go struct field EmbedRequest.dimensions of type int"},
		{"embed without a model", "/api/embed", `{"input":"a"}`, 404, "model '' not found"},
		{"old path without a model", "/api/embeddings", `{"prompt":"a"}`, 400, "model is required"},
		{"old prompt", "/api/embeddings", `{"model":"m","prompt":["a"]}`, 400, field + "array into Go struct field EmbeddingRequest.prompt of type string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			status, said := refused(t, post(c.path, c.body))
			if status != c.status || !strings.HasPrefix(said, c.said) {
				t.Errorf("%d %s, want %d %s", status, said, c.status, c.said)
			}
		})
	}
}

// TestAccepted: what looks odd and is not.
func TestAccepted(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"as recorded in 2024":       `{"model": "llama3.1", "messages": [{"role": "user", "content": "Hi"}], "tools": [], "stream": false, "format": "", "options": {}, "keep_alive": null}`,
		"unknown fields":            `{"model":"m","messages":[{"role":"user","content":"Hi","extra":1}],"extra":{"a":[]}}`,
		"unknown options":           `{"model":"m","messages":[{"role":"user","content":"Hi"}],"options":{"warmth":"high","temperature":null,"num_predict":3.0}}`,
		"what follows the document": askChat + ` and more`,
		"no UTF-8":                  strings.Replace(askChat, "Where", "\xffWhere", 1),
		"any role":                  `{"model":"m","messages":[{"role":"Narrator","content":"Hi"},{"role":"SYSTEM","content":"x"}]}`,
		"any model may think":       `{"model":"me/llama3.2","think":"max","messages":[{"role":"user","content":"Hi"}]}`,
		"a name with everything":    `{"model":"hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M","messages":[{"role":"user","content":"Hi"}]}`,
		"a whole float":             `{"model":"m","messages":[{"role":"user","content":"Hi"}],"keep_alive":-1,"top_logprobs":20}`,
	} {
		if status, said := refused(t, post(chatPath, body)); said != "" {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
}
