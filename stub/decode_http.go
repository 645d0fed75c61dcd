package stub

import (
	"math"
	"net/textproto"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

var usageKeys = []key[wire.Usage]{
	{"inputTokens", "Tokens of the whole prompt, the cached ones among them.", formCount, into(node.count, func(u *wire.Usage) *int { return &u.Input })},
	{"outputTokens", "All tokens that were made, the reasoning's among them.", formCount, into(node.count, func(u *wire.Usage) *int { return &u.Output })},
	{"reasoningTokens", "Tokens of the reasoning.", formCount, into(node.count, func(u *wire.Usage) *int { return &u.Reasoning })},
	{"cacheReadTokens", "Tokens of the prompt that were read from a cache.", formCount, into(node.count, func(u *wire.Usage) *int { return &u.CacheRead })},
	{"cacheWriteTokens", "Tokens of the prompt that were written to a cache.", formCount, into(node.count, func(u *wire.Usage) *int { return &u.CacheWrite })},
}

func readUsage(n node, d *answerDraft) {
	var u wire.Usage
	if readObject(n, usageKeys, &u) {
		d.Usage = &u
	}
}

func readEmbedding(n node, d *answerDraft) {
	items := n.items("a list of numbers")
	vector := make([]float32, 0, len(items))
	for _, item := range items {
		f, ok := item.v.Float()
		if !ok || math.Abs(f) > math.MaxFloat32 {
			item.want("a number")
			continue
		}
		vector = append(vector, float32(f))
	}
	d.Embedding = vector
}

var rawKeys = []key[Raw]{
	{"status", "The HTTP status; 200 where it is not given.", formStatus, func(n node, r *Raw) { r.Status = n.between(200, 599) }},
	{"headers", "The response headers; there are no others.", formHeaders, func(n node, r *Raw) { r.Headers = n.headers() }},
	{"chunks", "The body; each text is written on its own.", formTexts, func(n node, r *Raw) { r.Chunks = n.texts() }},
}

func readRaw(n node, d *answerDraft) {
	var r Raw
	if !readObject(n, rawKeys, &r) {
		return
	}
	if !n.has("status") {
		r.Status = 200
	}
	d.Raw = &r
}

// headers is a map of names to one value or a list of them.
func (n node) headers() wire.Header {
	if n.v.Kind() != jsonx.Object {
		n.want("an object of header names and values")
		return nil
	}
	var h wire.Header
	for name, v := range n.v.Members() {
		c := n.child(name, v)
		if !isToken(name) {
			c.misplaced("%q cannot be a header's name", name)
			continue
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		if v.Kind() != jsonx.Array {
			h = c.appendHeader(h, name)
			continue
		}
		for i, item := range v.Items() {
			h = c.child(i, item).appendHeader(h, name)
		}
	}
	return h
}

func (n node) appendHeader(h wire.Header, name string) wire.Header {
	value := n.v.Str()
	switch n.v.Kind() {
	case jsonx.String:
	case jsonx.Number, jsonx.Bool:
		value = n.v.Raw()
	default:
		n.want("a header's value, a text")
		return h
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		n.wrong("a header's value cannot hold control characters, got %s", got(n.v))
		return h
	}
	return append(h, wire.Field{Name: name, Value: value})
}

// isToken says whether a text can be a header's name (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune(marks, r):
		default:
			return false
		}
	}
	return s != ""
}
