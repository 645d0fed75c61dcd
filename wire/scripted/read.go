package scripted

import (
	"io"
	"iter"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads a stream, and is strict: an event after the end, one without a name or of an unknown one, and a stop that
// does not agree with the calls make the answer unusable.
func (codec) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		const firstError = 400
		if h.Status >= firstError {
			yield(wire.Event{}, readFailure(h, body))
			return
		}
		r := &reader{yield: yield}
		if !r.emit(wire.Event{Op: wire.Begin}) {
			return
		}
		for e, err := range wire.ReadSSE(body) {
			if err != nil {
				r.fail(broken(err, r.partial, r.usage))
				return
			}
			if !r.event(e) {
				return
			}
		}
		if !r.ended {
			f := wire.ErrIncomplete(r.partial)
			f.Usage = r.usage
			r.fail(f)
			return
		}
		r.emit(wire.Event{Op: wire.End, Usage: r.usage, Rest: r.rest})
	}
}

type reader struct {
	yield func(wire.Event, error) bool

	part, calls int
	open        bool // a text is
	text        []byte
	partial     bool
	usage       *wire.Usage
	ended       bool
	rest        *wire.Reply
}

func (r *reader) emit(e wire.Event) bool { return r.yield(e, nil) }

// fail ends the reading.
func (r *reader) fail(f *wire.Failure) bool {
	r.yield(wire.Event{}, f)
	return false
}

func (r *reader) unusable(why string) bool {
	return r.fail(&wire.Failure{Kind: wire.Unusable, Message: "mimus.scripted: " + why, Sent: wire.Completed, PartialOutput: r.partial, Usage: r.usage})
}

// event takes one event; it is false where nothing more is to be read.
func (r *reader) event(e wire.SSEEvent) bool {
	if r.ended {
		return r.unusable("an event " + e.Name + " after the end")
	}
	v, err := jsonx.Parse(e.Data)
	if err != nil || v.Kind() != jsonx.Object {
		return r.unusable("the data of an event " + e.Name + " is no JSON object")
	}
	switch e.Name {
	case "text":
		return r.addText(v.Get("text").Str())
	case "tool_call":
		return r.call(v)
	case "usage":
		in, _ := v.Get("input_tokens").Int()
		out, _ := v.Get("output_tokens").Int()
		r.usage = &wire.Usage{Input: int(in), Output: int(out)}
		return true
	case "error":
		code := v.Get("code").Str()
		f := &wire.Failure{Kind: wire.KindOfCode(code), Code: code, Message: v.Get("message").Str(), Sent: wire.Completed, PartialOutput: r.partial, Usage: r.usage}
		for _, k := range wire.FailureKinds() {
			if string(k) == code {
				f.Kind = k
			}
		}
		return r.fail(f)
	case "end":
		return r.end(v.Get("stop").Str(), v.Get("reason").Str())
	case "":
		return r.unusable("an event without a name")
	}
	return r.unusable("an unknown event " + e.Name)
}

func (r *reader) addText(text string) bool {
	if text == "" {
		return true
	}
	r.partial = true
	if !r.open {
		r.open, r.text = true, nil
		if !r.emit(wire.Event{Op: wire.PartStart, Part: r.part, What: wire.Text{}}) {
			return false
		}
	}
	r.text = append(r.text, text...)
	return r.emit(wire.Event{Op: wire.Delta, Part: r.part, What: wire.Text{}, Text: text, Tokens: wire.Tokens(text)})
}

func (r *reader) closeText() bool {
	if !r.open {
		return true
	}
	r.open = false
	r.part++
	return r.emit(wire.Event{Op: wire.PartEnd, Part: r.part - 1, What: wire.Text{Text: string(r.text)}})
}

// whole gives a part at once.
func (r *reader) whole(p, empty wire.Part, text string) bool {
	n := r.part
	r.part++
	return r.emit(wire.Event{Op: wire.PartStart, Part: n, What: empty}) &&
		(text == "" || r.emit(wire.Event{Op: wire.Delta, Part: n, What: empty, Text: text, Tokens: wire.Tokens(text)})) &&
		r.emit(wire.Event{Op: wire.PartEnd, Part: n, What: p})
}

func (r *reader) call(v jsonx.Value) bool {
	c := wire.ToolCall{ID: v.Get("id").Str(), Name: v.Get("name").Str(), Arguments: v.Get("arguments").Str()}
	if c.ID == "" || c.Name == "" {
		return r.unusable("a call without an id or a name")
	}
	r.partial = true
	r.calls++
	return r.closeText() && r.whole(c, wire.ToolCall{ID: c.ID, Name: c.Name}, c.Arguments)
}

// end reads the stop, and holds it against the calls.
func (r *reader) end(word, reason string) bool {
	stop, ok := map[string]wire.Stop{
		"complete": wire.StopComplete, "tool_calls": wire.StopTools, "refusal": wire.StopRefusal, "length": wire.StopLength,
		"filtered": wire.StopSafety, "blocked": wire.StopUnset,
	}[word]
	switch {
	case !ok:
		return r.unusable("an unknown stop " + word)
	case word == "tool_calls" && r.calls == 0:
		return r.unusable("the stop tool_calls without a call")
	case r.calls > 0 && (word == "complete" || word == "refusal" || word == "blocked"):
		return r.unusable("the stop " + word + " with calls")
	}
	r.ended = true
	if word == "blocked" {
		r.rest = &wire.Reply{Blocked: reason}
		return true
	}
	if !r.closeText() || word == "refusal" && reason != "" && !r.whole(wire.Refusal{Text: reason}, wire.Refusal{}, reason) {
		return false
	}
	return r.emit(wire.Event{Op: wire.ChoiceEnd, Stop: stop})
}
