package openai

import (
	"net/http"

	"github.com/mimus-go/mimus/wire"
)

// Encode makes the encoder of one answer. Where the request may be stored, it also says what to remember.
func (responsesCodec) Encode(c *wire.Call) wire.Encoder {
	p, n := profileOf(c), respNativeOf(c)
	lay := respLayoutNamed(p.q.responses.Layout)
	e := &respEncoder{c: c, n: n, p: p, stream: c.Request.Stream && !p.q.IgnoreStream || p.q.ForceStream}
	e.obj = newRespObject(c, n, p, lay)
	e.w = respWriter{c: c, lay: lay, q: &p.q, obfuscate: n.obfuscation, keep: e.stream && (n.store || !c.Request.Stream)}
	e.w.pad.Seed(c.Seed, 0x6f62667573636174)
	e.lay = lay
	if n.background {
		e.lay = respBackgroundLayout(lay)
	}
	if n.store {
		c.Remember = e.remember
	}
	return e
}

// respLayoutOf is whose form the answer to a call has.
func respLayoutOf(c *wire.Call) *respLayout {
	return respLayoutNamed(profileOf(c).q.responses.Layout)
}

// respEncoder makes frames, or a whole body, of one answer. A part's end is held back until it is known whether more
// follows, for the last item says whether it is whole.
type respEncoder struct {
	c      *wire.Call
	n      *respNative
	p      *profile
	obj    *respObject
	w      respWriter
	lay    *respLayout
	stream bool

	folder wire.Folder
	parts  []*respPart
	ended  *respPart
	msg    *respMessage
	items  []respItem
	// nextID and nextOutput count ids and output items.
	nextID, nextOutput int
	scratch            []byte

	status, incomplete string
	usage              *wire.Usage
	begun, closed      bool
	blocked            bool
	failed             []byte
}

// respItem is a finished output item.
type respItem struct {
	typ, id string
	raw     []byte
}

// Head is the status and header of a stream.
func (e *respEncoder) Head() (int, wire.Header, wire.Framing) {
	switch {
	case e.blocked:
		r := respRefuse(e.c, &wire.Failure{Kind: wire.ContentFilter})
		return r.Status, r.Header, wire.Raw{}
	case !e.stream:
		return http.StatusOK, respHeader(e.p.bodyHead(e.c)), wire.Raw{}
	}
	return http.StatusOK, respHeader(e.p.streamHead(e.c)), e.p.framing()
}

// respHeader leaves out the line that Responses does not send (recorded 2026).
func respHeader(h wire.Header) wire.Header {
	out := h[:0]
	for _, f := range h {
		if f.Name != "X-Openai-Proxy-Wasm" {
			out = append(out, f)
		}
	}
	return out
}

// Append takes the next step of the answer.
func (e *respEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Choice > 0 {
		return dst
	}
	e.folder.Add(ev)
	switch ev.Op {
	case wire.PartStart:
		return e.partStart(e.begin(dst), ev)
	case wire.Delta:
		return e.delta(dst, ev)
	case wire.PartEnd:
		return e.partEnd(dst, ev)
	case wire.ChoiceEnd:
		return e.choiceEnd(e.begin(dst), ev)
	case wire.End:
		if ev.Usage != nil {
			u := *ev.Usage
			e.usage = &u
		}
		e.blocked = ev.Rest != nil && ev.Rest.Blocked != ""
		return e.end(dst)
	}
	return dst
}

// begin announces the response. It waits for the first part, because a blocked prompt has no response.
func (e *respEncoder) begin(dst []wire.Frame) []wire.Frame {
	if !e.stream || e.begun {
		return dst
	}
	e.begun = true
	st := respState{status: "in_progress", stream: true}
	if e.n.background {
		// created says queued already, and both are in the usual form (recorded 2026-02).
		st.status = "queued"
		dst = e.response(dst, "response.created", &st)
		dst = e.response(dst, "response.queued", &st)
		e.w.lay, st.lay, st.status = e.lay, e.lay, "in_progress"
		dst = e.response(dst, "response.in_progress", &st)
	} else {
		dst = e.response(dst, "response.created", &st)
		dst = e.response(dst, "response.in_progress", &st)
	}
	if name := e.p.q.responses.UnknownEvent; name != "" {
		dst = e.w.emit(dst, respEvent{name: name})
	}
	return dst
}

// response emits an event that carries the response.
func (e *respEncoder) response(dst []wire.Frame, name string, st *respState) []wire.Frame {
	e.scratch = e.obj.append(e.scratch[:0], st)
	return e.w.emit(dst, respEvent{name: name, has: respKeys(rkResponse), raw: e.scratch})
}

func (e *respEncoder) choiceEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	e.status = "completed"
	switch ev.Stop {
	case wire.StopLength:
		e.status, e.incomplete = "incomplete", "max_output_tokens"
	case wire.StopSafety:
		e.status, e.incomplete = "incomplete", "content_filter"
	}
	dst = e.flush(dst, e.status)
	e.closed = true
	return e.closeMessage(dst, e.status)
}

// Flush ends the part that was held back, and the message where nothing of it is open.
func (e *respEncoder) Flush(dst []wire.Frame) []wire.Frame {
	if !e.stream {
		return dst
	}
	dst = e.flush(dst, "completed")
	if e.msg != nil && e.msg.open > 0 {
		return dst
	}
	return e.closeMessage(dst, "completed")
}

func (e *respEncoder) end(dst []wire.Frame) []wire.Frame {
	if e.blocked || !e.stream && e.c.Request.Stream {
		return append(dst, wire.Frame{Data: e.Whole().Body})
	}
	if !e.closed {
		dst = e.choiceEnd(e.begin(dst), wire.Event{})
	}
	if !e.stream || e.p.q.responses.OmitCompleted {
		return dst
	}
	st := e.final()
	st.stream = true
	switch e.p.q.responses.CompletedOutput {
	case "empty":
		st.output = nil
	case "omit":
		st.noOutput = true
	}
	return e.response(dst, "response."+e.status, &st)
}

// final is the response's last state.
func (e *respEncoder) final() respState {
	st := respState{status: e.status, incomplete: e.incomplete, usage: e.usage, final: true, lay: e.w.lay}
	if e.status == "completed" {
		st.completed = e.c.Env.Now().Unix()
	}
	for i, item := range e.items {
		if i > 0 {
			st.output = append(st.output, ',')
		}
		st.output = append(st.output, item.raw...)
	}
	return st
}

// Whole is the unary answer; that to a background request comes before anything was said.
func (e *respEncoder) Whole() wire.Response {
	switch {
	case e.blocked:
		return respRefuse(e.c, &wire.Failure{Kind: wire.ContentFilter})
	case e.stream && !e.c.Request.Stream:
		r := wire.Response{Framing: e.p.framing(), Frames: e.w.frames}
		return wire.Response{Status: http.StatusOK, Header: respHeader(e.p.streamHead(e.c)), Body: r.Bytes()}
	}
	st := e.final()
	if e.n.background {
		st = respState{status: "queued"}
	}
	return wire.Response{Status: http.StatusOK, Header: respHeader(e.p.bodyHead(e.c)), Body: e.body(&st)}
}

func (e *respEncoder) body(st *respState) []byte {
	return respIndent(e.obj.lay, e.obj.append(make([]byte, 0, 2<<10), st))
}
