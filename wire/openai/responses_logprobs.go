package openai

import (
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// noLogprobs is the empty list; nobody writes to it.
var noLogprobs = []byte("[]")

// logprobs is the list of one delta, or, without a delta, of the whole text. The numbers are invented, as those of Chat
// Completions are: the same for the same text.
func (e *respEncoder) logprobs(p *respPart, delta string) []byte {
	if !e.n.logprobs {
		return noLogprobs
	}
	if delta != "" {
		p.logprobs = e.appendLogprob(p.logprobs, delta)
		return append(e.appendLogprob([]byte{'['}, delta), ']')
	}
	if t, ok := p.what.(wire.Text); ok && len(p.logprobs) == 0 {
		for text := t.Text; text != ""; {
			piece := token(text)
			text = text[len(piece):]
			p.logprobs = e.appendLogprob(p.logprobs, piece)
		}
	}
	return append(append([]byte{'['}, p.logprobs...), ']')
}

func (e *respEncoder) appendLogprob(dst []byte, piece string) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	top, _ := e.n.body.Get("top_logprobs").Int()
	dst = appendRespToken(append(dst, '{'), piece, logprob(piece, 0))
	dst = append(dst, `,"top_logprobs":[`...)
	for i := range int(max(0, min(top, respMaxTop))) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendRespToken(append(dst, '{'), alternative(piece, i), logprob(piece, i)), '}')
	}
	return append(dst, "]}"...)
}

// respMaxTop is the most alternatives that a request may ask for.
const respMaxTop = 20

func appendRespToken(dst []byte, piece string, p float64) []byte {
	dst = jsonx.AppendString(append(dst, `"token":`...), piece)
	dst = append(dst, `,"bytes":[`...)
	for i := range len(piece) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, uint64(piece[i]), 10)
	}
	return jsonx.AppendFloat(append(dst, `],"logprob":`...), p)
}
