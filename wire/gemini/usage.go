package gemini

import (
	"strconv"

	"github.com/mimus-go/mimus/wire"
)

// appendUsage writes usageMetadata with a comma behind it, as it stands before the model in each message. Recorded: AI
// Studio counts in each chunk, a running total; Vertex counts in the last alone.
func (e *encoder) appendUsage(b []byte, final bool) []byte {
	mode := e.q.Usage
	if mode == "" {
		mode = "each"
		if e.s.vertex {
			mode = "last"
		}
	}
	counted := e.usage != nil && (mode == "each" || mode == "last" && final)
	if !counted && !e.s.vertex {
		return b
	}
	if mode == "never" && !e.s.vertex {
		return b
	}
	b = append(b, `"usageMetadata": {`...)
	u := wire.Usage{}
	if counted {
		u = *e.usage
	}
	said, thought := served(&u), u.Reasoning
	tools := min(e.q.ToolUsePromptTokens, u.Input)
	prompt := u.Input - tools
	if !final {
		said, tools = min(e.said, said), 0
		if !e.answered && e.gen >= gen3 {
			// Recorded: Gemini 3 counts its thoughts once it has thought, 2.5 from the start.
			thought = 0
		}
	}
	if counted {
		b = e.appendCount(b, "promptTokenCount", prompt)
		b = e.appendCount(b, "candidatesTokenCount", said)
		b = e.appendCount(b, "totalTokenCount", prompt+tools+said+thought)
		b = e.appendCount(b, "cachedContentTokenCount", u.CacheRead)
	}
	if e.s.vertex {
		b = appendString(appendKey(b, "trafficType"), orElse(e.q.TrafficType, "ON_DEMAND"))
	}
	if counted {
		b = e.appendModality(b, "promptTokensDetails", prompt)
		b = e.appendModality(b, "cacheTokensDetails", u.CacheRead)
		if e.s.vertex || e.gen < gen25 {
			b = e.appendModality(b, "candidatesTokensDetails", said)
		}
		b = e.appendTools(b, tools)
		b = e.appendCount(b, "thoughtsTokenCount", thought)
	}
	if !e.s.vertex && !e.q.NoServiceTier && e.gen >= gen25 {
		b = appendString(appendKey(b, "serviceTier"), orElse(e.q.ServiceTier, "standard"))
	}
	return append(b, "},"...)
}

// appendTools counts what the provider's own tools added to the prompt; the surfaces differ in the order.
func (e *encoder) appendTools(b []byte, tools int) []byte {
	if tools == 0 {
		return b
	}
	if e.s.vertex {
		b = e.appendModality(b, "toolUsePromptTokensDetails", tools)
		return e.appendCount(b, "toolUsePromptTokenCount", tools)
	}
	b = e.appendCount(b, "toolUsePromptTokenCount", tools)
	return e.appendModality(b, "toolUsePromptTokensDetails", tools)
}

// appendCount leaves zero out, as Google's JSON does.
func (e *encoder) appendCount(b []byte, name string, n int) []byte {
	if n == 0 && !e.q.ZeroCounts {
		return b
	}
	return appendInt(appendKey(b, name), n)
}

func (e *encoder) appendModality(b []byte, name string, n int) []byte {
	if n == 0 {
		return b
	}
	return appendModality(appendKey(b, name), n, e.numbers)
}

// appendModality writes a list of one modality, which is text.
func appendModality(b []byte, n int, number bool) []byte {
	if number {
		b = append(b, `[{"modality": 1,"tokenCount": `...)
	} else {
		b = append(b, `[{"modality": "TEXT","tokenCount": `...)
	}
	return append(appendInt(b, n), "}]"...)
}

// appendGoogleFloat writes a number as the provider does: the shortest digits, with an exponent of two digits below 1e-4.
func appendGoogleFloat(b []byte, f float64, bits int) []byte {
	return strconv.AppendFloat(b, f, 'g', -1, bits)
}
