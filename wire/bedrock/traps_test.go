package bedrock_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The tests of this file are the traps that clients of this API fell into, each named for what broke.

func TestTrapPayloadIsTheBareEvent(t *testing.T) {
	t.Parallel()
	r := stream(t, hello, "")
	m := frame(t, r, 0)
	if m.Get(":event-type") != "messageStart" || strings.Contains(string(m.Payload), "messageStart") {
		t.Errorf("%v %s", m.Headers, m.Payload)
	}
	want(t, string(m.Payload), `"role":"assistant"`)
	for i, name := range []string{":event-type", ":content-type", ":message-type"} {
		if m.Headers[i].Name != name {
			t.Errorf("header %d is %s", i, m.Headers[i].Name)
		}
	}
}

func TestTrapExceptionTypeIsLowerCamel(t *testing.T) {
	t.Parallel()
	for kind, name := range map[wire.FailureKind]string{
		wire.RateLimit: "throttlingException", wire.Overloaded: "serviceUnavailableException", wire.ContextLength: "validationException",
		wire.Auth: "validationException", wire.ServerError: "internalServerException", wire.Timeout: "modelStreamErrorException",
	} {
		c := open(t, post(nova+"/converse-stream", ask))
		r := render(c, hello, "", failAfter(3, &wire.Failure{Kind: kind}))
		m := frame(t, r, 3)
		if len(r.Frames) != 4 || m.Get(":message-type") != "exception" || m.Get(":exception-type") != name {
			t.Errorf("%s: %s, %v", kind, names(r), m.Headers)
		}
		_, err := readBack(t, c, r)
		var f *wire.Failure
		if !errors.As(err, &f) || f.Kind != kind || !f.PartialOutput || f.Sent != wire.Completed {
			t.Errorf("%s is read as %+v", kind, err)
		}
	}
	c := open(t, post(nova+"/converse-stream", ask))
	r := render(c, hello, `{"upperException":true}`, failAfter(1, &wire.Failure{Kind: wire.RateLimit}))
	if got := names(r); got != "messageStart ThrottlingException" {
		t.Errorf("frames %s", got)
	}
}

func TestTrapTimeoutInsideAnInvokeStreamHasItsOwnName(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/invoke-with-response-stream", `{"schemaVersion":"messages-v1",`+ask[1:]))
	r := render(c, hello, "", failAfter(1, &wire.Failure{Kind: wire.Timeout}))
	if got := names(r); got != "chunk modelTimeoutException" {
		t.Errorf("frames %s", got)
	}
}

func TestTrapExceptionCanBeTheFirstFrame(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", ask))
	r := render(c, hello, "", failAfter(0, &wire.Failure{Kind: wire.RateLimit, Code: "modelStreamErrorException", Message: "gone"}))
	if names(r) != "modelStreamErrorException" {
		t.Fatal(names(r))
	}
	want(t, string(r.Frames[0].Data), `"originalMessage":"gone","originalStatusCode":500`)
}

func TestTrapTextHasNoStart(t *testing.T) {
	t.Parallel()
	r := stream(t, one(wire.Reasoning{Text: "hm", Signature: "c2ln"}, wire.Text{Text: "Hi"}, lookUp.Choices[0].Parts[0]), "")
	if n := strings.Count(names(r), "contentBlockStart"); n != 1 {
		t.Errorf("%d starts in %s", n, names(r))
	}
	if n := strings.Count(names(stream(t, hello, `{"textStart":true}`)), "contentBlockStart"); n != 1 {
		t.Errorf("%d starts with the quirk", n)
	}
}

