package openai

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

const (
	plainBody  = `{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]}`
	streamBody = `{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}]}`
	usageBody  = `{"model":"gpt-4o","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hi"}]}`
	toolsBody  = `{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"f"}}]}`
)

func answer(parts ...wire.Part) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
}

func text(s string) wire.Reply { return answer(wire.Text{Text: s}) }

func toolCall(name string) wire.ToolCall { return wire.ToolCall{Name: name, Arguments: `{"a":1}`} }

// render answers a chat request, under a stub's quirks.
func render(t *testing.T, dialect, body, quirks string, r wire.Reply) wire.Response {
	t.Helper()
	c := chatCall(t, dialect, body)
	if quirks != "" {
		if err := CheckQuirks([]byte(quirks)); err != nil {
			t.Fatal(err)
		}
		c.Quirks = []byte(quirks)
	}
	resp, _, _ := wire.Render(c, chat{}, r, wire.Split{}, wire.NoCut())
	return resp
}

// chunks are the JSON payloads of a stream.
func chunks(t *testing.T, resp wire.Response) []jsonx.Value {
	t.Helper()
	var list []jsonx.Value
	for _, f := range resp.Frames {
		if string(f.Data) == done {
			continue
		}
		v, err := jsonx.ParseBytes(f.Data)
		if err != nil {
			t.Fatalf("%s: %v", f.Data, err)
		}
		list = append(list, v)
	}
	return list
}

func whole(t *testing.T, resp wire.Response) jsonx.Value {
	t.Helper()
	v, err := jsonx.ParseBytes(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", resp.Body, err)
	}
	return v
}

func deltas(t *testing.T, resp wire.Response) []string {
	t.Helper()
	var list []string
	for _, v := range chunks(t, resp) {
		for _, c := range v.Get("choices").Items() {
			list = append(list, c.Get("delta").Raw())
		}
	}
	return list
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got  %v\n want %v", what, got, want)
	}
}

func sameLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got:\n%s\nwant:\n%s", g, w)
	}
}

func TestStreamOfText(t *testing.T) {
	t.Parallel()
	resp := render(t, official, usageBody, "", text("Out for delivery."))
	sameLines(t, deltas(t, resp),
		`{"role":"assistant","content":"","refusal":null}`, `{"content":"Out "}`, `{"content":"for "}`, `{"content":"delivery."}`, `{}`)
	all := chunks(t, resp)
	for i, v := range all[:len(all)-1] {
		same(t, "usage before the last", v.Get("usage").Raw(), "null")
		if n := len(v.Get("obfuscation").Str()); !v.Get("obfuscation").Exists() || n > 15 {
			t.Errorf("chunk %d: %d characters of obfuscation", i, n)
		}
	}
	last := all[len(all)-1]
	same(t, "choices of the usage chunk", last.Get("choices").Raw(), "[]")
	if n, _ := last.At("usage", "total_tokens").Int(); n == 0 {
		t.Errorf("no tokens are counted: %s", last.Raw())
	}
	same(t, "the end", string(resp.Frames[len(resp.Frames)-1].Data), done)
	if bytes.Contains(resp.Bytes(), []byte("event:")) {
		t.Error("a chat stream has no event names")
	}
	same(t, "content type", resp.Header.Get("Content-Type"), "text/event-stream; charset=utf-8")
	same(t, "cache control", resp.Header.Get("Cache-Control"), "")
}

func TestStreamOfOneToolCallSaysRoleAndCallTogether(t *testing.T) {
	t.Parallel()
	sameLines(t, deltas(t, render(t, official, toolsBody, "", answer(wire.ToolCall{ID: "call_1", Name: "f", Arguments: `{"city":"Leipzig"}`}))),
		`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}],"refusal":null}`,
		`{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":\"Leipzig"}}]}`,
		`{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}`, `{}`)
}

func TestStreamOfParallelToolCallsSaysTheRoleAlone(t *testing.T) {
	t.Parallel()
	got := deltas(t, render(t, official, toolsBody, "", answer(wire.ToolCall{ID: "a", Name: "f"}, wire.ToolCall{ID: "b", Name: "g", Arguments: "{}"})))
	sameLines(t, got, `{"role":"assistant","content":null}`,
		`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}`,
		`{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]}`,
		`{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}`, `{}`)
}

func TestStreamOfCustomToolCall(t *testing.T) {
	t.Parallel()
	got := deltas(t, render(t, official, toolsBody, "", answer(wire.Text{Text: "ok"}, wire.ToolCall{ID: "a", Name: "sh", Arguments: "ls", Custom: true})))
	sameLines(t, got, `{"role":"assistant","content":"","refusal":null}`, `{"content":"ok"}`,
		`{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"sh","input":""}}]}`,
		`{"tool_calls":[{"index":0,"custom":{"input":"ls"}}]}`, `{}`)
}

