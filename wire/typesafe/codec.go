package typesafe

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// native is what Decode found out about the questions.
type native struct {
	questions []question
	why       string
}

// Decode reads the state as what the user says, and the instructions of the questions as the system's.
func (codec) Decode(c *wire.Call) *wire.Failure {
	v, err := jsonx.ParseBytes(c.Probe.Body)
	if err != nil || v.Kind() != jsonx.Object {
		return &wire.Failure{Kind: wire.Invalid, Message: "the body is no JSON object"}
	}
	r := c.Request
	r.Model = v.Get("model").Str()
	state, ok := v.Get("state").Text()
	r.Messages = []wire.Message{{Parts: []wire.Part{wire.Text{Text: state}}}}
	var instructions []string
	for _, def := range v.Get("questions").Members() {
		instructions = append(instructions, def.Get("instructions").Str())
	}
	r.System = strings.Join(instructions, "\n")
	n := &native{}
	n.questions, n.why = questionsOf(v.Get("questions"))
	if !ok {
		n.why = "state must be a text"
	}
	r.Native = n
	return nil
}

func questionsIn(r *wire.Request) []question {
	if r != nil {
		if n, ok := r.Native.(*native); ok {
			return n.questions
		}
	}
	return nil
}

// Check wants a model and questions that can be answered.
func (codec) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		if c.Request.Model == "" && !yield(wire.Violation{Rule: "model", Sure: true, Failure: &wire.Failure{Kind: wire.Invalid, Message: "model is required"}}) {
			return
		}
		if n, ok := c.Request.Native.(*native); ok && n.why != "" {
			yield(wire.Violation{Rule: "questions", Sure: true, Failure: &wire.Failure{Kind: wire.Invalid, Message: n.why}})
		}
	}
}

// Fit leaves one text: the JSON of answers that fit the questions.
func (codec) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	var lost []error
	lose := func(format string, args ...any) {
		lost = append(lost, fmt.Errorf("typesafe.systemone: "+format+": %w", append(args, wire.ErrNotOnWire)...))
	}
	questions := questionsIn(c.Request)
	var said strings.Builder
	for i, a := range r.Choices {
		for _, p := range a.Parts {
			if t, ok := p.(wire.Text); ok && i == 0 {
				said.WriteString(t.Text)
				continue
			}
			lose("a part of type %T", p)
		}
		if a.Stop != wire.StopUnset && a.Stop != wire.StopComplete {
			lose("the stop %s", a.Stop)
		}
	}
	text := strings.TrimSpace(said.String())
	v, err := jsonx.Parse(text)
	why := "the answers are no JSON"
	if err == nil && utf8.ValidString(text) {
		why = wrongAnswers(v, questions)
	}
	if why != "" {
		lose("%s", why)
		text = undecided(questions)
	}
	if r.Vectors != nil || r.Models != nil || r.Blocked != "" {
		lose("anything but answers")
	}
	usage := r.Usage
	if usage != nil {
		usage = &wire.Usage{Input: usage.Input, Output: usage.Output}
	}
	return wire.Complete(c, wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: text}}}}, Usage: usage}, ""), lost
}

// Encode makes the encoder of one answer.
func (codec) Encode(c *wire.Call) wire.Encoder { return &encoder{c: c} }

type encoder struct {
	c      *wire.Call
	folder wire.Folder
}

// Head is never asked for: nothing streams here.
func (*encoder) Head() (int, wire.Header, wire.Framing) { return 200, head(), wire.Raw{} }

func head() wire.Header { return wire.Header{{Name: "Content-Type", Value: "application/json"}} }

// Append takes note of an event.
func (e *encoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	e.folder.Add(ev)
	return dst
}

// Fail adds nothing.
func (*encoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the answer.
func (e *encoder) Whole() wire.Response {
	b := jsonx.AppendString([]byte(`{"model":`), e.c.Request.Model)
	b = append(b, `,"answers":`...)
	for _, a := range e.folder.Reply.Choices {
		for _, p := range a.Parts {
			if t, ok := p.(wire.Text); ok {
				b = append(b, t.Text...)
			}
		}
	}
	u := e.folder.Reply.Usage
	if u == nil {
		u = &wire.Usage{}
	}
	b = strconv.AppendInt(append(b, `,"usage":{"input_tokens":`...), int64(u.Input), 10)
	b = strconv.AppendInt(append(b, `,"output_tokens":`...), int64(u.Output), 10)
	return wire.Response{Status: 200, Header: head(), Body: append(b, "}}"...)}
}

// Read reads a whole answer, and holds it against the questions where it knows them.
func (codec) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		if h.Status != 200 {
			yield(wire.Event{}, readFailure(h, body))
			return
		}
		data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
		if err != nil {
			yield(wire.Event{}, &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent})
			return
		}
		unusable := func(why string) {
			yield(wire.Event{}, &wire.Failure{Kind: wire.Unusable, Message: "typesafe.systemone: " + why, Sent: wire.Completed})
		}
		v, err := jsonx.ParseBytes(data)
		if err != nil || !utf8.Valid(data) {
			unusable("the answer is no JSON")
			return
		}
		in, counted := v.At("usage", "input_tokens").Int()
		out, also := v.At("usage", "output_tokens").Int()
		switch why := wrongAnswers(v.Get("answers"), questionsIn(h.Request)); {
		case why != "":
			unusable(why)
			return
		case !counted || !also || in < 0 || out < 0:
			unusable("the usage is no pair of counts")
			return
		}
		r := wire.Reply{
			Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: v.Get("answers").Raw()}}, Stop: wire.StopComplete}},
			Usage:   &wire.Usage{Input: int(in), Output: int(out)},
		}
		for e := range wire.Events(r, wire.Split{Whole: true}) {
			if e.Op == wire.Begin {
				e.Head = &wire.Head{Model: v.Get("model").Str()}
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}
