package openai

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// quirkCase is one quirk in one answer. See says whether the quirk shows.
type quirkCase struct {
	quirks string
	body   string
	reply  wire.Reply
	see    func(t *testing.T, resp wire.Response) bool
}

func twoCalls() wire.Reply {
	return answer(wire.ToolCall{ID: "a", Name: "f", Arguments: `{"aaaaaaaaaaaaaaaaaaaa":1}`}, wire.ToolCall{ID: "b", Name: "g", Arguments: `{"bbbbbbbbbbbbbbbbbbbb":2}`})
}

func holds(parts ...string) func(*testing.T, wire.Response) bool {
	return func(_ *testing.T, resp wire.Response) bool {
		body := resp.Bytes()
		return !slices.ContainsFunc(parts, func(p string) bool { return !bytes.Contains(body, []byte(p)) })
	}
}

func lacks(part string) func(*testing.T, wire.Response) bool {
	return func(_ *testing.T, resp wire.Response) bool { return !bytes.Contains(resp.Bytes(), []byte(part)) }
}

func lastChunks(n int, see func([]jsonx.Value) bool) func(*testing.T, wire.Response) bool {
	return func(t *testing.T, resp wire.Response) bool {
		t.Helper()
		all := chunks(t, resp)
		return len(all) >= n && see(all[len(all)-n:])
	}
}

