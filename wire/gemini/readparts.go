package gemini

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// reader makes events of messages. A stream has no terminal event but its end, so that what is open closes only there.
type reader struct {
	yield func(wire.Event, error) bool
	// stream says that a text goes on in the next message; in a whole answer each part is one.
	stream  bool
	stopped bool // nothing more is to be given

	begun   bool
	choices []*choice
	counts  usageReader
	blocked string
	partial bool
}

// choice is a candidate on its way.
type choice struct {
	index   int
	slots   []*slot
	flushed int // slots whose end was given
	// thought is the last thought with a text, while it has no signature.
	thought   *slot
	citations []wire.Citation
	metadata  [len(metadataKeys)]wire.Part
	calls     bool
	word      string
}

// slot is one part on its way.
type slot struct {
	part   int
	what   wire.Part
	text   strings.Builder
	args   *argument
	closed bool
}

func (r *reader) give(e wire.Event) {
	if !r.stopped && !r.yield(e, nil) {
		r.stopped = true
	}
}

func (r *reader) fail(f *wire.Failure) {
	if !r.stopped {
		r.stopped = true
		r.yield(wire.Event{}, f)
	}
}

func (r *reader) incomplete() {
	f := wire.ErrIncomplete(r.partial)
	f.Usage = r.usage()
	r.fail(f)
}

// message takes one message of a stream, or the whole answer.
func (r *reader) message(v jsonx.Value) {
	if v.Kind() != jsonx.Object {
		r.fail(unusable("want an object as the answer, got "+v.Kind().String(), r.partial, r.usage()))
		return
	}
	if e := v.Get("error"); e.Kind() == jsonx.Object {
		f := &wire.Failure{Sent: wire.Completed, PartialOutput: r.partial, Usage: r.usage()}
		readEnvelope(f, e)
		r.fail(f)
		return
	}
	r.counts.read(v.Get("usageMetadata"))
	if !r.begun {
		r.begun = true
		r.give(wire.Event{Op: wire.Begin, Head: &wire.Head{ID: v.Get("responseId").Str(), Model: v.Get("modelVersion").Str()}})
	}
	if reason := v.At("promptFeedback", "blockReason"); reason.Exists() {
		r.blocked = orElse(reason.Str(), "BLOCKED_REASON_UNSPECIFIED")
	}
	for _, c := range v.Get("candidates").Items() {
		r.candidate(c)
	}
}

func (r *reader) candidate(v jsonx.Value) {
	index, _ := v.Get("index").Int()
	if index < 0 || index >= mostChoices {
		return
	}
	for len(r.choices) <= int(index) {
		r.choices = append(r.choices, &choice{index: len(r.choices)})
	}
	c := r.choices[index]
	for _, p := range v.At("content", "parts").Items() {
		r.part(c, p)
	}
	for _, key := range [...]string{"citationSources", "citations"} {
		for _, item := range v.At("citationMetadata", key).Items() {
			c.citations = append(c.citations, citationOf(item))
		}
	}
	for i, key := range metadataKeys {
		if m := v.Get(key); m.Kind() == jsonx.Object {
			c.metadata[i] = wire.Opaque{Type: key, Raw: compact(m.Raw())}
		}
	}
	reason := v.Get("finishReason")
	if n, ok := reason.Int(); ok && n > 0 && n < int64(len(numbers)) {
		c.word = numbers[n]
	} else if word := reason.Str(); word != "" {
		c.word = word
	}
}

func (r *reader) part(c *choice, v jsonx.Value) {
	if call := v.Get("functionCall"); call.Kind() == jsonx.Object {
		if last := c.last(); last != nil && last.args != nil && !last.closed && !call.Get("name").Exists() {
			r.continued(c, last, call)
			return
		}
	}
	for _, p := range appendAnswerPart(nil, v) {
		switch p := p.(type) {
		case wire.Text:
			r.text(c, wire.Text{}, p.Text)
		case wire.Reasoning:
			r.reasoning(c, p)
		case wire.ToolCall:
			r.call(c, p, v.Get("functionCall"))
		default:
			r.closeLast(c)
			s := r.open(c, p)
			s.closed = true
			r.flush(c)
		}
	}
}

func (c *choice) last() *slot {
	if len(c.slots) == 0 {
		return nil
	}
	return c.slots[len(c.slots)-1]
}

// closeLast ends the part before, unless it is a thought that waits for its signature.
func (r *reader) closeLast(c *choice) {
	if s := c.last(); s != nil && s != c.thought {
		s.closed = true
		r.flush(c)
	}
}

func (r *reader) open(c *choice, what wire.Part) *slot {
	s := &slot{part: len(c.slots), what: what}
	c.slots = append(c.slots, s)
	start := what
	if call, ok := what.(wire.ToolCall); ok {
		call.Arguments = ""
		start = call
	}
	r.give(wire.Event{Op: wire.PartStart, Choice: c.index, Part: s.part, What: start})
	return s
}

// text adds to the text or thought that is open, or opens one.
func (r *reader) text(c *choice, what wire.Part, more string) {
	s := c.last()
	if s == nil || s.closed || !r.stream || !sameKind(s.what, what) {
		if more == "" {
			return
		}
		r.closeLast(c)
		s = r.open(c, what)
	}
	r.add(c, s, more)
}

func (r *reader) add(c *choice, s *slot, more string) {
	if more == "" {
		return
	}
	r.partial = true
	s.text.WriteString(more)
	r.give(wire.Event{Op: wire.Delta, Choice: c.index, Part: s.part, What: s.what, Text: more, Tokens: wire.Tokens(more)})
}

func sameKind(a, b wire.Part) bool {
	switch a.(type) {
	case wire.Text:
		_, ok := b.(wire.Text)
		return ok
	case wire.Reasoning:
		_, ok := b.(wire.Reasoning)
		return ok && !hidden(a) && !hidden(b)
	}
	return false
}

