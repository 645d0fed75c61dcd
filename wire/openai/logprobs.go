package openai

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// fillLogprobs writes null, or where the request asks, an entry for each piece of what is said here. The numbers are
// made of the piece alone, so that they are always the same.
func (e *chatEncoder) fillLogprobs(dst []byte) []byte {
	n := &e.now
	if !e.a.logprobs || !n.hasText && !n.hasRefusal {
		return append(dst, "null"...)
	}
	depth := 3
	dst = e.member(append(dst, '{'), depth+1, "content")
	if n.hasText {
		dst = e.tokens(dst, n.text, depth+1)
	} else {
		dst = append(dst, "null"...)
	}
	dst = e.member(append(dst, ','), depth+1, "refusal")
	if n.hasRefusal {
		dst = e.tokens(dst, n.refusal, depth+1)
	} else {
		dst = append(dst, "null"...)
	}
	return append(e.line(dst, depth), '}')
}

// member begins a member, indented where the body is.
func (e *chatEncoder) member(dst []byte, depth int, key string) []byte {
	dst = append(jsonx.AppendString(e.line(dst, depth), key), ':')
	if e.p.indent != "" && !e.streams {
		dst = append(dst, ' ')
	}
	return dst
}

func (e *chatEncoder) tokens(dst []byte, text string, depth int) []byte {
	dst = append(dst, '[')
	first := true
	for text != "" {
		piece := text
		if !e.streams {
			piece = token(text)
		}
		text = text[len(piece):]
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = e.entry(e.line(dst, depth+1), piece, logprob(piece, 0), depth+1, true)
	}
	if !first {
		dst = e.line(dst, depth)
	}
	return append(dst, ']')
}

// token is the first word of a text, with the white space before it.
func token(text string) string {
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	if i := strings.IndexAny(text[start:], " \t\r\n"); i >= 0 && start+i > 0 {
		return text[:start+i]
	}
	return text
}

func (e *chatEncoder) entry(dst []byte, piece string, p float64, depth int, top bool) []byte {
	dst = e.member(append(dst, '{'), depth+1, "token")
	dst = jsonx.AppendString(dst, piece)
	dst = e.member(append(dst, ','), depth+1, "logprob")
	dst = jsonx.AppendFloat(dst, p)
	dst = e.member(append(dst, ','), depth+1, "bytes")
	dst = e.byteList(dst, piece, depth+1)
	if top {
		dst = e.member(append(dst, ','), depth+1, "top_logprobs")
		dst = e.alternatives(dst, piece, depth+1)
	}
	return append(e.line(dst, depth), '}')
}

func (e *chatEncoder) byteList(dst []byte, piece string, depth int) []byte {
	dst = append(dst, '[')
	for i := range len(piece) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(e.line(dst, depth+1), uint64(piece[i]), 10)
	}
	if piece != "" {
		dst = e.line(dst, depth)
	}
	return append(dst, ']')
}

// alternatives are the likeliest tokens: the one that was said, then others that were not.
func (e *chatEncoder) alternatives(dst []byte, piece string, depth int) []byte {
	dst = append(dst, '[')
	for i := range e.a.top {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.entry(e.line(dst, depth+1), alternative(piece, i), logprob(piece, i), depth+1, false)
	}
	if e.a.top > 0 {
		dst = e.line(dst, depth)
	}
	return append(dst, ']')
}

func alternative(piece string, i int) string {
	if i == 0 {
		return piece
	}
	_, size := utf8.DecodeRuneInString(piece)
	return piece[:size] + strconv.Itoa(i)
}

// logprob falls with i, and is never positive.
func logprob(piece string, i int) float64 {
	h := uint32(2166136261)
	for j := range len(piece) {
		h = (h ^ uint32(piece[j])) * 16777619
	}
	return -float64(h%1000)/10000 - 2*float64(i)
}
