package ollama_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/ollama"
)

var (
	hello = one(wire.Text{Text: "It is in Köln."})
	call  = one(wire.ToolCall{Name: "f", Arguments: `{"a":1}`})
)

// TestTrapStreamsUnlessToldOtherwise: only an exact false turns the stream off.
func TestTrapStreamsUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	for member, streams := range map[string]bool{``: true, `"stream":true,`: true, `"stream":null,`: true, `"stream":false,`: false} {
		for _, path := range []string{chatPath, promptPath} {
			body := `{` + member + `"model":"m","prompt":"Hi","messages":[{"role":"user","content":"Hi"}]}`
			if got := open(t, post(path, body)).Request.Stream; got != streams {
				t.Errorf("%s with %q streams: %t", path, member, got)
			}
		}
	}
}

// TestTrapCallIsNotInTheLastRecord: a client that reads only the last record loses it, and the reason is "stop".
func TestTrapCallIsNotInTheLastRecord(t *testing.T) {
	t.Parallel()
	got := lines(t, render(t, post(chatPath, askTools), call, ""))
	if len(got) != 2 {
		t.Fatalf("%d records, want 2", len(got))
	}
	first, last := got[0], got[1]
	if first.At("message", "tool_calls").Len() != 1 || first.Get("done").Raw() != "false" {
		t.Errorf("the first record is %s", first.Raw())
	}
	if last.At("message", "tool_calls").Exists() || last.Get("done_reason").Str() != "stop" {
		t.Errorf("the last record is %s", last.Raw())
	}
	arguments := first.At("message", "tool_calls", 0, "function", "arguments")
	if arguments.Raw() != `{"a":1}` {
		t.Errorf("arguments %s, want an object", arguments.Raw())
	}
}

// TestTrapArgumentsAreAnObject: in a stream too, as a call comes whole.
func TestTrapArgumentsAreAnObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{askChat, askWhole} {
		c := open(t, post(chatPath, body))
		fitted, lost := c.Endpoint.Codec.Fit(c, one(wire.ToolCall{Name: "f", Arguments: `{"city":"Par`}))
		if got := fitted.Choices[0].Calls()[0].Arguments; got != `{"unparsed_arguments":"{\"city\":\"Par"}` {
			t.Errorf("arguments %s", got)
		}
		if len(lost) != 1 || !errors.Is(lost[0], wire.ErrNotOnWire) {
			t.Errorf("lost %v", lost)
		}
	}
}

// TestTrapEscapesAsGoDoes: the server is written in Go, which escapes what HTML would trip over.
func TestTrapEscapesAsGoDoes(t *testing.T) {
	t.Parallel()
	const said = "<a href=\"x\">&\u2028\u2029\t é 🚚 \u203d"
	got := string(render(t, post(chatPath, askWhole), one(wire.Text{Text: said}, wire.ToolCall{Name: "f", Arguments: `{"a":"<b>"}`}), "").Body)
	theirs, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	want(t, got, `"content":`+string(theirs))
	want(t, got, `"arguments":{"a":"\u003cb\u003e"}`)
}

// TestTrapRecordsAreLines: each record is one line, the last too, and there is no [DONE].
func TestTrapRecordsAreLines(t *testing.T) {
	t.Parallel()
	r := render(t, post(chatPath, askChat), hello, "")
	body := string(r.Bytes())
	if !strings.HasSuffix(body, "}\n") || strings.Count(body, "\n") != len(r.Frames) || strings.Contains(body, "[DONE]") {
		t.Errorf("%q", body)
	}
	wantNot(t, body, "data:")
}

// TestTrapZerosAreLeftOut: a record that is not done has no counts, and content is there even if it is empty.
func TestTrapZerosAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, path := range []string{chatPath, promptPath} {
		body := askChat
		if path == promptPath {
			body = askPrompt
		}
		got := lines(t, render(t, post(path, body), hello, ""))
		for i, v := range got {
			final := i == len(got)-1
			for _, key := range []string{"done_reason", "total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "eval_count", "eval_duration"} {
				if v.Get(key).Exists() != final {
					t.Errorf("%s: record %d of %d: %s", path, i, len(got), v.Raw())
				}
			}
			for _, key := range []string{"total_duration", "load_duration", "prompt_eval_duration", "eval_duration"} {
				if n, ok := v.Get(key).Int(); final && (!ok || n <= 0) {
					t.Errorf("%s: %s is %s", path, key, v.Get(key).Raw())
				}
			}
			if !v.At("message", "content").Exists() && !v.Get("response").Exists() {
				t.Errorf("%s: no content: %s", path, v.Raw())
			}
		}
	}
}

