package wiretest_test

import (
	"io"
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// plain is the smallest wire: POST /plain {"model","ask","stream"} is answered by one JSON document, or by a line for
// each piece of text and a last line {"done":true,…}. It carries text and usage, and nothing else.
type plain struct{}

func (plain) Name() string         { return "plain" }
func (plain) Owns(*wire.Probe) int { return 0 }

func (plain) Endpoints() []wire.Endpoint {
	return []wire.Endpoint{{Name: "plain.ask", Method: "POST", Suffix: "/plain", Codec: plainCodec{}}}
}

func (p plain) Refuse(_ *wire.Probe, f *wire.Failure) wire.Response {
	status := f.Status
	if status == 0 {
		status = 400
	}
	return wire.Response{Status: status, Header: wire.Header{{Name: "Content-Type", Value: "application/json"}}, Body: p.failure(f)}
}

func (plain) failure(f *wire.Failure) []byte {
	b := jsonx.AppendString([]byte(`{"error":`), string(f.Kind))
	return append(jsonx.AppendString(append(b, `,"message":`...), f.Message), '}')
}

func (plain) Decode(c *wire.Call) *wire.Failure {
	v, err := jsonx.ParseBytes(c.Probe.Body)
	if err != nil || v.Kind() != jsonx.Object {
		return &wire.Failure{Kind: wire.Invalid, Message: "want a JSON object"}
	}
	r := c.Request
	r.Model = v.Get("model").Str()
	r.Stream, _ = v.Get("stream").Bool()
	r.Messages = []wire.Message{{Role: wire.User, Parts: []wire.Part{wire.Text{Text: v.Get("ask").Str()}}}}
	return nil
}

func (plain) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		if c.Request.LastUser() == "" {
			yield(wire.Violation{Rule: "ask", Sure: true, Failure: &wire.Failure{Kind: wire.Invalid, Message: "ask is missing"}})
		}
	}
}

func (plain) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	var lost []error
	var text strings.Builder
	for i, a := range r.Choices {
		for _, p := range a.Parts {
			t, ok := p.(wire.Text)
			if !ok || i > 0 {
				lost = append(lost, wire.ErrNotOnWire)
				continue
			}
			text.WriteString(t.Text)
		}
	}
	r.Choices = []wire.Answer{{Parts: []wire.Part{wire.Text{Text: text.String()}}, Stop: wire.StopComplete}}
	r = wire.Complete(c, r, "call_")
	r.Usage = &wire.Usage{Input: r.Usage.Input, Output: r.Usage.Output}
	return r, lost
}

func (plain) Encode(*wire.Call) wire.Encoder { return &plainEncoder{} }

// plainCodec is the codec: a provider refuses probes, a codec calls.
type plainCodec struct{ plain }

func (p plainCodec) Refuse(c *wire.Call, f *wire.Failure) wire.Response {
	return p.plain.Refuse(c.Probe, f)
}

type plainEncoder struct{ said wire.Folder }

func (e *plainEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, wire.Header{{Name: "Content-Type", Value: "application/x-ndjson"}}, wire.NDJSON{}
}

func (e *plainEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	e.said.Add(ev)
	switch ev.Op {
	case wire.Delta:
		dst = append(dst, wire.Frame{Data: append(jsonx.AppendString([]byte(`{"text":`), ev.Text), '}'), Tokens: ev.Tokens})
	case wire.End:
		dst = append(dst, wire.Frame{Data: e.appendUsage([]byte(`{"done":true,`))})
	}
	return dst
}

func (e *plainEncoder) appendUsage(b []byte) []byte {
	u := e.said.Reply.Usage
	b = jsonx.AppendFloat(append(b, `"in":`...), float64(u.Input))
	return append(jsonx.AppendFloat(append(b, `,"out":`...), float64(u.Output)), '}')
}

func (e *plainEncoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	return append(dst, wire.Frame{Data: plain{}.failure(f)})
}

func (e *plainEncoder) Whole() wire.Response {
	text := e.said.Reply.Choices[0].Parts[0].(wire.Text).Text
	b := append(jsonx.AppendString([]byte(`{"text":`), text), ',')
	return wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: "application/json"}}, Body: e.appendUsage(b)}
}

func (plain) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		ok := yield(wire.Event{Op: wire.Begin}, nil) && yield(wire.Event{Op: wire.PartStart, What: wire.Text{}}, nil)
		if !ok {
			return
		}
		whole := strings.HasPrefix(h.Header.Get("Content-Type"), "application/json")
		for line, err := range wire.ReadNDJSON(body) {
			v, bad := jsonx.Parse(line)
			switch {
			case err != nil:
				yield(wire.Event{}, err)
				return
			case bad != nil:
				yield(wire.Event{}, bad)
				return
			case v.Get("error").Exists():
				yield(wire.Event{}, &wire.Failure{Kind: wire.FailureKind(v.Get("error").Str()), Message: v.Get("message").Str(), Status: h.Status, Sent: wire.Completed})
				return
			}
			if text := v.Get("text").Str(); text != "" && !yield(wire.Event{Op: wire.Delta, Text: text}, nil) {
				return
			}
			if whole || v.Get("done").Exists() {
				in, _ := v.Get("in").Int()
				out, _ := v.Get("out").Int()
				_ = yield(wire.Event{Op: wire.PartEnd}, nil) && yield(wire.Event{Op: wire.ChoiceEnd, Stop: wire.StopComplete}, nil) &&
					yield(wire.Event{Op: wire.End, Usage: &wire.Usage{Input: int(in), Output: int(out)}}, nil)
				return
			}
		}
		yield(wire.Event{}, wire.ErrIncomplete(true))
	}
}
