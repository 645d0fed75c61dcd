package openai

import (
	"math/rand/v2"
	"strconv"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respEvent is one event of a stream before it is written; has says which of its fields it carries.
type respEvent struct {
	has  respSet
	name string
	item string // item_id
	// output and content are indexes; content is the index of a summary part or an annotation too.
	output, content, annotation int
	// text is the value of delta, text, refusal, arguments and input.
	text string
	// raw is the JSON of response, item, part, annotation or error.
	raw []byte
	// logprobs is JSON, "[]" where none were asked for.
	logprobs []byte
	tokens   int
	flat     *respFlatError
}

// respWriter numbers events and writes them as frames.
type respWriter struct {
	c   *wire.Call
	lay *respLayout
	q   *Quirks
	buf []byte
	pad rand.PCG
	// obfuscate pads the deltas.
	obfuscate bool
	next      int
	rotated   int
	// keep collects a copy of all frames, for the store.
	keep   bool
	frames []wire.Frame
}

// The size of the buffers that events are written to, and the room that a usual event needs.
const (
	bufferSize    = 12 << 10
	bufferReserve = 512
)

// emit adds one frame.
func (w *respWriter) emit(dst []wire.Frame, e respEvent) []wire.Frame {
	if w.q.responses.Silent {
		return dst
	}
	seq := w.next
	w.next++
	if cap(w.buf)-len(w.buf) < bufferReserve {
		// Frames keep what they point to: a new buffer needs no copy of the old one.
		w.buf = make([]byte, 0, max(bufferSize, len(e.raw)+bufferReserve))
	}
	start := len(w.buf)
	w.buf = append(w.buf, '{')
	first := true
	for _, k := range w.lay.event {
		if !w.present(k, &e) {
			continue
		}
		if !first {
			w.buf = append(w.buf, ',')
		}
		first = false
		w.buf = append(w.buf, respKeyText[k]...)
		w.value(k, &e, seq)
	}
	w.buf = append(w.buf, '}')
	f := wire.Frame{Data: w.buf[start:len(w.buf):len(w.buf)], Tokens: e.tokens}
	if !w.lay.noNames {
		f.Name = e.name
	}
	if w.keep {
		w.frames = append(w.frames, f)
	}
	return append(dst, f)
}

func (w *respWriter) present(k respKey, e *respEvent) bool {
	switch k {
	case rkType:
		return true
	case rkSequence:
		return w.q.responses.Sequence != "omit"
	case rkObfuscation:
		return e.has.has(rkDelta) && w.obfuscate && !w.lay.noObfuscation
	case rkCopilotUsage:
		return w.lay.copilotUsage && e.name == "response.completed"
	}
	return e.has.has(k)
}

func (w *respWriter) value(k respKey, e *respEvent, seq int) {
	b := w.buf
	switch k {
	case rkType:
		b = jsonx.AppendString(b, e.name)
	case rkSequence:
		b = strconv.AppendInt(b, int64(w.number(seq)), 10)
	case rkItemID:
		b = append(append(append(b, '"'), w.itemID(e.item)...), '"')
	case rkOutputIndex:
		b = strconv.AppendInt(b, int64(w.index(e.output)), 10)
	case rkContentIndex, rkSummaryIndex:
		b = strconv.AppendInt(b, int64(e.content), 10)
	case rkAnnotationIndex:
		b = strconv.AppendInt(b, int64(e.annotation), 10)
	case rkDelta, rkText, rkRefusal, rkArguments, rkInput:
		b = jsonx.AppendString(b, e.text)
	case rkLogprobs:
		b = append(b, e.logprobs...)
	case rkObfuscation:
		b = w.appendPadding(b, e.text)
	case rkCopilotUsage:
		b = append(b, `{"token_details":[],"total_nano_aiu":0}`...)
	case rkCode:
		b = jsonx.AppendString(b, e.flat.code)
	case rkMessage:
		b = jsonx.AppendString(b, e.flat.message)
	case rkParam:
		if e.flat.param == "" {
			b = append(b, "null"...)
		} else {
			b = jsonx.AppendString(b, e.flat.param)
		}
	default:
		b = append(b, e.raw...)
	}
	w.buf = b
}

// number is the sequence_number of event seq.
func (w *respWriter) number(seq int) int {
	switch w.q.responses.Sequence {
	case "one":
		return seq + 1
	case "twice":
		return seq / 2
	}
	return seq
}

func (w *respWriter) index(output int) int {
	switch w.q.responses.OutputIndex {
	case "same":
		return 0
	case "holes":
		return output * 2
	}
	return output
}

// itemID gives each event an id of its own where ids rotate, as GitHub Copilot's do (recorded 2026-08).
func (w *respWriter) itemID(id string) string {
	if !w.q.responses.RotateItemIDs {
		return id
	}
	w.rotated++
	prefix := id
	for i := range id {
		if id[i] == '_' {
			prefix = id[:i+1]
			break
		}
	}
	return respItemID(w.c, w.lay, prefix, 1000+w.rotated)
}

// obfuscationBlock is what a delta and its padding are a multiple of, in characters, so that the length of an event
// does not tell the token (recorded in 123 of 123 deltas, 2026).
const obfuscationBlock = 16

func (w *respWriter) appendPadding(dst []byte, delta string) []byte {
	n := (obfuscationBlock - utf8.RuneCountInString(delta)%obfuscationBlock) % obfuscationBlock
	dst = append(dst, '"')
	dst = wire.AppendRandom(dst, &w.pad, wire.Base62, n)
	return append(dst, '"')
}
