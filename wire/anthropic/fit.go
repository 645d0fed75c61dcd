package anthropic

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Fit makes one answer of the blocks that this wire has. A whole answer needs an object as the input of a tool call; a
// stream carries any text.
func (messages) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := fitter{c: c, d: dialectOf(c), q: quirksOf(c)}
	r = f.shape(r)
	counted := r.Usage != nil
	r = wire.Complete(c, r, f.d.tool)
	a := &r.Choices[0]
	a.Parts = f.parts(a.Parts)
	if a.Stop == wire.StopSafety {
		a.Stop = wire.StopRefusal
	}
	switch {
	case a.Stop != wire.StopSequence:
		a.Sequence = ""
	case a.Sequence == "" && len(c.Request.Settings.Stop) > 0:
		a.Sequence = c.Request.Settings.Stop[0]
	}
	f.usage(r.Usage, counted)
	return r, f.lost
}

type fitter struct {
	c    *wire.Call
	d    *dialect
	q    Quirks
	lost []error
}

func (f *fitter) lose(format string, args ...any) {
	f.lost = append(f.lost, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), wire.ErrNotOnWire))
}

// shape leaves one choice and nothing else.
func (f *fitter) shape(r wire.Reply) wire.Reply {
	if r.Blocked != "" {
		f.lose("a blocked prompt is answered as a refusal without text")
		r.Blocked, r.Choices = "", []wire.Answer{{Stop: wire.StopRefusal}}
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

// parts gives the blocks; nil where there are none, as the provider's answer to an empty turn is an empty list.
func (f *fitter) parts(parts []wire.Part) []wire.Part {
	var out []wire.Part
	for i, p := range parts {
		switch p := p.(type) {
		case wire.Text:
			if p.Text != "" || cited(parts[i+1:]) {
				out = append(out, p)
			}
		case wire.Refusal:
			f.lose("a refusal is sent as text")
			if p.Text != "" {
				out = append(out, wire.Text(p))
			}
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
		if f.q.NoSignature {
			f.lose("redacted reasoning")
			return p, false
		}
		if p.Text != "" {
			f.lose("the text of redacted reasoning")
		}
		if p.Signature == "" {
			p.Signature = f.signature(p.Text)
		}
		p.Text = ""
		return p, true
	}
	if f.q.NoSignature {
		if p.Signature != "" {
			f.lose("the signature of reasoning")
		}
		p.Signature = ""
		return p, true
	}
	if p.Signature == "" {
		p.Signature = f.signature(p.Text)
	}
	if p.Text != "" && (f.q.OmitThinking || nativeOf(f.c).omitThinking) {
		f.lose("the text of reasoning, as the request or the stub omits it")
		p.Text = ""
	}
	return p, true
}

// signature is what a thought is signed with that a stub gives no signature: the base64 form of the hex SHA-256 of the
// text and a NUL byte, and as much more of the same as a quirk wants.
func (f *fitter) signature(text string) string {
	sum := sha256.Sum256(append([]byte(text), 0))
	digits := hex.AppendEncode(nil, sum[:])
	for base64.StdEncoding.EncodedLen(len(digits)) < f.q.SignatureLength {
		sum = sha256.Sum256(sum[:])
		digits = hex.AppendEncode(digits, sum[:])
	}
	return base64.StdEncoding.EncodeToString(digits)
}

func (f *fitter) call(p wire.ToolCall) wire.ToolCall {
	if p.Custom {
		f.lose("a custom tool is called like any other")
		p.Custom = false
	}
	if f.c.Request.Stream {
		if f.q.EmptyInput && p.Arguments == "{}" {
			p.Arguments = ""
		}
		if !f.q.InputInStart {
			return p
		}
	}
	if strings.TrimSpace(p.Arguments) == "" {
		p.Arguments = "{}"
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
	if len(out) > 0 {
		switch out[len(out)-1].(type) {
		case wire.Text, wire.Citation:
			raw := p.Raw
			if raw == "" {
				raw = writeCitation(p)
			}
			if v, err := jsonx.Parse(raw); err == nil && v.Kind() == jsonx.Object {
				return append(out, citationOf(v))
			}
			f.lose("a citation that is no JSON object")
			return out
		}
	}
	f.lose("a citation that follows no text")
	return out
}

// writeCitation writes a citation that a stub describes in neutral words, in the form of its kind.
func writeCitation(p wire.Citation) string {
	kind := p.Kind
	if kind != "search_result_location" && kind != "web_search_result_location" && p.URL != "" {
		kind = "web_search_result_location"
	} else if kind == "" || kind == "url_citation" {
		kind = "char_location"
	}
	b := jsonx.AppendString([]byte(`{"type":`), kind)
	b = jsonx.AppendString(append(b, `,"cited_text":`...), p.Text)
	span := func(unit string) {
		b = appendInt(append(b, `,"start_`+unit+`":`...), p.Start)
		b = appendInt(append(b, `,"end_`+unit+`":`...), p.End)
	}
	document := func(unit string) {
		b = appendStringOrNull(append(b, `,"document_index":0,"document_title":`...), p.Title)
		span(unit)
	}
	switch kind {
	case "web_search_result_location":
		b = jsonx.AppendString(append(b, `,"url":`...), p.URL)
		b = appendStringOrNull(append(b, `,"title":`...), p.Title)
		b = append(b, `,"encrypted_index":""`...)
	case "search_result_location":
		b = jsonx.AppendString(append(b, `,"source":`...), p.URL)
		b = appendStringOrNull(append(b, `,"title":`...), p.Title)
		b = append(b, `,"search_result_index":0`...)
		span("block_index")
	case "page_location":
		document("page_number")
	case "content_block_location":
		document("block_index")
	default:
		document("char_index")
	}
	return string(append(b, '}'))
}

// opaque takes any block that is a JSON object with a type. One of a type that has a part of its own becomes that part.
func (f *fitter) opaque(out []wire.Part, p wire.Opaque) []wire.Part {
	v, err := jsonx.Parse(p.Raw)
	if err != nil || v.Get("type").Str() == "" {
		f.lose("a block that is no JSON object with a type")
		return out
	}
	if v.Get("type").Str() == "text" && v.Get("text").Str() == "" && v.Get("citations").Len() == 0 {
		return out
	}
	for _, p := range appendAnswerBlock(nil, v) {
		switch p := p.(type) {
		case wire.Reasoning:
			if p, ok := f.reasoning(p); ok {
				out = append(out, p)
			}
		case wire.ToolCall:
			out = append(out, f.call(p))
		default:
			out = append(out, p)
		}
	}
	return out
}

// usage leaves what the dialect counts.
func (f *fitter) usage(u *wire.Usage, counted bool) {
	if f.q.Usage != "plain" {
		return
	}
	if counted && (u.CacheRead > 0 || u.CacheWrite > 0 || u.Reasoning > 0) {
		f.lose("counts of cached and reasoning tokens")
	}
	u.CacheRead, u.CacheWrite, u.Reasoning = 0, 0, 0
}
