package gemini

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The tests of this file are the traps that clients of this API fell into, each named for what broke.

func one(parts ...wire.Part) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
}

const (
	streamSSE = studio + "gemini-2.5-flash:streamGenerateContent?alt=sse"
	stream3   = studio + "gemini-3.6-flash:streamGenerateContent?alt=sse"
	array3    = studio + "gemini-3.6-flash:streamGenerateContent"
	unary     = studio + "gemini-2.5-flash:generateContent"
	unary3    = studio + "gemini-3.6-flash:generateContent"
)

func render(t *testing.T, target, body, quirks string, r wire.Reply, cut wire.Cut) (*wire.Call, wire.Response) {
	t.Helper()
	c := newCall(t, target, body)
	c.Quirks = json.RawMessage(quirks)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, cut)
	return c, resp
}

// messages are the JSON messages of a stream, or the one of a whole answer.
func messages(t *testing.T, r wire.Response) []jsonx.Value {
	t.Helper()
	bodies := [][]byte{r.Body}
	if r.Framing != nil {
		bodies = nil
		for _, f := range r.Frames {
			bodies = append(bodies, f.Data)
		}
	}
	var list []jsonx.Value
	for _, b := range bodies {
		v, err := jsonx.ParseBytes(b)
		if err != nil {
			t.Fatalf("%v in %s", err, b)
		}
		list = append(list, v)
	}
	return list
}

func candidateOf(v jsonx.Value) jsonx.Value { return v.At("candidates", 0) }

var (
	text  = wire.Text{Text: "One two three."}
	look  = wire.ToolCall{Name: "track_parcel", Arguments: `{"reference":"PX-AI-8102"}`}
	plain = wire.NoCut()
)

func TestTrapAnswerWithoutParts(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{
		"noParts": `{"role":"model"}`, "emptyParts": `{"parts":[],"role":"model"}`, "emptyContent": `{}`, "noContent": ``,
		"emptyText": `{"parts":[{"text":""}],"role":"model"}`,
	} {
		c, r := render(t, unary, hello, `{"empty":"`+form+`"}`, one(), plain)
		if got := compact(candidateOf(messages(t, r)[0]).Get("content").Raw()); got != want {
			t.Errorf("%s: content %s, want %s", form, got, want)
		}
		if reply, err := readBack(c, r); err != nil || len(reply.Choices[0].Parts) != 0 || reply.Choices[0].Stop != wire.StopComplete {
			t.Errorf("%s: read as %+v, %v", form, reply, err)
		}
	}
}

func TestTrapLastChunkHasNothingButTheReason(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{
		"noContent": `{"finishReason":"STOP","index":0}`, "noParts": `{"content":{"role":"model"},"finishReason":"STOP","index":0}`,
		"emptyText": `{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}`,
	} {
		c, r := render(t, streamSSE, hello, `{"finalChunk":"`+form+`"}`, one(text), plain)
		list := messages(t, r)
		if got := compact(candidateOf(list[len(list)-1]).Raw()); len(list) != 4 || got != want {
			t.Errorf("%s: %d chunks, the last is %s, want %s", form, len(list), got, want)
		}
		if candidateOf(list[2]).Get("finishReason").Exists() {
			t.Errorf("%s: the chunk before has a reason too", form)
		}
		if reply, err := readBack(c, r); err != nil || reply.Choices[0].Parts[0] != text {
			t.Errorf("%s: read as %+v, %v", form, reply, err)
		}
	}
}

func TestTrapPromptBlockedHasNoCandidates(t *testing.T) {
	t.Parallel()
	for _, target := range []string{unary, streamSSE, array3} {
		c, r := render(t, target, hello, "", wire.Reply{Blocked: "prompt"}, plain)
		list := messages(t, r)
		if len(list) != 1 || list[0].Get("candidates").Exists() || list[0].At("promptFeedback", "blockReason").Str() != "SAFETY" || r.Status != 200 {
			t.Errorf("%d %s", r.Status, r.Bytes())
		}
		if list[0].At("usageMetadata", "candidatesTokenCount").Exists() {
			t.Error("output is counted")
		}
		if reply, err := readBack(c, r); err != nil || reply.Blocked != "SAFETY" || reply.Choices != nil {
			t.Errorf("read as %+v, %v", reply, err)
		}
	}
}

