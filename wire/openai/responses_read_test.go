package openai_test

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
)

func readResponses(status int, body string) (wire.Reply, *wire.Failure) {
	var codec wire.Codec
	for _, e := range openai.Provider().Endpoints() {
		if e.Name == "openai.responses" {
			codec = e.Codec
		}
	}
	r, err := wire.Fold(codec.Read(&wire.ResponseHead{Status: status, Header: http.Header{}}, strings.NewReader(body)))
	var f *wire.Failure
	if err != nil && !errors.As(err, &f) {
		f = &wire.Failure{Message: "no failure: " + err.Error()}
	}
	return r, f
}

func sse(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

const (
	createdEvent   = `{"type":"response.created","response":{"id":"resp_1","model":"m","status":"in_progress","output":[]}}`
	completedEvent = `{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":3,"output_tokens":2}}}`
)

// TestTrapReadResponses reads what servers send that keep to the API less closely than OpenAI.
func TestTrapReadResponses(t *testing.T) {
	t.Parallel()
	usage := &wire.Usage{Input: 3, Output: 2}
	text := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "Hi there."}}, Stop: wire.StopComplete}}, Usage: usage}
	call := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.ToolCall{ID: "call_1", Name: "f", Arguments: `{"a":1}`}}, Stop: wire.StopTools}}, Usage: usage}
	delta := func(s string) string {
		return `{"type":"response.output_text.delta","item_id":"` + s + `","output_index":0,"content_index":0,"delta":"` + s + `"}`
	}
	for _, c := range []struct {
		name, body string
		want       wire.Reply
	}{
		{"empty output in completed (Codex)", sse(createdEvent, `{"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}`, delta("Hi "), delta("there."), `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"Hi there."}]}}`, completedEvent), text},
		{"no output in completed", sse(createdEvent, delta("Hi "), delta("there."), strings.Replace(completedEvent, `"output":[],`, "", 1)), text},
		{"text without items and parts (Ollama)", sse(delta("Hi "), delta("there."), completedEvent), text},
		{"ids that rotate (Copilot)", sse(createdEvent, `{"type":"response.output_item.added","output_index":0,"item":{"id":"a","type":"message","content":[]}}`, delta("Hi "), delta("there."), `{"type":"response.output_item.done","output_index":0,"item":{"id":"z","type":"message","content":[{"type":"output_text","text":"Hi there."}]}}`, completedEvent), text},
		{"keepalives and unknown events", sse(`{"type":"keepalive","sequence_number":0}`, createdEvent, `{"type":"response.vendor.thing"}`, delta("Hi "), `{"type":"ping"}`, delta("there."), completedEvent, "[DONE]"), text},
		{"items only in completed", sse(createdEvent, strings.Replace(completedEvent, `"output":[]`, `"output":[{"type":"message","content":[{"type":"output_text","text":"Hi there."}]}]`, 1)), text},
		{"text only when done", sse(createdEvent, `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Hi there."}`, completedEvent), text},
		{"a whole body for a stream", `{"id":"resp_1","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hi there."}]}],"usage":{"input_tokens":3,"output_tokens":2}}`, text},
		{"arguments without deltas", sse(createdEvent, `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"f","arguments":""}}`, `{"type":"response.function_call_arguments.done","output_index":0,"arguments":"{\"a\":1}"}`, completedEvent), call},
		{"a blank name when done", sse(createdEvent, `{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"f","arguments":""}}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"","arguments":"{\"a\":1}"}}`, completedEvent), call},
		{"arguments as an object", sse(createdEvent, `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"call_1","name":"f","arguments":{"a": 1}}}`, completedEvent), call},
		{
			"several summary parts", sse(createdEvent, `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"one"}`, `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"two"}`, completedEvent),
			wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Reasoning{Text: "one\n\ntwo"}}, Stop: wire.StopComplete}}, Usage: usage},
		},
		{
			"an unknown reason to be incomplete", sse(createdEvent, delta("Hi "), delta("there."), `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"steered"},"usage":{"input_tokens":3,"output_tokens":2}}}`),
			wire.Reply{Choices: []wire.Answer{{Parts: text.Choices[0].Parts, Stop: wire.StopLength}}, Usage: usage},
		},
	} {
		got, f := readResponses(200, c.body)
		if f != nil {
			t.Errorf("%s: %v", c.name, f)
		} else if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got  %+v\n want %+v", c.name, got, c.want)
		}
	}
}

func TestTrapReadResponsesFailures(t *testing.T) {
	t.Parallel()
	delta := `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hi"}`
	for _, c := range []struct {
		name, body string
		status     int
		kind       wire.FailureKind
		partial    bool
	}{
		{"nested error", sse(createdEvent, `{"type":"error","sequence_number":2,"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"no","param":null}}`), 200, wire.Quota, false},
		{"flat error", sse(createdEvent, delta, `{"type":"error","code":"rate_limit_exceeded","message":"no","param":null,"sequence_number":2}`), 200, wire.RateLimit, true},
		{"error object alone", sse(`{"error":{"message":"no","type":"server_error","param":null,"code":null}}`), 200, wire.ServerError, false},
		{"response.failed", sse(createdEvent, `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_is_overloaded","message":"no"}}}`), 200, wire.Overloaded, false},
		{"response.failed without an error", sse(createdEvent, `{"type":"response.failed","response":{"status":"failed","error":null}}`), 200, wire.ServerError, false},
		{"completed that failed", sse(createdEvent, `{"type":"response.completed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"no"}}}`), 200, wire.ContextLength, false},
		{"no terminal event", sse(createdEvent, delta), 200, wire.Transport, true},
		{"nothing at all", "", 200, wire.Transport, false},
		{"an event that is no JSON", sse(createdEvent, `{"type":"resp`), 200, wire.Unusable, false},
		{"a page", "<html><title>Bad gateway</title></html>", 502, wire.ServerError, false},
		{"a page for a stream", "<html></html>", 200, wire.Transport, false},
		{"an error with 200", `{"error":{"message":"no","type":"insufficient_quota","code":"insufficient_quota"}}`, 200, wire.Quota, false},
		{"an error", `{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, 401, wire.Auth, false},
		{"still queued", `{"id":"resp_1","status":"queued","output":[]}`, 200, wire.Transport, false},
		{"cancelled", `{"id":"resp_1","status":"cancelled","output":[]}`, 200, wire.Canceled, false},
		{"failed", `{"id":"resp_1","status":"failed","output":[],"error":{"code":"rate_limit_exceeded","message":"no"}}`, 200, wire.RateLimit, false},
		{"null", `null`, 200, wire.Transport, false},
		{"a list", `[]`, 200, wire.Unusable, false},
	} {
		_, f := readResponses(c.status, c.body)
		if f == nil || f.Kind != c.kind || f.PartialOutput != c.partial || f.Message == "" {
			t.Errorf("%s: %+v, want %s, partial %t", c.name, f, c.kind, c.partial)
		}
	}
}
