package anthropic_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// The tests of this file are the traps that clients of this API fell into, each named for what broke.

var (
	hello  = one(wire.Text{Text: "Hello there."})
	lookUp = one(wire.ToolCall{Name: "track_parcel", Arguments: `{"reference":"PX-AI-8102"}`})
)

func cutAfter(n int) wire.Cut {
	c := wire.NoCut()
	c.After = n
	return c
}

func failAfter(n int, f *wire.Failure) wire.Cut {
	c := wire.NoCut()
	c.FailAfter, c.Failure = n, f
	return c
}

func readBack(t *testing.T, c *wire.Call, r wire.Response) (wire.Reply, error) {
	t.Helper()
	h := &wire.ResponseHead{Status: r.Status, Header: map[string][]string{}, Request: c.Request}
	r.Header.WriteTo(h.Header)
	return wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(r.Bytes())))
}

func TestTrapOverloadArrivesInsideA200(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	r := render(c, hello, "", failAfter(5, &wire.Failure{Kind: wire.Overloaded}))
	if r.Status != 200 || len(r.Frames) != 6 || r.Frames[5].Name != "error" {
		t.Fatalf("status %d, events %s", r.Status, names(r))
	}
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Overloaded || !f.PartialOutput || f.Usage == nil {
		t.Errorf("read as %+v", err)
	}
}

func TestTrapErrorCanBeTheFirstEvent(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	r := render(c, hello, "", failAfter(0, &wire.Failure{Kind: wire.ServerError}))
	if got := names(r); got != "error" {
		t.Fatalf("events %s", got)
	}
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.ServerError || f.PartialOutput {
		t.Errorf("read as %+v", err)
	}
}

func TestTrapErrorHasNullDetailsAndPadding(t *testing.T) {
	t.Parallel()
	padded := false
	for seed := range uint64(20) {
		c := open(t, post(messagesPath, askStream))
		c.Seed = seed
		r := render(c, hello, "", failAfter(0, &wire.Failure{Kind: wire.Overloaded}))
		data := string(r.Frames[0].Data)
		head := `{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"}`
		spaces, ok := strings.CutPrefix(data, head)
		if spaces = strings.TrimSuffix(spaces, "}"); !ok || strings.Trim(spaces, " ") != "" || len(spaces) > 15 {
			t.Fatalf("%s", data)
		}
		padded = padded || spaces != ""
	}
	if !padded {
		t.Error("no error of twenty was padded")
	}
}

func TestTrapPaddingIsEvenAndNeverOnPing(t *testing.T) {
	t.Parallel()
	var seen [16]int
	total := 0
	for seed := range uint64(40) {
		c := open(t, post(messagesPath, askStream))
		c.Seed = seed
		for _, f := range render(c, hello, "", wire.NoCut()).Frames {
			if f.Name == "ping" {
				if string(f.Data) != `{"type": "ping"}` {
					t.Fatalf("ping is %s", f.Data)
				}
				continue
			}
			inner := bytes.TrimSuffix(f.Data, []byte("}"))
			seen[len(inner)-len(bytes.TrimRight(inner, " "))]++
			total++
		}
	}
	for n, count := range seen {
		if count == 0 || count > total/5 {
			t.Errorf("%d of %d events have %d spaces", count, total, n)
		}
	}
}

func TestTrapSwallowedErrorIsABareCut(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	r := render(c, hello, `{"swallowErrors":true}`, failAfter(4, &wire.Failure{Kind: wire.Overloaded}))
	if got := names(r); got != "message_start content_block_start ping content_block_delta" {
		t.Errorf("events %s", got)
	}
}

func TestTrapPingBeforeTheFirstInput(t *testing.T) {
	t.Parallel()
	r := stream(t, lookUp, "")
	if got := names(r); !strings.HasPrefix(got, "message_start content_block_start ping content_block_delta ") {
		t.Errorf("events %s", got)
	}
	if strings.Count(names(r), "ping") != 1 {
		t.Error("more than one ping")
	}
}

