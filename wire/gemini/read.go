package gemini

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"mime"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads an answer: events, an array that grows, one message, or an error.
func (generate) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		if h.Status >= 400 {
			readError(h, body, yield)
			return
		}
		r := &reader{yield: yield}
		kind, _, _ := mime.ParseMediaType(h.Header.Get("Content-Type"))
		if kind == sseType || kind == "" && asksForEvents(h.Request) {
			r.readEvents(body)
			return
		}
		// A whole answer is the only element of an array that is none.
		in := bufio.NewReader(body)
		first, _ := in.Peek(1)
		r.stream = string(first) == "[" || h.Request != nil && h.Request.Stream
		r.readArray(in)
	}
}

func asksForEvents(r *wire.Request) bool {
	return r != nil && r.Probe != nil && r.Probe.Query.Get("alt") == "sse"
}

// broken is a connection that broke.
func broken(err error, partial bool, u *wire.Usage) *wire.Failure {
	return &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent, PartialOutput: partial, Usage: u}
}

func unusable(message string, partial bool, u *wire.Usage) *wire.Failure {
	return &wire.Failure{Kind: wire.Unusable, Message: "gemini: " + message, Sent: wire.Completed, PartialOutput: partial, Usage: u}
}

// readEvents reads server-sent events. An error may come as an event, or as bare JSON at the end.
func (r *reader) readEvents(body io.Reader) {
	r.stream = true
	tail := &tailReader{in: body}
	var bad error // an event that did not parse; at the very end it was only cut off
	for ev, err := range wire.ReadSSE(tail) {
		if bad != nil {
			r.fail(unusable("an event is no JSON: "+bad.Error(), r.partial, r.usage()))
			return
		}
		if err != nil {
			r.fail(broken(err, r.partial, r.usage()))
			return
		}
		if strings.TrimSpace(ev.Data) == "" {
			continue
		}
		v, err := jsonx.Parse(ev.Data)
		if err != nil {
			bad = err
			continue
		}
		if r.message(v); r.stopped {
			return
		}
	}
	if v, ok := tail.bareError(); ok {
		r.message(v)
		return
	}
	r.end()
}

func (r *reader) readArray(body io.Reader) {
	for text, err := range wire.ReadJSONArray(body) {
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.incomplete()
			return
		case err != nil:
			r.fail(broken(err, r.partial, r.usage()))
			return
		}
		v, err := jsonx.Parse(text)
		if err != nil {
			r.fail(unusable("the answer is no JSON: "+err.Error(), r.partial, r.usage()))
			return
		}
		if r.message(v); r.stopped {
			return
		}
	}
	r.end()
}

// tailReader keeps the last bytes that went through it.
type tailReader struct {
	in   io.Reader
	last []byte
}

const tailSize = 16 << 10

func (t *tailReader) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.last = append(t.last, p[:n]...)
	if len(t.last) > 2*tailSize {
		t.last = append(t.last[:0], t.last[len(t.last)-tailSize:]...)
	}
	return n, err
}

// bareError is an error that stands at the end of a stream without "data:".
func (t *tailReader) bareError() (jsonx.Value, bool) {
	text := strings.TrimSpace(string(t.last))
	for start := len(text); ; {
		start = strings.LastIndexByte(text[:start], '{')
		if start < 0 {
			return jsonx.Value{}, false
		}
		if start > 0 && text[start-1] != '\n' {
			continue
		}
		if v, err := jsonx.Parse(text[start:]); err == nil && v.Get("error").Kind() == jsonx.Object {
			return v, true
		}
	}
}
