package bedrock

import (
	"io"
	"iter"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads an answer, streamed or whole, or an error.
func (converse) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		if h.Status < 400 && aws.Streams(h) {
			readBlockStream(h, body, yield)
			return
		}
		if v, f := readBody(h, body); f != nil {
			yield(wire.Event{}, f)
		} else {
			readBlocks(h, v, yield)
		}
	}
}

// readBody reads a whole answer that must be a JSON object, or the error in its place.
func readBody(h *wire.ResponseHead, body io.Reader) (jsonx.Value, *wire.Failure) {
	data, err := io.ReadAll(body)
	if err != nil {
		return jsonx.Value{}, aws.Broken(err, false, nil)
	}
	if h.Status >= 400 {
		return jsonx.Value{}, aws.ReadFailure(h, data)
	}
	v, err := jsonx.ParseBytes(data)
	switch {
	case err != nil:
		return v, unusable("the answer is no JSON: "+err.Error(), false, nil)
	case v.Kind() != jsonx.Object:
		return v, unusable("the answer is no JSON object", false, nil)
	}
	return v, nil
}

func unusable(message string, partial bool, u *wire.Usage) *wire.Failure {
	return &wire.Failure{Kind: wire.Unusable, Message: "bedrock: " + message, Sent: wire.Completed, PartialOutput: partial, Usage: u}
}

// headOf is what an answer says of itself: nothing but the id of the request.
func headOf(h *wire.ResponseHead) *wire.Head {
	return &wire.Head{ID: h.Header.Get("X-Amzn-Requestid")}
}

// readBlocks reads a whole answer of Converse or of Nova.
func readBlocks(h *wire.ResponseHead, v jsonx.Value, yield func(wire.Event, error) bool) {
	content := v.At("output", "message", "content")
	if content.Kind() != jsonx.Array {
		yield(wire.Event{}, unusable("the answer has no output.message.content", false, nil))
		return
	}
	a := wire.Answer{Stop: stopOf(v.Get("stopReason").Str()), Sequence: v.At("additionalModelResponseFields", "stop_sequence").Str()}
	if hasIntervened(v) {
		a.Stop = guardrail
	}
	for _, b := range content.Items() {
		a.Parts = appendAnswerBlock(a.Parts, b)
	}
	var u usageReader
	u.read(v.Get("usage"))
	give(h, wire.Reply{Choices: []wire.Answer{a}, Usage: u.usage()}, yield)
}

// give yields the events of a whole answer.
func give(h *wire.ResponseHead, r wire.Reply, yield func(wire.Event, error) bool) {
	for e := range wire.Events(r, wire.Split{Whole: true}) {
		if e.Op == wire.Begin {
			e = wire.Event{Op: wire.Begin, Head: headOf(h)}
		}
		if !yield(e, nil) {
			return
		}
	}
}

// usageReader overwrites each count by the last one that came.
type usageReader struct {
	fresh, written, cached, output int
	seen                           bool
}

func (u *usageReader) read(v jsonx.Value) {
	if v.Kind() != jsonx.Object {
		return
	}
	u.seen = true
	set := func(n *int, keys ...string) {
		for _, key := range keys {
			if i, ok := v.Get(key).Int(); ok && i >= 0 && i < 1<<40 {
				*n = int(i)
				return
			}
		}
	}
	set(&u.fresh, "inputTokens")
	set(&u.output, "outputTokens")
	set(&u.cached, "cacheReadInputTokens", "cacheReadInputTokenCount")
	set(&u.written, "cacheWriteInputTokens", "cacheWriteInputTokenCount")
}

// usage is nil where nothing was counted.
func (u *usageReader) usage() *wire.Usage {
	if !u.seen {
		return nil
	}
	return &wire.Usage{Input: u.fresh + u.written + u.cached, Output: u.output, CacheRead: u.cached, CacheWrite: u.written}
}
