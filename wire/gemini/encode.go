package gemini

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Encode makes the encoder of one answer.
func (generate) Encode(c *wire.Call) wire.Encoder {
	e := &encoder{c: c, q: quirksOf(c), s: surfaceOf(c), gen: generation(c.Request.Model), stream: c.Request.Stream}
	e.oneCall = callsApart(&e.q, e.s, e.gen, c.Request.Model)
	e.pieces = streamsArguments(c, &e.q, e.s)
	alt := c.Probe.Query.Get("$alt")
	e.numbers = strings.Contains(alt, "enum-encoding=int")
	e.sse = e.stream && (c.Probe.Query.Get("alt") == "sse" || strings.HasPrefix(alt, "sse"))
	e.plain = plainPrint(c)
	n := nativeOf(c)
	e.logprobs, e.alternatives = n.logprobs, n.alternatives
	return e
}

// plainPrint says that the request wants no indentation.
func plainPrint(c *wire.Call) bool {
	q := c.Probe.Query
	return q.Get("prettyPrint") == "false" || q.Get("$prettyPrint") == "false"
}

// callsApart says whether parallel calls come in a chunk each: Gemini 2.5 Flash sends them together, and so does Vertex
// before Gemini 3; the others don't (recorded 2026-03).
func callsApart(q *Quirks, s surface, gen int, model string) bool {
	switch q.CallsPerChunk {
	case "one":
		return true
	case "all":
		return false
	}
	return gen >= gen3 || !s.vertex && !strings.Contains(model, "flash")
}

// streamsArguments says whether the arguments of calls come piece by piece: on Vertex where the request asks for it. AI
// Studio does not honour the wish (ag-ui-protocol/ag-ui#1117, 2026).
func streamsArguments(c *wire.Call, q *Quirks, s surface) bool {
	return c.Request.Stream && (q.StreamArguments || s.vertex && nativeOf(c).streamArguments)
}

// encoder writes the chunks of a stream, or the one of a whole answer: that is the same message, with all that was said.
type encoder struct {
	c      *wire.Call
	q      Quirks
	s      surface
	gen    int
	stream bool
	// sse is false for a stream that is a JSON array; plain wants no indentation; numbers wants enums as numbers.
	sse, plain, numbers bool
	// oneCall puts parallel calls into chunks of their own; pieces sends arguments piece by piece.
	oneCall, pieces bool
	// logprobs adds log probabilities, with so many alternatives.
	logprobs     bool
	alternatives int

	// buf is where frames are written; they are parts of it. tail ends each message.
	buf, tail []byte

	usage *wire.Usage
	// said is the tokens in the chunks so far, without thoughts; answered says that there is more than thoughts.
	said       int
	answered   bool
	begun      bool
	candidates []*candidate
	blocked    string
}

// candidate is one answer on its way. Its last chunk is held back, for the word that ends it belongs there.
type candidate struct {
	index int
	// parts are those of the chunk that is held back, count how many they are.
	parts  []byte
	count  int
	tokens int
	// calls says that the last part is a call, unsigned that it is a text without a signature, thinking that it is a
	// thought.
	calls, unsigned, thinking bool
	// signature belongs to the thought before, and travels with what follows.
	signature string
	// call is the name of the first call.
	call string
	// said is the text so far, where log probabilities are wanted.
	said      []byte
	citations []byte
	metadata  []wire.Opaque
	stop      wire.Stop
	ended     bool
}

// Head is that of a stream.
func (e *encoder) Head() (int, wire.Header, wire.Framing) {
	h := streamHeader(e.c, e.sse)
	if !e.sse {
		return 200, h, arrayFraming
	}
	f := events{wire.SSE{EOL: "\r\n"}}
	if e.q.LF {
		f.EOL = "\n"
	}
	return 200, h, f
}

// Append takes note of an event, or adds its frames.
func (e *encoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Usage != nil {
		e.usage = ev.Usage
	}
	switch ev.Op {
	case wire.Begin:
		return dst
	case wire.End:
		if ev.Rest != nil {
			e.blocked = ev.Rest.Blocked
		}
		return e.end(dst)
	}
	a := e.candidate(ev.Choice)
	switch ev.Op {
	case wire.PartStart:
		return e.partStart(dst, a, ev)
	case wire.Delta:
		return e.delta(dst, a, ev)
	case wire.PartEnd:
		return e.partEnd(dst, a, ev)
	case wire.ChoiceEnd:
		a.stop, a.ended = ev.Stop, true
		return e.sign(dst, a)
	}
	return dst
}

func (e *encoder) candidate(i int) *candidate {
	for len(e.candidates) <= i {
		e.candidates = append(e.candidates, &candidate{index: len(e.candidates)})
	}
	return e.candidates[i]
}

// Whole is one message, indented and with a line end.
func (e *encoder) Whole() wire.Response {
	size := 512
	for _, a := range e.candidates {
		size += len(a.parts) + len(a.citations)
	}
	b := append(make([]byte, 0, size), '{')
	if e.blocked != "" {
		b = append(e.appendFeedback(b), ',')
	} else {
		b = append(b, `"candidates": [`...)
		for i, a := range e.candidates {
			if i > 0 {
				b = append(b, ',')
			}
			b = e.appendCandidate(b, a, true)
		}
		b = append(b, "],"...)
	}
	b = append(e.appendUsage(b, true), e.trailer()...)
	return wire.Response{Status: 200, Header: answerHeader(e.c, !e.q.NoServiceTier && e.gen >= gen25), Body: pretty(e.form(b), e.plain)}
}

// form takes the spaces out where a quirk wants that.
func (e *encoder) form(b []byte) []byte {
	if !e.q.Compact {
		return b
	}
	return jsonx.AppendCompact(make([]byte, 0, len(b)), string(b))
}

// trailer is what ends each message: the model, the time on Vertex, the id.
func (e *encoder) trailer() []byte {
	if e.tail != nil {
		return e.tail
	}
	b := make([]byte, 0, 128)
	b = appendString(append(b, `"modelVersion": `...), orElse(e.q.ModelVersion, servedModel(e.c.Request.Model)))
	if e.s.vertex {
		b = append(b, `,"createTime": "`...)
		b = e.c.Env.Now().UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
		b = append(b, '"')
	}
	b = appendString(append(b, `,"responseId": `...), responseID(e.c))
	b = append(b, '}')
	e.tail = b
	return b
}

// responseID is 17 bytes in base64 for URLs, as recorded.
func responseID(c *wire.Call) string {
	const urlSafe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return c.ID("", urlSafe, 23, "gemini.response")
}

// appendFeedback says why the prompt was blocked.
func (e *encoder) appendFeedback(b []byte) []byte {
	b = appendString(append(b, `"promptFeedback": {"blockReason": `...), e.blocked)
	message := e.q.BlockMessage
	if message == "" && e.s.vertex {
		message = "The prompt could not be submitted. It contains content that is not allowed."
		if e.blocked == modelArmor {
			message = "The prompt violated Prompt Injection and Jailbreak filters."
		}
	}
	if message != "" {
		b = appendString(append(b, `,"blockReasonMessage": `...), message)
	}
	return append(b, '}')
}
