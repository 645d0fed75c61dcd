package ollama

import (
	"io"
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads an answer, streamed or whole, or an error. Both are made of the same records, so both are read alike: a
// whole answer is a stream of one.
func (inference) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		if h.Status >= 400 {
			yield(wire.Event{}, readFailure(h, body))
			return
		}
		r := &reader{yield: yield, part: -1}
		if isWhole(h) {
			data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
			if err != nil {
				r.fail(broken(err))
				return
			}
			r.whole(data)
			return
		}
		r.lines(body)
	}
}

// isWhole tells a whole answer by its content type; where that says nothing, by what was asked.
func isWhole(h *wire.ResponseHead) bool {
	switch kind, _, _ := strings.Cut(h.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) {
	case linesType:
		return false
	case plainJSON:
		return true
	}
	return h.Request != nil && !h.Request.Stream
}

// reader makes events of records: what follows of one kind is one part, and a part ends where another begins.
type reader struct {
	yield   func(wire.Event, error) bool
	stopped bool // yield wants no more

	begun  bool
	part   int // ordinal of the last part
	open   wire.Part
	text   strings.Builder
	called bool
	// partial says that a client may have seen something.
	partial bool
}

func (r *reader) give(e wire.Event) {
	if !r.stopped && !r.yield(e, nil) {
		r.stopped = true
	}
}

func (r *reader) fail(f *wire.Failure) {
	f.PartialOutput = r.partial
	if !r.stopped {
		r.yield(wire.Event{}, f)
		r.stopped = true
	}
}

func broken(err error) *wire.Failure {
	return &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent}
}

func unusable(message string) *wire.Failure {
	return &wire.Failure{Kind: wire.Unusable, Message: "ollama: " + message, Sent: wire.Completed}
}

func (r *reader) whole(data []byte) {
	v, err := jsonx.ParseBytes(data)
	switch {
	case err != nil:
		r.fail(unusable("the answer is no JSON: " + err.Error()))
	case v.Kind() != jsonx.Object:
		r.fail(unusable("the answer is no JSON object"))
	case !r.record(v) && !r.stopped:
		r.fail(wire.ErrIncomplete(r.partial))
	}
}

func (r *reader) lines(body io.Reader) {
	var bad error // a line that did not parse; at the very end it was only cut off
	for line, err := range wire.ReadNDJSON(body) {
		if err != nil {
			r.fail(broken(err))
			return
		}
		if bad != nil {
			r.fail(unusable("a line is no JSON: " + bad.Error()))
			return
		}
		v, err := jsonx.Parse(line)
		if err != nil {
			bad = err
			continue
		}
		if done := r.record(v); done || r.stopped {
			return
		}
	}
	r.fail(wire.ErrIncomplete(r.partial))
}

// record takes one record, and says whether it was the last.
func (r *reader) record(v jsonx.Value) (done bool) {
	if text, ok := v.Get("error").Text(); ok {
		f := &wire.Failure{Sent: wire.Completed, Message: text}
		f.Kind = kindOf(0, text)
		r.fail(f)
		return true
	}
	if !r.begun {
		r.begun = true
		r.give(wire.Event{Op: wire.Begin, Head: &wire.Head{Model: v.Get("model").Str()}})
	}
	from := v.Get("message")
	content := from.Get("content")
	if from.Kind() != jsonx.Object {
		from, content = v, v.Get("response")
	}
	r.say(wire.Reasoning{}, from.Get("thinking").Str())
	r.say(wire.Text{}, content.Str())
	for _, call := range from.Get("tool_calls").Items() {
		r.call(callOf(call))
	}
	if !isTrue(v.Get("done")) {
		return false
	}
	r.close()
	r.give(wire.Event{Op: wire.ChoiceEnd, Stop: stopOf(v.Get("done_reason").Str(), r.called)})
	r.give(wire.Event{Op: wire.End, Usage: usageOf(v)})
	return true
}

// say adds a piece of a text or a thought.
func (r *reader) say(what wire.Part, text string) {
	if text == "" {
		return
	}
	r.partial = true
	if r.open != what {
		r.close()
		r.part++
		r.open = what
		r.give(wire.Event{Op: wire.PartStart, Part: r.part, What: what})
	}
	r.text.WriteString(text)
	r.give(wire.Event{Op: wire.Delta, Part: r.part, What: what, Text: text, Tokens: wire.Tokens(text)})
}

func (r *reader) close() {
	if r.open == nil {
		return
	}
	what := r.open
	switch what.(type) {
	case wire.Text:
		what = wire.Text{Text: r.text.String()}
	case wire.Reasoning:
		what = wire.Reasoning{Text: r.text.String()}
	}
	r.give(wire.Event{Op: wire.PartEnd, Part: r.part, What: what})
	r.open = nil
	r.text.Reset()
}

func (r *reader) call(call wire.ToolCall) {
	r.close()
	r.part++
	r.called, r.partial = true, true
	empty := wire.ToolCall{ID: call.ID, Name: call.Name}
	r.give(wire.Event{Op: wire.PartStart, Part: r.part, What: empty})
	r.give(wire.Event{Op: wire.Delta, Part: r.part, What: empty, Text: call.Arguments, Tokens: wire.Tokens(call.Arguments)})
	r.give(wire.Event{Op: wire.PartEnd, Part: r.part, What: call})
}

// usageOf is nil where nothing was counted.
func usageOf(v jsonx.Value) *wire.Usage {
	in, hasIn := count(v.Get("prompt_eval_count"))
	out, hasOut := count(v.Get("eval_count"))
	if !hasIn && !hasOut {
		return nil
	}
	return &wire.Usage{Input: in, Output: out}
}

func count(v jsonx.Value) (int, bool) {
	n, ok := v.Int()
	if !ok || n < 0 || n > 1<<40 {
		return 0, false
	}
	return int(n), true
}