func TestTrapSignatureIsADeltaOfItsOwn(t *testing.T) {
	t.Parallel()
	c := open(t, post(claude+"/converse-stream", ask))
	r := render(c, one(wire.Reasoning{Text: "Look up.", Signature: "c2ln"}), "", wire.NoCut())
	for _, f := range r.Frames {
		v, err := jsonx.ParseBytes(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		if delta := v.Get("delta"); delta.Exists() && (delta.Len() != 1 || delta.Get("reasoningContent").Len() != 1) {
			t.Errorf("more than one member in %s", f.Data)
		}
	}
	want(t, string(r.Frames[3].Data), `"delta":{"reasoningContent":{"signature":"c2ln"}}`)
}

func TestTrapMetadataComesLast(t *testing.T) {
	t.Parallel()
	r := stream(t, hello, "")
	if !strings.HasSuffix(names(r), "contentBlockStop messageStop metadata") {
		t.Errorf("frames %s", names(r))
	}
	want(t, string(r.Frames[len(r.Frames)-1].Data), `"usage":{"inputTokens":`)
	for _, f := range r.Frames[:len(r.Frames)-1] {
		wantNot(t, string(f.Data), "usage")
	}
	if got := names(stream(t, hello, `{"noMetadata":true}`)); strings.Contains(got, "metadata") {
		t.Errorf("frames %s", got)
	}
}

func TestTrapSecondMetadataHasNoUsage(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", ask))
	r := render(c, hello, `{"twoMetadata":true}`, wire.NoCut())
	if !strings.HasSuffix(names(r), "metadata metadata") {
		t.Fatalf("frames %s", names(r))
	}
	reply, err := readBack(t, c, r)
	if err != nil || reply.Usage == nil || reply.Usage.Output == 0 {
		t.Errorf("usage %+v, %v", reply.Usage, err)
	}
}

func TestTrapCallWithoutArguments(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ quirks, frames, input string }{
		{"", "contentBlockStart contentBlockDelta contentBlockStop", `"input":"{}"`},
		{`{"noInput":true}`, "contentBlockStart contentBlockStop", ""},
		{`{"emptyInput":true}`, "contentBlockStart contentBlockDelta contentBlockStop", `"input":""`},
	} {
		c := open(t, post(nova+"/converse-stream", askTool))
		r := render(c, noArgs, row.quirks, wire.NoCut())
		if got := names(r); got != "messageStart "+row.frames+" messageStop metadata" {
			t.Errorf("%s: frames %s", row.quirks, got)
		}
		if row.input != "" {
			want(t, string(r.Frames[2].Data), row.input)
		}
		reply, err := readBack(t, c, r)
		if err != nil || reply.Choices[0].Calls()[0].Arguments != "{}" {
			t.Errorf("%s: read as %+v, %v", row.quirks, reply, err)
		}
	}
}

func TestTrapInputAfterTheBlock(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", askTool))
	r := render(c, lookUp, `{"lateInput":true}`, wire.NoCut())
	want(t, names(r), "contentBlockStop contentBlockDelta messageStop")
	reply, err := readBack(t, c, r)
	if err != nil || reply.Choices[0].Calls()[0].Arguments != `{"reference":"PX-AI-8102"}` {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapEmptyTextBeforeACall(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", askTool))
	r := render(c, lookUp, `{"emptyText":true,"unknownEvents":true,"noBlockStop":true}`, wire.NoCut())
	want(t, string(r.Frames[1].Data), `"delta":{"text":""}`)
	want(t, names(r), "messageAnnotation")
	wantNot(t, names(r), "contentBlockStop")
	reply, err := readBack(t, c, r)
	if err != nil || len(reply.Choices[0].Parts) != 1 {
		t.Errorf("read as %+v, %v", reply, err)
	}
}

func TestTrapCleanEndIsNoEnd(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", ask))
	all := len(render(c, hello, "", wire.NoCut()).Frames)
	for n := range all {
		_, err := readBack(t, c, render(c, hello, "", cutAfter(n)))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Rule != "incomplete" || f.PartialOutput != (n > 1) {
			t.Errorf("after %d frames: %+v", n, err)
		}
	}
}

func TestTrapCutInsideAFrame(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", ask))
	r := render(c, hello, "", wire.NoCut())
	body := r.Bytes()
	for n := range body {
		if _, err := readBytes(t, c, r, body[:n]); err == nil {
			t.Fatalf("%d of %d bytes are read as a whole answer", n, len(body))
		}
	}
}

func TestTrapFlippedBitIsCaught(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse-stream", ask))
	r := render(c, hello, "", wire.NoCut())
	body := r.Bytes()
	for i := range body {
		spoilt := slices.Clone(body)
		spoilt[i] ^= 1 << (i % 8)
		if _, err := readBytes(t, c, r, spoilt); err == nil {
			t.Fatalf("a flipped bit in byte %d goes unseen", i)
		}
	}
	spoilt := slices.Clone(body)
	spoilt[len(spoilt)-1] ^= 1
	_, err := readBytes(t, c, r, spoilt)
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Unusable || !strings.Contains(f.Message, "message checksum does not match") {
		t.Errorf("read as %+v", err)
	}
}

func TestTrapMalformedFrameHasGoodChecksums(t *testing.T) {
	t.Parallel()
	cut := wire.NoCut()
	cut.Malformed = true
	c := open(t, post(nova+"/converse-stream", ask))
	r := render(c, hello, "", cut)
	m := frame(t, r, 1)
	if jsonx.Valid(string(m.Payload)) {
		t.Errorf("payload %s", m.Payload)
	}
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Unusable {
		t.Errorf("read as %+v", err)
	}
}

func TestTrapPaddingIsSeededAndEven(t *testing.T) {
	t.Parallel()
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	seen := map[int]int{}
	for seed := range uint64(200) {
		c := open(t, post(nova+"/converse-stream", ask))
		c.Seed = seed
		r := render(c, hello, "", wire.NoCut())
		again := open(t, post(nova+"/converse-stream", ask))
		again.Seed = seed
		if string(render(again, hello, "", wire.NoCut()).Bytes()) != string(r.Bytes()) {
			t.Fatal("the same seed gives other bytes")
		}
		for _, f := range r.Frames {
			v, err := jsonx.ParseBytes(f.Data)
			p := v.Get("p").Str()
			if err != nil || !strings.HasPrefix(alphabet, p) {
				t.Fatalf("padding %q, %v", p, err)
			}
			seen[len(p)]++
		}
	}
	for n := 2; n <= 61; n++ {
		if seen[n] == 0 {
			t.Errorf("no padding of %d", n)
		}
	}
	if seen[0]+seen[1]+seen[62] > 0 {
		t.Error("padding is too short or too long")
	}
	wantNot(t, string(stream(t, hello, `{"noPadding":true}`).Bytes()), `"p":`)
}

func TestTrapIDsAreUnescapedOnce(t *testing.T) {
	t.Parallel()
	for path, model := range map[string]string{
		"/model/amazon.nova-lite-v1%3A0/converse":          "amazon.nova-lite-v1:0",
		"/model/amazon.nova-lite-v1:0/converse":            "amazon.nova-lite-v1:0",
		"/proxy/x/model/us.amazon.nova-lite-v1:0/converse": "us.amazon.nova-lite-v1:0",
		"/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A111122223333%3Ainference-profile%2Fus.amazon.nova-lite-v1%3A0/converse": "arn:aws:bedrock:us-east-1:111122223333:inference-profile/us.amazon.nova-lite-v1:0",
		"/model/arn:aws:bedrock:us-east-1:111122223333:provisioned-model/abc123/converse":                                 "arn:aws:bedrock:us-east-1:111122223333:provisioned-model/abc123",
		"/model/arn:aws:bedrock:us-east-1:111122223333:custom-model/amazon.titan/abc/converse":                            "arn:aws:bedrock:us-east-1:111122223333:custom-model/amazon.titan/abc",
		"/model/a%253Ab/converse": "a%3Ab",
	} {
		if c := open(t, post(path, ask)); c.Request.Model != model {
			t.Errorf("%s is read as %s", path, c.Request.Model)
		}
	}
}

func TestTrapCapitalMessage(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse", ask))
	c.Quirks = []byte(`{"capitalMessage":true}`)
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.Auth})
	want(t, string(r.Body), `{"Message":"The security token included`)
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Auth || f.Message == "" {
		t.Errorf("read as %+v", err)
	}
}