// TestTrapTimesComeFromThePace: the delay is the time to load, the first token that to read the prompt.
func TestTrapTimesComeFromThePace(t *testing.T) {
	t.Parallel()
	c := open(t, post(chatPath, askChat))
	c.Speed = wire.Speed{Delay: 3 * time.Second, FirstToken: 500 * time.Millisecond, TokensPerSecond: 10}
	r := one(wire.Text{Text: "one two three "})
	r.Usage = &wire.Usage{Input: 5, Output: 20}
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
	got := lines(t, resp)
	last := got[len(got)-1]
	for key, want := range map[string]time.Duration{
		"load_duration": 3 * time.Second, "prompt_eval_duration": 500 * time.Millisecond, "eval_duration": 2 * time.Second,
		"total_duration": 5500 * time.Millisecond,
	} {
		if n, _ := last.Get(key).Int(); time.Duration(n) != want {
			t.Errorf("%s is %v, want %v", key, time.Duration(n), want)
		}
	}
	times := []string{"2026-11-30T12:00:03.5Z", "2026-11-30T12:00:03.6Z", "2026-11-30T12:00:03.7Z", "2026-11-30T12:00:03.7Z"}
	for i, v := range got {
		if at := v.Get("created_at").Str(); at != times[i] {
			t.Errorf("record %d is of %s, want %s", i, at, times[i])
		}
	}
}

// TestTrapLoadIsOneDocument: without messages there is no stream, whatever was asked for, and no stub is needed.
func TestTrapLoadIsOneDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, body, reason string }{
		{chatPath, `{"model":"m","messages":[],"stream":true}`, "load"},
		{chatPath, `{"model":"m"}`, "load"},
		{chatPath, `{"model":"m","messages":null,"keep_alive":"10m"}`, "load"},
		{chatPath, `{"model":"m","messages":[],"keep_alive":0}`, "unload"},
		{chatPath, `{"model":"m","keep_alive":"0s"}`, "unload"},
		{promptPath, `{"model":"m"}`, "load"},
		{promptPath, `{"model":"m","prompt":"","keep_alive":-1}`, "load"},
		{promptPath, `{"model":"m","keep_alive":0,"stream":true}`, "unload"},
	} {
		call := open(t, post(c.path, c.body))
		if call.Endpoint.Serve == nil {
			t.Errorf("%s %s needs a stub", c.path, c.body)
			continue
		}
		r := call.Endpoint.Serve(call)
		if r.Framing != nil || r.Status != 200 {
			t.Errorf("%s: %d, framing %v", c.body, r.Status, r.Framing)
		}
		if got := parse(t, string(r.Body)).Get("done_reason").Str(); got != c.reason {
			t.Errorf("%s %s: %q, want %q", c.path, c.body, got, c.reason)
		}
	}
	for _, c := range [][2]string{
		{chatPath, askChat},
		{promptPath, askPrompt},
		{chatPath, `{"messages": [{"role": "system", "content": ""}]}`},
		{promptPath, `{"prompt" : "x"}`},
		{promptPath, `{"prompt": 7}`},
		{chatPath, `{"messages":"x"}`},
		{chatPath, `[]`},
		{promptPath, `{`},
	} {
		_, e, _, _ := wire.NewRouter(ollama.Provider()).Route(post(c[0], c[1]))
		if e == nil || e.Codec == nil {
			t.Errorf("%s %s is taken for a load", c[0], c[1])
		}
	}
}

