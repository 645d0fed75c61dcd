package scripted

import (
	"fmt"

	"github.com/mimus-go/mimus/wire"
)

const filterReason = "content_filter"

// Fit gives one answer of texts, calls and at most one refusal.
func (codec) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := fitter{}
	if r.Vectors != nil || r.Models != nil || len(r.Choices) > 1 {
		f.lose("more than one answer")
	}
	usage := f.usage(r.Usage)
	if r.Blocked != "" {
		done := wire.Complete(c, wire.Reply{Usage: usage}, "call_")
		done.Blocked = filterReason
		return done, f.lost
	}
	var a wire.Answer
	if len(r.Choices) > 0 {
		a = r.Choices[0]
	}
	fitted := f.parts(a)
	done := wire.Complete(c, wire.Reply{Choices: []wire.Answer{fitted}, Usage: usage}, "call_")
	if len(done.Choices[0].Parts) == 0 {
		done.Choices[0].Parts = nil
	}
	return done, f.lost
}

type fitter struct{ lost []error }

func (f *fitter) lose(what string) {
	f.lost = append(f.lost, fmt.Errorf("mimus.scripted: %s: %w", what, wire.ErrNotOnWire))
}

// usage has two counts.
func (f *fitter) usage(u *wire.Usage) *wire.Usage {
	if u == nil {
		return nil
	}
	if u.Reasoning+u.CacheRead+u.CacheWrite > 0 {
		f.lose("what of the tokens was thought or cached")
	}
	return &wire.Usage{Input: u.Input, Output: u.Output}
}

// parts leaves what the wire has events for, and the stop that goes with it.
func (f *fitter) parts(a wire.Answer) wire.Answer {
	var out wire.Answer
	refusal, calls := "", 0
	for _, p := range a.Parts {
		switch p := p.(type) {
		case wire.Text:
			out.Parts = appendText(out.Parts, p.Text)
		case wire.Refusal:
			refusal += p.Text
		case wire.ToolCall:
			calls++
			p.Custom = false
			out.Parts = append(out.Parts, p)
		default:
			f.lose(fmt.Sprintf("a part of type %T", p))
		}
	}
	out.Stop = f.stop(a.Stop, calls, refusal != "")
	if out.Stop != wire.StopRefusal {
		if refusal != "" {
			f.lose("a refusal that is not the answer's end")
		}
		return out
	}
	if calls > 0 {
		f.lose("calls beside a refusal")
		out.Parts = withoutCalls(out.Parts)
	}
	if refusal != "" {
		out.Parts = append(out.Parts, wire.Refusal{Text: refusal})
	}
	return out
}

func appendText(parts []wire.Part, text string) []wire.Part {
	if text == "" {
		return parts
	}
	if n := len(parts); n > 0 {
		if t, ok := parts[n-1].(wire.Text); ok {
			parts[n-1] = wire.Text{Text: t.Text + text}
			return parts
		}
	}
	return append(parts, wire.Text{Text: text})
}

func withoutCalls(parts []wire.Part) []wire.Part {
	var out []wire.Part
	for _, p := range parts {
		if t, ok := p.(wire.Text); ok {
			out = appendText(out, t.Text)
		}
	}
	return out
}

// stop is the nearest of the wire's six that agrees with the calls.
func (f *fitter) stop(s wire.Stop, calls int, refuses bool) wire.Stop {
	switch s {
	case wire.StopLength, wire.StopSafety:
		return s
	case wire.StopContext:
		f.lose("a full context window, which is told as the limit of tokens")
		return wire.StopLength
	case wire.StopRefusal:
		return s
	case wire.StopUnset:
		if refuses && calls == 0 {
			return wire.StopRefusal
		}
	case wire.StopSequence, wire.StopPause:
		f.lose("the stop " + string(s))
	}
	if calls > 0 {
		if s == wire.StopComplete {
			f.lose("calls in an answer that is complete")
		}
		return wire.StopTools
	}
	return wire.StopComplete
}
