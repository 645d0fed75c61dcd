package openai

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func sse(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

func readChat(body string) (wire.Reply, error) {
	return wire.Fold(chat{}.Read(&wire.ResponseHead{Status: 200, Header: http.Header{}}, strings.NewReader(body)))
}

func chunkOf(delta, more string) string {
	return `{"id":"x","choices":[{"index":0,"delta":` + delta + more + `}]}`
}

// TestReadWhatServersSend reads the ways in which compatible servers differ.
func TestReadWhatServersSend(t *testing.T) {
	t.Parallel()
	const stop = `,"finish_reason":"stop"`
	one := func(stop wire.Stop, u *wire.Usage, parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts, Stop: stop}}, Usage: u}
	}
	hi := one(wire.StopComplete, nil, wire.Text{Text: "Hi"})
	for name, tt := range map[string]struct {
		body string
		want wire.Reply
	}{
		"no [DONE] after the finish":     {sse(chunkOf(`{"content":"Hi"}`, ""), chunkOf(`{}`, stop)), hi},
		"the last event without its end": {strings.TrimSuffix(sse(chunkOf(`{"content":"Hi"}`, ""), chunkOf(`{}`, stop), done), "\n\n"), hi},
		"comments, CRLF and a mark":      {"\xEF\xBB\xBF: ping\r\n\r\n" + strings.ReplaceAll(sse(chunkOf(`{"content":"Hi"}`, stop), done), "\n", "\r\n"), hi},
		"usage on the finish chunk":      {sse(`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}`, done), one(wire.StopComplete, &wire.Usage{Input: 3, Output: 1}, wire.Text{Text: "Hi"})},
		"usage on every chunk":           {sse(`{"choices":[{"index":0,"delta":{"content":"Hi"}}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`), one(wire.StopComplete, &wire.Usage{Input: 3, Output: 2}, wire.Text{Text: "Hi"})},
		"usage in x_groq":                {sse(`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":1}}}`), one(wire.StopComplete, &wire.Usage{Input: 3, Output: 1}, wire.Text{Text: "Hi"})},
		"usage in a choice":              {sse(`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":1}}]}`), one(wire.StopComplete, &wire.Usage{Input: 3, Output: 1}, wire.Text{Text: "Hi"})},
		"thoughts beside the completion": {sse(`{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":9,"completion_tokens_details":{"reasoning_tokens":5}}}`), one(wire.StopComplete, &wire.Usage{Input: 3, Output: 6, Reasoning: 5}, wire.Text{Text: "Hi"})},
		"reasoning_content":              {sse(chunkOf(`{"reasoning_content":"h"}`, ""), chunkOf(`{"reasoning_content":"m","content":null}`, ""), chunkOf(`{"content":"Hi","reasoning_content":null}`, stop)), one(wire.StopComplete, nil, wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"})},
		"reasoning in both fields":       {sse(chunkOf(`{"reasoning_content":"hm","reasoning":"hm"}`, ""), chunkOf(`{"content":"Hi"}`, stop)), one(wire.StopComplete, nil, wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"})},
		"reasoning details alone":        {sse(chunkOf(`{"reasoning_details":[{"type":"reasoning.summary","summary":"hm"}]}`, ""), chunkOf(`{"content":"Hi"}`, stop)), one(wire.StopComplete, nil, wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"})},
		"content as a list":              {sse(chunkOf(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}`, ""), chunkOf(`{"content":[{"type":"text","text":"Hi"}]}`, stop)), one(wire.StopComplete, nil, wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"})},
		"whole calls without index":      {sse(chunkOf(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":"{}"}}]}`, `,"finish_reason":"tool_calls"`)), one(wire.StopTools, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: "{}"}, wire.ToolCall{ID: "b", Name: "g", Arguments: "{}"})},
		"whole calls with one index":     {sse(chunkOf(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`, ""), chunkOf(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}]}`, `,"finish_reason":"stop"`)), one(wire.StopComplete, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: "{}"}, wire.ToolCall{ID: "b", Name: "g", Arguments: "{}"})},
		"pieces with empty id and name":  {sse(chunkOf(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`, ""), chunkOf(`{"tool_calls":[{"index":0,"id":"","function":{"name":"","arguments":"}"}}]}`, `,"finish_reason":"tool_calls"`)), one(wire.StopTools, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: "{}"})},
		"pieces that repeat the name":    {sse(chunkOf(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`, ""), chunkOf(`{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"}"}}]}`, `,"finish_reason":"tool_calls"`)), one(wire.StopTools, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: "{}"})},
		"pieces that interleave":         {sse(chunkOf(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}`, ""), chunkOf(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":"["}}]}`, ""), chunkOf(`{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`, ""), chunkOf(`{"tool_calls":[{"index":1,"function":{"arguments":"]"}}]}`, `,"finish_reason":"tool_calls"`)), one(wire.StopTools, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: "{}"}, wire.ToolCall{ID: "b", Name: "g", Arguments: "[]"})},
		"index from 1":                   {sse(chunkOf(`{"tool_calls":[{"index":1,"id":"a","function":{"name":"f","arguments":"{}"}}]}`, `,"finish_reason":"tool_calls"`)), one(wire.StopTools, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: "{}"})},
		"arguments as an object":         {`{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"a": 1}}}]},"finish_reason":"tool_calls"}]}`, one(wire.StopTools, nil, wire.ToolCall{ID: "a", Name: "f", Arguments: `{"a":1}`})},
		"the finish chunk twice":         {sse(chunkOf(`{"content":"Hi"}`, ""), chunkOf(`{"content":"","role":"assistant"}`, stop), `{"id":"x","choices":[{"index":0,"delta":{"content":"","role":"assistant"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`, done), one(wire.StopComplete, &wire.Usage{Input: 3, Output: 1}, wire.Text{Text: "Hi"})},
		"a null error":                   {sse(`{"error":null,"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}`, done), hi},
		"words of others to finish":      {sse(chunkOf(`{"content":"Hi"}`, `,"finish_reason":"model_length"`)), one(wire.StopLength, nil, wire.Text{Text: "Hi"})},
		"a body for a stream":            {`{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}`, hi},
		"Azure's chunks about filters":   {sse(`{"choices":[],"id":"","prompt_filter_results":[]}`, chunkOf(`{"content":"Hi"}`, stop), `{"choices":[{"index":0,"content_filter_offsets":{},"finish_reason":null}]}`, done), hi},
		"no message at all":              {`{"choices":[{"index":0,"finish_reason":"content_filter"}]}`, one(wire.StopSafety, nil)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readChat(tt.body)
			if err != nil {
				t.Fatalf("%v\n%s", err, tt.body)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v %+v, want %+v %+v", got, got.Usage, tt.want, tt.want.Usage)
			}
		})
	}
}

