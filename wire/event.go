package wire

import (
	"iter"
)

// Op is what an Event does.
type Op uint8

// The steps of an answer: Begin; per choice and part PartStart, any Delta, PartEnd; ChoiceEnd per choice; End.
// Parts and choices may interleave.
const (
	Begin Op = iota
	PartStart
	Delta
	PartEnd
	ChoiceEnd
	End
)

// Event is one step of a neutral answer.
type Event struct {
	Op     Op
	Choice int
	// Part is the ordinal within the choice.
	Part int
	// What is the part: with its streamed text empty at PartStart, whole at PartEnd.
	What Part
	// Text is a Delta's: more text, reasoning, refusal or arguments. It never splits a rune.
	Text   string
	Tokens int
	// Stop and Sequence come with ChoiceEnd.
	Stop     Stop
	Sequence string
	// Usage comes with Begin, for wires that count the prompt first, and with End; a reader may give it at any time, and
	// the last one counts.
	Usage *Usage
	// Cites comes with PartStart of a text: the citations that follow it, for wires that send those first.
	Cites []Citation
	// Head comes with Begin when an answer was read from a wire.
	Head *Head
	// Rest comes with End: what no event streams (Vectors, Models, Blocked).
	Rest *Reply
}

// Head is what a read answer says of itself.
type Head struct{ ID, Model string }

// Split says how a reply's texts are cut into deltas.
type Split struct {
	// Whole leaves each text in one piece, as a unary answer has it.
	Whole bool
	// Runes is the length of a piece of text; 0 cuts into words, each with the white space after it.
	Runes int
	// ArgumentRunes is the length of a piece of tool arguments; 0 is 16.
	ArgumentRunes int
}

// Events is the sequence of a reply. Choices advance in turn, so that several of them interleave.
func Events(r Reply, s Split) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if !yield(Event{Op: Begin, Usage: r.Usage}) {
			return
		}
		if len(r.Choices) == 1 {
			if !choiceEvents(0, r.Choices[0], s, yield) {
				return
			}
		} else if !interleave(r.Choices, s, yield) {
			return
		}
		end := Event{Op: End, Usage: r.Usage}
		if r.Vectors != nil || r.Models != nil || r.Blocked != "" {
			end.Rest = &Reply{Vectors: r.Vectors, Models: r.Models, Blocked: r.Blocked}
		}
		yield(end)
	}
}

func interleave(choices []Answer, s Split, yield func(Event) bool) bool {
	type puller struct {
		next func() (Event, bool)
		stop func()
	}
	pulls := make([]puller, len(choices))
	for i, c := range choices {
		next, stop := iter.Pull(func(y func(Event) bool) { choiceEvents(i, c, s, y) })
		pulls[i] = puller{next, stop}
	}
	defer func() {
		for _, p := range pulls {
			p.stop()
		}
	}()
	for open := len(pulls); open > 0; {
		open = 0
		for _, p := range pulls {
			e, ok := p.next()
			if !ok {
				continue
			}
			open++
			if !yield(e) {
				return false
			}
		}
	}
	return true
}

func choiceEvents(choice int, a Answer, s Split, yield func(Event) bool) bool {
	for i, p := range a.Parts {
		empty, text := hollow(p)
		if !yield(Event{Op: PartStart, Choice: choice, Part: i, What: empty, Cites: cites(a.Parts[i:])}) {
			return false
		}
		_, call := p.(ToolCall)
		for piece := range s.pieces(text, call) {
			if !yield(Event{Op: Delta, Choice: choice, Part: i, What: empty, Text: piece, Tokens: Tokens(piece)}) {
				return false
			}
		}
		if !yield(Event{Op: PartEnd, Choice: choice, Part: i, What: p}) {
			return false
		}
	}
	return yield(Event{Op: ChoiceEnd, Choice: choice, Stop: a.Stop, Sequence: a.Sequence})
}

// cites are the citations that follow the text that parts begin with.
func cites(parts []Part) []Citation {
	if _, ok := parts[0].(Text); !ok {
		return nil
	}
	var out []Citation
	for _, p := range parts[1:] {
		c, ok := p.(Citation)
		if !ok {
			break
		}
		out = append(out, c)
	}
	return out
}

// hollow is a part without its streamed text, and that text.
func hollow(p Part) (Part, string) {
	switch p := p.(type) {
	case Text:
		return Text{}, p.Text
	case Refusal:
		return Refusal{}, p.Text
	case Reasoning:
		return Reasoning{Signature: p.Signature, Redacted: p.Redacted}, p.Text
	case ToolCall:
		return ToolCall{ID: p.ID, Name: p.Name, Custom: p.Custom}, p.Arguments
	}
	return p, ""
}
