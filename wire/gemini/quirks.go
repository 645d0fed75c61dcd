package gemini

import (
	"encoding/json"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Quirks are all the ways in which an answer can differ from the usual one, as clients of this API have met them. The
// zero value is the usual way; a stub's `quirks` change it for one answer. The JSON key of a field is its name in
// camelCase.
type Quirks struct {
	// FinishReason and FinishMessage replace the provider's words.
	FinishReason  string
	FinishMessage string
	// NoFinish sends no finishReason at all.
	NoFinish bool
	// StopEveryChunk sends the finishReason on every chunk, as Gemini 1.x did.
	StopEveryChunk bool
	// EmptyStops sends so many chunks of no text with STOP before the answer, as relays do.
	EmptyStops int
	// FinalChunk is what ends a stream in a chunk of its own: "emptyText", "noParts" (only a role), "emptyParts",
	// "emptyContent" ({}) or "noContent"; "" ends it on the last chunk that says something.
	FinalChunk string
	// Empty is the content of an answer without parts, in the words of FinalChunk. "" is "noParts" for a whole answer and
	// "emptyText" in a stream.
	Empty string
	// NoIndex leaves out the index of candidates, Index always sends it.
	NoIndex, Index bool

	// NoCallIDs leaves out the ids of calls that a stub gives none, CallIDs sends one with each.
	NoCallIDs, CallIDs bool
	// CallsPerChunk is "one" or "all"; "" goes by the model.
	CallsPerChunk string
	// StreamArguments sends the arguments of calls piece by piece, asked for or not.
	StreamArguments bool
	// NoSignatures leaves thoughts and calls unsigned unless a stub signs them.
	NoSignatures bool

	// Usage says which chunks count tokens: "each", "last" or "never"; "" goes by the surface.
	Usage string
	// ZeroCounts sends counts of zero, which are usually left out.
	ZeroCounts bool
	// ToolUsePromptTokens is how many tokens of the prompt came from the provider's own tools.
	ToolUsePromptTokens int
	// NoServiceTier leaves serviceTier out; ServiceTier and TrafficType replace their words.
	NoServiceTier            bool
	ServiceTier, TrafficType string
	// ModelVersion replaces the model's name in the answer.
	ModelVersion string
	// SafetyRatings sends the ratings of an answer that nothing is wrong with.
	SafetyRatings bool
	// NoLogprobs leaves avgLogprobs out.
	NoLogprobs bool
	// BlockReason and BlockMessage say why a prompt was blocked.
	BlockReason, BlockMessage string
	// ContinuationToken comes with the end of an answer; clients resume with it.
	ContinuationToken string

	// BareError sends an error inside a stream as indented JSON without "data:".
	BareError bool
	// ErrorForm is "array" or "object"; "" wraps errors where Google does.
	ErrorForm string
	// LegacyErrors adds the older errors list to an error.
	LegacyErrors bool
	// QuotaID, QuotaMetric and QuotaValue fill the QuotaFailure of a 429.
	QuotaID, QuotaMetric, QuotaValue string
	// RetryDelay is the text of RetryInfo.retryDelay: "45.837906927s".
	RetryDelay string
	// RetryText tells the delay in the message only, ResetDelay in ErrorInfo.metadata.quotaResetDelay only.
	RetryText, ResetDelay bool
	// NoDetails leaves the details of an error out.
	NoDetails bool

	// Compact leaves out the spaces after colons.
	Compact bool
	// LF ends the lines of events with LF alone.
	LF bool
	// Comments sends so many comment lines before the first event.
	Comments int
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

func number(name string, at func(*Quirks) *int) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) {
		if n, ok := v.Int(); ok && n >= 0 && n <= 1<<20 {
			*at(q) = int(n)
		}
	}}
}

func word(name string, at func(*Quirks) *string) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) {
		if s, ok := v.Text(); ok {
			*at(q) = s
		}
	}}
}

var quirkList = [...]quirk{
	word("finishReason", func(q *Quirks) *string { return &q.FinishReason }),
	word("finishMessage", func(q *Quirks) *string { return &q.FinishMessage }),
	flag("noFinish", func(q *Quirks) *bool { return &q.NoFinish }),
	flag("stopEveryChunk", func(q *Quirks) *bool { return &q.StopEveryChunk }),
	number("emptyStops", func(q *Quirks) *int { return &q.EmptyStops }),
	word("finalChunk", func(q *Quirks) *string { return &q.FinalChunk }),
	word("empty", func(q *Quirks) *string { return &q.Empty }),
	flag("noIndex", func(q *Quirks) *bool { return &q.NoIndex }),
	flag("index", func(q *Quirks) *bool { return &q.Index }),
	flag("noCallIds", func(q *Quirks) *bool { return &q.NoCallIDs }),
	flag("callIds", func(q *Quirks) *bool { return &q.CallIDs }),
	word("callsPerChunk", func(q *Quirks) *string { return &q.CallsPerChunk }),
	flag("streamArguments", func(q *Quirks) *bool { return &q.StreamArguments }),
	flag("noSignatures", func(q *Quirks) *bool { return &q.NoSignatures }),
	word("usage", func(q *Quirks) *string { return &q.Usage }),
	flag("zeroCounts", func(q *Quirks) *bool { return &q.ZeroCounts }),
	number("toolUsePromptTokens", func(q *Quirks) *int { return &q.ToolUsePromptTokens }),
	flag("noServiceTier", func(q *Quirks) *bool { return &q.NoServiceTier }),
	word("serviceTier", func(q *Quirks) *string { return &q.ServiceTier }),
	word("trafficType", func(q *Quirks) *string { return &q.TrafficType }),
	word("modelVersion", func(q *Quirks) *string { return &q.ModelVersion }),
	flag("safetyRatings", func(q *Quirks) *bool { return &q.SafetyRatings }),
	flag("noLogprobs", func(q *Quirks) *bool { return &q.NoLogprobs }),
	word("blockReason", func(q *Quirks) *string { return &q.BlockReason }),
	word("blockMessage", func(q *Quirks) *string { return &q.BlockMessage }),
	word("continuationToken", func(q *Quirks) *string { return &q.ContinuationToken }),
	flag("bareError", func(q *Quirks) *bool { return &q.BareError }),
	word("errorForm", func(q *Quirks) *string { return &q.ErrorForm }),
	flag("legacyErrors", func(q *Quirks) *bool { return &q.LegacyErrors }),
	word("quotaId", func(q *Quirks) *string { return &q.QuotaID }),
	word("quotaMetric", func(q *Quirks) *string { return &q.QuotaMetric }),
	word("quotaValue", func(q *Quirks) *string { return &q.QuotaValue }),
	word("retryDelay", func(q *Quirks) *string { return &q.RetryDelay }),
	flag("retryText", func(q *Quirks) *bool { return &q.RetryText }),
	flag("resetDelay", func(q *Quirks) *bool { return &q.ResetDelay }),
	flag("noDetails", func(q *Quirks) *bool { return &q.NoDetails }),
	flag("compact", func(q *Quirks) *bool { return &q.Compact }),
	flag("lf", func(q *Quirks) *bool { return &q.LF }),
	number("comments", func(q *Quirks) *int { return &q.Comments }),
}

// QuirkNames lists the JSON keys of Quirks, in the order of the documentation.
func QuirkNames() []string {
	names := make([]string, len(quirkList))
	for i, q := range quirkList {
		names[i] = q.name
	}
	return names
}

// quirksOf is the stub's quirks. Keys of other providers and values of a wrong kind change nothing.
func quirksOf(c *wire.Call) Quirks {
	var q Quirks
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
