package openai_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

func answerOf(parts ...wire.Part) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
}

// events renders a stream and parses its events.
func events(t *testing.T, body, quirks string, r wire.Reply, cut wire.Cut) []jsonx.Value {
	t.Helper()
	c := responsesCall(t, body)
	c.Quirks = []byte(quirks)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, cut)
	list := make([]jsonx.Value, len(resp.Frames))
	for i, f := range resp.Frames {
		v, err := jsonx.ParseBytes(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = v
	}
	return list
}

func typesOf(list []jsonx.Value) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = strings.TrimPrefix(v.Get("type").Str(), "response.")
	}
	return strings.Join(names, " ")
}

func wholeOf(t *testing.T, body string, r wire.Reply) jsonx.Value {
	t.Helper()
	c := responsesCall(t, body)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
	if last := resp.Body[len(resp.Body)-1]; last != '}' || !strings.HasPrefix(string(resp.Body), "{\n  \"id\": ") {
		t.Errorf("a whole body is indented by two spaces and has no final line end: %q … %q", resp.Body[:12], last)
	}
	return parsed(t, resp)
}

const streamed = `{"model":"gpt-4o","input":"Hi","stream":true}`

func TestTrapResponsesStreamHasNoDone(t *testing.T) {
	t.Parallel()
	c := responsesCall(t, streamed)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, answerOf(wire.Text{Text: "Hi."}), wire.Split{}, wire.NoCut())
	text := string(resp.Bytes())
	if strings.Contains(text, "[DONE]") || !strings.HasPrefix(text, "event: response.created\ndata: {\"type\":\"response.created\"") || !strings.HasSuffix(text, "}\n\n") {
		t.Errorf("the stream is %s", text)
	}
}

func TestTrapResponsesNullsAndDefaults(t *testing.T) {
	t.Parallel()
	v := wholeOf(t, `{"model":"gpt-4o","input":"Hi","tools":[{"type":"function","name":"f"}],"temperature":1}`, answerOf(wire.Text{Text: "Hi."}))
	for _, key := range []string{"error", "incomplete_details", "instructions", "max_output_tokens", "max_tool_calls", "previous_response_id", "prompt_cache_key", "safety_identifier", "user", "moderation"} {
		if !v.Get(key).IsNull() {
			t.Errorf("%s is %q, want an explicit null", key, v.Get(key).Raw())
		}
	}
	if got := v.Get("metadata").Raw(); got != "{}" {
		t.Errorf("metadata is %s", got)
	}
	if got := v.Get("temperature").Raw(); got != "1.0" {
		t.Errorf("temperature is %s", got)
	}
	want := `{"type":"function","description":null,"name":"f","output_schema":null,"parameters":null,"strict":true}`
	if got := string(jsonx.AppendCompact(nil, v.At("tools", 0).Raw())); got != want {
		t.Errorf("the tool is echoed as %s, want %s", got, want)
	}
	if v.Get("output_text").Exists() {
		t.Error("output_text is the libraries' own, and must not travel")
	}
}

func TestTrapResponsesTierAndUsageComeLast(t *testing.T) {
	t.Parallel()
	list := events(t, streamed, "", answerOf(wire.Text{Text: "Hi."}), wire.NoCut())
	for _, v := range list[:2] {
		if r := v.Get("response"); r.Get("service_tier").Str() != "auto" || !r.Get("usage").IsNull() || r.Get("output").Len() != 0 || r.Get("billing").Exists() {
			t.Errorf("early: %s", v.Raw())
		}
	}
	if r := list[len(list)-1].Get("response"); r.Get("service_tier").Str() != "default" || r.Get("usage").IsNull() || r.Get("billing").Exists() {
		t.Errorf("last: %s", r.Raw())
	}
}

