package openai

import (
	"fmt"
	"slices"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Fit orders an answer as a chat message holds it: thoughts, text, refusal, citations, calls; each kind of text is one.
func (chat) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	p, a := profileOf(c), askedOf(c.Request)
	fit := fitting{p: p, a: a, functions: p.functions(a)}
	n := max(1, c.Request.Choices)
	if len(r.Choices) > n {
		fit.lose("the request asks for %d of %d choices", n, len(r.Choices))
		r.Choices = r.Choices[:n]
	}
	choices := make([]wire.Answer, len(r.Choices))
	for i, answer := range r.Choices {
		choices[i] = fit.answer(answer)
	}
	if r.Vectors != nil || r.Models != nil {
		fit.lose("a chat answer holds no embeddings and no model list")
	}
	// A blocked prompt is an error here, which the pipeline gives: nothing is lost.
	r = wire.Reply{Choices: choices, Usage: r.Usage}
	if !p.q.NoToolID && !fit.functions {
		p.callIDs(c, choices)
	}
	r = wire.Complete(c, r, "call_")
	if p.q.NoToolID || fit.functions {
		dropIDs(r.Choices)
	}
	for i := range r.Choices {
		fit.stop(&r.Choices[i])
		if len(r.Choices[i].Parts) == 0 {
			r.Choices[i].Parts = nil
		}
	}
	a.counted = r.Usage
	r.Usage = fit.usage(c, r.Usage)
	return r, fit.lost
}

type fitting struct {
	p         *profile
	a         *asked
	functions bool
	lost      []error
}

func (f *fitting) lose(format string, args ...any) {
	f.lost = append(f.lost, fmt.Errorf("openai.chat: "+format+": %w", append(args, wire.ErrNotOnWire)...))
}

func (f *fitting) answer(in wire.Answer) wire.Answer {
	var reasoning, text, refusal string
	var citations, calls []wire.Part
	seen := 0 // the highest kind so far: what comes after a later kind moves before it
	at := func(rank int, have string) {
		if rank < seen {
			f.lose("a message has text before tool calls")
		} else if have != "" {
			f.lose("a message has one text of each kind, not two")
		}
		seen = max(seen, rank)
	}
	for _, part := range in.Parts {
		switch part := part.(type) {
		case wire.Reasoning:
			if part.Signature != "" {
				f.lose("reasoning has no signature")
			}
			if part.Text != "" {
				at(1, reasoning)
				reasoning += part.Text
			}
		case wire.Text:
			if part.Text != "" {
				at(2, text)
				text += part.Text
			}
		case wire.Refusal:
			if part.Text != "" {
				at(3, refusal)
				refusal += part.Text
			}
		case wire.Citation:
			if c, ok := f.citation(part); ok {
				citations = append(citations, c)
			}
		case wire.ToolCall:
			seen = max(seen, 4)
			calls = append(calls, part)
		default:
			f.lose("a message does not hold %T", part)
		}
	}
	if reasoning != "" {
		reasoning, text = f.reasoning(reasoning, text)
	}
	out := wire.Answer{Stop: in.Stop, Sequence: in.Sequence}
	if reasoning != "" {
		out.Parts = append(out.Parts, wire.Reasoning{Text: reasoning})
	}
	if text != "" {
		out.Parts = append(out.Parts, wire.Text{Text: text})
	}
	if refusal != "" {
		if !f.p.l[messageLayout].has(slotRefusal) {
			f.lose("a refusal is sent as text")
			out.Parts = append(dropText(out.Parts), wire.Text{Text: text + refusal})
			if out.Stop == wire.StopRefusal {
				out.Stop = wire.StopComplete
			}
		} else {
			out.Parts = append(out.Parts, wire.Refusal{Text: refusal})
		}
	}
	out.Parts = append(append(out.Parts, citations...), f.calls(calls)...)
	return out
}

func dropText(parts []wire.Part) []wire.Part {
	return slices.DeleteFunc(parts, func(p wire.Part) bool { _, ok := p.(wire.Text); return ok })
}

// reasoning puts thoughts where the speaker has a place for them.
func (f *fitting) reasoning(reasoning, text string) (string, string) {
	switch {
	case f.p.q.Reasoning == "inline":
		return "", "<think>\n" + reasoning + "\n</think>\n\n" + text
	case f.p.q.Reasoning == "inlineUnopened":
		return "", reasoning + "\n</think>\n\n" + text
	case f.p.l[messageLayout].has(slotReasoning) || f.p.q.Reasoning == "parts":
		return reasoning, text
	}
	f.lose("%s sends no reasoning text", orElse(f.p.name, "this server"))
	return "", text
}

// calls are those that the request's form has a place for.
func (f *fitting) calls(calls []wire.Part) []wire.Part {
	if !f.functions {
		return calls
	}
	for i, part := range calls {
		call, _ := part.(wire.ToolCall)
		if call.Custom || i > 0 {
			f.lose("an answer to functions holds one function call")
			return calls[:i]
		}
	}
	return calls
}

func (f *fitting) citation(c wire.Citation) (wire.Citation, bool) {
	if !f.p.l[messageLayout].has(slotAnnotations) {
		f.lose("a message holds no citations")
		return c, false
	}
	if c.Raw == "" {
		c.Raw = string(appendCitation(nil, c))
	}
	v, err := jsonx.Parse(c.Raw)
	if err != nil || v.Kind() != jsonx.Object {
		f.lose("a citation must be a JSON object")
		return c, false
	}
	return citationOf(v), true
}