func TestTrapFirstInputDeltaIsEmpty(t *testing.T) {
	t.Parallel()
	r := stream(t, lookUp, "")
	lines := strings.Split(compacted(r), "\n")
	if lines[1] == "" || !strings.Contains(lines[1], `"input":{},"caller":{"type":"direct"}`) {
		t.Errorf("start %s", lines[1])
	}
	if lines[3] != `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}` {
		t.Errorf("first delta %s", lines[3])
	}
}

func TestTrapNoArgumentsWithAndWithoutBraces(t *testing.T) {
	t.Parallel()
	call := one(wire.ToolCall{Name: "now", Arguments: "{}"})
	with := compacted(stream(t, call, ""))
	want(t, with, `"partial_json":""`)
	want(t, with, `"partial_json":"{}"`)
	c := open(t, post(messagesPath, askStream))
	r := render(c, call, `{"emptyInput":true}`, wire.NoCut())
	without := compacted(r)
	want(t, without, `"partial_json":""`)
	wantNot(t, without, `"partial_json":"{}"`)
	reply, err := readBack(t, c, r)
	if err != nil || reply.Choices[0].Calls()[0].Arguments != "" {
		t.Errorf("%+v %v", reply, err)
	}
}

func TestTrapUsageIsCumulative(t *testing.T) {
	t.Parallel()
	r := hello
	r.Usage = &wire.Usage{Input: 180, Output: 24, Reasoning: 7, CacheRead: 100, CacheWrite: 20}
	got := compacted(stream(t, r, ""))
	want(t, got, `"usage":{"input_tokens":60,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":20,"ephemeral_1h_input_tokens":0},"output_tokens":1,"service_tier":"standard","inference_geo":"not_available"}`)
	want(t, got, `"usage":{"input_tokens":60,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":24,"output_tokens_details":{"thinking_tokens":7}}`)
	old := compacted(stream(t, r, `{"deltaUsage":"output"}`))
	want(t, old, `"usage":{"output_tokens":24,"output_tokens_details"`)
}

func TestTrapInputGrowsAfterAWebSearch(t *testing.T) {
	t.Parallel()
	r := hello
	r.Usage = &wire.Usage{Input: 12284, Output: 24}
	c := open(t, post(messagesPath, askStream))
	resp := render(c, r, `{"startInputTokens":2230}`, wire.NoCut())
	got := compacted(resp)
	want(t, got, `"input_tokens":2230,`)
	want(t, got, `"input_tokens":12284,`)
	reply, err := readBack(t, c, resp)
	if err != nil || reply.Usage.Input != 12284 {
		t.Errorf("read %+v %v", reply.Usage, err)
	}
}

func TestTrapServerToolsAreCounted(t *testing.T) {
	t.Parallel()
	search := wire.Opaque{Type: "server_tool_use", Raw: `{"type":"server_tool_use","id":"srvtoolu_01","name":"web_search","input":{"query":"parcel"}}`}
	result := wire.Opaque{Type: "web_search_tool_result", Raw: `{"type":"web_search_tool_result","tool_use_id":"srvtoolu_01","content":[]}`}
	reply := one(search, result, wire.Text{Text: "Found."})
	const counted = `"server_tool_use":{"web_search_requests":1,"web_fetch_requests":0}`
	got := string(whole(t, reply, "").Body)
	want(t, got, counted)
	got = compacted(stream(t, reply, ""))
	want(t, got, counted)
	want(t, got, `"content_block":{"type":"server_tool_use","id":"srvtoolu_01","name":"web_search","input":{}}`)
	want(t, got, `"content_block":`+result.Raw)
	wantNot(t, string(whole(t, hello, "").Body), "server_tool_use")
}

