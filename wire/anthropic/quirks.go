package anthropic

import (
	"encoding/json"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Quirks are all the ways in which one speaker of this wire differs from another, or from itself on a bad day. The zero
// value is Anthropic's own way; a dialect sets some, and a stub's `quirks` change them for one answer. The JSON key of a
// field is its name in camelCase.
type Quirks struct {
	// NoPadding leaves out the spaces before the last brace of an event.
	NoPadding bool
	// Ping says where the ping is: "" right after the first content_block_start, "afterMessageStart", "first" (before
	// everything), "always" (after every event) or "never".
	Ping string
	// OldOrder is the order of keys before autumn 2025: id, type, role, model.
	OldOrder bool
	// NullKeys sends what is usually left out as null: container, diagnostics, citations, server_tool_use, speed.
	NullKeys bool
	// NoNulls leaves out what is usually null: stop_reason and stop_sequence.
	NoNulls bool
	// NoStopDetails leaves out stop_details.
	NoStopDetails bool
	// NoCaller leaves out the caller of a tool call.
	NoCaller bool
	// NoSignature leaves thoughts unsigned.
	NoSignature bool
	// OmitThinking sends thoughts as an empty text with a signature, as `display: omitted` does.
	OmitThinking bool
	// SignatureLength makes the signatures of thoughts at least so long; real ones have up to several thousand characters.
	SignatureLength int

	// Usage is what a message counts: "" everything, "untiered" (without service tier and region), "counters" (input,
	// cache and output only) or "plain" (input and output only).
	Usage string
	// DeltaUsage is what message_delta counts: "" input, cache and output again, "output" (the older form) or "plain".
	DeltaUsage string
	// NoStartUsage leaves usage out of message_start.
	NoStartUsage bool
	// StartInputTokens is the input count of message_start where it is not the final one, as after a web search.
	StartInputTokens int

	// WholeInput sends the input of a tool call in one delta, without the empty one before it.
	WholeInput bool
	// EmptyInput sends only the empty delta for a call without arguments.
	EmptyInput bool
	// InputInStart sends the input of a tool call in content_block_start, without any delta.
	InputInStart bool
	// Interleave holds the blocks back and sends their deltas in turn.
	Interleave bool
	// UnknownEvents mixes in an event and a delta that no client can know yet.
	UnknownEvents bool
	// VertexEvent sends a vertex_event before message_start.
	VertexEvent bool
	// NoMessageStop ends the stream cleanly after message_delta.
	NoMessageStop bool
	// NoEventLine leaves out the event: lines.
	NoEventLine bool
	// NoFinalBlank leaves out the blank line after the last event.
	NoFinalBlank bool
	// CRLF ends lines with CR LF.
	CRLF bool

	// SwallowErrors ends a stream without a word where an error would be told.
	SwallowErrors bool
	// ErrorRequestID adds request_id to an error inside a stream.
	ErrorRequestID bool
	// RetryHint sends retryAfter as X-Amz-Retry-After on Bedrock, which itself says nothing of it.
	RetryHint bool
	// CapitalMessage writes an error of Bedrock's as {"Message":…}.
	CapitalMessage bool
	// UnifiedLimits sends the rate limit headers of a subscription instead of an API key's.
	UnifiedLimits bool
	// RefusalCategory and RefusalExplanation fill the stop_details of a refusal; "" is null.
	RefusalCategory    string
	RefusalExplanation string
}

type quirk struct {
	name string
	// set takes the value, and says whether it is of the right kind.
	set func(*Quirks, jsonx.Value) bool
}

func flag(name string, at func(*Quirks) *bool) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) bool {
		on, ok := v.Bool()
		if ok {
			*at(q) = on
		}
		return ok
	}}
}

func number(name string, at func(*Quirks) *int) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) bool {
		n, ok := v.Int()
		if ok && n >= 0 && n <= 1<<20 {
			*at(q) = int(n)
			return true
		}
		return false
	}}
}