func TestTrapResponsesIDs(t *testing.T) {
	t.Parallel()
	v := wholeOf(t, `{"model":"gpt-5","input":"Hi"}`, answerOf(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi."}, wire.ToolCall{Name: "f", Arguments: "{}"}))
	shared := strings.TrimPrefix(v.Get("id").Str(), "resp_")[:24]
	seen := map[string]bool{}
	for i, prefix := range []string{"rs_", "msg_", "fc_"} {
		id := v.At("output", i, "id").Str()
		if !regexp.MustCompile(`^`+prefix+`0[0-9a-f]{49}$`).MatchString(id) || !strings.HasPrefix(id, prefix+shared) || seen[id] {
			t.Errorf("item %d has the id %q; the response is %s", i, id, v.Get("id").Str())
		}
		seen[id] = true
	}
	if call := v.At("output", 2); call.Get("call_id").Str() == call.Get("id").Str() || !strings.HasPrefix(call.Get("call_id").Str(), "call_") {
		t.Errorf("a call has two ids: %s", call.Raw())
	}
}

func TestTrapResponsesObfuscation(t *testing.T) {
	t.Parallel()
	reply := answerOf(wire.Text{Text: "one twoandahalf 0123456789abcdef"}, wire.ToolCall{Name: "f", Arguments: `{"a":"bcd"}`})
	for _, v := range events(t, streamed, "", reply, wire.NoCut()) {
		pad, delta := v.Get("obfuscation"), v.Get("delta")
		if pad.Exists() != delta.Exists() {
			t.Errorf("padding belongs to deltas: %s", v.Raw())
		}
		if delta.Exists() && (len(pad.Str())+len(delta.Str()))%16 != 0 {
			t.Errorf("delta and padding are %d characters: %s", len(pad.Str())+len(delta.Str()), v.Raw())
		}
	}
	for _, v := range events(t, `{"model":"gpt-4o","input":"Hi","stream":true,"stream_options":{"include_obfuscation":false}}`, "", reply, wire.NoCut()) {
		if v.Get("obfuscation").Exists() {
			t.Errorf("padding that nobody wants: %s", v.Raw())
		}
	}
}

func TestTrapResponsesEncryptedReasoning(t *testing.T) {
	t.Parallel()
	reply := answerOf(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi."})
	plain := events(t, `{"model":"gpt-5","input":"Hi","stream":true}`, "", reply, wire.NoCut())
	if item := plain[2].Get("item"); item.Get("encrypted_content").Exists() || item.Get("status").Exists() || item.Get("content").Raw() != "[]" {
		t.Errorf("a thought starts as %s", item.Raw())
	}
	list := events(t, `{"model":"gpt-5","input":"Hi","stream":true,"include":["reasoning.encrypted_content"]}`, "", reply, wire.NoCut())
	var added, done string
	for _, v := range list {
		if v.At("item", "type").Str() == "reasoning" {
			added, done = done, v.At("item", "encrypted_content").Str()
		}
	}
	if added == "" || done == "" || added == done {
		t.Errorf("encrypted content is %q when added, %q when done", added, done)
	}
}

func TestTrapResponsesIncomplete(t *testing.T) {
	t.Parallel()
	v := wholeOf(t, `{"model":"gpt-5","input":"Hi","max_output_tokens":16}`, wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Reasoning{Text: "hm"}}, Stop: wire.StopLength}}})
	if v.Get("status").Str() != "incomplete" || v.At("incomplete_details", "reason").Str() != "max_output_tokens" || v.Get("output").Len() != 1 || !v.Get("completed_at").IsNull() {
		t.Errorf("an answer that ended in thought is %s", v.Raw())
	}
	list := events(t, streamed, "", wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.ToolCall{Name: "f", Arguments: "{}"}, wire.Text{Text: "Hi"}}, Stop: wire.StopSafety}}}, wire.NoCut())
	last := list[len(list)-1]
	if last.Get("type").Str() != "response.incomplete" || last.At("response", "incomplete_details", "reason").Str() != "content_filter" ||
		last.At("response", "output", 0, "status").Str() != "completed" || last.At("response", "output", 1, "status").Str() != "incomplete" {
		t.Errorf("a filtered answer ends with %s", last.Raw())
	}
}