func quirkCases() map[string]quirkCase {
	hi := text("Out for delivery.")
	return map[string]quirkCase{
		"role never": {`{"role":"never"}`, streamBody, hi, lacks(`"role"`)},
		"role every": {`{"role":"every","layouts":{"text":{"role":"$role?","content":"$text"}}}`, streamBody, hi, holds(`{"role":"assistant","content":"delivery."}`)},
		"usage on the finish chunk": {`{"usage":"finish","layouts":{"chunk":{"choices":"$choices","usage":"$usage?"}}}`, streamBody, hi, lastChunks(1, func(c []jsonx.Value) bool {
			return c[0].At("choices", 0, "finish_reason").Str() == "stop" && c[0].At("usage", "total_tokens").Exists()
		})},
		"usage never":  {`{"usage":"never"}`, usageBody, hi, lacks("total_tokens")},
		"usage always": {`{"usageAlways":true}`, streamBody, hi, holds("total_tokens")},
		"usage chunk with a choice": {`{"usageChoices":true}`, usageBody, hi, lastChunks(1, func(c []jsonx.Value) bool {
			return c[0].Get("choices").Len() == 1 && c[0].At("usage", "total_tokens").Exists()
		})},
		"usage chunk without choices": {`{"layouts":{"usageChunk":{"id":"$id","usage":"$usage"}}}`, usageBody, hi, lastChunks(1, func(c []jsonx.Value) bool { return !c[0].Get("choices").Exists() })},
		"usage on every chunk": {`{"usage":"every","layouts":{"chunk":{"id":"$id","choices":"$choices","usage":"$usage"}}}`, usageBody, hi, lastChunks(2, func(c []jsonx.Value) bool {
			return c[0].At("usage", "total_tokens").Exists() && c[1].At("usage", "total_tokens").Exists()
		})},
		"reasoning":                         {`{"reasoning":"reasoning"}`, streamBody, answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}), holds(`{"reasoning":"hm"}`)},
		"reasoning inline":                  {`{"reasoning":"inline"}`, plainBody, answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}), holds(`"<think>\nhm\n</think>\n\nHi"`)},
		"reasoning without its opening tag": {`{"reasoning":"inlineUnopened"}`, plainBody, answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}), holds(`"hm\n</think>\n\nHi"`)},
		"content as parts":                  {`{"reasoning":"parts"}`, plainBody, answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}), holds(`[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hi"}]`)},
		"tool calls whole":                  {`{"toolWhole":true}`, toolsBody, twoCalls(), holds(`"arguments":"{\"aaaaaaaaaaaaaaaaaaaa\":1}"}`)},
		"tool index left out":               {`{"toolIndex":"omit"}`, toolsBody, twoCalls(), lacks(`"tool_calls":[{"index"`)},
		"tool index 0 for all": {`{"toolIndex":"zero"}`, toolsBody, twoCalls(), func(_ *testing.T, r wire.Response) bool {
			return !bytes.Contains(r.Bytes(), []byte(`[{"index":1`)) && bytes.Contains(r.Bytes(), []byte(`[{"index":0`))
		}},
		"tool index from 1":                  {`{"toolIndexBase":1}`, toolsBody, twoCalls(), holds(`[{"index":1`, `[{"index":2`)},
		"pieces repeat an empty id":          {`{"toolContinue":"emptyID"}`, toolsBody, twoCalls(), holds(`"id":"","type":"function","function":{"arguments"`)},
		"pieces repeat an empty id and name": {`{"toolContinue":"emptyIDName"}`, toolsBody, twoCalls(), holds(`"id":"","type":"function","function":{"name":"","arguments"`)},
		"pieces repeat the name":             {`{"toolContinue":"name"}`, toolsBody, twoCalls(), holds(`{"tool_calls":[{"index":1,"function":{"name":"g","arguments"`)},
		"calls interleave": {`{"toolInterleave":true}`, toolsBody, twoCalls(), func(t *testing.T, r wire.Response) bool {
			t.Helper()
			var order strings.Builder
			for _, v := range chunks(t, r) {
				order.WriteString(v.At("choices", 0, "delta", "tool_calls", 0, "index").Raw())
			}
			return strings.HasPrefix(order.String(), "0101")
		}},
		"a single call laid out as several": {`{"toolLayoutAlone":true}`, toolsBody, answer(toolCall("f")), func(t *testing.T, r wire.Response) bool {
			t.Helper()
			return deltas(t, r)[0] == `{"role":"assistant","content":null}`
		}},
		"calls before text": {`{"toolsFirst":true}`, toolsBody, answer(wire.Text{Text: "Hi"}, toolCall("f")), func(_ *testing.T, r wire.Response) bool {
			return bytes.Index(r.Bytes(), []byte("tool_calls")) < bytes.Index(r.Bytes(), []byte(`"content":"Hi"`))
		}},
		"arguments as an object":    {`{"argumentsObject":true}`, plainBody, answer(toolCall("f")), holds(`"arguments": {"a":1}`)},
		"ids of another form":       {`{"toolID":"{name}:{index}:{hash:4}"}`, plainBody, answer(toolCall("f")), holds(`"id": "f:0:`)},
		"no ids":                    {`{"noToolID":true}`, plainBody, answer(toolCall("f")), holds(`"id": ""`)},
		"finish reason":             {`{"finishReason":"eos"}`, streamBody, hi, holds(`"finish_reason":"eos"`)},
		"finish reason of one kind": {`{"finishReasons":{"tool_calls":"stop"}}`, toolsBody, answer(toolCall("f")), holds(`"finish_reason":"stop"`)},
		"finish with the content": {`{"finishWithContent":true}`, streamBody, hi, lastChunks(1, func(c []jsonx.Value) bool {
			return c[0].At("choices", 0, "delta", "content").Str() == "delivery." && c[0].At("choices", 0, "finish_reason").Str() == "stop"
		})},
		"finish with the call": {`{"finishWithTools":true}`, toolsBody, answer(toolCall("f")), lastChunks(1, func(c []jsonx.Value) bool {
			return c[0].At("choices", 0, "delta", "tool_calls").Len() == 1 && c[0].At("choices", 0, "finish_reason").Str() == "tool_calls"
		})},
		"finish twice": {`{"doubleFinish":true}`, streamBody, hi, lastChunks(2, func(c []jsonx.Value) bool {
			return c[0].At("choices", 0, "finish_reason").Str() == "stop" && c[1].At("choices", 0, "finish_reason").Str() == "stop"
		})},
		"an empty text last": {`{"emptyLast":true}`, streamBody, hi, lastChunks(2, func(c []jsonx.Value) bool {
			text, there := c[0].At("choices", 0, "delta", "content").Text()
			return there && text == "" && c[1].At("choices", 0, "finish_reason").Str() == "stop"
		})},
		"ids of responses": {`{"id":"gen-{digits:3}-{hex:2}"}`, plainBody, hi, holds(`"id": "gen-`)},
		"ids rotate": {`{"rotateIDs":true}`, streamBody, hi, lastChunks(2, func(c []jsonx.Value) bool {
			return c[0].Get("id").Str() != c[1].Get("id").Str() && c[1].Get("id").Str() != ""
		})},
		"fields left out": {`{"omitFields":["created","model"]}`, streamBody, hi, func(t *testing.T, r wire.Response) bool {
			t.Helper()
			v := chunks(t, r)[0]
			return !v.Get("created").Exists() && !v.Get("model").Exists() && v.Get("id").Exists()
		}},
		"fields more": {`{"extra":{"error":null}}`, streamBody, hi, holds(`"error":null}`)},
		"no [DONE]":   {`{"noDone":true}`, streamBody, hi, lacks(done)},
		"comments": {`{"comment":"ping","comments":2}`, streamBody, hi, func(_ *testing.T, r wire.Response) bool {
			return bytes.HasPrefix(r.Bytes(), []byte(": ping\n\n: ping\n\ndata: "))
		}},
		"CRLF":     {`{"eol":"crlf"}`, streamBody, hi, holds("\r\n\r\n")},
		"no space": {`{"noSpace":true}`, streamBody, hi, holds("data:{")},
		"no blank line at the end": {`{"noFinalBlank":true}`, streamBody, hi, func(_ *testing.T, r wire.Response) bool {
			return bytes.HasSuffix(r.Bytes(), []byte("data: [DONE]\n")) && !bytes.HasSuffix(r.Bytes(), []byte("\n\n"))
		}},
		"a whole body for a stream": {`{"ignoreStream":true}`, streamBody, hi, func(_ *testing.T, r wire.Response) bool {
			return r.Header.Get("Content-Type") == "application/json" && jsonx.Valid(string(r.Bytes()))
		}},
		"a stream for a whole body": {`{"forceStream":true}`, plainBody, hi, func(_ *testing.T, r wire.Response) bool {
			return bytes.HasPrefix(r.Bytes(), []byte("data: {")) && bytes.HasSuffix(r.Bytes(), []byte("data: [DONE]\n\n"))
		}},
		"fingerprint":  {`{"fingerprint":"fp_x"}`, plainBody, hi, holds(`"fp_x"`)},
		"a header":     {`{"streamHeaders":{"X-Accel-Buffering":"no"}}`, streamBody, hi, func(_ *testing.T, r wire.Response) bool { return r.Header.Get("X-Accel-Buffering") == "no" }},
		"content type": {`{"streamType":"text/plain"}`, streamBody, hi, func(_ *testing.T, r wire.Response) bool { return r.Header.Get("Content-Type") == "text/plain" }},
		"compact":      {`{"indent":0,"lineEnd":false}`, plainBody, hi, func(_ *testing.T, r wire.Response) bool { return !bytes.Contains(r.Bytes(), []byte("\n")) }},
	}
}

