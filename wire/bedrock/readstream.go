package bedrock

import (
	"errors"
	"io"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// blockReader reads the events of a stream, as tolerant as the SDKs: unknown events and deltas are passed over, and a
// block begins with its start or with its first delta.
type blockReader struct {
	yield   func(wire.Event, error) bool
	stopped bool // yield wants no more

	begun   bool
	head    *wire.Head
	blocks  []*block
	flushed int // blocks whose end was given
	next    int // ordinal of the next part
	usage   usageReader
	counted bool // metadata came
	ended   bool // messageStop came
	stop    wire.Stop
	// sequence is the stop sequence that was hit.
	sequence string
	partial  bool
	// merge makes one text of texts that follow each other, as Nova sends each piece as a block.
	merge bool
	// guarded says that a guardrail blocked or changed the answer, on InvokeModel.
	guarded bool
}

// block is one content block on its way.
type block struct {
	index     int64
	part      int
	what      wire.Part
	text      strings.Builder
	citations []wire.Citation
	opaque    opaqueBlock
}

// readMessages reads the messages of an event stream up to its end; event takes those that are no failure.
func readMessages(body io.Reader, partial *bool, usage func() *wire.Usage, event func(awsstream.Message) error) *wire.Failure {
	r := awsstream.Reader{R: body}
	for {
		m, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return aws.Broken(err, *partial, usage())
		}
		if f := aws.ReadException(m); f != nil {
			f.PartialOutput, f.Usage = *partial, usage()
			return f
		}
		if err := event(m); err != nil {
			return unusable(err.Error(), *partial, usage())
		}
	}
}

func readBlockStream(h *wire.ResponseHead, body io.Reader, yield func(wire.Event, error) bool) {
	r := &blockReader{yield: yield, head: headOf(h)}
	f := readMessages(body, &r.partial, r.usage.usage, func(m awsstream.Message) error {
		name := m.Get(":event-type")
		if name == aws.ChunkEvent {
			return r.chunk(m)
		}
		v, err := jsonx.ParseBytes(m.Payload)
		if err != nil {
			return err
		}
		r.event(name, v)
		return nil
	})
	r.finish(f)
}

// chunk takes an event of Nova's: wrapped in its name, and in base64.
func (r *blockReader) chunk(m awsstream.Message) error {
	v, err := aws.ReadChunk(m.Payload)
	if err != nil {
		return err
	}
	r.merge = true
	if hasIntervened(v) {
		r.guarded = true
	}
	for name, value := range v.Members() {
		r.event(name, value)
	}
	return nil
}

// finish ends the sequence. Metadata is the last event; a stream without it lost its end.
func (r *blockReader) finish(f *wire.Failure) {
	if r.stopped {
		return
	}
	switch {
	case f != nil:
	case r.ended && r.counted:
		r.end()
		return
	default:
		f = wire.ErrIncomplete(r.partial)
		f.Usage = r.usage.usage()
	}
	r.yield(wire.Event{}, f)
}

func (r *blockReader) give(e wire.Event) {
	if !r.stopped && !r.yield(e, nil) {
		r.stopped = true
	}
}

func (r *blockReader) begin() {
	if !r.begun {
		r.begun = true
		r.give(wire.Event{Op: wire.Begin, Head: r.head})
	}
}

func (r *blockReader) event(name string, v jsonx.Value) {
	switch name {
	case evStart:
		r.begin()
	case evBlockStart:
		r.blockStart(v)
	case evBlockDelta:
		r.blockDelta(v)
	case evStop:
		r.begin()
		r.ended = true
		r.stop = stopOf(v.Get("stopReason").Str())
		r.sequence = v.At("additionalModelResponseFields", "stop_sequence").Str()
	case evMetadata:
		r.counted = true
		r.usage.read(v.Get("usage"))
	}
}

func indexOf(v jsonx.Value) int64 {
	n, _ := v.Get("contentBlockIndex").Int()
	return n
}

// find is the last block of that index; a piece of a tool's input may come after the block's end.
func (r *blockReader) find(index int64) *block {
	for i := len(r.blocks) - 1; i >= r.flushed; i-- {
		if r.blocks[i].index == index {
			return r.blocks[i]
		}
	}
	return nil
}

