package stub

import (
	"encoding/json"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Answer is one answer of a stub, and what goes wrong with it.
type Answer struct {
	// Choices is the content: one answer, or several for requests that ask for several. Where a request asks for more
	// than there are, the last is repeated.
	Choices []wire.Answer
	Usage   *wire.Usage
	// Embedding is the vector for every text; Dimensions the length of made vectors where the request names none.
	Embedding  []float32
	Dimensions int
	Models     []string
	// Blocked refuses the prompt: "prompt".
	Blocked string
	Error   *Error
	// Headers replace or add to the provider's.
	Headers wire.Header
	// Raw answers these bytes and nothing else.
	Raw *Raw
	// Quirks are deviations from the provider's usual form, as JSON.
	Quirks json.RawMessage
	// Delay and Pace replace the stub's, where they are set.
	Delay time.Duration
	Pace  *Pace
	// Make, where it is set, gives the answer to each request.
	Make func(*wire.Request) Answer
	// Growing, where it is set, is the content that is yet to come, in place of Choices.
	Growing wire.Growing

	Fault
}

// Error is a failure instead of an answer, or inside a stream.
type Error struct {
	Kind    wire.FailureKind
	Message string
	// RetryAfter is the provider's hint, in the provider's place for it.
	RetryAfter time.Duration
	// AfterEvents puts the error inside a stream, after so many events; nil is an error response.
	AfterEvents *int
	// Status and Code replace the provider's usual ones.
	Status int
	Code   string
}

// Failure is what the codec is told.
func (e *Error) Failure() *wire.Failure {
	return &wire.Failure{Kind: e.Kind, Message: e.Message, RetryAfter: e.RetryAfter, Status: e.Status, Code: e.Code}
}

// Raw is a response given byte by byte; each chunk is a write of its own.
type Raw struct {
	Status  int
	Headers wire.Header
	Chunks  []string
}

// Fault is what goes wrong with an answer. The counts are events as the wire counts them; nil is off, and 0 is before
// the status line.
type Fault struct {
	// CutOffAfter ends the response cleanly, without its terminal event.
	CutOffAfter *int
	// Malformed halves the second event, or the body.
	Malformed bool
	// DropAfter breaks the connection; with Reset by a TCP reset.
	DropAfter *int
	Reset     bool
	// HangAfter never goes on.
	HangAfter *int
	// StallAfter waits for StallFor, then goes on.
	StallAfter *int
	StallFor   time.Duration
	// SplitBytes writes so many bytes at a time; 0 is off.
	SplitBytes int
	// Unended leaves out what ends a stream, however many events that is, so that a fault or an error after more events
	// than there are comes in its place.
	Unended bool
	// Reject fails the call before any response, on connections in memory with this very error.
	Reject error
}

// Cut is the part of the faults that concerns content.
func (a *Answer) Cut() wire.Cut {
	c := wire.NoCut()
	c.Malformed, c.Unended = a.Malformed, a.Unended
	if a.CutOffAfter != nil {
		c.After = *a.CutOffAfter
	}
	if a.Error != nil {
		c.Failure = a.Error.Failure()
		if a.Error.AfterEvents != nil {
			c.FailAfter = *a.Error.AfterEvents
		}
	}
	return c
}

// Reply is the answer in neutral words, for a request.
func (a *Answer) Reply(r *wire.Request) wire.Reply {
	reply := wire.Reply{Usage: a.Usage, Models: a.Models, Blocked: a.Blocked}
	switch r.Kind {
	case wire.Embeddings:
		reply.Vectors = vectors(r, a)
	case wire.Chat:
		reply.Choices = a.choices(r.Choices)
	}
	return reply
}

func (a *Answer) choices(n int) []wire.Answer {
	if a.Blocked != "" {
		return nil
	}
	given := a.Choices
	if len(given) == 0 {
		given = []wire.Answer{{}}
	}
	if n <= 1 {
		return given[:1]
	}
	choices := make([]wire.Answer, n)
	for i := range choices {
		choices[i] = given[min(i, len(given)-1)]
	}
	return choices
}
