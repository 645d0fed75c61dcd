package wire_test

import (
	"context"
	"slices"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// grown is a Growing reply of which all is there; after its last step nothing more comes.
type grown []wire.Growth

func (g grown) Next(_ context.Context, n int) (wire.Growth, bool) {
	if n >= len(g) {
		return wire.Growth{}, false
	}
	return g[n], true
}

func TestGrown(t *testing.T) {
	t.Parallel()
	text := func(s string) wire.Growth { return wire.Growth{Part: wire.Text{Text: s}} }
	reply, f, ok := wire.Grown(t.Context(), grown{
		{Part: wire.Reasoning{Text: "H"}},
		{Part: wire.Reasoning{Text: "m", Signature: "s"}},
		{Part: wire.Reasoning{Text: "Again"}},
		text("Hel"), text("lo"),
		{Part: wire.ToolCall{Name: "f"}},
		text("!"),
		{Part: wire.Refusal{Text: "n"}},
		{Part: wire.Refusal{Text: "o"}},
		{End: true, Stop: wire.StopLength},
	}, wire.Reply{Usage: &wire.Usage{Input: 3}})
	want := []wire.Part{
		wire.Reasoning{Text: "Hm", Signature: "s"},
		wire.Reasoning{Text: "Again"},
		wire.Text{Text: "Hello"},
		wire.ToolCall{Name: "f"},
		wire.Text{Text: "!"},
		wire.Refusal{Text: "no"},
	}
	if !ok || f != nil || !slices.Equal(reply.Choices[0].Parts, want) || reply.Choices[0].Stop != wire.StopLength || reply.Usage.Input != 3 {
		t.Errorf("got %+v, %v, %t", reply, f, ok)
	}
	if _, f, ok := wire.Grown(t.Context(), grown{text("Hel"), {Failure: &wire.Failure{Kind: wire.Overloaded}}}, wire.Reply{}); !ok || f == nil || f.Kind != wire.Overloaded {
		t.Errorf("got %v, %t", f, ok)
	}
	if _, _, ok := wire.Grown(t.Context(), grown{text("Hel")}, wire.Reply{}); ok {
		t.Error("a reply without an end is whole")
	}
}