func appendCitation(dst []byte, c wire.Citation) []byte {
	dst = append(dst, `{"type":"url_citation","url_citation":{"end_index":`...)
	dst = appendInt(dst, c.End)
	dst = append(dst, `,"start_index":`...)
	dst = appendInt(dst, c.Start)
	dst = append(dst, `,"title":`...)
	dst = jsonx.AppendString(dst, c.Title)
	dst = append(dst, `,"url":`...)
	return append(jsonx.AppendString(dst, c.URL), "}}"...)
}

// citationOf reads an annotation.
func citationOf(v jsonx.Value) wire.Citation {
	u := v.Get("url_citation")
	start, _ := u.Get("start_index").Int()
	end, _ := u.Get("end_index").Int()
	return wire.Citation{
		Kind: v.Get("type").Str(), URL: u.Get("url").Str(), Title: u.Get("title").Str(), Start: int(start), End: int(end),
		Raw: string(jsonx.AppendCompact(nil, v.Raw())),
	}
}

// functions says that a call travels in the form of before tools. Servers that have no such form send tool calls.
func (p *profile) functions(a *asked) bool {
	return a.functions && p.l[messageLayout].has(slotFunctionCall)
}

// stop chooses a reason that travels and is read back as the same.
func (f *fitting) stop(a *wire.Answer) {
	refused, calls := false, 0
	for _, part := range a.Parts {
		switch part.(type) {
		case wire.Refusal:
			refused = true
		case wire.ToolCall:
			calls++
		}
	}
	was := a.Stop
	switch a.Stop {
	case wire.StopTools:
		if f.a.named && calls > 0 || f.overridden("tool_calls", "function_call") {
			a.Stop = wire.StopComplete
		}
	case wire.StopSequence, wire.StopPause:
		a.Stop = wire.StopComplete
	case wire.StopContext:
		a.Stop = wire.StopLength
	}
	if a.Stop == wire.StopComplete && refused {
		a.Stop = wire.StopRefusal
	}
	if a.Stop == wire.StopRefusal && !refused {
		a.Stop = wire.StopComplete
	}
	if a.Sequence != "" || was == wire.StopSequence || was == wire.StopPause || was == wire.StopContext || was == wire.StopRefusal && !refused {
		f.lose("the reason to stop, %s, is sent as another", was)
	}
	a.Sequence = ""
	if word := f.p.q.FinishReason; word != "" {
		a.Stop = stopOf(word, refused)
	} else if word := replaceWord(f.p.q.FinishReasons, finishWord(a.Stop, f.functions)); word != finishWord(a.Stop, f.functions) {
		a.Stop = stopOf(word, refused)
	}
}

func (f *fitting) overridden(words ...string) bool {
	for _, w := range words {
		if replaceWord(f.p.q.FinishReasons, w) == "stop" {
			return true
		}
	}
	return false
}

// usage is what the answer will say of tokens: nothing in a stream that was not asked to.
func (f *fitting) usage(c *wire.Call, u *wire.Usage) *wire.Usage {
	if u == nil {
		return nil
	}
	streams := c.Request.Stream && !f.p.q.IgnoreStream || f.p.q.ForceStream
	l := f.p.l[usageLayout]
	if streams {
		if !f.p.streamsUsage(f.a) {
			return nil
		}
		l = f.p.l[streamUsageLayout]
	}
	out := *u
	if out.CacheWrite > 0 && !l.has(slotCacheWrite) && !l.has(slotCacheWriteCount) {
		f.lose("usage has no tokens written to a cache")
		out.CacheWrite = 0
	}
	if !l.has(slotCached) && !l.has(slotCachedDetails) {
		out.CacheRead = 0
	}
	if !l.has(slotThought) && !l.has(slotThoughtDetails) {
		out.Reasoning = 0
	}
	return &out
}

// streamsUsage says whether a stream counts tokens anywhere.
func (p *profile) streamsUsage(a *asked) bool {
	switch p.q.Usage {
	case "never":
		return false
	case "finish", "both", "every":
		return true
	}
	return a.usage || p.q.UsageAlways
}

func dropIDs(choices []wire.Answer) {
	for i := range choices {
		for j, part := range choices[i].Parts {
			if call, ok := part.(wire.ToolCall); ok {
				call.ID = ""
				choices[i].Parts[j] = call
			}
		}
	}
}

// finishWord is OpenAI's word for a reason to stop.
func finishWord(s wire.Stop, functions bool) string {
	switch s {
	case wire.StopTools:
		if functions {
			return "function_call"
		}
		return "tool_calls"
	case wire.StopLength, wire.StopContext:
		return "length"
	case wire.StopSafety:
		return "content_filter"
	}
	return "stop"
}

// stopOf reads a finish reason, also words that only compatible servers use.
func stopOf(word string, refused bool) wire.Stop {
	switch word {
	case "tool_calls", "function_call":
		return wire.StopTools
	case "length", "model_length", "max_tokens":
		return wire.StopLength
	case "content_filter":
		return wire.StopSafety
	}
	if refused {
		return wire.StopRefusal
	}
	return wire.StopComplete
}

func replaceWord(pairs []wordPair, word string) string {
	for _, pair := range slices.Backward(pairs) {
		if pair.from == word {
			return pair.to
		}
	}
	return word
}