func TestTrapMessageStartWithoutUsage(t *testing.T) {
	t.Parallel()
	first, _, _ := strings.Cut(compacted(stream(t, hello, `{"noStartUsage":true}`)), "\n")
	wantNot(t, first, "usage")
	want(t, first, `"stop_details":null}}`)
	first, _, _ = strings.Cut(compacted(stream(t, hello, "")), "\n")
	want(t, first, `"usage":{`)
}

func TestTrapCleanCloseBeforeMessageStop(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	all := len(render(c, hello, "", wire.NoCut()).Frames)
	for n := range all {
		c := open(t, post(messagesPath, askStream))
		_, err := readBack(t, c, render(c, hello, "", cutAfter(n)))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Rule != "incomplete" || f.PartialOutput != (n > 3) {
			t.Errorf("cut after %d of %d: %+v", n, all, err)
		}
	}
	c = open(t, post(messagesPath, askStream))
	r := render(c, hello, `{"noMessageStop":true}`, wire.NoCut())
	if _, err := readBack(t, c, r); err == nil || !strings.HasSuffix(names(r), "message_delta") {
		t.Errorf("events %s: %v", names(r), err)
	}
}

func TestTrapMessageStopCutInItsJSON(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	r := render(c, hello, "", wire.NoCut())
	last := &r.Frames[len(r.Frames)-1]
	last.Data = last.Data[:12]
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) || f.Rule != "incomplete" || !f.PartialOutput {
		t.Errorf("%+v", err)
	}
}

func TestTrapMalformedEventInTheMiddle(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	cut := wire.NoCut()
	cut.Malformed = true
	_, err := readBack(t, c, render(c, hello, "", cut))
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Unusable {
		t.Errorf("%+v", err)
	}
}

func TestTrapLastFrameLacksItsBlankLine(t *testing.T) {
	t.Parallel()
	b := string(stream(t, hello, `{"noFinalBlank":true,"noPadding":true}`).Bytes())
	if !strings.HasSuffix(b, "data: {\"type\":\"message_stop\"}\n") || strings.HasSuffix(b, "\n\n") {
		t.Errorf("ends with %q", b[len(b)-40:])
	}
}

func TestTrapUnknownEventsAndDeltas(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	r := render(c, hello, `{"unknownEvents":true}`, wire.NoCut())
	want(t, names(r), "message_annotation")
	want(t, compacted(r), "annotation_delta")
	reply, err := readBack(t, c, r)
	if err != nil || len(reply.Choices[0].Parts) != 1 || reply.Choices[0].Parts[0] != hello.Choices[0].Parts[0] {
		t.Errorf("%+v %v", reply, err)
	}
}

func TestTrapEmptyThinkingWithALongSignature(t *testing.T) {
	t.Parallel()
	thought := one(wire.Reasoning{Text: "The user wants the truth."}, wire.Text{Text: "Yes."})
	c := open(t, post(messagesPath, askStream))
	r := render(c, thought, `{"omitThinking":true,"signatureLength":4000}`, wire.NoCut())
	reply, err := readBack(t, c, r)
	if err != nil {
		t.Fatal(err)
	}
	got := reply.Choices[0].Parts[0].(wire.Reasoning)
	if got.Text != "" || len(got.Signature) < 4000 {
		t.Errorf("text %q, signature of %d", got.Text, len(got.Signature))
	}
	wantNot(t, names(r)+compacted(r), "thinking_delta")
	if n := strings.Count(compacted(r), "signature_delta"); n != 1 {
		t.Errorf("%d signature deltas", n)
	}
}

func TestTrapRequestOmitsThinking(t *testing.T) {
	t.Parallel()
	body := strings.Replace(askWhole, `"max_tokens"`, `"thinking":{"type":"adaptive","display":"omitted"},"max_tokens"`, 1)
	r := render(open(t, post(messagesPath, body)), one(wire.Reasoning{Text: "hm"}), "", wire.NoCut())
	want(t, string(r.Body), `{"type":"thinking","thinking":"","signature":"`)
}