func TestQuirks(t *testing.T) {
	t.Parallel()
	for name, tt := range quirkCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.see(t, render(t, official, tt.body, "", tt.reply)) {
				t.Error("it shows without the quirk")
			}
			resp := render(t, official, tt.body, tt.quirks, tt.reply)
			if !tt.see(t, resp) {
				t.Errorf("it does not show:\n%v\n%s", resp.Header, resp.Bytes())
			}
		})
	}
}

func TestQuirksOfErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ quirks, want string }{
		"flat":           {`{"errorShape":"flat"}`, `"object": "error"`},
		"array":          {`{"errorShape":"array"}`, "[\n"},
		"detail":         {`{"errorShape":"detail"}`, `"detail": [`},
		"detail as text": {`{"errorShape":"detailText"}`, `"detail": "`},
		"number as code": {`{"errorShape":"intCode"}`, `"code": 429`},
		"error as text":  {`{"errorShape":"text"}`, `"error": "Rate limit`},
		"keys missing":   {`{"errorShape":"missingKeys"}`, `"type": "requests"` + "\n  }"},
		"one word":       {`{"errors":{"rate_limit":{"code":"slow_down","type":"rate_limit_error"}}}`, `"code": "slow_down"`},
		"another status": {`{"errors":{"rate_limit":{"status":420}}}`, `"rate_limit_exceeded"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := chatCall(t, official, plainBody)
			c.Quirks = []byte(tt.quirks)
			if err := CheckQuirks(c.Quirks); err != nil {
				t.Fatal(err)
			}
			if resp := refuse(c, &wire.Failure{Kind: wire.RateLimit}); !bytes.Contains(resp.Body, []byte(tt.want)) {
				t.Errorf("want %q in\n%s", tt.want, resp.Body)
			}
		})
	}
	c := chatCall(t, official, plainBody)
	c.Quirks = []byte(`{"errorOK":true}`)
	same(t, "status", refuse(c, &wire.Failure{Kind: wire.RateLimit}).Status, 200)
	for quirks, want := range map[string]string{
		`{"streamError":"finish"}`: `"finish_reason":"error"}],"obfuscation"`,
		`{"streamError":"raw"}`:    `{"error":`,
		`{"streamError":"empty"}`:  `"delta":{"content":""}`,
		`{"errorEvent":"error"}`:   "event: error\ndata: {\"error\"",
	} {
		c := chatCall(t, official, streamBody)
		c.Quirks = []byte(quirks)
		resp, _, _ := wire.Render(c, chat{}, text("Hi"), wire.Split{}, wire.Cut{After: -1, FailAfter: 1, Failure: &wire.Failure{Kind: wire.ServerError}})
		if !bytes.Contains(resp.Bytes(), []byte(want)) {
			t.Errorf("%s: want %q in\n%s", quirks, want, resp.Bytes())
		}
	}
}

func TestWrongQuirksAreNamed(t *testing.T) {
	t.Parallel()
	for quirks, want := range map[string]string{
		`{"role":"sometimes"}`:               `role: "sometimes" is none of`,
		`{"toolWhole":1}`:                    "toolWhole: want true or false, got number",
		`{"toolIndexBase":-1}`:               "toolIndexBase: want a whole number, got -1",
		`{"layouts":{"chonk":{}}}`:           `layouts: there is no layout "chonk"`,
		`{"layouts":{"chunk":{"id":"$di"}}}`: `layout: no value is called "$di"`,
		`{"extra":[]}`:                       "extra: want an object, got array",
		`{"errors":{"auth":{"stat":1}}}`:     `errors: auth: there is no field "stat"`,
		`{"headers":{"X":"$nope"}}`:          `headers: X: no value is called "$nope"`,
		`[`:                                  "unexpected end",
	} {
		err := CheckQuirks([]byte(quirks))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", quirks, err, want)
		}
	}
	if err := CheckQuirks([]byte(`{"somebodyElses":true}`)); err != nil {
		t.Errorf("a quirk of another provider: %v", err)
	}
}

func TestQuirkNamesAreAllOfThem(t *testing.T) {
	t.Parallel()
	names := QuirkNames()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("not sorted, or some twice: %q", names)
	}
	for name := range quirkCases() {
		for key := range must(t, quirkCases()[name].quirks).Members() {
			if !slices.Contains(names, key) {
				t.Errorf("%s: %s is not listed", name, key)
			}
		}
	}
}

func must(t *testing.T, doc string) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
