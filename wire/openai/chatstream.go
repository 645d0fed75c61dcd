package openai

import (
	"github.com/mimus-go/mimus/wire"
)

// done ends a chat stream.
const done = "[DONE]"

func (e *chatEncoder) stream(dst []wire.Frame, ev wire.Event) []wire.Frame {
	switch ev.Op {
	case wire.Begin:
		if l := e.p.l[filterChunkLayout]; l != nil && e.p.q.PromptFilter {
			dst = append(dst, e.frame(l, 0))
		}
	case wire.PartStart:
		dst = e.partStart(dst, ev)
	case wire.Delta:
		dst = e.partDelta(dst, ev)
	case wire.PartEnd:
		dst = e.partEnd(dst, ev)
	case wire.ChoiceEnd:
		dst = e.choiceEnd(dst, ev)
	case wire.End:
		dst = e.end(dst)
	}
	return dst
}

func (e *chatEncoder) partStart(dst []wire.Frame, ev wire.Event) []wire.Frame {
	st := e.choice(ev.Choice)
	switch what := ev.What.(type) {
	case wire.ToolCall:
		if st.holding {
			// A second call: the first is not alone.
			dst = e.release(dst, st, false)
		} else if !st.begun && !e.p.q.ToolLayoutAlone && e.p.l[roleToolLayout] != nil && e.p.q.Role == "chunk" && !e.p.q.ToolWhole {
			st.holding = true
		}
		if st.holding {
			st.held = append(st.held, ev)
			return dst
		}
		return e.callStart(dst, st, ev, what)
	case wire.Reasoning:
		dst = e.begin(dst, st, ev.Choice, roleReasoningLayout)
		st.reasoned = true
	case wire.Text, wire.Refusal, wire.Citation:
		dst = e.begin(dst, st, ev.Choice, roleLayout)
	}
	return dst
}

// begin sends the role, where it has a chunk of its own.
func (e *chatEncoder) begin(dst []wire.Frame, st *choiceState, choice, which int) []wire.Frame {
	if st.begun || e.p.q.Role != "chunk" {
		return dst
	}
	dst = e.beginEarlier(dst, choice)
	st.begun = true
	l := e.p.l[which]
	if l == nil {
		l = e.p.l[roleLayout]
	}
	return e.chunk(dst, st, &delta{layout: l, now: current{choice: choice}})
}

// beginEarlier lets the choices with lower numbers begin, whose first call was held back: openai-python 3.57 puts the
// choices of a stream together in the order in which they begin, and breaks where that is not the order of their numbers.
func (e *chatEncoder) beginEarlier(dst []wire.Frame, choice int) []wire.Frame {
	for i := range choice {
		if st := &e.choices[i]; st.holding {
			dst = e.release(dst, st, false)
		}
	}
	return dst
}

// callStart sends the head of a call, or nothing where calls are sent whole.
func (e *chatEncoder) callStart(dst []wire.Frame, st *choiceState, ev wire.Event, call wire.ToolCall) []wire.Frame {
	dst = e.begin(dst, st, ev.Choice, roleToolsLayout)
	st.called = true
	st.calls++
	if e.p.q.ToolWhole {
		return dst
	}
	call.Arguments = ""
	return e.callChunk(dst, st, ev, call, e.startLayout(call), st.calls-1, e.p.l[toolDeltaLayout])
}

func (e *chatEncoder) startLayout(call wire.ToolCall) *layout {
	if call.Custom {
		return e.p.l[customStartLayout]
	}
	return e.p.l[toolStartLayout]
}

func (e *chatEncoder) callChunk(dst []wire.Frame, st *choiceState, ev wire.Event, call wire.ToolCall, l *layout, index int, d *layout) []wire.Frame {
	return e.chunk(dst, st, &delta{layout: d, tokens: ev.Tokens, now: current{choice: ev.Choice, call: call, callIndex: index, callLayout: l}})
}