// TestTrapErrorInAStream is a line without a done record, under status 200; before the stream it has its own status.
func TestTrapErrorInAStream(t *testing.T) {
	t.Parallel()
	c := open(t, post(chatPath, askChat))
	f := &wire.Failure{Kind: wire.ServerError, Message: "an error was encountered while running the model: CUDA error"}
	cut := wire.NoCut()
	cut.Failure, cut.FailAfter = f, 1
	r, _, _ := wire.Render(c, c.Endpoint.Codec, hello, wire.Split{}, cut)
	if r.Status != 200 || !strings.HasSuffix(string(r.Bytes()), "\n"+`{"error":"an error was encountered while running the model: CUDA error"}`+"\n") {
		t.Errorf("%d %s", r.Status, r.Bytes())
	}
	wantNot(t, string(r.Bytes()), `"done":true`)
	early := c.Endpoint.Codec.Refuse(c, f)
	if early.Status != 500 || early.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %q", early.Status, early.Header.Get("Content-Type"))
	}
}

// TestTrapNoCredentials: nobody asks for a key, and one that comes is ignored.
func TestTrapNoCredentials(t *testing.T) {
	t.Parallel()
	if _, ok := ollama.Provider().(wire.Gatekeeper); ok {
		t.Error("there is a gate")
	}
	p := post(chatPath, askChat)
	p.Header.Set("Authorization", "Bearer x")
	if status, said := refused(t, p); said != "" {
		t.Errorf("%d %s", status, said)
	}
}

// TestQuirks: each quirk changes what it says it does.
func TestQuirks(t *testing.T) {
	t.Parallel()
	two := one(wire.Reasoning{Text: "Hm."}, wire.Text{Text: "One two."}, wire.ToolCall{Name: "f", Arguments: "{}"}, wire.ToolCall{Name: "g", Arguments: "{}"})
	seen := map[string]bool{}
	for _, c := range []struct{ quirk, value, has, not string }{
		{"oldOrder", "true", `"done_reason":"stop","done":true`, `"done":true,"done_reason"`},
		{"noToolIds", "true", `"tool_calls":[{"function":`, `"id":`},
		{"joinCalls", "true", `"index":0,"name":"f","arguments":{}}},{"id":`, ``},
		{"bufferTools", "true", `"content":"One two."`, `"content":"One "`},
		{"thinkTags", `"inline"`, `\u003c/think\u003e`, `"thinking"`},
		{"thinkTags", `"unclosed"`, `\u003cthink\u003e`, `"thinking"`},
		{"emptyRecords", "true", `"content":""},"done":false}`, ``},
		{"blankLines", "true", "}\n\n", ``},
		{"noDone", "true", `"done":false`, `"done":true`},
		{"doneReason", `"load"`, `"done_reason":"load"`, `"stop"`},
		{"noDoneReason", "true", `"done":true`, `"done_reason"`},
		{"noPromptCount", "true", `"eval_count"`, `"prompt_eval_count"`},
		{"remoteModel", `"gpt-oss:120b"`, `"model":"llama3.2","remote_model":"gpt-oss:120b"`, ``},
		{"remoteHost", `"https://ollama.com:443"`, `"remote_host":"https://ollama.com:443"`, ``},
		{"oldNotFound", "true", ``, ``},
		{"noContext", "true", ``, ``},
	} {
		seen[c.quirk] = true
		quirks := `{"` + c.quirk + `":` + c.value + `,"ofOthers":1}`
		got := string(render(t, post(chatPath, askTools), two, quirks).Bytes())
		plain := string(render(t, post(chatPath, askTools), two, "").Bytes())
		want(t, got, c.has)
		if c.not != "" {
			wantNot(t, got, c.not)
			want(t, plain, c.not)
		}
		if c.has != "" && c.quirk != "noDone" && c.quirk != "noDoneReason" && c.quirk != "noPromptCount" {
			wantNot(t, plain, c.has)
		}
		if wrong := `{"` + c.quirk + `":[]}`; string(render(t, post(chatPath, askTools), two, wrong).Bytes()) != plain {
			t.Errorf("%s changes something", wrong)
		}
	}
	for _, name := range ollama.QuirkNames() {
		if !seen[name] {
			t.Errorf("%s is not tested", name)
		}
	}
	context := string(render(t, post(promptPath, askPrompt), hello, "").Bytes())
	want(t, context, `"context":[`)
	wantNot(t, string(render(t, post(promptPath, askPrompt), hello, `{"noContext":true}`).Bytes()), `"context"`)
	c := open(t, post(chatPath, askChat))
	c.Quirks = json.RawMessage(`{"oldNotFound":true}`)
	want(t, string(c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.NotFound}).Body), `model \"llama3.2\" not found, try pulling it first`)
}
