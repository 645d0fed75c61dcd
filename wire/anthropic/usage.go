package anthropic

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// serverTools counts what the provider's own tools did in an answer. used is set by any call of one.
type serverTools struct {
	used              bool
	searches, fetches int
}

// see counts a block of an answer.
func (s *serverTools) see(o wire.Opaque) {
	switch o.Type {
	case "server_tool_use", "mcp_tool_use":
		s.used = true
	default:
		return
	}
	v, _ := jsonx.Parse(o.Raw)
	switch v.Get("name").Str() {
	case "web_search":
		s.searches++
	case "web_fetch":
		s.fetches++
	}
}

// appendUsage writes the usage of a message. Recorded in 2026: input, cache, output, the thoughts' share where there
// were thoughts, service_tier, inference_geo, and server_tool_use where a tool of the provider ran. input_tokens is what
// came from no cache. output is output_tokens.
func (e *encoder) appendUsage(b []byte, u *wire.Usage, output int, final bool) []byte {
	b = e.appendInput(append(b, `{`...), u)
	if e.q.Usage == "" || e.q.Usage == "untiered" {
		fresh, hour := u.CacheWrite, 0
		if nativeOf(e.c).cacheHour {
			fresh, hour = 0, u.CacheWrite
		}
		b = appendInt(append(b, `,"cache_creation":{"ephemeral_5m_input_tokens":`...), fresh)
		b = appendInt(append(b, `,"ephemeral_1h_input_tokens":`...), hour)
		b = append(b, '}')
	}
	b = appendInt(append(b, `,"output_tokens":`...), output)
	if final {
		b = e.appendThinking(b, u)
	}
	if e.q.Usage == "" {
		b = append(b, `,"service_tier":"standard","inference_geo":"not_available"`...)
	}
	if final {
		b = e.appendServerTools(b)
	}
	if e.q.NullKeys {
		if !final || !e.tools.used {
			b = append(b, `,"server_tool_use":null`...)
		}
		b = append(b, `,"speed":null`...)
	}
	return append(b, '}')
}

// appendInput writes what the prompt counts.
func (e *encoder) appendInput(b []byte, u *wire.Usage) []byte {
	if e.q.Usage == "plain" {
		return appendInt(append(b, `"input_tokens":`...), u.Input)
	}
	b = appendInt(append(b, `"input_tokens":`...), u.Input-u.CacheRead-u.CacheWrite)
	b = appendInt(append(b, `,"cache_creation_input_tokens":`...), u.CacheWrite)
	return appendInt(append(b, `,"cache_read_input_tokens":`...), u.CacheRead)
}

func (e *encoder) appendThinking(b []byte, u *wire.Usage) []byte {
	if u.Reasoning == 0 || e.q.Usage == "plain" {
		return b
	}
	b = appendInt(append(b, `,"output_tokens_details":{"thinking_tokens":`...), u.Reasoning)
	return append(b, '}')
}

func (e *encoder) appendServerTools(b []byte) []byte {
	if !e.tools.used || e.q.Usage == "plain" {
		return b
	}
	b = appendInt(append(b, `,"server_tool_use":{"web_search_requests":`...), e.tools.searches)
	b = appendInt(append(b, `,"web_fetch_requests":`...), e.tools.fetches)
	return append(b, '}')
}

// appendDeltaUsage writes the usage of message_delta: running totals, not increments.
func (e *encoder) appendDeltaUsage(b []byte, u *wire.Usage) []byte {
	b = append(b, '{')
	switch e.q.DeltaUsage {
	case "output":
		b = append(b, `"output_tokens":`...)
	case "plain":
		b = append(appendInt(append(b, `"input_tokens":`...), u.Input), `,"output_tokens":`...)
	default:
		b = append(e.appendInput(b, u), `,"output_tokens":`...)
	}
	b = e.appendThinking(appendInt(b, u.Output), u)
	return append(e.appendServerTools(b), '}')
}
