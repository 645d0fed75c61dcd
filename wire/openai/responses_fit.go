package openai

import (
	"fmt"
	"slices"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Fit gives the nearest reply that the Responses API can carry: one answer, whose stop follows from its parts unless it
// was cut off.
func (responsesCodec) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := respFit{c: c, n: respNativeOf(c), lay: respLayoutOf(c)}
	if len(r.Choices) > 1 {
		f.lose("more than one choice")
	}
	if r.Blocked != "" {
		// The answer is the provider's refusal of the prompt, which is an error.
		return wire.Complete(c, wire.Reply{Blocked: r.Blocked, Usage: r.Usage}, "call_"), f.lost
	}
	var a wire.Answer
	if len(r.Choices) > 0 {
		a = r.Choices[0]
	}
	for _, p := range a.Parts {
		f.part(p)
	}
	f.stop(a)
	if len(f.parts) == 0 && f.answer.Stop == wire.StopUnset {
		// An answer that says nothing is a message without text, not a response without output.
		f.parts = append(f.parts, wire.Text{})
	}
	f.answer.Parts = f.parts
	f.n.commentary = respGoesOn(f.parts)
	if r.Usage != nil && r.Usage.CacheWrite > 0 && !f.lay.cacheWrites {
		u := *r.Usage
		u.CacheWrite = 0
		r.Usage = &u
		f.lose("cache writes in the usage")
	}
	choices := []wire.Answer{f.answer}
	profileOf(c).callIDs(c, choices)
	fitted := wire.Complete(c, wire.Reply{Choices: choices, Usage: r.Usage}, "call_")
	if len(f.parts) == 0 {
		fitted.Choices[0].Parts = nil // as a reader has it
	}
	return fitted, f.lost
}

type respFit struct {
	c      *wire.Call
	n      *respNative
	lay    *respLayout
	parts  []wire.Part
	answer wire.Answer
	lost   []error
}

func (f *respFit) lose(format string, args ...any) {
	f.lost = append(f.lost, fmt.Errorf("openai.responses: %s: %w", fmt.Sprintf(format, args...), wire.ErrNotOnWire))
}

func (f *respFit) part(p wire.Part) {
	switch p := p.(type) {
	case wire.Text:
		f.parts = append(f.parts, p)
	case wire.Refusal:
		f.parts = append(f.parts, p)
	case wire.Reasoning:
		f.reasoning(p)
	case wire.ToolCall:
		for _, t := range f.c.Request.Tools {
			if t.Name == p.Name {
				p.Custom = t.Type == "custom"
			}
		}
		f.parts = append(f.parts, p)
	case wire.Citation:
		f.citation(p)
	case wire.Opaque:
		f.opaque(p)
	default:
		f.lose("%T in an answer", p)
	}
}

// opaque is an output item as it is; one of a type that is known here is read.
func (f *respFit) opaque(p wire.Opaque) {
	v, err := jsonx.Parse(p.Raw)
	typ := v.Get("type").Str()
	switch {
	case err != nil || typ == "":
		f.lose("a block of type %q that is no item with a type", p.Type)
	case typ == "message" || typ == "function_call" || typ == "custom_tool_call" || typ == "reasoning":
		r := respReader{yield: func(e wire.Event, _ error) bool {
			if e.Op == wire.PartEnd {
				f.part(e.What)
			}
			return true
		}}
		if r.item(v) != nil {
			f.lose("an item of type %q", typ)
		}
	default:
		f.parts = append(f.parts, respOpaque(v))
	}
}

// reasoning travels as a summary, and encrypted where `include` asks for that; an encrypted thought without a summary is
// a redacted one.
func (f *respFit) reasoning(p wire.Reasoning) {
	encrypted := f.n.encrypted && f.lay.reasoningAs != "text"
	switch {
	case encrypted && p.Signature == "":
		p.Signature = respSeal(f.c, "part"+itoa(len(f.parts)))
	case !encrypted && p.Signature != "":
		f.lose("a reasoning signature, where the request does not include reasoning.encrypted_content")
		p.Signature = ""
	}
	if p.Redacted && p.Text != "" {
		f.lose("the text of redacted reasoning")
		p.Text = ""
	}
	p.Redacted = p.Text == "" && p.Signature != ""
	f.parts = append(f.parts, p)
}

// respSeal is what encrypted reasoning looks like: a Fernet token, in URL-safe base64.
func respSeal(c *wire.Call, label string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return c.ID("gAAAAAB", alphabet, 175, "encrypted "+label) + "=="
}

// citation is an annotation of the text before it.
func (f *respFit) citation(p wire.Citation) {
	for _, before := range slices.Backward(f.parts) {
		switch before.(type) {
		case wire.Citation:
			continue
		case wire.Text:
			v, err := jsonx.Parse(p.Raw)
			if p.Raw == "" || err != nil || v.Kind() != jsonx.Object {
				v, err = jsonx.ParseBytes(respAnnotation(p))
			}
			if err == nil {
				if p.Text != "" && v.Get("type").Str() == "url_citation" {
					f.lose("the cited text of a citation")
				}
				f.parts = append(f.parts, respCitation(v))
			}
			return
		}
		break
	}
	f.lose("a citation without a text before it")
}

// respAnnotation makes a url_citation of a citation that came from elsewhere.
func respAnnotation(p wire.Citation) []byte {
	b := append([]byte(`{"type":"url_citation","end_index":`), itoa(p.End)...)
	b = append(append(b, `,"start_index":`...), itoa(p.Start)...)
	b = jsonx.AppendString(append(b, `,"title":`...), p.Title)
	b = jsonx.AppendString(append(b, `,"url":`...), p.URL)
	return append(b, '}')
}

// respCitation is a citation as an annotation says it.
func respCitation(v jsonx.Value) wire.Citation {
	start, _ := v.Get("start_index").Int()
	end, _ := v.Get("end_index").Int()
	return wire.Citation{
		Kind: v.Get("type").Str(), URL: v.Get("url").Str(), Title: v.Get("title").Str(),
		Start: int(start), End: int(end), Raw: string(jsonx.AppendCompact(nil, v.Raw())),
	}
}

// stop is length or safety, which make the response incomplete; every other end is what the parts say.
func (f *respFit) stop(a wire.Answer) {
	switch a.Stop {
	case wire.StopUnset:
	case wire.StopLength, wire.StopSafety:
		f.answer.Stop = a.Stop
	case wire.StopContext:
		f.answer.Stop = wire.StopLength
		f.lose("stop %q, sent as an answer cut off by its token limit", a.Stop)
	default:
		if a.Stop != respNaturalStop(f.parts) {
			f.lose("stop %q", a.Stop)
		}
	}
}

// respNaturalStop is why a completed response ended.
func respNaturalStop(parts []wire.Part) wire.Stop {
	stop := wire.StopComplete
	for _, p := range parts {
		switch p.(type) {
		case wire.ToolCall:
			return wire.StopTools
		case wire.Refusal:
			stop = wire.StopRefusal
		}
	}
	return stop
}

// respGoesOn says whether tool calls follow the first text.
func respGoesOn(parts []wire.Part) bool {
	text := false
	for _, p := range parts {
		switch p.(type) {
		case wire.Text:
			text = true
		case wire.ToolCall:
			return text
		}
	}
	return false
}