// reasoning takes a thought, or a signature: that of the thought before, if it has none yet, else that of one whose text
// nobody gave.
func (r *reader) reasoning(c *choice, p wire.Reasoning) {
	switch {
	case !p.Redacted:
		if s := c.last(); s == nil || s.closed || !r.stream || !sameKind(s.what, p) {
			if p.Text == "" && p.Signature == "" {
				return
			}
			r.release(c)
			r.closeLast(c)
			c.thought = r.open(c, wire.Reasoning{})
		}
		s := c.last()
		r.add(c, s, p.Text)
		if p.Signature != "" {
			r.signed(c, s, p.Signature)
		}
	case c.thought != nil:
		r.signed(c, c.thought, p.Signature)
	default:
		r.closeLast(c)
		s := r.open(c, p)
		s.closed = true
		r.flush(c)
	}
}

func (r *reader) signed(c *choice, s *slot, signature string) {
	s.what = wire.Reasoning{Signature: signature}
	s.closed = true
	c.thought = nil
	r.flush(c)
}

// release ends a thought that got no signature.
func (r *reader) release(c *choice) {
	if c.thought != nil {
		c.thought.closed = true
		c.thought = nil
		r.flush(c)
	}
}

// call takes a call, whole or the beginning of one whose arguments come piece by piece.
func (r *reader) call(c *choice, p wire.ToolCall, v jsonx.Value) {
	c.calls = true
	r.closeLast(c)
	s := r.open(c, p)
	if isTrue(v.Get("willContinue")) || v.Get("partialArgs").Exists() {
		s.args = &argument{form: object}
		r.continued(c, s, v)
		return
	}
	r.add(c, s, p.Arguments)
	r.partial, s.closed = true, true
	r.flush(c)
}

// continued takes pieces of arguments; the last has no willContinue.
func (r *reader) continued(c *choice, s *slot, v jsonx.Value) {
	r.partial = true
	for _, piece := range v.Get("partialArgs").Items() {
		if !s.args.set(piece) {
			r.fail(unusable("a piece of arguments has no place at "+piece.Get("jsonPath").Str(), r.partial, r.usage()))
			return
		}
	}
	if isTrue(v.Get("willContinue")) {
		return
	}
	r.add(c, s, string(s.args.append(nil)))
	s.closed = true
	r.flush(c)
}

// flush gives the ends of closed parts, in the order of their starts.
func (r *reader) flush(c *choice) {
	for c.flushed < len(c.slots) && c.slots[c.flushed].closed {
		s := c.slots[c.flushed]
		c.flushed++
		r.give(wire.Event{Op: wire.PartEnd, Choice: c.index, Part: s.part, What: s.whole()})
	}
}

// whole is the slot's part with all that came.
func (s *slot) whole() wire.Part {
	switch p := s.what.(type) {
	case wire.Text:
		p.Text = s.text.String()
		return p
	case wire.Reasoning:
		if !p.Redacted {
			p.Text = s.text.String()
		}
		return p
	case wire.ToolCall:
		p.Arguments = s.text.String()
		return p
	}
	return s.what
}

// end closes all: the answer is whole if the prompt was blocked or each candidate says why it ended.
func (r *reader) end() {
	if r.stopped {
		return
	}
	if r.blocked == "" {
		for _, c := range r.choices {
			if c.word == "" {
				r.incomplete()
				return
			}
		}
		if len(r.choices) == 0 {
			r.incomplete()
			return
		}
	}
	for _, c := range r.choices {
		r.endChoice(c)
	}
	end := wire.Event{Op: wire.End, Usage: r.usage()}
	if r.blocked != "" {
		end.Rest = &wire.Reply{Blocked: r.blocked}
	}
	r.give(end)
}

func (r *reader) endChoice(c *choice) {
	for _, s := range c.slots {
		if s.args != nil && !s.closed {
			r.add(c, s, string(s.args.append(nil)))
		}
		s.closed = true
	}
	r.flush(c)
	beside := make([]wire.Part, 0, len(c.citations))
	for _, p := range c.citations {
		beside = append(beside, p)
	}
	for _, p := range c.metadata {
		if p != nil {
			beside = append(beside, p)
		}
	}
	for _, p := range beside {
		r.open(c, p).closed = true
	}
	r.flush(c)
	r.give(wire.Event{Op: wire.ChoiceEnd, Choice: c.index, Stop: stopOf(c.word, c.calls)})
}

func (r *reader) usage() *wire.Usage { return r.counts.usage() }

// usageReader keeps the last counts that came: they are running totals.
type usageReader struct {
	prompt, tools, said, thought, cached int
	seen                                 bool
}

// read takes a usageMetadata. Counts of zero are left out on this wire, so that a message with any count replaces all.
func (u *usageReader) read(v jsonx.Value) {
	if !v.Get("promptTokenCount").Exists() && !v.Get("totalTokenCount").Exists() {
		return
	}
	count := func(name string) int {
		if n := intOf(v.Get(name)); n != nil && *n >= 0 && *n < 1<<40 {
			return int(*n)
		}
		return 0
	}
	*u = usageReader{
		prompt: count("promptTokenCount"), tools: count("toolUsePromptTokenCount"), said: count("candidatesTokenCount"),
		thought: count("thoughtsTokenCount"), cached: count("cachedContentTokenCount"), seen: true,
	}
}

// usage is nil where nothing was counted.
func (u *usageReader) usage() *wire.Usage {
	if !u.seen {
		return nil
	}
	return &wire.Usage{Input: u.prompt + u.tools, Output: u.said + u.thought, Reasoning: u.thought, CacheRead: u.cached}
}
