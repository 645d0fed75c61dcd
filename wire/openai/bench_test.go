package openai

import (
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

type fixedEnv struct{ wiretest.Env }

func (*fixedEnv) Now() time.Time { return time.Unix(1796040000, 0) }

func benchCall(b *testing.B, body string) *wire.Call {
	b.Helper()
	c, f, err := wiretest.Call(Provider(), chatProbe(official, body))
	if err != nil || f != nil {
		b.Fatal(err, f)
	}
	return c
}

// BenchmarkUnary encodes an answer of 2 KB of text.
func BenchmarkUnary(b *testing.B) {
	c := benchCall(b, plainBody)
	reply, _ := chat{}.Fit(c, text(strings.Repeat("A sentence of some words. ", 80)))
	var events []wire.Event
	for e := range wire.Events(reply, wire.Split{Whole: true}) {
		events = append(events, e)
	}
	b.ReportAllocs()
	for b.Loop() {
		enc := chat{}.Encode(c)
		for _, e := range events {
			enc.Append(nil, e)
		}
		if len(enc.Whole().Body) < 2000 {
			b.Fatal("too short")
		}
	}
}

// BenchmarkStream encodes a stream of 200 events, each with its padding.
func BenchmarkStream(b *testing.B) {
	c := benchCall(b, usageBody)
	reply, _ := chat{}.Fit(c, text(strings.Repeat("word ", 196)))
	var events []wire.Event
	for e := range wire.Events(reply, wire.Split{}) {
		events = append(events, e)
	}
	b.ReportAllocs()
	frames := make([]wire.Frame, 0, 256)
	for b.Loop() {
		enc := chat{}.Encode(c)
		frames = frames[:0]
		for _, e := range events {
			frames = enc.Append(frames, e)
		}
		enc.Head()
		if len(frames) != 200 {
			b.Fatal(len(frames))
		}
	}
}

// BenchmarkDecode reads a small request.
func BenchmarkDecode(b *testing.B) {
	p := chatProbe(official, usageBody)
	_, e, _, _ := wire.NewRouter(Provider()).Route(p)
	b.ReportAllocs()
	for b.Loop() {
		c := &wire.Call{Probe: p, Endpoint: e}
		c.Request = c.NewRequest(Provider())
		if f := e.Codec.Decode(c); f != nil {
			b.Fatal(f)
		}
		for v := range e.Codec.Check(c) {
			b.Fatal(v.Failure)
		}
	}
}

// BenchmarkFit fits an answer.
func BenchmarkFit(b *testing.B) {
	c := benchCall(b, plainBody)
	r := answer(wire.Text{Text: "Hi"}, toolCall("f"))
	b.ReportAllocs()
	for b.Loop() {
		chat{}.Fit(c, r)
	}
}