func TestStreamOfLegacyFunctionCall(t *testing.T) {
	t.Parallel()
	body := `{"model":"gpt-4","stream":true,"messages":[{"role":"user","content":"Hi"}],"functions":[{"name":"f","parameters":{"type":"object","properties":{}}}]}`
	resp := render(t, official, body, "", answer(wire.ToolCall{Name: "f", Arguments: "{}"}))
	sameLines(t, deltas(t, resp),
		`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":""},"refusal":null}`, `{"function_call":{"arguments":"{}"}}`, `{}`)
	all := chunks(t, resp)
	same(t, "finish", all[len(all)-1].At("choices", 0, "finish_reason").Str(), "function_call")
}

func TestStreamOfRefusalHasNoContent(t *testing.T) {
	t.Parallel()
	resp := render(t, official, streamBody, "", answer(wire.Refusal{Text: "I can't."}))
	sameLines(t, deltas(t, resp), `{"role":"assistant","content":"","refusal":null}`, `{"refusal":"I "}`, `{"refusal":"can't."}`, `{}`)
	all := chunks(t, resp)
	same(t, "finish", all[len(all)-1].At("choices", 0, "finish_reason").Str(), "stop")
}

func TestChoicesOfAStreamInterleaveEachWithItsRole(t *testing.T) {
	t.Parallel()
	body := `{"model":"gpt-4o","n":2,"stream":true,"messages":[{"role":"user","content":"Hi"}]}`
	r := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "a b"}}}, {Parts: []wire.Part{wire.Text{Text: "c d"}}}}}
	roles, finishes := 0, 0
	var indices strings.Builder
	for _, v := range chunks(t, render(t, official, body, "", r)) {
		if n := v.Get("choices").Len(); n != 1 {
			t.Errorf("a chunk has %d choices: %s", n, v.Raw())
		}
		c := v.At("choices", 0)
		indices.WriteString(c.Get("index").Raw())
		if c.At("delta", "role").Exists() {
			roles++
		}
		if c.Get("finish_reason").Str() != "" {
			finishes++
		}
	}
	order := indices.String()
	same(t, "roles", roles, 2)
	same(t, "finishes", finishes, 2)
	same(t, "indexes", order, "01010101")
}

func TestWithoutIncludeUsageNoChunkNamesUsage(t *testing.T) {
	t.Parallel()
	if body := render(t, official, streamBody, "", text("Hi")).Bytes(); bytes.Contains(body, []byte("usage")) {
		t.Errorf("usage is named:\n%s", body)
	}
}

func TestObfuscationCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	body := strings.Replace(usageBody, `"include_usage":true`, `"include_usage":true,"include_obfuscation":false`, 1)
	if got := render(t, official, body, "", text("Hi")).Bytes(); bytes.Contains(got, []byte("obfuscation")) {
		t.Errorf("obfuscation is there:\n%s", got)
	}
}

func TestReasoningModelsHaveNoLogprobsKey(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]bool{"gpt-5": false, "o4-mini": false, "gpt-5-chat-latest": true, "gpt-4o": true, "gpt-4o-mini-search-preview": false, "my-model": true} {
		body := strings.Replace(plainBody, "gpt-4o", model, 1)
		if got := whole(t, render(t, official, body, "", text("Hi"))).At("choices", 0, "logprobs").Exists(); got != want {
			t.Errorf("%s: logprobs is there: %t, want %t", model, got, want)
		}
	}
}

func TestFingerprintAndTierByModel(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ model, fingerprint, tier string }{
		{"gpt-5", "null", `"default"`}, {"gpt-3.5-turbo", "null", `"default"`}, {"gpt-4o-search-preview", `""`, ""},
	} {
		v := whole(t, render(t, official, strings.Replace(plainBody, "gpt-4o", tt.model, 1), "", text("Hi")))
		same(t, tt.model+" fingerprint", v.Get("system_fingerprint").Raw(), tt.fingerprint)
		same(t, tt.model+" tier", v.Get("service_tier").Raw(), tt.tier)
	}
	v := whole(t, render(t, official, plainBody, "", text("Hi")))
	if fp := v.Get("system_fingerprint").Str(); len(fp) != len("fp_0123456789") || !strings.HasPrefix(fp, "fp_") {
		t.Errorf("fingerprint of gpt-4o: %q", fp)
	}
	v = whole(t, render(t, official, strings.Replace(plainBody, `"model"`, `"service_tier":"priority","model"`, 1), "", text("Hi")))
	same(t, "tier as asked", v.Get("service_tier").Str(), "priority")
}

func TestModelIsTheDatedSnapshot(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{"gpt-4o": "gpt-4o-2024-08-06", "gpt-4o-2024-11-20": "gpt-4o-2024-11-20", "my-model": "my-model"} {
		same(t, asked, whole(t, render(t, official, strings.Replace(plainBody, "gpt-4o", asked, 1), "", text("Hi"))).Get("model").Str(), want)
	}
}