func (e *chatEncoder) partDelta(dst []wire.Frame, ev wire.Event) []wire.Frame {
	st := e.choice(ev.Choice)
	switch what := ev.What.(type) {
	case wire.ToolCall:
		if st.holding {
			st.held = append(st.held, ev)
			return dst
		}
		if e.p.q.ToolWhole {
			return dst
		}
		l := e.p.l[toolPieceLayout]
		if what.Custom {
			l = e.p.l[customPieceLayout]
		}
		what.Arguments = ev.Text
		return e.callChunk(dst, st, ev, what, l, st.calls-1, e.p.l[toolDeltaLayout])
	case wire.Reasoning:
		return e.chunk(dst, st, &delta{layout: e.p.l[reasoningLayout], tokens: ev.Tokens, now: current{choice: ev.Choice, reasoning: ev.Text}})
	case wire.Refusal:
		return e.chunk(dst, st, &delta{layout: e.p.l[refusalLayout], tokens: ev.Tokens, now: current{choice: ev.Choice, refusal: ev.Text, hasRefusal: true}})
	case wire.Text:
		l := e.p.l[textLayout]
		if after := e.p.l[textAfterReasoningLayout]; after != nil && st.reasoned {
			l = after
		}
		return e.chunk(dst, st, &delta{layout: l, tokens: ev.Tokens, now: current{choice: ev.Choice, text: ev.Text, hasText: true, filter: true}})
	}
	return dst
}

func (e *chatEncoder) partEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	st := e.choice(ev.Choice)
	switch what := ev.What.(type) {
	case wire.ToolCall:
		if st.holding {
			st.held = append(st.held, ev)
			return dst
		}
		if e.p.q.ToolWhole {
			l := e.p.l[toolWholeLayout]
			if l == nil || what.Custom {
				l = e.startLayout(what)
			}
			ev.Tokens = wire.Tokens(what.Arguments)
			return e.callChunk(dst, st, ev, what, l, st.calls-1, e.p.l[toolDeltaLayout])
		}
	case wire.Citation:
		return e.chunk(dst, st, &delta{layout: e.p.l[annotationsLayout], now: current{choice: ev.Choice, annotation: what.Raw}})
	}
	return dst
}

// release sends the first tool call, when it is known whether it is alone: OpenAI puts a single call's head into the
// chunk of the role (45 of 45 recorded), and gives several each their own (17 of 17).
func (e *chatEncoder) release(dst []wire.Frame, st *choiceState, alone bool) []wire.Frame {
	held := st.held
	st.held, st.holding = nil, false
	dst = e.beginEarlier(dst, held[0].Choice)
	for i, ev := range held {
		call, ok := ev.What.(wire.ToolCall)
		if i == 0 && alone && ok {
			st.begun, st.called, st.calls = true, true, 1
			call.Arguments = ""
			dst = e.callChunk(dst, st, ev, call, e.startLayout(call), 0, e.p.l[roleToolLayout])
			continue
		}
		if i == 0 && ok {
			dst = e.callStart(dst, st, ev, call)
			continue
		}
		dst = e.stream(dst, ev)
	}
	return dst
}

func (e *chatEncoder) choiceEnd(dst []wire.Frame, ev wire.Event) []wire.Frame {
	st := e.choice(ev.Choice)
	if st.holding {
		dst = e.release(dst, st, true)
	}
	dst = e.begin(dst, st, ev.Choice, roleLayout)
	if e.p.q.EmptyLast && st.calls == 0 {
		dst = e.chunk(dst, st, &delta{layout: e.p.l[textLayout], now: current{choice: ev.Choice, hasText: true}})
	}
	st.stop, st.ended = ev.Stop, true
	if e.finishWaits() {
		return dst
	}
	return e.finish(dst, st, ev.Choice, nil)
}

