package openai

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// logprobs is the list of one delta, or, without a delta, of the whole text. The numbers are invented: the same for the
// same text.
func (e *respEncoder) logprobs(p *respPart, delta string) []byte {
	if !e.n.logprobs {
		return []byte("[]")
	}
	if delta == "" {
		if text := respPartText(p.what); len(p.logprobs) == 0 && text != "" {
			for _, word := range strings.SplitAfter(text, " ") {
				p.logprobs = e.appendLogprob(p.logprobs, word)
			}
		}
		return append(append([]byte{'['}, p.logprobs...), ']')
	}
	p.logprobs = e.appendLogprob(p.logprobs, delta)
	return append(e.appendLogprob([]byte{'['}, delta), ']')
}

func (e *respEncoder) appendLogprob(dst []byte, token string) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	top, _ := e.n.body.Get("top_logprobs").Int()
	dst = appendRespToken(append(dst, '{'), token, 0)
	dst = append(dst, `,"top_logprobs":[`...)
	for i := range min(int(top), 20) {
		if i > 0 {
			dst = append(dst, ',')
		}
		other := token
		if i > 0 {
			other = respAlternative(token, i)
		}
		dst = append(appendRespToken(append(dst, '{'), other, i), '}')
	}
	return append(dst, "]}"...)
}

// respAlternative is a token that the model did not choose.
func respAlternative(token string, i int) string {
	return strings.TrimRight(token, " ") + strings.Repeat("-", i)
}

func appendRespToken(dst []byte, token string, rank int) []byte {
	dst = jsonx.AppendString(append(dst, `"token":`...), token)
	dst = append(dst, `,"bytes":[`...)
	for i := range len(token) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, uint64(token[i]), 10)
	}
	p := -float64(respLabel(token)%1000)/10000 - float64(rank)*2
	return jsonx.AppendFloat(append(dst, `],"logprob":`...), p)
}
