package anthropic

import (
	"io"
	"iter"
	"mime"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads a message, streamed or whole, or an error.
func (messages) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		if h.Status < 400 && streams(h) {
			if isEventStream(h) {
				readChunks(body, yield)
			} else {
				readStream(body, yield)
			}
			return
		}
		data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
		switch {
		case err != nil:
			yield(wire.Event{}, broken(err, false, nil))
		case h.Status >= 400:
			if isBedrockAnswer(h) {
				yield(wire.Event{}, aws.ReadFailure(h, data))
			} else {
				yield(wire.Event{}, readFailure(h, data))
			}
		default:
			readWhole(data, yield)
		}
	}
}

// streams tells a stream by its content type; where that says nothing, by what was asked.
func streams(h *wire.ResponseHead) bool {
	kind, _, _ := mime.ParseMediaType(h.Header.Get("Content-Type"))
	switch kind {
	case "text/event-stream", awsstream.ContentType:
		return true
	case jsonType:
		return false
	}
	return h.Request != nil && h.Request.Stream
}

// broken is a connection that broke.
func broken(err error, partial bool, u *wire.Usage) *wire.Failure {
	return &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent, PartialOutput: partial, Usage: u}
}

func unusable(message string, partial bool, u *wire.Usage) *wire.Failure {
	return &wire.Failure{Kind: wire.Unusable, Message: message, Sent: wire.Completed, PartialOutput: partial, Usage: u}
}

func readWhole(data []byte, yield func(wire.Event, error) bool) {
	v, err := jsonx.ParseBytes(data)
	switch {
	case err != nil:
		yield(wire.Event{}, unusable("anthropic: the answer is no JSON: "+err.Error(), false, nil))
		return
	case v.Get("type").Str() == evError:
		f := &wire.Failure{Sent: wire.Completed}
		readEnvelope(f, v.Get("error"))
		yield(wire.Event{}, f)
		return
	case v.Get("content").Kind() != jsonx.Array:
		yield(wire.Event{}, unusable("anthropic: the answer has no content", false, nil))
		return
	}
	if !yield(wire.Event{Op: wire.Begin, Head: &wire.Head{ID: v.Get("id").Str(), Model: v.Get("model").Str()}}, nil) {
		return
	}
	answer := wire.Answer{Stop: stopOf(v.Get("stop_reason").Str()), Sequence: v.Get("stop_sequence").Str()}
	for _, b := range v.Get("content").Items() {
		answer.Parts = appendAnswerBlock(answer.Parts, b)
	}
	var u usageReader
	u.read(v.Get("usage"))
	reply := wire.Reply{Choices: []wire.Answer{answer}, Usage: u.usage()}
	for e := range wire.Events(reply, wire.Split{Whole: true}) {
		if e.Op != wire.Begin && !yield(e, nil) {
			return
		}
	}
}

// usageReader overwrites each count by the last one that came, as running totals want it.
type usageReader struct {
	fresh, written, cached, output, thinking int
	seen                                     bool
}

func (u *usageReader) read(v jsonx.Value) {
	if v.Kind() != jsonx.Object {
		return
	}
	u.seen = true
	set := func(n *int, v jsonx.Value) {
		if i, ok := v.Int(); ok && i >= 0 && i < 1<<40 {
			*n = int(i)
		}
	}
	set(&u.fresh, v.Get("input_tokens"))
	set(&u.written, v.Get("cache_creation_input_tokens"))
	set(&u.cached, v.Get("cache_read_input_tokens"))
	set(&u.output, v.Get("output_tokens"))
	set(&u.thinking, v.At("output_tokens_details", "thinking_tokens"))
}

// usage is nil where nothing was counted.
func (u *usageReader) usage() *wire.Usage {
	if !u.seen {
		return nil
	}
	return &wire.Usage{
		Input: u.fresh + u.written + u.cached, Output: u.output, Reasoning: u.thinking,
		CacheRead: u.cached, CacheWrite: u.written,
	}
}
