package gemini

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// parts gives the parts of a candidate: the content, then citations, then what else stands beside the content.
func (f *fitter) parts(parts []wire.Part) []wire.Part {
	var content, citations []wire.Part
	var metadata [len(metadataKeys)]wire.Part
	for _, p := range parts {
		switch p := f.part(p).(type) {
		case nil:
		case wire.Citation:
			citations = append(citations, p)
		case wire.Opaque:
			if i := slices.Index(metadataKeys[:], p.Type); i >= 0 {
				if metadata[i] != nil {
					f.lose("a second %s", p.Type)
				}
				metadata[i] = p
				continue
			}
			content = append(content, p)
		default:
			content = append(content, p)
		}
	}
	content = f.sign(f.merge(settle(content)))
	content = append(content, citations...)
	for _, m := range metadata {
		if m != nil {
			content = append(content, m)
		}
	}
	return content
}

// metadataKeys are members of a candidate, not of its parts; an Opaque of such a type goes there. In the order in which
// they travel.
var metadataKeys = [...]string{"groundingMetadata", "urlContextMetadata"}

// part fits one part, nil where there is nothing to send.
func (f *fitter) part(p wire.Part) wire.Part {
	switch p := p.(type) {
	case wire.Text:
		if p.Text == "" {
			return nil
		}
		return p
	case wire.Refusal:
		f.lose("a refusal is sent as text")
		return f.part(wire.Text(p))
	case wire.Reasoning:
		return f.reasoning(p)
	case wire.ToolCall:
		return f.call(p)
	case wire.Citation:
		return f.citation(p)
	case wire.Media:
		return f.media(p)
	case wire.Opaque:
		return f.opaque(p)
	}
	f.lose("a part of an answer cannot be %T", p)
	return nil
}

// reasoning: a thought without text is known by its signature alone.
func (f *fitter) reasoning(p wire.Reasoning) wire.Part {
	if p.Redacted && p.Text != "" {
		f.lose("the text of redacted reasoning")
	}
	if !p.Redacted && p.Text != "" {
		return p
	}
	if p.Signature == "" {
		if f.q.NoSignatures {
			f.lose("a thought with neither text nor signature")
			return nil
		}
		p.Signature = signature(p.Text)
	}
	return wire.Reasoning{Signature: p.Signature, Redacted: true}
}

// signature is what a thought is signed with that a stub gives no signature: the base64 form of the hex SHA-256 of the
// text and a NUL byte.
func signature(text string) string {
	sum := sha256.Sum256(append([]byte(text), 0))
	return base64.StdEncoding.EncodeToString(hex.AppendEncode(nil, sum[:]))
}

// call: arguments are an object on this wire, streamed or not; other text is wrapped in one.
func (f *fitter) call(p wire.ToolCall) wire.Part {
	if p.Custom {
		f.lose("a custom tool is called like any other")
		p.Custom = false
	}
	if strings.TrimSpace(p.Arguments) == "" {
		p.Arguments = "{}"
	}
	v, err := jsonx.Parse(p.Arguments)
	if err != nil || v.Kind() != jsonx.Object {
		f.lose("arguments that are no JSON object")
		p.Arguments = string(append(jsonx.AppendString([]byte(`{"unparsed_arguments":`), p.Arguments), '}'))
		return p
	}
	p.Arguments = compact(v.Raw())
	if streamsArguments(f.c, &f.q, f.s) {
		if tree, ok := argumentTree(v); ok {
			p.Arguments = string(tree.append(nil))
		}
	}
	return p
}

func (f *fitter) citation(p wire.Citation) wire.Part {
	raw := p.Raw
	if raw == "" {
		if p.Title != "" && !f.s.vertex {
			f.lose("the title of a citation")
		}
		raw = writeCitation(p, f.s.vertex)
	}
	v, err := jsonx.Parse(raw)
	if err != nil || v.Kind() != jsonx.Object {
		f.lose("a citation that is no JSON object")
		return nil
	}
	return citationOf(v)
}

func (f *fitter) media(p wire.Media) wire.Part {
	if p.URL == "" && p.Data == "" {
		if p.FileID == "" {
			f.lose("an empty medium")
			return nil
		}
		p.URL = p.FileID
	}
	v, err := jsonx.ParseBytes(appendMedia(nil, p))
	if err != nil {
		return nil
	}
	_, data := dataOf(v)
	return mediaOf(data)
}

