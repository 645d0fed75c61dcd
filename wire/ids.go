package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
	"unsafe"
)

// Alphabets of ids.
const (
	Hex    = "0123456789abcdef"
	Base36 = "0123456789abcdefghijklmnopqrstuvwxyz"
	Base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// ID is prefix and n characters of the alphabet, the same for the same call and label.
func (c *Call) ID(prefix, alphabet string, n int, label string) string {
	b := make([]byte, 0, len(prefix)+n)
	b = c.appendRandom(append(b, prefix...), alphabet, n, label)
	return unsafe.String(unsafe.SliceData(b), len(b)) // nobody else has b
}

// Rand is a source of random numbers of its own for each label of the call.
func (c *Call) Rand(label string) *rand.Rand { return rand.New(rand.NewPCG(c.Seed, fnv(label))) }

func (c *Call) appendRandom(dst []byte, alphabet string, n int, label string) []byte {
	var pcg rand.PCG
	pcg.Seed(c.Seed, fnv(label))
	return AppendRandom(dst, &pcg, alphabet, n)
}

// AppendRandom adds n characters of the alphabet.
func AppendRandom(dst []byte, src *rand.PCG, alphabet string, n int) []byte {
	var bits uint64
	for i := range n {
		if i%8 == 0 {
			bits = src.Uint64()
		}
		dst = append(dst, alphabet[(bits&0xFF)*uint64(len(alphabet))>>8])
		bits >>= 8
	}
	return dst
}

func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// CallID is the id of a tool call that a stub gave none: prefix and 24 hex digits of a hash of name, arguments and
// index. While the conversation already holds the id, it is hashed again with a counter.
func CallID(prefix, name, arguments string, index int, taken func(string) bool) string {
	for n := 0; ; n++ {
		h := sha256.New()
		for _, s := range []string{name, arguments, strconv.Itoa(index)} {
			h.Write([]byte(s))
			h.Write([]byte{0})
		}
		if n > 0 {
			h.Write([]byte(strconv.Itoa(n)))
			h.Write([]byte{0})
		}
		id := prefix + hex.EncodeToString(h.Sum(nil)[:12])
		if taken == nil || !taken(id) {
			return id
		}
	}
}

// HoldsCall says whether a tool call of that id is in the conversation, history included.
func (r *Request) HoldsCall(id string) bool {
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if c, ok := p.(ToolCall); ok && c.ID == id {
				return true
			}
		}
	}
	for t := r.History; t != nil; t = t.Before {
		if t.Request != nil && t.Request.History == nil && t.Request.HoldsCall(id) {
			return true
		}
		if t.Answer != nil {
			for _, c := range t.Answer.Calls() {
				if c.ID == id {
					return true
				}
			}
		}
	}
	return false
}

// Complete fills what every wire needs and a stub may leave out: call ids with the wire's prefix, a stop, and usage.
// Codecs call it at the end of Fit.
func Complete(c *Call, r Reply, idPrefix string) Reply {
	choices := make([]Answer, len(r.Choices))
	copy(choices, r.Choices)
	given := map[string]bool{}
	for i := range choices {
		a := &choices[i]
		parts := make([]Part, 0, len(a.Parts))
		index := 0
		for _, p := range a.Parts {
			if call, ok := p.(ToolCall); ok {
				if call.ID == "" {
					call.ID = CallID(idPrefix, call.Name, call.Arguments, index, func(id string) bool {
						return given[id] || c.Request.HoldsCall(id)
					})
				}
				given[call.ID] = true
				index++
				p = call
			}
			parts = append(parts, p)
		}
		a.Parts = parts
		if a.Stop == StopUnset {
			a.Stop = naturalStop(parts)
		}
	}
	r.Choices = choices
	if len(choices) == 0 {
		r.Choices = nil
	}
	if r.Usage == nil || r.Usage.Input == 0 || r.Usage.Output == 0 && len(choices) > 0 {
		r.Usage = estimate(c, r)
	} else {
		u := *r.Usage
		r.Usage = &u
	}
	if need := r.Usage.CacheRead + r.Usage.CacheWrite; r.Usage.Input < need {
		r.Usage.Input = need
	}
	if r.Usage.Output < r.Usage.Reasoning {
		r.Usage.Output = r.Usage.Reasoning
	}
	return r
}

func naturalStop(parts []Part) Stop {
	stop := StopComplete
	for _, p := range parts {
		switch p.(type) {
		case ToolCall:
			return StopTools
		case Refusal:
			stop = StopRefusal
		}
	}
	return stop
}

// estimate fills the zero counts of a usage: the whole request body for the input, all that is said for the output.
func estimate(c *Call, r Reply) *Usage {
	var u Usage
	if r.Usage != nil {
		u = *r.Usage
	}
	if u.Input == 0 {
		if len(c.Request.Inputs) > 0 {
			u.Input = max(1, Tokens(strings.Join(c.Request.Inputs, " ")))
		} else {
			u.Input = max(1, TokensOf(c.Probe.Body))
		}
	}
	if u.Output > 0 || len(r.Choices) == 0 {
		return &u
	}
	var text strings.Builder
	thought := 0
	for _, a := range r.Choices {
		for _, p := range a.Parts {
			switch p := p.(type) {
			case Text:
				text.WriteString(p.Text)
			case Refusal:
				text.WriteString(p.Text)
			case ToolCall:
				text.WriteString(p.Name)
				text.WriteString(p.Arguments)
			case Reasoning:
				thought += Tokens(p.Text)
			}
		}
	}
	if u.Reasoning == 0 {
		u.Reasoning = thought
	}
	u.Output = max(1, Tokens(text.String())+u.Reasoning)
	return &u
}
