package mimus

import (
	"math"
	"net/textproto"
	"slices"
	"strconv"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func (r Reply) edit(change func(*wire.Answer)) Reply {
	choices := make([]wire.Answer, max(1, len(r.a.Choices)))
	copy(choices, r.a.Choices)
	for i := range choices {
		choices[i].Parts = slices.Clone(choices[i].Parts)
		change(&choices[i])
	}
	r.a.Choices = choices
	return r
}

func (r Reply) add(p wire.Part) Reply {
	return r.edit(func(a *wire.Answer) { a.Parts = append(a.Parts, p) })
}

// Reasoning puts what the model thought before the answer.
func (r Reply) Reasoning(text string) Reply {
	return r.edit(func(a *wire.Answer) { a.Parts = append([]wire.Part{wire.Reasoning{Text: text}}, a.Parts...) })
}

// Text adds a text after what is there.
func (r Reply) Text(text string) Reply { return r.add(wire.Text{Text: text}) }

// CallTool adds a tool call after what is there.
func (r Reply) CallTool(name, arguments string) Reply {
	return r.add(wire.ToolCall{Name: name, Arguments: arguments})
}

// Stop says why the answer ended, instead of what its parts say.
func (r Reply) Stop(s wire.Stop) Reply { return r.edit(func(a *wire.Answer) { a.Stop = s }) }

// StopSequence says that the answer ended at one of the request's stop sequences.
func (r Reply) StopSequence(sequence string) Reply {
	return r.edit(func(a *wire.Answer) { a.Stop, a.Sequence = wire.StopSequence, sequence })
}

// Usage counts tokens, instead of the estimate.
func (r Reply) Usage(input, output int) Reply {
	return r.UsageOf(wire.Usage{Input: input, Output: output})
}

// UsageOf is [Reply.Usage] with tokens of reasoning and of caches.
func (r Reply) UsageOf(u wire.Usage) Reply {
	r.a.Usage = &u
	return r
}

// Dimensions is how long the vectors of [Embedding] are where the request doesn't say.
func (r Reply) Dimensions(n int) Reply {
	r.a.Dimensions = n
	return r
}

// Header adds a header to the provider's, or replaces it.
func (r Reply) Header(name, value string) Reply {
	name = textproto.CanonicalMIMEHeaderKey(name)
	if r.a.Raw != nil {
		raw := *r.a.Raw
		raw.Headers = raw.Headers.Set(name, value)
		r.a.Raw = &raw
		return r
	}
	r.a.Headers = r.a.Headers.Set(name, value)
	return r
}

// Status is the status of [Raw] bytes. Other replies have the provider's, or are a [StatusError].
func (r Reply) Status(code int) Reply {
	if r.a.Raw != nil {
		raw := *r.a.Raw
		raw.Status = code
		r.a.Raw = &raw
	}
	return r
}

// RetryAfter says when the provider wants to be asked again, in whole seconds, rounded up. On an error it stands in the
// provider's place for it.
func (r Reply) RetryAfter(d time.Duration) Reply {
	if r.a.Error != nil && d > 0 {
		e := *r.a.Error
		e.RetryAfter = d
		r.a.Error = &e
		return r
	}
	return r.Header("Retry-After", strconv.FormatInt(wholeSeconds(d), 10))
}

func wholeSeconds(d time.Duration) int64 {
	return int64(max(0, (d+time.Second-1)/time.Second))
}

// Quirks are deviations from the provider's usual form, as a JSON object of a stub file's quirks.
func (r Reply) Quirks(json string) Reply {
	r.a.Quirks = []byte(json)
	return r
}

// Delay waits before the status line.
func (r Reply) Delay(d time.Duration) Reply {
	r.a.Delay = d
	return r
}

// Pace is how fast a stream goes. Its zero value is "at once".
type Pace = stub.Pace

// Pace sends a stream at a speed.
func (r Reply) Pace(p Pace) Reply {
	r.a.Pace = &p
	return r
}

// CutAfter ends a stream cleanly after n events, without what would end it. As in all these methods, an event is what the
// wire sends: the chunk with the role, pings, the chunk with the usage and [DONE] count.
func (r Reply) CutAfter(n int) Reply {
	r.a.CutOffAfter = &n
	return r
}

// Interrupted breaks the connection before what ends a stream: all that was said arrives, but not that it was all. A
// whole answer breaks off half way.
func (r Reply) Interrupted() Reply { return r.DropAfter(math.MaxInt).unended() }

func (r Reply) unended() Reply {
	r.a.Unended = true
	return r
}

// DropAfter breaks the connection after n events, or half way through a whole answer; 0 is before the status line.
func (r Reply) DropAfter(n int) Reply {
	r.a.DropAfter = &n
	return r
}

// ResetAfter is [Reply.DropAfter] by a reset of the connection.
func (r Reply) ResetAfter(n int) Reply {
	r.a.Reset = true
	return r.DropAfter(n)
}

// StallAfter waits for d after n events, then goes on; 0 is before the status line.
func (r Reply) StallAfter(n int, d time.Duration) Reply {
	r.a.StallAfter, r.a.StallFor = &n, d
	return r
}

// Hang sends all but what ends a stream, and nothing at all of a whole answer; then it says nothing until the client hangs
// up.
func (r Reply) Hang() Reply { return r.HangAfter(math.MaxInt).unended() }

// HangAfter is [Reply.Hang] after n events; 0 is before the status line.
func (r Reply) HangAfter(n int) Reply {
	r.a.HangAfter = &n
	return r
}

// ErrorAfter puts a failure inside a stream after n events; a request that doesn't stream gets the error response.
func (r Reply) ErrorAfter(n int, f Failure) Reply {
	e := *f.a.Error
	e.AfterEvents = &n
	r.a.Error = &e
	return r
}

// Malformed halves the second event of a stream, or the body of a whole answer.
func (r Reply) Malformed() Reply {
	r.a.Malformed = true
	return r
}

// SplitBytes writes n bytes at a time, wherever that cuts an event, a line or a character.
func (r Reply) SplitBytes(n int) Reply {
	r.a.SplitBytes = n
	return r
}