// opaque takes any part that is a JSON object, or a member of the candidate. A "type" beside it, as stub files have it,
// does not travel. One that has a part of its own becomes that part.
func (f *fitter) opaque(p wire.Opaque) wire.Part {
	v, err := jsonx.Parse(p.Raw)
	if err != nil || v.Kind() != jsonx.Object {
		f.lose("a block that is no JSON object")
		return nil
	}
	if kind := v.Get("type"); kind.Kind() == jsonx.String {
		v = without(v, "type")
	}
	if slices.Contains(metadataKeys[:], p.Type) {
		if inner := pick(v, p.Type); inner.Kind() == jsonx.Object {
			v = inner
		}
		return wire.Opaque{Type: p.Type, Raw: compact(v.Raw())}
	}
	parts := appendAnswerPart(nil, v)
	if len(parts) > 1 {
		f.lose("the signature of a block; write it as reasoning")
		parts = slices.DeleteFunc(parts, hidden)
	}
	if len(parts) == 0 {
		f.lose("a block without content")
		return nil
	}
	if o, ok := parts[0].(wire.Opaque); ok {
		return o
	}
	return f.part(parts[0])
}

// without is an object without one member.
func without(v jsonx.Value, name string) jsonx.Value {
	b := []byte{'{'}
	for key, member := range v.Members() {
		if key == name {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(jsonx.AppendString(b, key), ':'), member.Raw()...)
	}
	out, err := jsonx.ParseBytes(append(b, '}'))
	if err != nil {
		return v
	}
	return out
}

// settle puts a hidden thought behind the texts that follow it: the wire signs a text at its end.
func settle(parts []wire.Part) []wire.Part {
	for i := len(parts) - 2; i >= 0; i-- {
		for j := i; j+1 < len(parts) && hidden(parts[j]) && isText(parts[j+1]); j++ {
			parts[j], parts[j+1] = parts[j+1], parts[j]
		}
	}
	return parts
}

func hidden(p wire.Part) bool {
	r, ok := p.(wire.Reasoning)
	return ok && r.Redacted
}

func isText(p wire.Part) bool {
	_, ok := p.(wire.Text)
	return ok
}

// merge joins thoughts that follow each other and, in a stream, texts: nothing parts them there.
func (f *fitter) merge(parts []wire.Part) []wire.Part {
	out := parts[:0]
	for _, p := range parts {
		if len(out) > 0 {
			switch last := out[len(out)-1].(type) {
			case wire.Text:
				if t, ok := p.(wire.Text); ok && f.c.Request.Stream {
					out[len(out)-1] = wire.Text{Text: last.Text + t.Text}
					continue
				}
			case wire.Reasoning:
				if t, ok := p.(wire.Reasoning); ok && !last.Redacted && !t.Redacted {
					if last.Signature != "" && t.Signature != "" {
						f.lose("the signature of a thought that another thought follows")
					}
					out[len(out)-1] = wire.Reasoning{Text: last.Text + t.Text, Signature: orElse(t.Signature, last.Signature)}
					continue
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// sign gives thoughts and calls the signatures that the model would give them: Gemini 3 signs each thought and the first
// call of an answer, 2.5 a thought that a call follows (recorded 2026).
func (f *fitter) sign(parts []wire.Part) []wire.Part {
	out := make([]wire.Part, 0, len(parts)+1)
	open := -1 // the last thought, if it has a text and no signature
	unsent, called := false, false
	for i, p := range parts {
		switch p := p.(type) {
		case wire.Reasoning:
			switch {
			case p.Redacted && open >= 0:
				// It would be read as the thought's own.
				out[open] = wire.Reasoning{Text: out[open].(wire.Reasoning).Text, Signature: p.Signature}
				open, unsent = -1, true
				continue
			case !p.Redacted && p.Signature == "" && f.signs(parts[i+1:]):
				p.Signature = signature(p.Text)
			}
			if open = -1; p.Signature == "" {
				open = len(out)
			}
			unsent = p.Signature != ""
			out = append(out, p)
			continue
		case wire.ToolCall:
			if !called && !unsent && f.gen >= gen3 && !f.q.NoSignatures {
				sig := signature(p.Name + p.Arguments)
				if open >= 0 {
					out[open] = wire.Reasoning{Text: out[open].(wire.Reasoning).Text, Signature: sig}
					open = -1
				} else {
					out = append(out, wire.Reasoning{Signature: sig, Redacted: true})
				}
			}
			called, unsent = true, false
		case wire.Text:
		default:
			unsent = false
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// signs says whether the model signs a thought that is followed by parts.
func (f *fitter) signs(parts []wire.Part) bool {
	if f.q.NoSignatures {
		return false
	}
	if f.gen >= gen3 {
		return true
	}
	for _, p := range parts {
		switch p.(type) {
		case wire.ToolCall:
			return f.gen >= gen25
		case wire.Reasoning:
			return false
		}
	}
	return false
}