func TestNamedToolChoiceEndsWithStop(t *testing.T) {
	t.Parallel()
	named := `"tool_choice":{"type":"function","function":{"name":"f"}},"stream":`
	for body, want := range map[string]string{
		toolsBody: "tool_calls",
		strings.Replace(toolsBody, `"stream":`, named, 1):                                "stop",
		strings.Replace(toolsBody, `"stream":`, `"tool_choice":"required","stream":`, 1): "tool_calls",
	} {
		all := chunks(t, render(t, official, body, "", answer(toolCall("f"))))
		same(t, body, all[len(all)-1].At("choices", 0, "finish_reason").Str(), want)
	}
}

func TestMessageKeys(t *testing.T) {
	t.Parallel()
	m := whole(t, render(t, official, plainBody, "", text("Hi"))).At("choices", 0, "message")
	if m.Get("tool_calls").Exists() {
		t.Errorf("tool_calls is there without calls: %s", m.Raw())
	}
	same(t, "refusal", m.Get("refusal").Raw(), "null")
	same(t, "annotations", m.Get("annotations").Raw(), "[]")
	m = whole(t, render(t, official, plainBody, "", answer(toolCall("f")))).At("choices", 0, "message")
	same(t, "content beside calls", m.Get("content").Raw(), "null")
	if a, ok := m.At("tool_calls", 0, "function", "arguments").Text(); !ok || a != `{"a":1}` {
		t.Errorf("arguments are no text: %s", m.Raw())
	}
}

func TestReasoningOnlyWhereSomebodySendsIt(t *testing.T) {
	t.Parallel()
	r := answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"})
	for dialect, want := range map[string]string{official: "", azure: "", unknown: "reasoning_content,reasoning", "deepseek": "reasoning_content", "groq": "reasoning"} {
		m := whole(t, render(t, dialect, plainBody, "", r)).At("choices", 0, "message")
		var got []string
		for _, key := range []string{"reasoning_content", "reasoning"} {
			if m.Get(key).Str() == "hm" {
				got = append(got, key)
			}
		}
		same(t, orElse(dialect, "unknown"), strings.Join(got, ","), want)
	}
}

func TestLogprobs(t *testing.T) {
	t.Parallel()
	ask := func(body string) string {
		return strings.Replace(body, `"model"`, `"logprobs":true,"top_logprobs":2,"model"`, 1)
	}
	v := whole(t, render(t, official, ask(plainBody), "", text("Out for delivery"))).At("choices", 0, "logprobs")
	var joined strings.Builder
	for _, e := range v.Get("content").Items() {
		joined.WriteString(e.Get("token").Str())
		same(t, "alternatives", e.Get("top_logprobs").Len(), 2)
		same(t, "bytes", e.Get("bytes").Len(), len(e.Get("token").Str()))
		if p, ok := e.Get("logprob").Float(); !ok || p > 0 {
			t.Errorf("logprob %s", e.Get("logprob").Raw())
		}
	}
	same(t, "tokens", joined.String(), "Out for delivery")
	same(t, "refusal", v.Get("refusal").Raw(), "null")
	pieces := 0
	for _, c := range chunks(t, render(t, official, ask(streamBody), "", text("Out for delivery"))) {
		l := c.At("choices", 0, "logprobs")
		if c.At("choices", 0, "delta", "content").Str() == "" {
			same(t, "logprobs of "+c.Raw(), l.Raw(), "null")
			continue
		}
		pieces++
		same(t, "entries of a piece", l.Get("content").Len(), 1)
		same(t, "token", l.At("content", 0, "token").Str(), c.At("choices", 0, "delta", "content").Str())
	}
	same(t, "pieces", pieces, 3)
}

func TestSameCallSameBytes(t *testing.T) {
	t.Parallel()
	a, b := render(t, official, usageBody, "", text("Out for delivery")), render(t, official, usageBody, "", text("Out for delivery"))
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("two renderings differ:\n%s\n%s", a.Bytes(), b.Bytes())
	}
}

func TestCallIDIsTheKnownHash(t *testing.T) {
	t.Parallel()
	v := whole(t, render(t, official, plainBody, "", answer(wire.ToolCall{Name: "track_parcel", Arguments: `{"reference":"PX-AI-8102"}`})))
	same(t, "id", v.At("choices", 0, "message", "tool_calls", 0, "id").Str(), "call_1601301351cf0db4a4ee3741")
}

func TestErrorInsideAStreamEndsWithoutDone(t *testing.T) {
	t.Parallel()
	c := chatCall(t, official, streamBody)
	cut := wire.Cut{After: -1, FailAfter: 2, Failure: &wire.Failure{Kind: wire.ServerError}}
	resp, _, _ := wire.Render(c, chat{}, text("Out for delivery"), wire.Split{}, cut)
	same(t, "status", resp.Status, http.StatusOK)
	same(t, "frames", len(resp.Frames), 3)
	last := chunks(t, resp)[2]
	same(t, "type", last.At("error", "type").Str(), "server_error")
	for _, key := range []string{"message", "type", "param", "code"} {
		if !last.At("error", key).Exists() {
			t.Errorf("the error lacks %s: %s", key, last.Raw())
		}
	}
	if bytes.Contains(resp.Bytes(), []byte(done)) {
		t.Error("[DONE] follows an error")
	}
}
