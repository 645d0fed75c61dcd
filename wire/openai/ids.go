package openai

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// responseID is the id of an answer, in the speaker's form; n tells the ids apart where each chunk has its own.
func (p *profile) responseID(c *wire.Call, n int) string {
	label := "response"
	if n > 0 {
		label += strconv.Itoa(n)
	}
	return formID(c, p.q.ID, label)
}

// formID makes an id of a form: "{base62:29}", "{base36:9}", "{hex:32}", "{digits:10}" are random characters, "{uuid}"
// is a version 4 UUID; all else stands for itself.
func formID(c *wire.Call, form, label string) string {
	before, rest, ok := strings.Cut(form, "{")
	if !ok {
		return form
	}
	spec, after, _ := strings.Cut(rest, "}")
	if !strings.Contains(after, "{") && after == "" {
		return randomID(c, before, spec, label)
	}
	return randomID(c, before, spec, label) + formID(c, after, label+"+")
}

func randomID(c *wire.Call, prefix, spec, label string) string {
	alphabet, length, _ := strings.Cut(spec, ":")
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > 256 {
		n = 0
	}
	switch alphabet {
	case "base62":
		return c.ID(prefix, wire.Base62, n, label)
	case "base36":
		return c.ID(prefix, wire.Base36, n, label)
	case "hex":
		return c.ID(prefix, wire.Hex, n, label)
	case "digits":
		return c.ID(prefix, "0123456789", n, label)
	case "uuid":
		return prefix + uuid(c.ID("", wire.Hex, 32, label))
	}
	return prefix
}

// uuid puts 32 hexadecimal digits into the form of a version 4 UUID.
func uuid(hex string) string {
	b := make([]byte, 0, 36)
	for i, part := range []string{hex[:8], hex[8:12], "4" + hex[13:16], "a" + hex[17:20], hex[20:]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = append(b, part...)
	}
	return string(b)
}

// callIDs fills the ids of tool calls that have none, in the speaker's form: hashes of name, arguments and index, so that
// equal calls have equal ids, and never one that the conversation already holds.
func (p *profile) callIDs(c *wire.Call, choices []wire.Answer) {
	form := orElse(p.q.ToolID, "call_{hash:24}")
	given := map[string]bool{}
	for i := range choices {
		index := 0
		for j, part := range choices[i].Parts {
			call, ok := part.(wire.ToolCall)
			if !ok {
				continue
			}
			if call.ID == "" {
				call.ID = p.callID(c, form, call, index, given)
				choices[i].Parts[j] = call
			}
			given[call.ID] = true
			index++
		}
	}
}

func (p *profile) callID(c *wire.Call, form string, call wire.ToolCall, index int, given map[string]bool) string {
	whole := func(hash string) string {
		var b strings.Builder
		for rest := form; rest != ""; {
			before, after, ok := strings.Cut(rest, "{")
			b.WriteString(before)
			if !ok {
				break
			}
			var spec string
			spec, rest, _ = strings.Cut(after, "}")
			kind, length, _ := strings.Cut(spec, ":")
			switch kind {
			case "hash":
				n, err := strconv.Atoi(length)
				if err != nil || n < 0 || n > len(hash) {
					n = len(hash)
				}
				b.WriteString(hash[:n])
			case "name":
				b.WriteString(call.Name)
			case "index":
				b.WriteString(strconv.Itoa(index))
			}
		}
		return b.String()
	}
	hash := wire.CallID("", call.Name, call.Arguments, index, func(hash string) bool {
		// A form without a hash cannot be made unique.
		id := whole(hash)
		return strings.Contains(form, "{hash") && (given[id] || c.Request.HoldsCall(id))
	})
	return whole(hash)
}
