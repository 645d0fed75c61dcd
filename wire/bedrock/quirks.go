package bedrock

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Quirks are the ways in which Bedrock differs from itself: from model to model, and on a bad day. The zero value is how
// it was recorded in August 2026; a stub's `quirks` change some for one answer. The JSON key of a field is its name in
// camelCase.
type Quirks struct {
	// NoPadding leaves out `p`, as before 2025.
	NoPadding bool
	// NoServerToolUsage leaves serverToolUsage out of the usage, as before 2026.
	NoServerToolUsage bool
	// CacheCounters counts what was cached even where nothing was, also in a stream.
	CacheCounters bool
	// NoSignature leaves thoughts unsigned, as open-weight models do.
	NoSignature bool
	// Latency is what an answer says of how many milliseconds it took; 0 makes a number up.
	Latency int
	// Trace is the JSON of a trace: {"guardrail":{…}}.
	Trace string
	// BlockedMessage is what a guardrail says in the place of an answer.
	BlockedMessage string

	// TextStart sends a contentBlockStart for texts and thoughts too.
	TextStart bool
	// EmptyText sends an empty text delta in a block of its own before each tool call.
	EmptyText bool
	// NoInput sends no delta for a call without arguments; EmptyInput sends one that is empty.
	NoInput, EmptyInput bool
	// LateInput sends the last piece of a tool's input after the block's end.
	LateInput bool
	// NoBlockStop leaves out contentBlockStop.
	NoBlockStop bool
	// NoMetadata ends a stream cleanly after messageStop.
	NoMetadata bool
	// TwoMetadata sends a second metadata event that has metrics only.
	TwoMetadata bool
	// UnknownEvents mixes in an event that no client can know yet.
	UnknownEvents bool
	// UpperException sends an exception's name in UpperCamel, which most clients do not find.
	UpperException bool

	// CapitalMessage writes an error as {"Message":…}.
	CapitalMessage bool
	// RetryHint sends a failure's retryAfter as X-Amz-Retry-After.
	RetryHint bool
}

type quirk struct {
	name string
	set  func(*Quirks, jsonx.Value)
}

func flag(name string, at func(*Quirks) *bool) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) {
		if on, ok := v.Bool(); ok {
			*at(q) = on
		}
	}}
}

var quirkList = [...]quirk{
	flag("noPadding", func(q *Quirks) *bool { return &q.NoPadding }),
	flag("noServerToolUsage", func(q *Quirks) *bool { return &q.NoServerToolUsage }),
	flag("cacheCounters", func(q *Quirks) *bool { return &q.CacheCounters }),
	flag("noSignature", func(q *Quirks) *bool { return &q.NoSignature }),
	{"latency", func(q *Quirks, v jsonx.Value) {
		if n, ok := v.Int(); ok && n >= 0 && n < 1<<31 {
			q.Latency = int(n)
		}
	}},
	{"trace", func(q *Quirks, v jsonx.Value) {
		if v.Kind() == jsonx.Object {
			q.Trace = compact(v.Raw())
		}
	}},
	{"blockedMessage", func(q *Quirks, v jsonx.Value) {
		if s, ok := v.Text(); ok {
			q.BlockedMessage = s
		}
	}},
	flag("textStart", func(q *Quirks) *bool { return &q.TextStart }),
	flag("emptyText", func(q *Quirks) *bool { return &q.EmptyText }),
	flag("noInput", func(q *Quirks) *bool { return &q.NoInput }),
	flag("emptyInput", func(q *Quirks) *bool { return &q.EmptyInput }),
	flag("lateInput", func(q *Quirks) *bool { return &q.LateInput }),
	flag("noBlockStop", func(q *Quirks) *bool { return &q.NoBlockStop }),
	flag("noMetadata", func(q *Quirks) *bool { return &q.NoMetadata }),
	flag("twoMetadata", func(q *Quirks) *bool { return &q.TwoMetadata }),
	flag("unknownEvents", func(q *Quirks) *bool { return &q.UnknownEvents }),
	flag("upperException", func(q *Quirks) *bool { return &q.UpperException }),
	flag("capitalMessage", func(q *Quirks) *bool { return &q.CapitalMessage }),
	flag("retryHint", func(q *Quirks) *bool { return &q.RetryHint }),
}

// QuirkNames lists the JSON keys of Quirks, in the order of the documentation.
func QuirkNames() []string {
	names := make([]string, len(quirkList))
	for i, q := range quirkList {
		names[i] = q.name
	}
	return names
}

// quirksOf is the model's quirks with the stub's. Keys of other providers and values of a wrong kind change nothing.
func quirksOf(c *wire.Call) Quirks {
	q := Quirks{BlockedMessage: "Sorry, the model cannot answer this question."}
	if c.Request != nil {
		q.NoSignature = unsigned(c.Request.Model)
	}
	if len(c.Quirks) == 0 {
		return q
	}
	v, err := jsonx.ParseBytes(c.Quirks)
	if err != nil {
		return q
	}
	for key, value := range v.Members() {
		for i := range quirkList {
			if quirkList[i].name == key {
				quirkList[i].set(&q, value)
			}
		}
	}
	return q
}

// unsigned models have no signature on their thoughts (recorded 2026 on gpt-oss; Nova's are redacted).
func unsigned(model string) bool {
	for _, family := range [...]string{"openai.", "deepseek.", "qwen.", "amazon.nova", "minimax.", "moonshot.", "zai."} {
		if is(model, family) {
			return true
		}
	}
	return false
}