func TestTrapNoTerminator(t *testing.T) {
	t.Parallel()
	_, r := render(t, streamSSE, hello, "", one(text), plain)
	body := string(r.Bytes())
	if strings.Contains(body, "[DONE]") || strings.Contains(body, "event:") || !strings.HasSuffix(body, "}\r\n\r\n") {
		t.Errorf("the stream ends %q", body[len(body)-40:])
	}
	for event := range strings.SplitSeq(strings.TrimSuffix(body, "\r\n\r\n"), "\r\n\r\n") {
		if !strings.HasPrefix(event, "data: {") || strings.ContainsAny(event, "\r\n") {
			t.Errorf("SDKs cannot read %q", event)
		}
	}
}

func TestTrapEmptyStopsBeforeTheText(t *testing.T) {
	t.Parallel()
	c, r := render(t, streamSSE, hello, `{"emptyStops":2}`, one(text), plain)
	list := messages(t, r)
	for i, v := range list {
		stop := candidateOf(v).Get("finishReason").Str() == "STOP"
		if stop != (i < 2 || i == len(list)-1) {
			t.Errorf("chunk %d: %s", i, v.Raw())
		}
	}
	if reply, err := readBack(c, r); err != nil || reply.Choices[0].Parts[0] != text {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapReasonIsNeverSent(t *testing.T) {
	t.Parallel()
	for _, target := range []string{streamSSE, array3} {
		c, r := render(t, target, hello, `{"noFinish":true}`, one(text), plain)
		_, err := readBack(c, r)
		var f *wire.Failure
		if !errors.As(err, &f) || f.Rule != "incomplete" || !f.PartialOutput || f.Usage == nil {
			t.Errorf("read as %v", err)
		}
	}
}

func TestTrapOldModelsStopOnEveryChunk(t *testing.T) {
	t.Parallel()
	c, r := render(t, streamSSE, hello, `{"stopEveryChunk":true}`, one(text), plain)
	for _, v := range messages(t, r) {
		if candidateOf(v).Get("finishReason").Str() != "STOP" {
			t.Errorf("%s", v.Raw())
		}
	}
	if reply, err := readBack(c, r); err != nil || reply.Choices[0].Parts[0] != text {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapParallelCallsOfOneNameInChunksOfTheirOwn(t *testing.T) {
	t.Parallel()
	two := one(wire.ToolCall{Name: "get_weather", Arguments: `{"city":"Paris"}`}, wire.ToolCall{Name: "get_weather", Arguments: `{"city":"Rome"}`})
	for _, tt := range []struct {
		target, quirks string
		chunks         int
		ids            bool
	}{
		{stream3, "", 2, true},
		{stream3, `{"noCallIds":true}`, 2, false},
		{streamSSE, "", 1, false},
		{streamSSE, `{"callsPerChunk":"one","callIds":true}`, 2, true},
		{stream3, `{"callsPerChunk":"all"}`, 1, true},
		{studio + "gemini-2.5-pro:streamGenerateContent?alt=sse", "", 2, false},
		{vertex + "gemini-2.5-pro:streamGenerateContent?alt=sse", "", 1, false},
	} {
		c, r := render(t, tt.target, hello, tt.quirks, two, plain)
		list := messages(t, r)
		if len(list) != tt.chunks {
			t.Errorf("%s %s: %d chunks", tt.target, tt.quirks, len(list))
		}
		signed := 0
		for _, v := range list {
			for _, p := range candidateOf(v).At("content", "parts").Items() {
				if p.At("functionCall", "id").Exists() != tt.ids {
					t.Errorf("%s %s: %s", tt.target, tt.quirks, p.Raw())
				}
				if p.Get("thoughtSignature").Exists() {
					signed++
				}
			}
		}
		if want := generation(c.Request.Model) >= gen3; (signed == 1) != want || signed > 1 {
			t.Errorf("%s: %d signatures", tt.target, signed)
		}
		if reply, err := readBack(c, r); err != nil || len(reply.Choices[0].Calls()) != 2 {
			t.Errorf("%s: read as %+v, %v", tt.target, reply, err)
		}
	}
}

func TestTrapCallIDOfTheStubTravels(t *testing.T) {
	t.Parallel()
	for _, target := range []string{unary, unary3, vertex + "gemini-2.5-flash:generateContent"} {
		call := look
		call.ID = "pinned-1"
		c, r := render(t, target, hello, "", one(call), plain)
		if reply, err := readBack(c, r); err != nil || reply.Choices[0].Calls()[0].ID != "pinned-1" {
			t.Errorf("%s: read as %+v, %v", target, reply, err)
		}
	}
}

func TestTrapCallIDsDifferBetweenTurns(t *testing.T) {
	t.Parallel()
	idOf := func(body string) string {
		c, r := render(t, unary3, body, "", one(look), plain)
		reply, err := readBack(c, r)
		if err != nil {
			t.Fatal(err)
		}
		return reply.Choices[0].Calls()[0].ID
	}
	first := idOf(hello)
	again := idOf(`{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"track_parcel","args":{},"id":"` + first + `"}}]},{"role":"user","parts":[{"functionResponse":{"name":"track_parcel","id":"` + first + `","response":{}}}]}]}`)
	if len(first) != 8 || first == again || len(again) != 8 {
		t.Errorf("ids %q and %q", first, again)
	}
	if idOf(hello) != first {
		t.Error("the id is another one each time")
	}
	c, r := render(t, vertex+"gemini-3-flash-preview:generateContent", hello, "", one(look), plain)
	reply, err := readBack(c, r)
	if err != nil {
		t.Fatal(err)
	}
	id := reply.Choices[0].Calls()[0].ID
	if digits, ok := strings.CutPrefix(id, "call_"); !ok || len(digits) != 7 {
		t.Errorf("Vertex's id is %q", id)
	}
}

func TestTrapToolsEndWithStop(t *testing.T) {
	t.Parallel()
	c, r := render(t, unary, hello, "", one(look), plain)
	v := candidateOf(messages(t, r)[0])
	if v.Get("finishReason").Str() != "STOP" || v.Get("finishMessage").Str() != "Model generated function call(s)." {
		t.Errorf("%s", v.Raw())
	}
	if reply, err := readBack(c, r); err != nil || reply.Choices[0].Stop != wire.StopTools {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapThoughtsAreOutsideOfCandidatesTokens(t *testing.T) {
	t.Parallel()
	r := one(text)
	r.Usage = &wire.Usage{Input: 10, Output: 30, Reasoning: 25, CacheRead: 4}
	for _, target := range []string{unary, streamSSE, array3, vertex + "gemini-2.5-flash:generateContent"} {
		_, resp := render(t, target, hello, "", r, plain)
		list := messages(t, resp)
		u := list[len(list)-1].Get("usageMetadata")
		for name, want := range map[string]int64{
			"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 25, "totalTokenCount": 40, "cachedContentTokenCount": 4,
		} {
			if n, _ := u.Get(name).Int(); n != want {
				t.Errorf("%s: %s is %d, want %d", target, name, n, want)
			}
		}
	}
}

func TestTrapCountsOfZeroAreLeftOut(t *testing.T) {
	t.Parallel()
	r := one(wire.Reasoning{Text: "hm"})
	r.Usage = &wire.Usage{Input: 10, Output: 5, Reasoning: 5}
	_, resp := render(t, unary, hello, "", r, plain)
	if u := messages(t, resp)[0].Get("usageMetadata"); u.Get("candidatesTokenCount").Exists() || u.Get("cachedContentTokenCount").Exists() {
		t.Errorf("%s", u.Raw())
	}
	_, resp = render(t, unary, hello, `{"zeroCounts":true}`, r, plain)
	if u := messages(t, resp)[0].Get("usageMetadata"); u.Get("candidatesTokenCount").Raw() != "0" {
		t.Errorf("%s", u.Raw())
	}
}

func TestTrapUsageIsARunningTotal(t *testing.T) {
	t.Parallel()
	_, r := render(t, streamSSE, hello, "", one(wire.Text{Text: strings.Repeat("word ", 40)}), plain)
	last := int64(0)
	for i, v := range messages(t, r) {
		n, ok := v.At("usageMetadata", "candidatesTokenCount").Int()
		if !ok || n < last {
			t.Fatalf("chunk %d counts %d after %d", i, n, last)
		}
		last = n
	}
	if last != int64(wire.Tokens(strings.Repeat("word ", 40))) {
		t.Errorf("the last total is %d", last)
	}
	_, r = render(t, vertex+"gemini-2.5-flash:streamGenerateContent?alt=sse", hello, "", one(text), plain)
	list := messages(t, r)
	for i, v := range list {
		if counted := v.At("usageMetadata", "promptTokenCount").Exists(); counted != (i == len(list)-1) {
			t.Errorf("Vertex's chunk %d: %s", i, v.Raw())
		}
	}
}

func TestTrapDelayIsInTheBodyOnly(t *testing.T) {
	t.Parallel()
	for quirks, wants := range map[string]struct {
		detail, text bool
		delay        time.Duration
	}{
		``:                        {true, true, 45837 * time.Millisecond},
		`{"retryText":true}`:      {false, true, 45837 * time.Millisecond},
		`{"resetDelay":true}`:     {false, true, 45837 * time.Millisecond},
		`{"retryDelay":"86400s"}`: {true, true, 24 * time.Hour},
		`{"noDetails":true}`:      {false, true, 45837 * time.Millisecond},
		`{"retryDelay":"18.5s","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}`: {true, true, 18500 * time.Millisecond},
	} {
		c := newCall(t, unary, hello)
		c.Quirks = json.RawMessage(quirks)
		r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.RateLimit, RetryAfter: 45837 * time.Millisecond})
		body := string(r.Body)
		if strings.Contains(body, "RetryInfo") != wants.detail || strings.Contains(body, "Please retry in") != wants.text || r.Header.Get("Retry-After") != "" {
			t.Errorf("%s: %s", quirks, body)
		}
		f := failed(t, c, r)
		if f.RetryAfter != wants.delay || (f.Kind == wire.Quota) != strings.Contains(quirks, "PerDay") {
			t.Errorf("%s: read as %+v", quirks, f)
		}
	}
}

func TestTrapBareErrorIsReadInAnyFragmentation(t *testing.T) {
	t.Parallel()
	cut := plain
	cut.FailAfter, cut.Failure = 1, &wire.Failure{Kind: wire.Overloaded}
	c, r := render(t, streamSSE, hello, `{"bareError":true}`, one(text), cut)
	body := r.Bytes()
	if !bytes.Contains(body, []byte("\r\n\r\n{\n  \"error\": {\n    \"code\": 503,")) {
		t.Fatalf("%s", body)
	}
	h := &wire.ResponseHead{Status: 200, Header: http.Header{"Content-Type": {sseType}}, Request: c.Request}
	for name, in := range map[string]io.Reader{
		"whole": bytes.NewReader(body), "byte by byte": iotest.OneByteReader(bytes.NewReader(body)),
		"after a lone brace": io.MultiReader(bytes.NewReader(body[:bytes.LastIndex(body, []byte("{\n  \"error\""))+2]), bytes.NewReader(body[bytes.LastIndex(body, []byte("{\n  \"error\""))+2:])),
	} {
		_, err := wire.Fold(c.Endpoint.Codec.Read(h, in))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Kind != wire.Overloaded || !f.PartialOutput {
			t.Errorf("%s: read as %v", name, err)
		}
	}
}

func TestTrapNoAltMeansAnArray(t *testing.T) {
	t.Parallel()
	_, r := render(t, array3, hello, "", one(text), plain)
	body := string(r.Bytes())
	if r.Header.Get("Content-Type") != jsonType || !strings.HasPrefix(body, "[{\n  \"candidates\"") || !strings.HasSuffix(body, "\n}\n]") || strings.Count(body, "\n}\n,\r\n{\n") != 2 {
		t.Errorf("%v\n%s", r.Header, body)
	}
	if v, err := jsonx.Parse(body); err != nil || v.Len() != 3 {
		t.Errorf("%v", err)
	}
}

func TestTrapCutArrayIsWhole(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		cut := plain
		cut.After = n
		c, r := render(t, array3, hello, "", one(text), cut)
		if v, err := jsonx.ParseBytes(r.Bytes()); err != nil || v.Len() != min(n, 3) {
			t.Errorf("after %d: %v\n%s", n, err, r.Bytes())
		}
		_, err := readBack(c, r)
		var f *wire.Failure
		if n < 3 && (!errors.As(err, &f) || f.Rule != "incomplete") || n == 3 && err != nil {
			t.Errorf("after %d: read as %v", n, err)
		}
		cut.FailAfter, cut.Failure = n, &wire.Failure{Kind: wire.ServerError}
		_, r = render(t, array3, hello, "", one(text), cut)
		if v, err := jsonx.ParseBytes(r.Bytes()); err != nil || v.Len() != min(n, 3)+1 {
			t.Errorf("failed after %d: %v\n%s", n, err, r.Bytes())
		}
	}
}

func TestTrapMalformedEventIsNoAnswer(t *testing.T) {
	t.Parallel()
	cut := plain
	cut.Malformed = true
	for _, target := range []string{unary, streamSSE, array3} {
		c, r := render(t, target, hello, "", one(text), cut)
		if _, err := readBack(c, r); err == nil {
			t.Errorf("%s is read without an error:\n%s", target, r.Bytes())
		}
	}
}

func TestTrapDroppedConnectionInsideTheArray(t *testing.T) {
	t.Parallel()
	c, r := render(t, array3, hello, "", one(text), plain)
	body := r.Bytes()
	h := &wire.ResponseHead{Status: 200, Header: http.Header{"Content-Type": {jsonType}}, Request: c.Request}
	for n := range body[:len(body)-1] {
		if _, err := wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(body[:n]))); err == nil {
			t.Fatalf("%d bytes are read without an error", n)
		}
	}
}

func TestTrapUnexpectedCallHasAMessage(t *testing.T) {
	t.Parallel()
	r := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{look}, Stop: "UNEXPECTED_TOOL_CALL"}}}
	_, resp := render(t, vertex+"gemini-3-flash-preview:generateContent", hello, "", r, plain)
	v := candidateOf(messages(t, resp)[0])
	if v.Get("finishMessage").Str() != "Unexpected tool call: Model tried to call an undeclared function: track_parcel" || v.At("content", "parts").Len() != 1 {
		t.Errorf("%s", v.Raw())
	}
}