func TestTrapSignatureIsTheHashOfTheThought(t *testing.T) {
	t.Parallel()
	// base64 of the 64 hex digits of SHA-256("hm" and NUL).
	const signature = "MmNlNDE5YzdlOTg4YWMwZTNmMzBkMTBmMWFmMmMyOWQ5NDhkYjFhNTA0Yjc5ZGMwY2Y4ZmNkNDFmZGUxMmQ3NQ=="
	got := parse(t, whole(t, one(wire.Reasoning{Text: "hm"}), "").Body).At("content", 0, "signature").Str()
	if got != signature {
		t.Errorf("signature %q", got)
	}
	other := parse(t, whole(t, one(wire.Reasoning{Text: "hm."}), "").Body).At("content", 0, "signature").Str()
	if other == got {
		t.Error("another thought has the same signature")
	}
}

func TestTrapInterleavedBlocks(t *testing.T) {
	t.Parallel()
	reply := one(wire.Reasoning{Text: "one two three"}, wire.Text{Text: "a b c d"}, wire.ToolCall{Name: "f", Arguments: `{"a":1}`})
	c := open(t, post(messagesPath, askStream))
	r := render(c, reply, `{"interleave":true}`, wire.NoCut())
	if got := names(r); !strings.HasPrefix(got, "message_start content_block_start ping content_block_start content_block_start content_block_delta") {
		t.Errorf("events %s", got)
	}
	got, err := readBack(t, c, r)
	if err != nil || len(got.Choices[0].Parts) != 3 {
		t.Fatalf("%+v %v", got, err)
	}
	if got.Choices[0].Parts[1] != (wire.Text{Text: "a b c d"}) || got.Choices[0].Calls()[0].Arguments != `{"a":1}` {
		t.Errorf("%+v", got.Choices[0].Parts)
	}
}

func TestTrapRefusalIsA200(t *testing.T) {
	t.Parallel()
	r := whole(t, one(wire.Refusal{Text: "I can't help with that."}), `{"refusalCategory":"cyber"}`)
	v := parse(t, r.Body)
	if r.Status != 200 || v.Get("stop_reason").Str() != "refusal" || v.At("stop_details", "category").Str() != "cyber" ||
		v.At("content", 0, "text").Str() != "I can't help with that." || !v.At("stop_details", "explanation").IsNull() {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

func TestTrapBlockedPromptIsAnEmptyRefusal(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	r, _, lost := wire.Render(c, c.Endpoint.Codec, wire.Reply{Blocked: "prompt"}, wire.Split{}, wire.NoCut())
	if len(lost) != 1 || !errors.Is(lost[0], wire.ErrNotOnWire) {
		t.Errorf("lost %v", lost)
	}
	want(t, string(r.Body), `"content":[],"stop_reason":"refusal"`)
}

func TestTrapEmptyTurnStillCounts(t *testing.T) {
	t.Parallel()
	v := parse(t, whole(t, one(), "").Body)
	if n, _ := v.At("usage", "output_tokens").Int(); v.Get("content").Len() != 0 || n < 1 {
		t.Errorf("%s", v.Raw())
	}
}

func TestTrapArgumentsThatAreNoObject(t *testing.T) {
	t.Parallel()
	reply := one(wire.ToolCall{Name: "f", Arguments: `{"a": [1, `})
	c := open(t, post(messagesPath, askWhole))
	r, _, lost := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	if len(lost) != 1 || !errors.Is(lost[0], wire.ErrNotOnWire) {
		t.Errorf("lost %v", lost)
	}
	want(t, string(r.Body), `"input":{"unparsed_arguments":"{\"a\": [1, "}`)
	c = open(t, post(messagesPath, askStream))
	resp := render(c, reply, "", wire.NoCut())
	got, err := readBack(t, c, resp)
	if err != nil || got.Choices[0].Calls()[0].Arguments != `{"a": [1, ` {
		t.Errorf("%+v %v", got, err)
	}
}

func TestTrapIdsHaveTheProvidersLengths(t *testing.T) {
	t.Parallel()
	v := parse(t, whole(t, lookUp, "").Body)
	id, tool := v.Get("id").Str(), v.At("content", 0, "id").Str()
	if len(id) != 28 || !strings.HasPrefix(id, "msg_01") || len(tool) != 30 || !strings.HasPrefix(tool, "toolu_") {
		t.Errorf("%q %q", id, tool)
	}
	c := open(t, post(vertexPath+":rawPredict", askVertex))
	v = parse(t, render(c, lookUp, "", wire.NoCut()).Body)
	id, tool = v.Get("id").Str(), v.At("content", 0, "id").Str()
	if len(id) != 33 || !strings.HasPrefix(id, "msg_vrtx_01") || len(tool) != 35 || !strings.HasPrefix(tool, "toolu_vrtx_") {
		t.Errorf("%q %q", id, tool)
	}
	c = open(t, post(messagesPath, askWhole))
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.Overloaded})
	if got := r.Header.Get("Request-Id"); len(got) != 28 || !strings.HasPrefix(got, "req_011") ||
		parse(t, r.Body).Get("request_id").Str() != got {
		t.Errorf("request id %q in %s", got, r.Body)
	}
}

