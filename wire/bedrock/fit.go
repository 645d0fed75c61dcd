package bedrock

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// fitBlocks makes one answer of the blocks of Converse, or of Nova's form of them.
func fitBlocks(c *wire.Call, r wire.Reply, nova bool) (wire.Reply, []error) {
	f := fitter{c: c, q: quirksOf(c), nova: nova}
	r = f.shape(r)
	counted := r.Usage != nil
	r = wire.Complete(c, r, "tooluse_")
	a := &r.Choices[0]
	a.Parts = f.parts(a.Parts)
	f.stop(a)
	if counted && r.Usage.Reasoning > 0 {
		f.lose("the count of reasoning tokens")
	}
	r.Usage.Reasoning = 0
	return r, f.lost
}

type fitter struct {
	c    *wire.Call
	q    Quirks
	nova bool
	lost []error
}

func (f *fitter) lose(format string, args ...any) {
	f.lost = append(f.lost, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), wire.ErrNotOnWire))
}

// shape leaves one choice and nothing else. A blocked prompt is answered by the guardrail.
func (f *fitter) shape(r wire.Reply) wire.Reply {
	if r.Blocked != "" {
		r.Blocked = ""
		r.Choices = []wire.Answer{{Parts: []wire.Part{wire.Text{Text: f.q.BlockedMessage}}, Stop: guardrail}}
	}
	if r.Vectors != nil || r.Models != nil {
		f.lose("an answer to a message has no embeddings and no models")
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

// stop leaves the reasons that Bedrock has a word for.
func (f *fitter) stop(a *wire.Answer) {
	switch a.Stop {
	case wire.StopRefusal:
		f.lose("that the model declined")
		a.Stop = wire.StopComplete
	case wire.StopPause:
		f.lose("that the turn is paused")
		a.Stop = wire.StopComplete
	}
	switch {
	case a.Stop != wire.StopSequence:
		a.Sequence = ""
	case !nativeOf(f.c).stopField || f.nova:
		if a.Sequence != "" {
			f.lose("which stop sequence was hit, as the request does not ask for /stop_sequence")
		}
		a.Sequence = ""
	case a.Sequence == "" && len(f.c.Request.Settings.Stop) > 0:
		a.Sequence = f.c.Request.Settings.Stop[0]
	}
}

// parts gives the blocks; nil where there are none.
func (f *fitter) parts(parts []wire.Part) []wire.Part {
	var out []wire.Part
	for i, p := range parts {
		switch p := p.(type) {
		case wire.Text:
			out = f.text(out, p, parts[i+1:])
		case wire.Refusal:
			// That it is a refusal is lost with the reason to stop.
			out = f.text(out, wire.Text(p), nil)
		case wire.Reasoning:
			if p, ok := f.reasoning(p); ok {
				out = append(out, p)
			}
		case wire.ToolCall:
			out = append(out, f.call(p))
		case wire.Citation:
			out = f.citation(out, p)
		case wire.Opaque:
			out = f.opaque(out, p)
		default:
			f.lose("a part of an answer cannot be %T", p)
		}
	}
	return out
}

// text adds a text. A stream of Nova has no blocks in which texts could begin anew.
func (f *fitter) text(out []wire.Part, p wire.Text, next []wire.Part) []wire.Part {
	if p.Text == "" && !cited(next) {
		return out
	}
	if n := len(out); f.nova && f.c.Request.Stream && n > 0 {
		if before, ok := out[n-1].(wire.Text); ok {
			f.lose("where one text ends and the next begins")
			out[n-1] = wire.Text{Text: before.Text + p.Text}
			return out
		}
	}
	return append(out, p)
}

// cited says whether parts begin with a citation.
func cited(parts []wire.Part) bool {
	if len(parts) == 0 {
		return false
	}
	_, ok := parts[0].(wire.Citation)
	return ok
}

func (f *fitter) reasoning(p wire.Reasoning) (wire.Reasoning, bool) {
	if p.Redacted {
		if f.nova {
			f.lose("redacted reasoning")
			return p, false
		}
		if p.Text != "" {
			f.lose("the text of redacted reasoning")
		}
		if p.Signature == "" {
			p.Signature = signature(p.Text)
		} else if _, err := base64.StdEncoding.DecodeString(p.Signature); err != nil {
			// A blob travels as base64.
			p.Signature = base64.StdEncoding.EncodeToString([]byte(p.Signature))
		}
		p.Text = ""
		return p, true
	}
	if f.q.NoSignature || f.nova {
		if p.Signature != "" {
			f.lose("the signature of reasoning")
		}
		p.Signature = ""
		return p, p.Text != ""
	}
	if p.Signature == "" {
		p.Signature = signature(p.Text)
	}
	return p, true
}

// signature is what a thought is signed with that a stub gives no signature: the base64 form of the hex SHA-256 of the
// text and a NUL byte.
func signature(text string) string {
	sum := sha256.Sum256(append([]byte(text), 0))
	return base64.StdEncoding.EncodeToString(hex.AppendEncode(nil, sum[:]))
}

// call makes the arguments an object where the answer is whole; a stream carries any text.
func (f *fitter) call(p wire.ToolCall) wire.ToolCall {
	if p.Custom {
		f.lose("a custom tool is called like any other")
		p.Custom = false
	}
	if strings.TrimSpace(p.Arguments) == "" {
		p.Arguments = "{}"
		return p
	}
	if f.c.Request.Stream {
		return p
	}
	if v, err := jsonx.Parse(p.Arguments); err == nil && v.Kind() == jsonx.Object {
		p.Arguments = compact(v.Raw())
		return p
	}
	f.lose("arguments that are no JSON object, in an answer that does not stream")
	p.Arguments = string(append(jsonx.AppendString([]byte(`{"unparsed_arguments":`), p.Arguments), '}'))
	return p
}

// citation follows a text or another citation; elsewhere the wire has no place for it.
func (f *fitter) citation(out []wire.Part, p wire.Citation) []wire.Part {
	if f.nova || len(out) == 0 {
		f.lose("a citation")
		return out
	}
	switch out[len(out)-1].(type) {
	case wire.Text, wire.Citation:
	default:
		f.lose("a citation that follows no text")
		return out
	}
	raw := p.Raw
	if raw == "" {
		raw = writeCitation(p)
	}
	v, err := jsonx.Parse(raw)
	if err != nil || v.Kind() != jsonx.Object {
		f.lose("a citation that is no JSON object")
		return out
	}
	return append(out, citationOf(v))
}

// writeCitation writes a citation that a stub describes in neutral words.
func writeCitation(p wire.Citation) string {
	b := []byte(`{"location":{`)
	if p.URL != "" {
		b = append(jsonx.AppendString(append(b, `"web":{"url":`...), p.URL), '}')
	} else {
		b = appendInt(append(b, `"documentChar":{"documentIndex":0,"end":`...), p.End)
		b = append(appendInt(append(b, `,"start":`...), p.Start), '}')
	}
	b = append(jsonx.AppendString(append(b, `},"sourceContent":[{"text":`...), p.Text), `}]`...)
	if p.Title != "" {
		b = jsonx.AppendString(append(b, `,"title":`...), p.Title)
	}
	return string(append(b, '}'))
}

// opaque takes any block that is a JSON object with one key. One of a kind that has a part of its own becomes that part.
func (f *fitter) opaque(out []wire.Part, p wire.Opaque) []wire.Part {
	v, err := jsonx.Parse(p.Raw)
	if err != nil || v.Kind() != jsonx.Object || v.Len() != 1 {
		f.lose("a block that is no JSON object with one key")
		return out
	}
	for _, p := range appendAnswerBlock(nil, v) {
		switch p := p.(type) {
		case wire.Opaque:
			out = f.block(out, p, v.Get(p.Type))
		default:
			out = append(out, f.parts([]wire.Part{p})...)
		}
	}
	return out
}

// block adds a block in the form that it is read back in: its keys in their order.
func (f *fitter) block(out []wire.Part, p wire.Opaque, v jsonx.Value) []wire.Part {
	if !f.c.Request.Stream {
		return append(out, p)
	}
	s, ok := streamed(p.Type, v)
	if !ok || f.nova {
		f.lose("a block of type %s in a stream", p.Type)
		return out
	}
	p.Raw = s.whole()
	return append(out, p)
}