func TestTrapRecitationEndsWithoutContent(t *testing.T) {
	t.Parallel()
	r := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{text, wire.Citation{URL: "https://example.com", End: 3}}, Stop: "RECITATION"}}}
	c, resp := render(t, streamSSE, hello, "", r, plain)
	list := messages(t, resp)
	v := candidateOf(list[len(list)-1])
	if len(list) != 4 || v.Get("content").Exists() || v.Get("finishReason").Str() != "RECITATION" || !v.At("citationMetadata", "citationSources").Exists() {
		t.Errorf("%s", v.Raw())
	}
	if reply, err := readBack(c, resp); err != nil || reply.Choices[0].Stop != "RECITATION" {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapVertexWantsARole(t *testing.T) {
	t.Parallel()
	body := `{"contents":[{"parts":[{"text":"Hi"}]}]}`
	refusals := func(target string) (n int) {
		c := newCall(t, target, body)
		for v := range c.Endpoint.Codec.Check(c) {
			if v.Failure != nil {
				n++
			}
		}
		return n
	}
	if refusals(vertex+"m:generateContent") != 1 || refusals(unary) != 0 {
		t.Error("a missing role is refused by the wrong surface")
	}
}

func TestTrapContinuationTokenOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	r := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{text}, Stop: wire.StopPause}}}
	c, resp := render(t, streamSSE, hello, "", r, plain)
	if bytes.Contains(resp.Bytes(), []byte("continuationToken")) || !bytes.Contains(resp.Bytes(), []byte(`"CONTINUATION"`)) {
		t.Errorf("%s", resp.Bytes())
	}
	if reply, err := readBack(c, resp); err != nil || reply.Choices[0].Stop != wire.StopPause {
		t.Errorf("read as %+v, %v", reply, err)
	}
	_, resp = render(t, streamSSE, hello, `{"continuationToken":"dG9r"}`, r, plain)
	if list := messages(t, resp); candidateOf(list[len(list)-1]).Get("continuationToken").Str() != "dG9r" {
		t.Errorf("%s", resp.Bytes())
	}
}

