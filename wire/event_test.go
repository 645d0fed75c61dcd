package wire_test

import (
	"iter"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mimus-go/mimus/wire"
)

func deltas(r wire.Reply, s wire.Split) []string {
	var out []string
	for e := range wire.Events(r, s) {
		if e.Op == wire.Delta {
			out = append(out, e.Text)
		}
	}
	return out
}

func text(s string) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: s}}}}}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	call := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.ToolCall{Name: "f", Arguments: `{"reference":"PX-AI-8102"}`}}}}}
	for _, tt := range []struct {
		name  string
		reply wire.Reply
		split wire.Split
		want  []string
	}{
		{"words with their white space", text(" Hello  there,\nfriend "), wire.Split{}, []string{" ", "Hello  ", "there,\n", "friend "}},
		{"nothing", text(""), wire.Split{}, nil},
		{"whole", text("a b c"), wire.Split{Whole: true}, []string{"a b c"}},
		{"runes", text("äöüß!"), wire.Split{Runes: 2}, []string{"äö", "üß", "!"}},
		{"arguments", call, wire.Split{}, []string{`{"reference":"PX`, `-AI-8102"}`}},
		{"arguments of their own length", call, wire.Split{ArgumentRunes: 20}, []string{`{"reference":"PX-AI-`, `8102"}`}},
	} {
		if got := deltas(tt.reply, tt.split); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestChoicesInterleave(t *testing.T) {
	t.Parallel()
	r := wire.Reply{Choices: []wire.Answer{
		{Parts: []wire.Part{wire.Text{Text: "a b c"}}},
		{Parts: []wire.Part{wire.Text{Text: "d"}}},
	}}
	var order []int
	for e := range wire.Events(r, wire.Split{}) {
		if e.Op == wire.Delta {
			order = append(order, e.Choice)
		}
	}
	if want := []int{0, 1, 0, 0}; !reflect.DeepEqual(order, want) {
		t.Errorf("deltas of choices %v, want %v", order, want)
	}
}

// without is a sequence that cannot fail, as a reader gives one that can.
func without(events iter.Seq[wire.Event]) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		for e := range events {
			if e.Op == wire.PartEnd {
				e.What = nil // readers need not know the whole part
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func FuzzFoldEvents(f *testing.F) {
	f.Add("Hello there", "{\"a\":1}", "thought", 3, 2)
	f.Add("𝄞𝄞 \u2028", "", "", 0, 1)
	f.Fuzz(func(t *testing.T, body, arguments, thought string, runes, choices int) {
		if !utf8.ValidString(body) || !utf8.ValidString(arguments) || !utf8.ValidString(thought) {
			return
		}
		answer := wire.Answer{Stop: wire.StopComplete, Parts: []wire.Part{
			wire.Reasoning{Text: thought, Signature: "s"},
			wire.Text{Text: body},
			wire.ToolCall{ID: "1", Name: "f", Arguments: arguments},
			wire.Refusal{Text: body},
		}}
		want := wire.Reply{Usage: &wire.Usage{Input: 1, Output: 2}}
		for range 1 + max(0, choices)%4 {
			want.Choices = append(want.Choices, answer)
		}
		got, err := wire.Fold(without(wire.Events(want, wire.Split{Runes: runes, ArgumentRunes: runes})))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v (%v), want %+v", got, err, want)
		}
		for _, piece := range deltas(want, wire.Split{Runes: runes}) {
			if !utf8.ValidString(piece) || piece == "" {
				t.Errorf("piece %q", piece)
			}
		}
		if joined := strings.Join(deltas(text(body), wire.Split{}), ""); joined != body {
			t.Errorf("the words of %q join to %q", body, joined)
		}
	})
}

func TestFoldCutOff(t *testing.T) {
	t.Parallel()
	got, err := wire.Fold(func(yield func(wire.Event, error) bool) {
		_ = yield(wire.Event{Op: wire.PartStart, What: wire.Text{}}, nil) &&
			yield(wire.Event{Op: wire.Delta, Text: "half"}, nil) &&
			yield(wire.Event{}, wire.ErrIncomplete(true))
	})
	if err == nil || !reflect.DeepEqual(got, text("half")) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "äöüß": 1, "𝄞𝄞": 1, "𝄞𝄞x": 2, strings.Repeat("x", 4000): 1000} {
		if got := wire.Tokens(s); got != want {
			t.Errorf("Tokens(%.10q) = %d, want %d", s, got, want)
		}
	}
}