func TestTrapResponsesNestedError(t *testing.T) {
	t.Parallel()
	cut := wire.NoCut()
	cut.FailAfter, cut.Failure = 4, &wire.Failure{Kind: wire.Overloaded, Message: "Our servers are currently overloaded. Please try again later."}
	list := events(t, streamed, "", answerOf(wire.Text{Text: "Hi."}), cut)
	if got := typesOf(list[4:]); got != "error failed" {
		t.Fatalf("the stream fails with %s", got)
	}
	if e := list[4].Get("error"); e.Get("code").Str() != "server_is_overloaded" || !e.Get("param").IsNull() || list[4].Get("message").Exists() {
		t.Errorf("the error is %s", list[4].Raw())
	}
	r := list[5].Get("response")
	if r.Get("status").Str() != "failed" || r.Get("error").Len() != 2 || !r.Get("usage").IsNull() || r.Get("output").Len() != 0 || r.Get("service_tier").Str() != "auto" {
		t.Errorf("the failed response is %s", r.Raw())
	}
}

func TestTrapResponsesBackgroundOrder(t *testing.T) {
	t.Parallel()
	c := responsesCall(t, `{"model":"gpt-4o","input":"Hi","stream":true,"background":true}`)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, answerOf(wire.Text{Text: "Hi."}), wire.Split{}, wire.NoCut())
	for i, want := range []string{
		`{"type":"response.created","response":{"id":`, `{"type":"response.queued","response":{"id":`,
		`{"type":"response.in_progress","sequence_number":2,"response":{"truncation":"disabled","id":`,
		`{"type":"response.output_item.added","item":{"id":"msg_`, `{"type":"response.content_part.added","item_id":`,
		`{"type":"response.output_text.delta","delta":"Hi.","logprobs":[],"item_id":`,
	} {
		if got := string(resp.Frames[i].Data); !strings.HasPrefix(got, want) {
			t.Errorf("event %d is %s, want %s…", i, got, want)
		}
	}
	for _, v := range events(t, `{"model":"gpt-4o","input":"Hi","stream":true,"background":true}`, "", answerOf(wire.Text{Text: "Hi."}), wire.NoCut())[:2] {
		if v.At("response", "status").Str() != "queued" {
			t.Errorf("already created says queued: %s", v.Raw())
		}
	}
}

func TestTrapResponsesCustomTool(t *testing.T) {
	t.Parallel()
	list := events(t, `{"model":"gpt-5","input":"Hi","stream":true,"tools":[{"type":"custom","name":"sql"}]}`, "", answerOf(wire.ToolCall{Name: "sql", Arguments: "SELECT 1;"}), wire.NoCut())
	if got, want := typesOf(list), "created in_progress output_item.added custom_tool_call_input.delta custom_tool_call_input.done output_item.done completed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	item := list[5].Get("item")
	if item.Get("type").Str() != "custom_tool_call" || item.Get("input").Str() != "SELECT 1;" || item.Get("arguments").Exists() || !strings.HasPrefix(item.Get("id").Str(), "ctc_") {
		t.Errorf("the item is %s", item.Raw())
	}
}

func TestTrapResponsesRefusalIsAPart(t *testing.T) {
	t.Parallel()
	list := events(t, streamed, "", answerOf(wire.Refusal{Text: "No."}), wire.NoCut())
	if got, want := typesOf(list), "created in_progress output_item.added content_part.added refusal.delta refusal.done content_part.done output_item.done completed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if part := list[6].Get("part"); part.Get("refusal").Str() != "No." || part.Len() != 2 {
		t.Errorf("the part is %s", part.Raw())
	}
}

