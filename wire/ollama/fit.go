package ollama

import (
	"fmt"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Fit makes one answer of thoughts, text and calls. A whole answer has one of each kind, in that order; a stream keeps
// the order. Arguments are an object, always.
func (i inference) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := fitter{c: c, q: quirksOf(c), prompt: i.prompt}
	r = f.shape(r)
	counted := r.Usage
	r = wire.Complete(c, r, "call_")
	a := &r.Choices[0]
	a.Parts = f.merge(f.parts(a.Parts))
	f.stop(a)
	if counted != nil && (counted.CacheRead > 0 || counted.CacheWrite > 0 || counted.Reasoning > 0) {
		f.lose("counts of cached and reasoning tokens")
	}
	r.Usage = &wire.Usage{Input: r.Usage.Input, Output: r.Usage.Output}
	return r, f.lost
}

type fitter struct {
	c      *wire.Call
	q      Quirks
	prompt bool
	lost   []error
}

func (f *fitter) lose(format string, args ...any) {
	f.lost = append(f.lost, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), wire.ErrNotOnWire))
}

// shape leaves one choice and nothing else.
func (f *fitter) shape(r wire.Reply) wire.Reply {
	if r.Blocked != "" {
		f.lose("a prompt cannot be blocked")
		r.Blocked = ""
	}
	if r.Vectors != nil || r.Models != nil {
		f.lose("an answer in words has no embeddings and no models")
		r.Vectors, r.Models = nil, nil
	}
	switch n := len(r.Choices); {
	case n == 0:
		r.Choices = []wire.Answer{{}}
	case n > 1:
		f.lose("%d choices: only the first is sent", n)
		r.Choices = r.Choices[:1]
	}
	return r
}

// parts leaves texts, thoughts and calls that can travel.
func (f *fitter) parts(parts []wire.Part) []wire.Part {
	var out []wire.Part
	for _, p := range parts {
		switch p := p.(type) {
		case wire.Text:
			out = appendText(out, p.Text)
		case wire.Refusal:
			f.lose("a refusal is sent as text")
			out = appendText(out, p.Text)
		case wire.Reasoning:
			out = f.reasoning(out, p)
		case wire.ToolCall:
			if f.prompt {
				f.lose("the answer to a prompt has no tool calls")
				continue
			}
			out = append(out, f.call(p))
		default:
			f.lose("a part of an answer cannot be %T", p)
		}
	}
	return out
}

func appendText(out []wire.Part, text string) []wire.Part {
	if text == "" {
		return out
	}
	return append(out, wire.Text{Text: text})
}

func (f *fitter) reasoning(out []wire.Part, p wire.Reasoning) []wire.Part {
	if p.Signature != "" {
		f.lose("the signature of reasoning")
	}
	if p.Text == "" {
		return out
	}
	switch f.q.ThinkTags {
	case "inline":
		return append(out, wire.Text{Text: "<think>\n" + p.Text + "\n</think>\n\n"})
	case "unclosed":
		return append(out, wire.Text{Text: "<think>\n" + p.Text + "\n\n"})
	}
	return append(out, wire.Reasoning{Text: p.Text})
}

func (f *fitter) call(p wire.ToolCall) wire.ToolCall {
	if p.Custom {
		f.lose("a custom tool is called like any other")
		p.Custom = false
	}
	if f.q.NoToolIDs {
		p.ID = ""
	}
	if strings.TrimSpace(p.Arguments) == "" {
		p.Arguments = "{}"
		return p
	}
	if v, err := jsonx.Parse(p.Arguments); err == nil && v.Kind() == jsonx.Object {
		p.Arguments = compact(v.Raw())
		return p
	}
	f.lose("arguments that are no JSON object")
	p.Arguments = string(append(appendString([]byte(`{"unparsed_arguments":`), p.Arguments), '}'))
	return p
}

// merge joins what has one field: what stands side by side, in a whole answer all of one kind.
func (f *fitter) merge(parts []wire.Part) []wire.Part {
	if !f.c.Request.Stream {
		parts = f.sort(parts)
	}
	var out []wire.Part
	for _, p := range parts {
		if len(out) > 0 {
			last := &out[len(out)-1]
			switch p := p.(type) {
			case wire.Text:
				if before, ok := (*last).(wire.Text); ok {
					f.lose("texts side by side are one")
					*last = wire.Text{Text: before.Text + p.Text}
					continue
				}
			case wire.Reasoning:
				if before, ok := (*last).(wire.Reasoning); ok {
					f.lose("thoughts side by side are one")
					*last = wire.Reasoning{Text: before.Text + p.Text}
					continue
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// sort puts thoughts before text before calls.
func (f *fitter) sort(parts []wire.Part) []wire.Part {
	var out []wire.Part
	rank := func(p wire.Part) int {
		switch p.(type) {
		case wire.Reasoning:
			return 0
		case wire.Text:
			return 1
		}
		return 2
	}
	highest, moved := 0, false
	for n := range 3 {
		for _, p := range parts {
			if rank(p) == n {
				out = append(out, p)
			}
		}
	}
	for _, p := range parts {
		moved = moved || rank(p) < highest
		highest = max(highest, rank(p))
	}
	if moved {
		f.lose("a whole answer has thoughts, text and calls in this order")
	}
	return out
}

// stop leaves what done_reason can say: that the model stopped, or ran out of tokens. Any word that is no Stop of ours
// stays.
func (f *fitter) stop(a *wire.Answer) {
	a.Sequence = ""
	natural := naturalStop(a.Parts)
	switch a.Stop {
	case natural, wire.StopLength:
	case wire.StopContext:
		f.lose("a full context is told as a limit of tokens")
		a.Stop = wire.StopLength
	case wire.StopComplete, wire.StopTools, wire.StopSequence, wire.StopSafety, wire.StopRefusal, wire.StopPause:
		f.lose("the stop %q is told as an ordinary one", a.Stop)
		a.Stop = natural
	case doneStop:
		a.Stop = natural
	}
}

const (
	doneStop   = "stop"
	doneLength = "length"
)

func naturalStop(parts []wire.Part) wire.Stop {
	for _, p := range parts {
		if _, ok := p.(wire.ToolCall); ok {
			return wire.StopTools
		}
	}
	return wire.StopComplete
}

// doneWord is the done_reason of a stop.
func doneWord(s wire.Stop) string {
	switch s {
	case wire.StopComplete, wire.StopTools:
		return doneStop
	case wire.StopLength:
		return doneLength
	}
	return string(s)
}

// stopOf reads a done_reason.
func stopOf(word string, called bool) wire.Stop {
	switch {
	case word == doneStop && called:
		return wire.StopTools
	case word == doneStop:
		return wire.StopComplete
	case word == doneLength:
		return wire.StopLength
	}
	return wire.Stop(word)
}
