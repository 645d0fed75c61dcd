package openai

import (
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// chatEncoder makes whole answers and streams of the same events, as the profile's layouts say.
type chatEncoder struct {
	c       *wire.Call
	p       *profile
	a       *asked
	streams bool
	// forced are the frames of a stream that was not asked for.
	forced []wire.Frame
	// functions says that calls travel in the form of before tools.
	functions bool

	id, model, tier, fingerprint string
	created                      int64
	family                       family
	rng                          rand.PCG

	choices []choiceState
	usage   *wire.Usage
	ended   bool
	chunks  int
	// arena is where frames are written; frames keep slices of it.
	arena []byte
	// prefix is the beginning that all chunks share.
	prefix []byte

	// What the layouts are filled with now.
	now current
}

// choiceState is how far one choice is.
type choiceState struct {
	answer wire.Answer
	// begun says that the role was sent.
	begun, reasoned, called bool
	calls                   int
	ended                   bool
	stop                    wire.Stop
	// held are the events of the first tool call, until it is known whether it is alone.
	held    []wire.Event
	holding bool
	// late are frames that come after others by a quirk, by tool call.
	late [][]wire.Frame
	// early are text frames that wait for the tool calls.
	early []wire.Frame
	// pending is a delta that may still get the finish reason, where waiting is set.
	pending delta
	waiting bool
	text    strings.Builder
	tokens  int
	// bytes is how much text was sent.
	bytes int
}

// delta is one step of a choice, ready to be put into a chunk.
type delta struct {
	layout *layout
	// chunk is the layout around it, nil for the usual one.
	chunk  *layout
	now    current
	tokens int
}

// current holds the values of the slots that change.
type current struct {
	choice     int
	text       string
	hasText    bool
	refusal    string
	hasRefusal bool
	reasoning  string
	call       wire.ToolCall
	callIndex  int
	callLayout *layout
	delta      *layout
	annotation string
	finish     string
	usage      *wire.Usage
	role       bool
	empty      bool
	filter     bool
	answer     *wire.Answer
}

// Append takes one event, and gives the chunks that it makes.
func (e *chatEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Op == wire.End {
		e.usage = ev.Usage
	}
	if !e.streams {
		e.note(ev)
		if ev.Op == wire.End && e.c.Request.Stream {
			return append(dst, wire.Frame{Data: e.body()})
		}
		return dst
	}
	if !e.c.Request.Stream {
		e.forced = e.stream(e.forced, ev)
		return dst
	}
	return e.stream(dst, ev)
}

// note keeps what a whole answer is made of.
func (e *chatEncoder) note(ev wire.Event) {
	switch ev.Op {
	case wire.PartEnd:
		st := e.choice(ev.Choice)
		st.answer.Parts = append(st.answer.Parts, ev.What)
	case wire.ChoiceEnd:
		st := e.choice(ev.Choice)
		st.stop, st.ended = ev.Stop, true
	}
}

func (e *chatEncoder) choice(i int) *choiceState {
	for len(e.choices) <= i {
		e.choices = append(e.choices, choiceState{})
	}
	return &e.choices[i]
}

// Head is the head of a stream.
func (e *chatEncoder) Head() (int, wire.Header, wire.Framing) {
	if !e.streams {
		return http.StatusOK, e.p.bodyHead(e.c), wire.Raw{}
	}
	return http.StatusOK, e.p.streamHead(e.c), e.p.framing()
}

// framing is how the speaker's events lie on the connection.
func (p *profile) framing() wire.Framing {
	sse := wire.SSE{NoSpace: p.q.NoSpace, NoFinalBlank: p.q.NoFinalBlank}
	if p.q.EOL == "crlf" {
		sse.EOL = "\r\n"
	}
	if p.q.Comment == "" {
		return sse
	}
	return commented{SSE: sse, comment: p.q.Comment, first: p.q.Comments}
}

// commented is SSE with comments before the first event, and wherever nothing is said for long.
type commented struct {
	wire.SSE
	comment string
	first   int
}

// Open writes the comments of the beginning.
func (f commented) Open(dst []byte) []byte {
	for range f.first {
		dst = f.Idle(dst)
	}
	return dst
}

// Idle is one comment.
func (f commented) Idle(dst []byte) []byte {
	eol := orElse(f.EOL, "\n")
	dst = append(dst, ": "...)
	dst = append(dst, f.comment...)
	return append(append(dst, eol...), eol...)
}

// Whole is the answer in one piece.
func (e *chatEncoder) Whole() wire.Response {
	if e.streams {
		r := wire.Response{Framing: e.p.framing(), Frames: e.forced}
		return wire.Response{Status: http.StatusOK, Header: e.p.streamHead(e.c), Body: r.Bytes()}
	}
	return wire.Response{Status: http.StatusOK, Header: e.p.bodyHead(e.c), Body: e.body()}
}

func (e *chatEncoder) body() []byte {
	size := 768
	for i := range e.choices {
		for _, p := range e.choices[i].answer.Parts {
			size += 192 + partSize(p)
		}
	}
	e.now = current{usage: e.usage}
	body := e.p.l[unaryLayout].append(make([]byte, 0, size), e)
	if e.p.q.LineEnd {
		body = append(body, '\n')
	}
	return body
}

func partSize(p wire.Part) int {
	const escapes = 8 // room for one in so many bytes
	n := 0
	switch p := p.(type) {
	case wire.Text:
		n = len(p.Text)
	case wire.Refusal:
		n = len(p.Text)
	case wire.Reasoning:
		n = 2 * len(p.Text)
	case wire.ToolCall:
		n = len(p.Arguments) + len(p.Arguments)/2
	case wire.Citation:
		n = 2 * len(p.Raw)
	}
	return n + n/escapes
}