func TestTrapResponsesHiddenReasoning(t *testing.T) {
	t.Parallel()
	list := events(t, `{"model":"gpt-5","input":"Hi","stream":true}`, "", answerOf(wire.Reasoning{}, wire.Text{Text: "Hi."}), wire.NoCut())
	if got, want := typesOf(list[:5]), "created in_progress output_item.added output_item.done output_item.added"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTrapResponsesEmptyAnswer(t *testing.T) {
	t.Parallel()
	list := events(t, streamed, "", answerOf(), wire.NoCut())
	if got, want := typesOf(list), "created in_progress output_item.added content_part.added output_text.done content_part.done output_item.done completed"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestTrapResponsesQuirks: the deviations that users of other servers have met.
func TestTrapResponsesQuirks(t *testing.T) {
	t.Parallel()
	text, call := wire.Text{Text: "Hi."}, wire.ToolCall{Name: "f", Arguments: `{"a":1}`}
	for _, q := range []struct{ name, quirks, types string }{
		{"no completed", `{"omitCompleted":true}`, "created in_progress output_item.added content_part.added output_text.delta output_text.done content_part.done output_item.done output_item.added function_call_arguments.delta function_call_arguments.done output_item.done"},
		{"no part events", `{"omitPartEvents":"all"}`, "created in_progress output_item.added output_text.delta output_text.done output_item.done output_item.added function_call_arguments.delta function_call_arguments.done output_item.done completed"},
		{"arguments at once", `{"argumentEvents":"done","omitPartEvents":"all"}`, "created in_progress output_item.added output_text.delta output_text.done output_item.done output_item.added function_call_arguments.done output_item.done completed"},
		{"arguments without end", `{"argumentEvents":"deltas","omitPartEvents":"all"}`, "created in_progress output_item.added output_text.delta output_text.done output_item.done output_item.added function_call_arguments.delta output_item.done completed"},
		{"truncated call", `{"truncatedCalls":true,"omitPartEvents":"all"}`, "created in_progress output_item.added output_text.delta output_text.done output_item.done output_item.added output_item.done completed"},
		{"unknown event", `{"unknownEvent":"vendor.ping","omitCompleted":true,"omitPartEvents":"all"}`, "created in_progress vendor.ping output_item.added output_text.delta output_text.done output_item.done output_item.added function_call_arguments.delta function_call_arguments.done output_item.done"},
		{"silent", `{"silent":true}`, ""},
	} {
		if got := typesOf(events(t, streamed, q.quirks, answerOf(text, call), wire.NoCut())); got != q.types {
			t.Errorf("%s:\n got  %s\n want %s", q.name, got, q.types)
		}
	}
	last := func(quirks string) jsonx.Value {
		list := events(t, streamed, quirks, answerOf(text, call), wire.NoCut())
		return list[len(list)-1]
	}
	if out := last(`{"completedOutput":"empty"}`).At("response", "output"); !out.Exists() || out.Len() != 0 {
		t.Errorf("empty output is %s", out.Raw())
	}
	if out := last(`{"completedOutput":"omit"}`).At("response", "output"); out.Exists() {
		t.Errorf("omitted output is %s", out.Raw())
	}
	if last(`{"sequence":"omit"}`).Get("sequence_number").Exists() {
		t.Error("omitted numbers are there")
	}
	if got := events(t, streamed, `{"sequence":"one"}`, answerOf(text), wire.NoCut())[0].Get("sequence_number").Raw(); got != "1" {
		t.Errorf("the first number is %s, want 1", got)
	}
	if got := events(t, streamed, `{"sequence":"twice"}`, answerOf(text), wire.NoCut())[3].Get("sequence_number").Raw(); got != "1" {
		t.Errorf("the fourth number is %s, want 1", got)
	}
	list := events(t, streamed, `{"blankName":true}`, answerOf(call), wire.NoCut())
	if list[2].At("item", "name").Str() != "f" || list[5].At("item", "name").Str() != "" || list[6].At("response", "output", 0, "name").Str() != "f" {
		t.Errorf("names: %s %s", list[2].Raw(), list[5].Raw())
	}
	list = events(t, streamed, `{"outputIndex":"same"}`, answerOf(text, call), wire.NoCut())
	if got := list[len(list)-2].Get("output_index").Raw(); got != "0" {
		t.Errorf("the second item has index %s", got)
	}
	list = events(t, streamed, `{"outputIndex":"holes"}`, answerOf(text, call), wire.NoCut())
	if got := list[len(list)-2].Get("output_index").Raw(); got != "2" {
		t.Errorf("the second item has index %s", got)
	}
	ids := map[string]bool{}
	for _, v := range events(t, streamed, `{"rotateItemIDs":true}`, answerOf(wire.Text{Text: "one two"}), wire.NoCut()) {
		if id := v.Get("item_id").Str(); id != "" {
			ids[id] = true
		}
	}
	if len(ids) != 5 {
		t.Errorf("%d ids of one item, want a new one in each of its 5 events", len(ids))
	}
}