func TestTrapVertexPingComesBeforeTheFirstBlock(t *testing.T) {
	t.Parallel()
	r := render(open(t, post(vertexPath+":streamRawPredict", askVertex)), hello, "", wire.NoCut())
	if got := names(r); !strings.HasPrefix(got, "message_start ping content_block_start content_block_delta") {
		t.Errorf("events %s", got)
	}
	r = render(open(t, post(vertexPath+":streamRawPredict", askVertex)), hello, `{"vertexEvent":true}`, wire.NoCut())
	if got := names(r); !strings.HasPrefix(got, "vertex_event message_start") {
		t.Errorf("events %s", got)
	}
}

func TestTrapRetryAfterOnA200IsNoError(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	r := render(c, hello, "", wire.NoCut())
	r.Header = append(r.Header, wire.Field{Name: "Retry-After", Value: "39"})
	if _, err := readBack(t, c, r); err != nil {
		t.Error(err)
	}
}

func TestEveryQuirkStillRoundTrips(t *testing.T) {
	t.Parallel()
	for _, quirks := range []string{
		`{"noPadding":true}`, `{"ping":"never"}`, `{"ping":"first"}`, `{"ping":"always"}`, `{"ping":"afterMessageStart"}`, `{"oldOrder":true}`,
		`{"nullKeys":true}`, `{"noNulls":true}`, `{"noStopDetails":true}`, `{"noCaller":true}`, `{"noSignature":true}`,
		`{"omitThinking":true}`, `{"signatureLength":500}`, `{"usage":"counters"}`, `{"usage":"plain","deltaUsage":"plain"}`,
		`{"deltaUsage":"output"}`, `{"noStartUsage":true}`, `{"startInputTokens":5}`, `{"wholeInput":true}`, `{"emptyInput":true}`,
		`{"inputInStart":true}`, `{"interleave":true}`, `{"unknownEvents":true}`, `{"vertexEvent":true}`, `{"noEventLine":true}`,
		`{"noFinalBlank":true}`, `{"crlf":true}`, `{"interleave":true,"ping":"always","unknownEvents":true,"inputInStart":true}`,
	} {
		for _, body := range []string{askWhole, askStream} {
			for _, r := range wiretest.Replies() {
				if r.Name == "long text" {
					continue
				}
				if strings.Contains(quirks, "inputInStart") && strings.Contains(body, `"stream"`) && strings.Contains(r.Name, "bad arguments") {
					continue // what the start cannot hold has a test of its own
				}
				c := open(t, post(messagesPath, body))
				c.Quirks = []byte(quirks)
				t.Run(quirks+"/"+r.Name, func(t *testing.T) { wiretest.RoundTrip(t, c, r.Reply) })
			}
		}
	}
}
