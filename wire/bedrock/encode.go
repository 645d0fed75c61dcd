package bedrock

import (
	"strconv"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// encoder writes the answers of Converse, and of Nova on InvokeModel: the same blocks and events in other envelopes and
// another order of keys.
type encoder struct {
	c      *wire.Call
	n      *native
	q      Quirks
	nova   bool
	stream bool
	folder wire.Folder

	// buf is where events are written; frames are parts of it.
	buf   []byte
	chunk []byte
	pad   aws.Padder

	usage wire.Usage
	// index is the block that is open or was last; open says whether it has begun.
	index int
	late  string
	stop  wire.Stop
	// sequence is the stop sequence that was hit.
	sequence string
}

func newEncoder(c *wire.Call, nova bool) *encoder {
	e := &encoder{c: c, n: nativeOf(c), q: quirksOf(c), nova: nova, stream: c.Request.Stream}
	if e.stream && !e.q.NoPadding {
		e.pad = aws.NewPadder(c)
	}
	return e
}

// Head is that of a stream.
func (e *encoder) Head() (int, wire.Header, wire.Framing) {
	return 200, aws.StreamHead(e.c, e.nova), aws.Events{}
}

// Append takes note of an event, or adds its frames.
func (e *encoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if !e.stream {
		e.folder.Add(ev)
		return dst
	}
	return e.appendFrames(dst, ev)
}

// Whole is the answer, compact and without a line end. Recorded: Converse has all keys in the order of their names, at
// any depth; Nova has its own order.
func (e *encoder) Whole() wire.Response {
	r := e.folder.Partial()
	var a wire.Answer
	if len(r.Choices) > 0 {
		a = r.Choices[0]
	}
	if r.Usage != nil {
		e.usage = *r.Usage
	}
	b := make([]byte, 0, 384+sizeOf(a.Parts))
	if e.nova {
		b = e.appendContent(append(b, `{"output":{"message":{"content":`...), a.Parts)
		b = append(b, `,"role":"assistant"}},"stopReason":`...)
		b = append(jsonx.AppendString(b, novaStop(a.Stop)), `,"usage":`...)
		b = e.appendNovaUsage(b, true)
		if a.Stop == guardrail {
			b = appendIntervened(b, e.q.Trace)
		}
		b = append(b, '}')
		return wire.Response{Status: 200, Header: aws.InvokeHead(e.c, e.usage, aws.Counts{Cache: true}), Body: b}
	}
	b = append(b, '{')
	if a.Sequence != "" {
		b = append(e.appendResponseFields(b, a.Sequence), ',')
	}
	b = append(e.appendMetrics(b), `,"output":{"message":{"content":`...)
	b = append(e.appendContent(b, a.Parts), `,"role":"assistant"}}`...)
	b = e.appendPerformance(b)
	if e.n.tier != "" {
		b = e.appendTier(b)
	}
	b = jsonx.AppendString(append(b, `,"stopReason":`...), stopWord(a.Stop))
	b = e.appendTrace(b)
	b = append(e.appendUsage(append(b, `,"usage":`...)), '}')
	return wire.Response{Status: 200, Header: aws.Head(e.c), Body: b}
}

// sizeOf guesses how many bytes the parts become.
func sizeOf(parts []wire.Part) int {
	n := 0
	for _, p := range parts {
		switch p := p.(type) {
		case wire.Text:
			n += len(p.Text) + len(p.Text)/8
		case wire.Reasoning:
			n += len(p.Text) + len(p.Text)/8 + len(p.Signature)
		case wire.ToolCall:
			n += len(p.Arguments) + len(p.Name)
		case wire.Opaque:
			n += len(p.Raw)
		case wire.Citation:
			n += len(p.Raw)
		}
		n += 96
	}
	return n
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

func (e *encoder) appendContent(b []byte, parts []wire.Part) []byte {
	b = append(b, '[')
	for i := 0; i < len(parts); i++ {
		if i > 0 {
			b = append(b, ',')
		}
		n := 0
		for _, p := range parts[i+1:] {
			if _, ok := p.(wire.Citation); !ok {
				break
			}
			n++
		}
		b = e.appendBlock(b, parts[i], parts[i+1:i+1+n])
		i += n
	}
	return append(b, ']')
}

// appendBlock writes a whole block; a text with citations is a block of another kind.
func (e *encoder) appendBlock(b []byte, p wire.Part, citations []wire.Part) []byte {
	switch p := p.(type) {
	case wire.Text:
		if len(citations) == 0 {
			return append(jsonx.AppendString(append(b, `{"text":`...), p.Text), '}')
		}
		b = append(b, `{"citationsContent":{"citations":[`...)
		for i, c := range citations {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, c.(wire.Citation).Raw...)
		}
		return append(jsonx.AppendString(append(b, `],"content":[{"text":`...), p.Text), `}]}}`...)
	case wire.Reasoning:
		if p.Redacted {
			b = jsonx.AppendString(append(b, `{"reasoningContent":{"redactedContent":`...), p.Signature)
			return append(b, `}}`...)
		}
		b = append(b, `{"reasoningContent":{"reasoningText":{`...)
		if p.Signature != "" {
			b = append(jsonx.AppendString(append(b, `"signature":`...), p.Signature), ',')
		}
		return append(jsonx.AppendString(append(b, `"text":`...), p.Text), `}}}`...)
	case wire.ToolCall:
		return e.appendCall(b, p)
	case wire.Opaque:
		return append(b, p.Raw...)
	}
	return append(b, `{"text":""}`...)
}

// appendCall writes a tool call. Nova has the input last (recorded 2025-03).
func (e *encoder) appendCall(b []byte, p wire.ToolCall) []byte {
	if e.nova {
		b = jsonx.AppendString(append(b, `{"toolUse":{"name":`...), p.Name)
		b = jsonx.AppendString(append(b, `,"toolUseId":`...), p.ID)
		return append(append(append(b, `,"input":`...), p.Arguments...), `}}`...)
	}
	b = append(append(b, `{"toolUse":{"input":`...), p.Arguments...)
	b = jsonx.AppendString(append(b, `,"name":`...), p.Name)
	return append(jsonx.AppendString(append(b, `,"toolUseId":`...), p.ID), `}}`...)
}

// appendResponseFields answers the one field of additionalModelResponseFieldPaths that is known.
func (e *encoder) appendResponseFields(b []byte, sequence string) []byte {
	b = jsonx.AppendString(append(b, `"additionalModelResponseFields":{"stop_sequence":`...), sequence)
	return append(b, '}')
}

func (e *encoder) appendMetrics(b []byte) []byte {
	ms := e.q.Latency
	if ms == 0 {
		ms = aws.Latency(e.c)
	}
	return append(appendInt(append(b, `"metrics":{"latencyMs":`...), ms), '}')
}

// appendPerformance echoes performanceConfig, appendTier serviceTier, where the request has them.
func (e *encoder) appendPerformance(b []byte) []byte {
	if e.n.latencyMode == "" {
		return b
	}
	return append(jsonx.AppendString(append(b, `,"performanceConfig":{"latency":`...), e.n.latencyMode), '}')
}

func (e *encoder) appendTier(b []byte) []byte {
	return append(jsonx.AppendString(append(b, `,"serviceTier":{"type":`...), e.n.tier), '}')
}

func (e *encoder) appendTrace(b []byte) []byte {
	if e.q.Trace == "" {
		return b
	}
	return append(append(b, `,"trace":`...), e.q.Trace...)
}

// appendUsage writes what Converse counts. Recorded 2026-08: serverToolUsage is on every answer; a whole answer of Claude
// counts what was cached twice, in both spellings, even where nothing was; other models and streams do not.
func (e *encoder) appendUsage(b []byte) []byte {
	u := e.usage
	b = append(b, '{')
	cached := u.CacheRead > 0 || u.CacheWrite > 0
	if u.CacheWrite > 0 {
		b = appendInt(append(b, `"cacheDetails":[{"inputTokens":`...), u.CacheWrite)
		b = append(b, `,"ttl":"5m"}],`...)
	}
	if cached || e.q.CacheCounters || !e.stream && is(e.c.Request.Model, "anthropic.") {
		b = appendInt(append(b, `"cacheReadInputTokenCount":`...), u.CacheRead)
		b = appendInt(append(b, `,"cacheReadInputTokens":`...), u.CacheRead)
		b = appendInt(append(b, `,"cacheWriteInputTokenCount":`...), u.CacheWrite)
		b = append(appendInt(append(b, `,"cacheWriteInputTokens":`...), u.CacheWrite), ',')
	}
	b = appendInt(append(b, `"inputTokens":`...), u.Input-u.CacheRead-u.CacheWrite)
	b = appendInt(append(b, `,"outputTokens":`...), u.Output)
	if !e.q.NoServerToolUsage {
		b = append(b, `,"serverToolUsage":{}`...)
	}
	b = appendInt(append(b, `,"totalTokens":`...), u.Input+u.Output)
	return append(b, '}')
}

// appendNovaUsage writes what Nova counts; the sum only in a whole answer (recorded 2025).
func (e *encoder) appendNovaUsage(b []byte, whole bool) []byte {
	u := e.usage
	b = appendInt(append(b, `{"inputTokens":`...), u.Input-u.CacheRead-u.CacheWrite)
	b = appendInt(append(b, `,"outputTokens":`...), u.Output)
	if whole {
		b = appendInt(append(b, `,"totalTokens":`...), u.Input+u.Output)
	}
	b = appendInt(append(b, `,"cacheReadInputTokenCount":`...), u.CacheRead)
	return append(appendInt(append(b, `,"cacheWriteInputTokenCount":`...), u.CacheWrite), '}')
}
