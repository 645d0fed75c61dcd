package ollama

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// appendLogprobs writes how likely each token was. The numbers are made of the token alone, so that they are always the
// same.
func (e *encoder) appendLogprobs(b []byte, tokens []string) []byte {
	b = append(b, `,"logprobs":[`...)
	for i, token := range tokens {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendLogprob(b, token, likelihood(token, 0))
		for n := range e.n.top {
			if n == 0 {
				b = append(b, `,"top_logprobs":[`...)
			} else {
				b = append(b, ',')
			}
			b = append(appendLogprob(b, alternative(token, n), likelihood(token, n)), '}')
		}
		if e.n.top > 0 {
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

// appendLogprob opens the entry of a token.
func appendLogprob(b []byte, token string, p float64) []byte {
	b = appendString(append(b, `{"token":`...), token)
	b = jsonx.AppendFloat(append(b, `,"logprob":`...), p)
	b = append(b, `,"bytes":[`...)
	for i := range len(token) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, int(token[i]))
	}
	return append(b, ']')
}

// splitTokens cuts a text into words, each with the white space before it.
func splitTokens(text string) []string {
	var tokens []string
	for text != "" {
		start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
		end := len(text)
		if i := strings.IndexAny(text[start:], " \t\r\n"); i > 0 {
			end = start + i
		}
		tokens = append(tokens, text[:end])
		text = text[end:]
	}
	return tokens
}

// alternative is what else could have been said: the token itself, then others.
func alternative(token string, n int) string {
	if n == 0 {
		return token
	}
	_, size := utf8.DecodeRuneInString(token)
	return token[:size] + strconv.Itoa(n)
}

// likelihood falls with n, and is never positive.
func likelihood(token string, n int) float64 {
	h := uint32(2166136261)
	for i := range len(token) {
		h = (h ^ uint32(token[i])) * 16777619
	}
	return -float64(h%1000)/10000 - 2*float64(n)
}