// open begins a part. What came before it is over.
func (r *blockReader) open(index int64, what wire.Part) *block {
	r.begin()
	r.flush()
	b := &block{index: index, part: r.next, what: what}
	r.next++
	r.blocks = append(r.blocks, b)
	r.give(wire.Event{Op: wire.PartStart, Part: b.part, What: what})
	return b
}

func (r *blockReader) blockStart(v jsonx.Value) {
	start := v.Get("start")
	for key, s := range start.Members() {
		switch {
		case key == "toolUse" && s.Get("type").Str() == "":
			r.open(indexOf(v), wire.ToolCall{ID: s.Get("toolUseId").Str(), Name: s.Get("name").Str()})
		default:
			if ob, ok := streamed(key, s); ok {
				b := r.open(indexOf(v), wire.Opaque{Type: key})
				b.opaque = ob
			}
		}
	}
}

func (r *blockReader) blockDelta(v jsonx.Value) {
	index := indexOf(v)
	for key, d := range v.Get("delta").Members() {
		switch key {
		case "text":
			// Some models send an empty piece where they say nothing, in a block of its own.
			if s := d.Str(); s != "" {
				r.add(r.at(index, wire.Text{}), s)
			}
		case "citation":
			b := r.at(index, wire.Text{})
			b.citations = append(b.citations, citationOf(d))
		case "reasoningContent":
			r.reasoning(index, d)
		case "toolUse":
			b := r.find(index)
			if b == nil {
				continue
			}
			switch b.what.(type) {
			case wire.ToolCall:
				r.add(b, d.Get("input").Str())
			case wire.Opaque:
				b.opaque.delta += d.Get("input").Str()
			}
		case "toolResult":
			if b := r.find(index); b != nil {
				b.opaque.delta = compact(d.Raw())
			}
		case "image":
			if b := r.find(index); b != nil && d.Get("source").Exists() {
				b.opaque.delta = compact(d.Get("source").Raw())
			}
		}
	}
}

// at is the open block of an index and of the kind that a delta is for; where there is none, the delta begins one.
func (r *blockReader) at(index int64, what wire.Part) *block {
	if b := r.find(index); b != nil && sameKind(b.what, what) {
		return b
	}
	if n := len(r.blocks); r.merge && n > r.flushed && sameKind(r.blocks[n-1].what, what) {
		b := r.blocks[n-1]
		b.index = index
		return b
	}
	return r.open(index, what)
}

func sameKind(a, b wire.Part) bool {
	switch a.(type) {
	case wire.Text:
		_, ok := b.(wire.Text)
		return ok
	case wire.Reasoning:
		_, ok := b.(wire.Reasoning)
		return ok
	}
	return false
}

func (r *blockReader) reasoning(index int64, d jsonx.Value) {
	if data, ok := d.Get("redactedContent").Text(); ok {
		b := r.at(index, wire.Reasoning{Redacted: true})
		b.what = wire.Reasoning{Signature: data, Redacted: true}
		return
	}
	b := r.at(index, wire.Reasoning{})
	if s, ok := d.Get("signature").Text(); ok {
		p, _ := b.what.(wire.Reasoning)
		p.Signature += s
		b.what = p
	}
	r.add(b, d.Get("text").Str())
}

// add adds to a block. Any text counts as output of which a client may have seen part.
func (r *blockReader) add(b *block, more string) {
	if more == "" {
		return
	}
	r.partial = true
	b.text.WriteString(more)
	r.give(wire.Event{Op: wire.Delta, Part: b.part, What: b.what, Text: more, Tokens: wire.Tokens(more)})
}

// flush gives the ends of the blocks so far.
func (r *blockReader) flush() {
	for ; r.flushed < len(r.blocks); r.flushed++ {
		b := r.blocks[r.flushed]
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
		return wire.Text{Text: text}
	case wire.Reasoning:
		p.Text = text
		return p
	case wire.ToolCall:
		// A call without arguments has no delta, or an empty one.
		if p.Arguments = text; text == "" {
			p.Arguments = "{}"
		}
		return p
	case wire.Opaque:
		p.Raw = b.opaque.whole()
		return p
	}
	return b.what
}

func (r *blockReader) end() {
	r.flush()
	if r.guarded {
		r.stop = guardrail
	}
	r.give(wire.Event{Op: wire.ChoiceEnd, Stop: r.stop, Sequence: r.sequence})
	r.give(wire.Event{Op: wire.End, Usage: r.usage.usage()})
}