// finishWaits says that the finish chunk carries what is only known at the end.
func (e *chatEncoder) finishWaits() bool {
	switch e.p.q.Usage {
	case "finish", "both", "every":
		return true
	}
	return false
}

// finish sends the chunk that ends a choice.
func (e *chatEncoder) finish(dst []wire.Frame, st *choiceState, choice int, u *wire.Usage) []wire.Frame {
	dst = e.flushLate(dst, st)
	d := delta{layout: e.p.l[finishLayout], now: current{choice: choice, empty: true}}
	if l := e.p.l[finishAfterReasoningLayout]; l != nil && st.reasoned {
		d.layout = l
	}
	if l := e.p.l[finishAfterToolsLayout]; l != nil && st.called {
		d.layout = l
	}
	if st.waiting {
		d, st.waiting = st.pending, false
	}
	d.now.finish = e.finishReason(st)
	d.now.usage = u
	d.chunk = e.p.l[finishChunkLayout]
	if e.p.q.Usage == "again" && u != nil {
		d.chunk = e.p.l[usageChunkLayout]
	}
	dst = append(dst, e.deltaFrame(st, &d))
	if e.p.q.DoubleFinish {
		dst = append(dst, e.deltaFrame(st, &d))
	}
	return dst
}

func (e *chatEncoder) finishReason(st *choiceState) string {
	if e.p.q.FinishReason != "" {
		return e.p.q.FinishReason
	}
	return replaceWord(e.p.q.FinishReasons, finishWord(st.stop, e.functions))
}

func (e *chatEncoder) end(dst []wire.Frame) []wire.Frame {
	if e.ended {
		return dst
	}
	e.ended = true
	last := -1
	for i := range e.choices {
		if e.choices[i].ended {
			last = i
		}
	}
	if e.finishWaits() {
		for i := range e.choices {
			if st := &e.choices[i]; st.ended {
				var u *wire.Usage
				if i == last || e.p.q.Usage == "every" {
					u = e.usage
				}
				dst = e.finish(dst, st, i, u)
			}
		}
	}
	if e.usage != nil && (e.a.usage || e.p.q.UsageAlways) {
		switch e.p.q.Usage {
		case "again":
			if last >= 0 {
				dst = e.finish(dst, &e.choices[last], last, e.usage)
			}
		case "", "chunk", "both":
			dst = append(dst, e.usageFrame())
		}
	}
	if e.p.q.AsyncFilter {
		dst = append(dst, wire.Frame{Data: e.asyncFilter()})
	}
	if !e.p.q.NoDone {
		dst = append(dst, wire.Frame{Data: []byte(done)})
	}
	return dst
}

// chunk sends a delta, or keeps it back for a quirk.
func (e *chatEncoder) chunk(dst []wire.Frame, st *choiceState, d *delta) []wire.Frame {
	if d.layout.empty() {
		return dst
	}
	called := d.now.callLayout != nil
	switch {
	case e.p.q.ToolInterleave && called:
		for len(st.late) <= d.now.callIndex {
			st.late = append(st.late, nil)
		}
		st.late[d.now.callIndex] = append(st.late[d.now.callIndex], e.deltaFrame(st, d))
		return dst
	case e.p.q.ToolsFirst && d.now.hasText:
		st.early = append(st.early, e.deltaFrame(st, d))
		return dst
	}
	if e.p.q.FinishWithContent || e.p.q.FinishWithTools && called {
		if st.waiting {
			dst = append(dst, e.deltaFrame(st, &st.pending))
		}
		st.pending, st.waiting = *d, true
		return dst
	}
	return append(dst, e.deltaFrame(st, d))
}

// flushLate sends what quirks kept back: pieces of parallel calls in turn, then text.
func (e *chatEncoder) flushLate(dst []wire.Frame, st *choiceState) []wire.Frame {
	for more := true; more; {
		more = false
		for i := range st.late {
			if len(st.late[i]) > 0 {
				dst = append(dst, st.late[i][0])
				st.late[i] = st.late[i][1:]
				more = true
			}
		}
	}
	dst = append(dst, st.early...)
	st.early = nil
	return dst
}