func word(name string, at func(*Quirks) *string) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) bool {
		s, ok := v.Text()
		if ok {
			*at(q) = s
		}
		return ok
	}}
}

var quirkList = [...]quirk{
	flag("noPadding", func(q *Quirks) *bool { return &q.NoPadding }),
	word("ping", func(q *Quirks) *string { return &q.Ping }),
	flag("oldOrder", func(q *Quirks) *bool { return &q.OldOrder }),
	flag("nullKeys", func(q *Quirks) *bool { return &q.NullKeys }),
	flag("noNulls", func(q *Quirks) *bool { return &q.NoNulls }),
	flag("noStopDetails", func(q *Quirks) *bool { return &q.NoStopDetails }),
	flag("noCaller", func(q *Quirks) *bool { return &q.NoCaller }),
	flag("noSignature", func(q *Quirks) *bool { return &q.NoSignature }),
	flag("omitThinking", func(q *Quirks) *bool { return &q.OmitThinking }),
	number("signatureLength", func(q *Quirks) *int { return &q.SignatureLength }),
	word("usage", func(q *Quirks) *string { return &q.Usage }),
	word("deltaUsage", func(q *Quirks) *string { return &q.DeltaUsage }),
	flag("noStartUsage", func(q *Quirks) *bool { return &q.NoStartUsage }),
	number("startInputTokens", func(q *Quirks) *int { return &q.StartInputTokens }),
	flag("wholeInput", func(q *Quirks) *bool { return &q.WholeInput }),
	flag("emptyInput", func(q *Quirks) *bool { return &q.EmptyInput }),
	flag("inputInStart", func(q *Quirks) *bool { return &q.InputInStart }),
	flag("interleave", func(q *Quirks) *bool { return &q.Interleave }),
	flag("unknownEvents", func(q *Quirks) *bool { return &q.UnknownEvents }),
	flag("vertexEvent", func(q *Quirks) *bool { return &q.VertexEvent }),
	flag("noMessageStop", func(q *Quirks) *bool { return &q.NoMessageStop }),
	flag("noEventLine", func(q *Quirks) *bool { return &q.NoEventLine }),
	flag("noFinalBlank", func(q *Quirks) *bool { return &q.NoFinalBlank }),
	flag("crlf", func(q *Quirks) *bool { return &q.CRLF }),
	flag("swallowErrors", func(q *Quirks) *bool { return &q.SwallowErrors }),
	flag("errorRequestId", func(q *Quirks) *bool { return &q.ErrorRequestID }),
	flag("retryHint", func(q *Quirks) *bool { return &q.RetryHint }),
	flag("capitalMessage", func(q *Quirks) *bool { return &q.CapitalMessage }),
	flag("unifiedLimits", func(q *Quirks) *bool { return &q.UnifiedLimits }),
	word("refusalCategory", func(q *Quirks) *string { return &q.RefusalCategory }),
	word("refusalExplanation", func(q *Quirks) *string { return &q.RefusalExplanation }),
}

// QuirkNames lists the JSON keys of Quirks, in the order of the documentation.
func QuirkNames() []string {
	names := make([]string, len(quirkList))
	for i, q := range quirkList {
		names[i] = q.name
	}
	return names
}

// quirksOf is the dialect's quirks with the stub's. Keys of other providers and values of a wrong kind change nothing.
func quirksOf(c *wire.Call) Quirks {
	d := dialectOf(c)
	q := d.quirks
	if d.aws && c.Request != nil {
		q.ofModel(c.Request.Model)
	}
	if len(c.Quirks) > 0 {
		q.apply(c.Quirks)
	}
	return q
}

func (q *Quirks) apply(raw json.RawMessage) {
	v, err := jsonx.ParseBytes(raw)
	if err != nil {
		return
	}
	for key, value := range v.Members() {
		for i := range quirkList {
			if quirkList[i].name == key {
				quirkList[i].set(q, value)
			}
		}
	}
}
