package wire

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Sent says whether a text was sent: in any string, number or boolean of the request's body, JSON inside strings
// included, or in what the request continues. Keys of objects are not searched.
func (r *Request) Sent(text string) bool {
	if r.Probe != nil && sentIn(r.Probe.Body, text) {
		return true
	}
	for t := r.History; t != nil; t = t.Before {
		if t.Request != nil && t.Request.Probe != nil && sentIn(t.Request.Probe.Body, text) {
			return true
		}
		if t.Answer != nil {
			var b strings.Builder
			writeMessages(&b, []Message{{Role: Assistant, Parts: t.Answer.Parts}})
			if strings.Contains(b.String(), text) {
				return true
			}
		}
	}
	return false
}

func sentIn(body []byte, text string) bool {
	v, err := jsonx.ParseBytes(body)
	if err != nil {
		return strings.Contains(string(body), text)
	}
	var b strings.Builder
	b.Grow(len(body))
	expandValue(&b, v, 0)
	return strings.Contains(b.String(), text)
}
