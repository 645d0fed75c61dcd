package mimus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/internal/sample"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// ErrNotOnWire says that a provider cannot send a reply. Errors of [Lower] wrap it.
var ErrNotOnWire = wire.ErrNotOnWire

// Lowered is a reply in one provider's own bytes, for anyone's own fake server. It is a reply itself.
type Lowered struct {
	Status int
	Header http.Header
	// Chunks are the body: each event of a stream as one chunk, or a whole body as one.
	Chunks [][]byte
	// Interrupted says that the connection breaks after the chunks, and Hangs that it stays open without a word.
	Interrupted, Hangs bool

	request *wire.Request
}

// Lower gives the stream that a codec makes of a reply, as the answer to a short question; where an endpoint doesn't
// stream, it gives the body. all.Codecs() names the codecs. What takes time is left out: delays, paces and stalls.
//
// It fails with [ErrNotOnWire] where the provider cannot send the reply, so that a test cannot script what never comes: a
// refusal of Anthropic, for one. A Lowered reply stays as it is, whatever the codec.
func Lower(codec wire.Codec, r Replier) (*Lowered, error) { return lower(codec, r, true) }

// LowerWhole is [Lower] for a request that doesn't stream.
func LowerWhole(codec wire.Codec, r Replier) (*Lowered, error) { return lower(codec, r, false) }

func lower(codec wire.Codec, r Replier, stream bool) (*Lowered, error) {
	if l, ok := r.(*Lowered); ok {
		return l, nil
	}
	if r == nil {
		return nil, errors.New("mimus: lower: the reply is nil")
	}
	g := r.reply()
	e, err := endpointOf(codec)
	if err != nil {
		return nil, err
	}
	name := e.Name
	switch {
	case !g.any && g.kind != e.Kind:
		return nil, fmt.Errorf("mimus: lower to %s: it answers no %s: %w", name, g.kind, ErrNotOnWire)
	case g.answer.Growing != nil:
		return nil, fmt.Errorf("mimus: lower to %s: a Stream that is stepped by hand has no bytes yet", name)
	case g.answer.Reject != nil:
		return nil, fmt.Errorf("mimus: lower to %s: a rejected call has no response: %w", name, g.answer.Reject)
	}
	probe := sample.Of(name, stream)
	if probe == nil {
		probe = sample.Of(name, false)
	}
	if probe == nil {
		return nil, fmt.Errorf("mimus: lower to %s: there is no question to answer", name)
	}
	h := pipeline.New(pipeline.Config{Providers: providers(), Space: engine.NewSpace("", 1), Journal: journal.New(1, 0)})
	preview, err := h.Preview(probe, &stub.Stub{Kind: g.kind}, &g.answer)
	if err != nil {
		return nil, fmt.Errorf("mimus: lower to %s: %w", name, err)
	}
	for _, lost := range preview.Losses {
		if errors.Is(lost, ErrNotOnWire) {
			return nil, fmt.Errorf("mimus: lower to %s: %w", name, lost)
		}
	}
	return lowered(preview), nil
}

// endpointOf is the endpoint that a codec speaks: the one that it was taken for, where it says so, as all.Codecs() lets it.
func endpointOf(codec wire.Codec) (*wire.Endpoint, error) {
	if codec != nil && reflect.TypeOf(codec).Comparable() {
		taken, named := codec.(interface{ Endpoint() string })
		for _, p := range providers() {
			for _, e := range p.Endpoints() {
				if e.Codec == codec || named && e.Codec != nil && e.Name == taken.Endpoint() {
					return &e, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("mimus: %T is none of all.Codecs(); there are %v", codec, sample.Endpoints())
}

func lowered(p *pipeline.Preview) *Lowered {
	plan := p.Plan
	plan.Delay, plan.Pace, plan.Fault.StallAfter, plan.EachFrame = 0, nil, nil, true
	stop := make(chan struct{})
	close(stop)
	plan.Stop = stop
	l := &Lowered{Header: http.Header{}, request: p.Request}
	result := deliver.Deliver(context.Background(), lowering{l}, p.Response, plan)
	l.Interrupted = result.Broken
	if plan.Fault.HangAfter != nil && result.Broken {
		l.Interrupted, l.Hangs = false, true
	}
	return l
}

// lowering is the sink of a delivery to a Lowered.
type lowering struct{ l *Lowered }

func (s lowering) Head(status int, h wire.Header, length int) {
	s.l.Status = status
	h.WriteTo(s.l.Header)
	if length >= 0 {
		s.l.Header.Set("Content-Length", strconv.Itoa(length))
	}
}

func (s lowering) Write(b []byte) error {
	s.l.Chunks = append(s.l.Chunks, slices.Clone(b))
	return nil
}

func (lowering) Flush() error { return nil }

func (lowering) Break(bool) {}

// Bytes are the chunks as one.
func (l *Lowered) Bytes() []byte { return bytes.Join(l.Chunks, nil) }

// Response is one whole response. The body of an interrupted one ends with [io.ErrUnexpectedEOF], as that of a connection
// that broke does.
func (l *Lowered) Response() *http.Response {
	r := &http.Response{
		StatusCode: l.Status, Status: fmt.Sprintf("%d %s", l.Status, http.StatusText(l.Status)),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: l.Header.Clone(), ContentLength: -1, Body: io.NopCloser(l.body()),
	}
	if n, err := strconv.ParseInt(l.Header.Get("Content-Length"), 10, 64); err == nil {
		r.ContentLength = n
	}
	return r
}

func (l *Lowered) body() io.Reader {
	body := io.Reader(bytes.NewReader(l.Bytes()))
	if l.Interrupted {
		body = io.MultiReader(body, brokenReader{})
	}
	return body
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// ServeHTTP answers with the reply, each chunk in a write of its own.
func (l *Lowered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), l.Header)
	flush := func() { _ = http.NewResponseController(w).Flush() }
	if l.Status != 0 {
		w.WriteHeader(l.Status)
	}
	for _, chunk := range l.Chunks {
		if _, err := w.Write(chunk); err != nil {
			return
		}
		flush()
	}
	if l.Hangs {
		<-r.Context().Done()
	}
	if l.Interrupted {
		panic(http.ErrAbortHandler)
	}
}

func (l *Lowered) reply() given {
	raw := &stub.Raw{Status: l.Status}
	for name, values := range l.Header {
		for _, v := range values {
			raw.Headers = append(raw.Headers, wire.Field{Name: name, Value: v})
		}
	}
	for _, chunk := range l.Chunks {
		raw.Chunks = append(raw.Chunks, string(chunk))
	}
	a := stub.Answer{Raw: raw}
	never := len(l.Chunks) + 1
	switch {
	case l.Interrupted && l.Status == 0:
		never = 0
		a.DropAfter = &never
	case l.Interrupted:
		a.DropAfter = &never
	case l.Hangs:
		a.HangAfter = &never
	}
	return given{answer: a, any: true}
}