// TestReadWhatWentWrong reads answers that are none.
func TestReadWhatWentWrong(t *testing.T) {
	t.Parallel()
	begun := chunkOf(`{"content":"Hi"}`, "")
	for name, tt := range map[string]struct {
		body    string
		kind    wire.FailureKind
		partial bool
	}{
		"cut before the finish":            {sse(begun), wire.Transport, true},
		"cut before anything":              {"", wire.Unusable, false},
		"nothing but comments":             {": ping\n\n", wire.Transport, false},
		"[DONE] before the finish":         {sse(begun, done), wire.Transport, true},
		"half an event":                    {sse(begun, `{"choices":[{"ind`), wire.Unusable, true},
		"an error inside":                  {sse(begun, `{"error":{"message":"boom","type":"server_error","param":null,"code":null}}`), wire.ServerError, true},
		"an overload inside":               {sse(begun, `{"error":{"message":"x","type":"service_unavailable_error","code":"server_is_overloaded"}}`), wire.Overloaded, true},
		"OpenRouter's error inside":        {sse(begun, `{"error":{"code":429,"message":"x"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`), wire.RateLimit, true},
		"Groq's error event":               {"data: " + begun + "\n\nevent: error\ndata: {\"error\":{\"message\":\"x\",\"type\":\"invalid_request_error\",\"code\":\"tool_use_failed\",\"status_code\":400}}\n\n", wire.Invalid, true},
		"an error event without an object": {"event: error\ndata: {\"message\":\"x\",\"type\":\"server_error\"}\n\n", wire.ServerError, false},
		"an error in place of an answer":   {`{"error":{"message":"x","type":"insufficient_quota","code":"insufficient_quota"}}`, wire.Quota, false},
		"a page":                           {"<html><title>Sign in</title></html>", wire.Unusable, false},
		"no choices":                       {`{"id":"x"}`, wire.Unusable, false},
		"a flat error":                     {`{"object":"error","message":"x","type":"rate_limit_error","code":429}`, wire.RateLimit, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readChat(tt.body)
			var f *wire.Failure
			if !errors.As(err, &f) {
				t.Fatalf("got %v, want a failure", err)
			}
			same(t, "kind", f.Kind, tt.kind)
			same(t, "partial", f.PartialOutput, tt.partial)
		})
	}
}

func TestReadABrokenConnection(t *testing.T) {
	t.Parallel()
	body := io.MultiReader(strings.NewReader(sse(chunkOf(`{"content":"Hi"}`, ""))), failing{})
	got, err := wire.Fold(chat{}.Read(&wire.ResponseHead{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}}, body))
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Transport || !f.PartialOutput {
		t.Errorf("got %v", err)
	}
	if len(got.Choices) != 1 || !reflect.DeepEqual(got.Choices[0].Parts, []wire.Part{wire.Text{Text: "Hi"}}) {
		t.Errorf("what came before is lost: %+v", got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestReadStopsWhenNobodyListens(t *testing.T) {
	t.Parallel()
	n := 0
	for _, err := range (chat{}).Read(&wire.ResponseHead{Status: 200, Header: http.Header{}}, strings.NewReader(sse(chunkOf(`{"content":"Hi"}`, ""), chunkOf(`{"content":"Hi"}`, "")))) {
		if err != nil {
			t.Error(err)
		}
		n++
		break
	}
	same(t, "events", n, 1)
}
