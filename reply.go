package mimus

import (
	"encoding/json"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Replier is what a stub can answer with: a [Reply], a [Failure], or a function of the request made by [Func].
type Replier interface{ answer() stub.Answer }

// Reply is an answer. Its methods return changed copies.
type Reply struct{ a stub.Answer }

func (r Reply) answer() stub.Answer { return r.a }

func parts(p ...wire.Part) Reply {
	return Reply{stub.Answer{Choices: []wire.Answer{{Parts: p}}}}
}

// Text answers with a text.
func Text(text string) Reply { return parts(wire.Text{Text: text}) }

// JSON answers with the JSON of a value, as structured outputs are. It panics where v has none.
func JSON(v any) Reply {
	b, err := json.Marshal(v)
	if err != nil {
		panic("mimus.JSON: " + err.Error())
	}
	return Text(string(b))
}

// Call is a tool call. Arguments is usually a JSON object, but any text can travel. Without an ID it gets one that
// depends on name, arguments and position.
type Call struct{ ID, Name, Arguments string }

// CallTool asks the client to run a tool.
func CallTool(name, arguments string) Reply { return CallTools(Call{Name: name, Arguments: arguments}) }

// CallTools asks the client to run several tools at once.
func CallTools(calls ...Call) Reply {
	var p []wire.Part
	for _, c := range calls {
		p = append(p, wire.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
	}
	return parts(p...)
}

// Refusal answers with the model's own refusal.
func Refusal(text string) Reply { return parts(wire.Refusal{Text: text}) }

// Parts answers with parts in their order.
func Parts(p ...wire.Part) Reply { return parts(p...) }

// Vector answers each text to embed with this vector.
func Vector(v ...float32) Reply { return Reply{stub.Answer{Embedding: v}} }

// Func answers with what a function makes of the request.
func Func(f func(*wire.Request) Reply) Replier {
	return Reply{stub.Answer{Make: func(r *wire.Request) stub.Answer { return f(r).a }}}
}

func (r Reply) edit(change func(*wire.Answer)) Reply {
	choices := make([]wire.Answer, max(1, len(r.a.Choices)))
	copy(choices, r.a.Choices)
	for i := range choices {
		choices[i].Parts = append([]wire.Part(nil), choices[i].Parts...)
		change(&choices[i])
	}
	r.a.Choices = choices
	return r
}

// Reasoning puts what the model thought before the answer.
func (r Reply) Reasoning(text string) Reply {
	return r.edit(func(a *wire.Answer) { a.Parts = append([]wire.Part{wire.Reasoning{Text: text}}, a.Parts...) })
}

// Text adds a text after what is there.
func (r Reply) Text(text string) Reply {
	return r.edit(func(a *wire.Answer) { a.Parts = append(a.Parts, wire.Text{Text: text}) })
}

// Stop says why the answer ended, instead of what its parts say.
func (r Reply) Stop(s wire.Stop) Reply { return r.edit(func(a *wire.Answer) { a.Stop = s }) }

// Usage counts tokens, instead of the estimate.
func (r Reply) Usage(input, output int) Reply {
	r.a.Usage = &wire.Usage{Input: input, Output: output}
	return r
}

// Header adds a header to the provider's, or replaces it.
func (r Reply) Header(name, value string) Reply {
	r.a.Headers = r.a.Headers.Set(name, value)
	return r
}

// Delay waits before the status line.
func (r Reply) Delay(d time.Duration) Reply {
	r.a.Delay = d
	return r
}

// Pace sends a stream at a speed.
func (r Reply) Pace(p stub.Pace) Reply {
	r.a.Pace = &p
	return r
}

// CutAfter ends a stream cleanly after n events, as the wire counts them, without its terminal event.
func (r Reply) CutAfter(n int) Reply {
	r.a.CutOffAfter = &n
	return r
}

// DropAfter breaks the connection after n events, or half way through a whole answer; 0 is before the status line.
func (r Reply) DropAfter(n int) Reply {
	r.a.DropAfter = &n
	return r
}

// StallAfter waits for d after n events, then goes on; 0 is before the status line.
func (r Reply) StallAfter(n int, d time.Duration) Reply {
	r.a.StallAfter, r.a.StallFor = &n, d
	return r
}

// HangAfter never goes on after n events; a whole answer is not sent at all.
func (r Reply) HangAfter(n int) Reply {
	r.a.HangAfter = &n
	return r
}

// ErrorAfter puts a failure inside a stream after n events; a request that doesn't stream gets the error response.
func (r Reply) ErrorAfter(n int, f Failure) Reply {
	e := f.e
	e.AfterEvents = &n
	r.a.Error = &e
	return r
}

// Malformed halves the second event of a stream, or the body of a whole answer.
func (r Reply) Malformed() Reply {
	r.a.Malformed = true
	return r
}

// SplitBytes writes n bytes at a time.
func (r Reply) SplitBytes(n int) Reply {
	r.a.SplitBytes = n
	return r
}