// deltaFrame is one chunk about a choice.
func (e *chatEncoder) deltaFrame(st *choiceState, d *delta) wire.Frame {
	e.now = d.now
	e.now.delta = d.layout
	st.bytes += len(d.now.text)
	switch e.p.q.Role {
	case "first":
		e.now.role = !st.begun
		st.begun = true
	case "every":
		e.now.role = true
	}
	if e.p.q.Usage == "every" {
		st.tokens += d.tokens
		st.text.WriteString(d.now.text)
		if e.now.usage == nil {
			e.now.usage = e.running(st)
		}
	}
	l := d.chunk
	if l == nil {
		l = e.p.l[chunkLayout]
	}
	return e.frame(l, d.tokens)
}

// running is the usage so far.
func (e *chatEncoder) running(st *choiceState) *wire.Usage {
	u := wire.Usage{Output: st.tokens}
	if e.a.counted != nil {
		u.Input = e.a.counted.Input
	} else {
		u.Input = max(1, wire.TokensOf(e.c.Probe.Body))
	}
	return &u
}

// usageFrame is the chunk of token counts: OpenAI's has no choices.
func (e *chatEncoder) usageFrame() wire.Frame {
	e.now = current{usage: e.usage, choice: -1}
	if e.p.q.UsageChoices {
		e.now.choice, e.now.empty, e.now.delta = 0, true, e.p.l[finishLayout]
	}
	l := e.p.l[usageChunkLayout]
	if l == nil {
		l = e.p.l[chunkLayout]
	}
	return e.frame(l, 0)
}

// frame writes a chunk into the arena.
func (e *chatEncoder) frame(l *layout, tokens int) wire.Frame {
	const block, spare = 16 << 10, 768
	if cap(e.arena)-len(e.arena) < spare {
		e.arena = make([]byte, 0, block)
	}
	start := len(e.arena)
	if e.p.q.RotateIDs && e.chunks > 0 {
		e.id = e.p.responseID(e.c, e.chunks)
		e.prefix = nil
	}
	e.chunks++
	if l == e.p.l[chunkLayout] && l.steady > 0 {
		if e.prefix == nil {
			e.prefix = appendParts(nil, e, l.parts[:l.steady])
		}
		e.arena = append(e.arena, e.prefix...)
		e.arena = appendParts(e.arena, e, l.parts[l.steady:])
	} else {
		e.arena = l.append(e.arena, e)
	}
	return wire.Frame{Data: e.arena[start:len(e.arena):len(e.arena)], Tokens: tokens}
}

// Fail ends a stream with an error inside it: one event, and no [DONE].
func (e *chatEncoder) Fail(dst []wire.Frame, f *wire.Failure, _ int) []wire.Frame {
	w := e.p.words(e.c, f)
	values := &errorFiller{e.c, w}
	var data []byte
	switch e.p.q.StreamError {
	case "finish":
		e.now = current{finish: "error", delta: e.p.l[textLayout], hasText: true}
		data = e.p.l[chunkLayout].append(nil, e)
		data = append(data[:len(data)-1], `,"error":`...)
		data = append(e.p.l[streamErrorLayout].append(data, values), '}')
	case "empty":
		e.now = current{delta: e.p.l[textLayout], hasText: true}
		data = e.p.l[chunkLayout].append(nil, e)
	case "raw":
		e.now = current{delta: e.p.l[textLayout], hasText: true}
		data = e.p.l[chunkLayout].append(nil, e)
		data = e.p.errors[0].append(data[:len(data)/2], values)
	default:
		data = append(e.p.l[streamErrorLayout].append([]byte(`{"error":`), values), '}')
	}
	return append(dst, wire.Frame{Name: e.p.q.ErrorEvent, Data: data})
}
