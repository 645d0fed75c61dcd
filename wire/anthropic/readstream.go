package anthropic

import (
	"io"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// streamReader reads the events of a stream, as tolerant as the SDKs: unknown events and deltas are passed over, a ping
// may come anywhere, blocks may interleave, and what belongs to no block is ignored.
type streamReader struct {
	yield   func(wire.Event, error) bool
	stopped bool // yield wants no more

	begun   bool
	blocks  []*block
	flushed int // blocks whose end was given
	next    int // ordinal of the next part
	usage   usageReader
	stop    wire.Stop
	// sequence is the stop sequence that was hit.
	sequence string
	partial  bool
}

// block is one content block on its way.
type block struct {
	index     int64
	part      int
	what      wire.Part
	text      strings.Builder
	citations []wire.Citation
	opaque    jsonx.Value
	closed    bool
	// fed says that input came in deltas, if only an empty piece.
	fed bool
}

func readStream(body io.Reader, yield func(wire.Event, error) bool) {
	r := &streamReader{yield: yield}
	var bad error // an event that did not parse; at the very end it was only cut off
	for ev, err := range wire.ReadSSE(body) {
		if err != nil {
			yield(wire.Event{}, broken(err, r.partial, r.usage.usage()))
			return
		}
		if bad != nil {
			yield(wire.Event{}, unusable("anthropic: an event is no JSON: "+bad.Error(), r.partial, r.usage.usage()))
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
		if done := r.event(ev.Name, v); done || r.stopped {
			return
		}
	}
	f := wire.ErrIncomplete(r.partial)
	f.Usage = r.usage.usage()
	yield(wire.Event{}, f)
}

func (r *streamReader) give(e wire.Event) {
	if !r.stopped && !r.yield(e, nil) {
		r.stopped = true
	}
}

// event takes one event, and says whether it was the last.
func (r *streamReader) event(name string, v jsonx.Value) (done bool) {
	if kind, ok := v.Get("type").Text(); ok {
		name = kind
	}
	switch name {
	case evStart:
		m := v.Get("message")
		r.usage.read(m.Get("usage"))
		if !r.begun {
			r.begun = true
			r.give(wire.Event{
				Op: wire.Begin, Usage: r.usage.usage(),
				Head: &wire.Head{ID: m.Get("id").Str(), Model: m.Get("model").Str()},
			})
		}
	case evOpen:
		r.open(v)
	case evDelta:
		if b := r.find(v.Get("index")); b != nil {
			r.delta(b, v.Get("delta"))
		}
	case evClose:
		if b := r.find(v.Get("index")); b != nil {
			b.closed = true
			r.flush()
		}
	case evMessage:
		d := v.Get("delta")
		if reason, ok := d.Get("stop_reason").Text(); ok {
			r.stop = stopOf(reason)
		}
		r.sequence = d.Get("stop_sequence").Str()
		r.usage.read(v.Get("usage"))
	case evStop:
		r.end()
		return true
	case evError:
		f := &wire.Failure{Sent: wire.Completed, PartialOutput: r.partial, Usage: r.usage.usage()}
		readEnvelope(f, v.Get("error"))
		r.yield(wire.Event{}, f)
		return true
	}
	return false
}

func (r *streamReader) begin() {
	if !r.begun {
		r.begun = true
		r.give(wire.Event{Op: wire.Begin})
	}
}

func (r *streamReader) open(v jsonx.Value) {
	r.begin()
	index, ok := v.Get("index").Int()
	if !ok {
		index = int64(len(r.blocks))
	}
	content := v.Get("content_block")
	b := &block{index: index, part: r.next}
	r.next++
	switch p := appendAnswerBlock(nil, content)[0].(type) {
	case wire.Text:
		b.what = wire.Text{}
		b.text.WriteString(p.Text)
		for _, c := range content.Get("citations").Items() {
			b.citations = append(b.citations, citationOf(c))
		}
	case wire.Reasoning:
		b.text.WriteString(p.Text)
		p.Text = ""
		b.what = p
	case wire.ToolCall:
		// The start usually has an empty object, and the deltas have the input.
		if p.Arguments != "{}" {
			b.text.WriteString(p.Arguments)
		}
		p.Arguments = ""
		b.what = p
	default:
		b.what = p
		b.opaque = content
	}
	r.blocks = append(r.blocks, b)
	r.give(wire.Event{Op: wire.PartStart, Part: b.part, What: b.what})
	if b.text.Len() > 0 {
		r.give(wire.Event{Op: wire.Delta, Part: b.part, What: b.what, Text: b.text.String(), Tokens: wire.Tokens(b.text.String())})
	}
}

// find is the last block with that index which is still open.
func (r *streamReader) find(index jsonx.Value) *block {
	n, ok := index.Int()
	if !ok {
		return nil
	}
	for i := len(r.blocks) - 1; i >= r.flushed; i-- {
		if b := r.blocks[i]; b.index == n && !b.closed {
			return b
		}
	}
	return nil
}

// delta adds to a block. Any text counts as output of which a client may have seen part.
func (r *streamReader) delta(b *block, d jsonx.Value) {
	more := ""
	switch d.Get("type").Str() {
	case "text_delta":
		if _, ok := b.what.(wire.Text); ok {
			more = d.Get("text").Str()
		}
	case "thinking_delta":
		if _, ok := b.what.(wire.Reasoning); ok {
			more = d.Get("thinking").Str()
		}
	case "input_json_delta":
		b.fed = true
		switch b.what.(type) {
		case wire.ToolCall:
			more = d.Get("partial_json").Str()
		case wire.Opaque:
			b.text.WriteString(d.Get("partial_json").Str())
			return
		}
	case "signature_delta":
		if p, ok := b.what.(wire.Reasoning); ok && !p.Redacted {
			p.Signature += d.Get("signature").Str()
			b.what = p
		}
	case "citations_delta":
		if _, ok := b.what.(wire.Text); ok {
			b.citations = append(b.citations, citationOf(d.Get("citation")))
		}
	}
	if more == "" {
		return
	}
	r.partial = true
	b.text.WriteString(more)
	r.give(wire.Event{Op: wire.Delta, Part: b.part, What: b.what, Text: more, Tokens: wire.Tokens(more)})
}

// flush gives the ends of closed blocks, in the order of their starts.
func (r *streamReader) flush() {
	for r.flushed < len(r.blocks) && r.blocks[r.flushed].closed {
		b := r.blocks[r.flushed]
		r.flushed++
		r.give(wire.Event{Op: wire.PartEnd, Part: b.part, What: b.whole()})
		for _, c := range b.citations {
			r.give(wire.Event{Op: wire.PartStart, Part: r.next, What: c})
			r.give(wire.Event{Op: wire.PartEnd, Part: r.next, What: c})
			r.next++
		}
	}
}

// whole is the block's part with all that came.
func (b *block) whole() wire.Part {
	text := b.text.String()
	switch p := b.what.(type) {
	case wire.Text:
		p.Text = text
		return p
	case wire.Reasoning:
		p.Text = text
		return p
	case wire.ToolCall:
		if p.Arguments = text; text == "" && !b.fed {
			p.Arguments = "{}"
		}
		return p
	case wire.Opaque:
		if input := b.opaque.Get("input"); text != "" && input.Exists() && jsonx.Valid(text) {
			raw := b.opaque.Raw()
			at := input.Offset() - b.opaque.Offset()
			p.Raw = compact(raw[:at] + text + raw[at+len(input.Raw()):])
		}
		return p
	}
	return b.what
}

// end closes what is still open: a message that stopped is whole, even if a block's own stop is missing.
func (r *streamReader) end() {
	r.begin()
	for _, b := range r.blocks {
		b.closed = true
	}
	r.flush()
	r.give(wire.Event{Op: wire.ChoiceEnd, Stop: r.stop, Sequence: r.sequence})
	r.give(wire.Event{Op: wire.End, Usage: r.usage.usage()})
}
