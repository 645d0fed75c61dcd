package wiretest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/mimus-go/mimus/wire"
)

// Named is a reply with a name for test output.
type Named struct {
	Name  string
	Reply wire.Reply
}

// Replies are every kind of chat answer.
func Replies() []Named {
	one := func(stop wire.Stop, parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts, Stop: stop}}}
	}
	text := wire.Text{Text: "Your parcel is in Köln 🚚, \"today\".\nLine two."}
	call := wire.ToolCall{Name: "track_parcel", Arguments: `{"reference":"PX-AI-8102","n":1.50}`}
	return []Named{
		{"text", one("", text)},
		{"empty", one("")},
		{"json", one("", wire.Text{Text: `{"a":[1,2.0,null],"b":"ü"}`})},
		{"tool call", one("", call)},
		{"two tool calls", one("", call, wire.ToolCall{Name: "get_weather", Arguments: `{}`})},
		{"equal tool calls", one("", call, call)},
		{"text and tool call", one("", text, call)},
		{"tool call with an id", one("", wire.ToolCall{ID: "call_given", Name: "f", Arguments: `{"a":1}`})},
		{"tool call with bad arguments", one("", wire.ToolCall{Name: "f", Arguments: `{"a": [1, `})},
		{"tool call without arguments", one("", wire.ToolCall{Name: "f"})},
		{"tool call that is no tool turn", one(wire.StopComplete, call)},
		{"truncated tool call", one(wire.StopLength, wire.ToolCall{Name: "f", Arguments: `{"city":"Par`})},
		{"reasoning and text", one("", wire.Reasoning{Text: "The user wants\n\nthe truth."}, text)},
		{"signed reasoning", one("", wire.Reasoning{Text: "hm", Signature: "c2lnbmF0dXJl"}, call)},
		{"redacted reasoning", one("", wire.Reasoning{Signature: "cmVkYWN0ZWQ=", Redacted: true}, text)},
		{"refusal", one("", wire.Refusal{Text: "I can't help with that."})},
		{"length", one(wire.StopLength, text)},
		{"safety", one(wire.StopSafety, text)},
		{"stop sequence", wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{text}, Stop: wire.StopSequence, Sequence: "END"}}}},
		{"pause", one(wire.StopPause, text)},
		{"context", one(wire.StopContext, text)},
		{"usage", wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{text}}}, Usage: &wire.Usage{Input: 180, Output: 24, Reasoning: 7, CacheRead: 100, CacheWrite: 20}}},
		{"three texts", one("", text, wire.Text{Text: "again"}, wire.Text{Text: "and again"})},
		{"tool call, then text", one("", call, text)},
		{"two choices", wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{text}}, {Parts: []wire.Part{call}}}}},
		{"long text", one("", wire.Text{Text: string(bytes.Repeat([]byte("Ein langer Satz mit 𝄞. "), 500))})},
	}
}

func roundTrips(t *testing.T, p wire.Provider, a archive) {
	t.Helper()
	c, _ := newCall(t, p, a)
	if c.Request.Kind != wire.Chat {
		return
	}
	lost := map[string]bool{}
	for _, r := range Replies() {
		t.Run("round trip/"+r.Name, func(t *testing.T) {
			c, _ := newCall(t, p, a)
			for _, err := range RoundTrip(t, c, r.Reply) {
				lost[fmt.Sprintf("%s: %v", r.Name, err)] = true
			}
		})
	}
	for l := range lost {
		t.Logf("%s stream=%t does not carry %s", c.Request.Endpoint, c.Request.Stream, l)
	}
}

// way is how a body reaches a reader.
type way struct {
	name   string
	reader io.Reader
}

// RoundTrip renders a reply as the answer to a call and reads it back, whole and byte by byte (in large pieces, where it
// is long). It gives what the wire could not carry, and fails the test where the reader does not give back what was
// rendered.
func RoundTrip(tb testing.TB, c *wire.Call, r wire.Reply) []error {
	tb.Helper()
	lost, err := CheckRoundTrip(c, r)
	if err != nil {
		tb.Error(err)
	}
	return lost
}

// CheckRoundTrip is RoundTrip without a test: err says what is wrong with the codec.
func CheckRoundTrip(c *wire.Call, r wire.Reply) (lost []error, err error) {
	codec := c.Endpoint.Codec
	resp, fitted, lost := wire.Render(c, codec, r, wire.Split{}, wire.NoCut())
	if again, more := codec.Fit(c, fitted); !reflect.DeepEqual(again, fitted) {
		return lost, fmt.Errorf("method Fit is not idempotent (lost %v):\n once  %+v\n twice %+v", more, fitted, again)
	}
	header := http.Header{}
	resp.Header.WriteTo(header)
	head := &wire.ResponseHead{Status: resp.Status, Header: header, Request: c.Request}
	body := resp.Bytes()
	slow := way{"byte by byte", iotest.OneByteReader(bytes.NewReader(body))}
	if len(body) > 32<<10 {
		slow = way{"piece by piece", iotest.HalfReader(bytes.NewReader(body))} // what is long is the same over and over
	}
	for _, way := range []way{{"whole", bytes.NewReader(body)}, slow} {
		got, err := wire.Fold(codec.Read(head, way.reader))
		if err != nil {
			return lost, fmt.Errorf("read %s: %w\n%s", way.name, err, body)
		}
		if !reflect.DeepEqual(got, fitted) {
			return lost, fmt.Errorf("read %s:\n got  %+v %+v\n want %+v %+v\n%s", way.name, got, got.Usage, fitted, fitted.Usage, body)
		}
	}
	return lost, nil
}