func TestTrapHugeFrame(t *testing.T) {
	t.Parallel()
	image := wire.Media{Kind: "image", MIME: "image/png", Data: strings.Repeat("QUJD", 1<<19)}
	c, r := render(t, streamSSE, hello, "", one(image), plain)
	if reply, err := readBack(c, r); err != nil || reply.Choices[0].Parts[0] != wire.Part(image) {
		t.Errorf("a frame of %d bytes: %v", len(r.Frames[0].Data), err)
	}
}

func TestTrapComments(t *testing.T) {
	t.Parallel()
	c, r := render(t, streamSSE, hello, `{"comments":2,"lf":true,"compact":true}`, one(text), plain)
	body := string(r.Bytes())
	if !strings.HasPrefix(body, ": keepalive\n\n: keepalive\n\ndata: {\"candidates\":[{") || strings.Contains(body, "\r") {
		t.Errorf("%s", body)
	}
	if reply, err := readBack(c, r); err != nil || reply.Choices[0].Parts[0] != text {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapArgumentStreamingOnlyWhereItIsHonoured(t *testing.T) {
	t.Parallel()
	asks := `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}}}`
	for _, tt := range []struct {
		target, quirks string
		pieces         bool
	}{
		{vertex + "gemini-3.1-pro-preview:streamGenerateContent?alt=sse", "", true},
		{stream3, "", false},
		{stream3, `{"streamArguments":true}`, true},
		{vertex + "gemini-3.1-pro-preview:generateContent", "", false},
	} {
		c, r := render(t, tt.target, asks, tt.quirks, one(look), plain)
		if got := bytes.Contains(r.Bytes(), []byte("partialArgs")); got != tt.pieces {
			t.Errorf("%s %s: pieces %t", tt.target, tt.quirks, got)
		}
		if reply, err := readBack(c, r); err != nil || reply.Choices[0].Calls()[0].Arguments != look.Arguments {
			t.Errorf("%s: read as %+v, %v", tt.target, reply, err)
		}
	}
}

func TestTrapLegacyErrorList(t *testing.T) {
	t.Parallel()
	c := newCall(t, unary, hello)
	c.Quirks = json.RawMessage(`{"legacyErrors":true,"errorForm":"array"}`)
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.RateLimit})
	v, err := jsonx.ParseBytes(r.Body)
	if err != nil || v.At(0, "error", "errors", 0, "reason").Str() != "rateLimitExceeded" {
		t.Errorf("%v %s", err, r.Body)
	}
}

// TestQuirksAreAllRead sets each quirk and looks that it changes the struct.
func TestQuirksAreAllRead(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, name := range QuirkNames() {
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		changed := 0
		for _, value := range []string{`true`, `3`, `"x"`} {
			var q Quirks
			q.apply(json.RawMessage(`{"` + name + `":` + value + `,"other":[],"empty":null}`))
			if q != (Quirks{}) {
				changed++
			}
		}
		if changed != 1 {
			t.Errorf("%s takes %d kinds of values", name, changed)
		}
	}
	if len(seen) < 30 {
		t.Error("only " + strconv.Itoa(len(seen)) + " quirks")
	}
}