func TestTrapRefusalIsText(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse", ask))
	fitted, lost := c.Endpoint.Codec.Fit(c, one(wire.Refusal{Text: "No."}))
	if len(lost) != 1 || !errors.Is(lost[0], wire.ErrNotOnWire) {
		t.Errorf("lost %v", lost)
	}
	if a := fitted.Choices[0]; a.Stop != wire.StopComplete || a.Parts[0] != (wire.Text{Text: "No."}) {
		t.Errorf("fitted %+v", a)
	}
	want(t, string(whole(t, one(wire.Refusal{Text: "No."}), "").Body), `"stopReason":"end_turn"`)
}

func TestTrapServerToolsKeepTheirBlocks(t *testing.T) {
	t.Parallel()
	use := wire.Opaque{Type: "toolUse", Raw: `{"toolUse":{"input":{"q":"Leipzig"},"name":"nova_grounding","toolUseId":"tooluse_A","type":"server_tool_use"}}`}
	result := wire.Opaque{Type: "toolResult", Raw: `{"toolResult":{"content":[{"text":"Hub"}],"status":"success","toolUseId":"tooluse_A"}}`}
	image := wire.Opaque{Type: "image", Raw: `{"image":{"format":"png","source":{"bytes":"aGk="}}}`}
	reply := one(use, result, image, wire.Text{Text: "In the hub."})
	for _, op := range []string{"/converse", "/converse-stream"} {
		c := open(t, post(nova+op, ask))
		r := render(c, reply, "", wire.NoCut())
		got, err := readBack(t, c, r)
		if err != nil || !slices.Equal(got.Choices[0].Parts, reply.Choices[0].Parts) {
			t.Errorf("%s: read as %+v, %v", op, got, err)
		}
		if op != "/converse" {
			want(t, string(r.Bytes()), `"start":{"toolResult":{"status":"success","toolUseId":"tooluse_A"}}`)
			want(t, string(r.Bytes()), `"delta":{"toolResult":[{"text":"Hub"}]}`)
		}
	}
}
