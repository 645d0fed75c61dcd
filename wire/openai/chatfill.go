package openai

import (
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// fill gives the values of all chat layouts.
func (e *chatEncoder) fill(dst []byte, s slot) ([]byte, bool) {
	n := &e.now
	switch s {
	case slotID:
		return jsonx.AppendString(dst, e.id), true
	case slotCreated:
		return strconv.AppendInt(dst, e.created, 10), true
	case slotModel:
		return jsonx.AppendString(dst, e.model), true
	case slotTier:
		if e.family.search {
			return dst, false
		}
		return jsonx.AppendString(dst, e.tier), true
	case slotFingerprint:
		if e.fingerprint == "" && !e.family.search {
			return dst, false
		}
		return jsonx.AppendString(dst, e.fingerprint), true
	case slotChoices:
		return e.fillChoices(dst), true
	case slotUsage, slotUsageIfAsked:
		return e.fillUsage(dst, s)
	case slotObfuscation:
		if e.a.plain {
			return dst, false
		}
		return e.fillObfuscation(dst), true
	case slotPad:
		return e.fillPad(dst)
	case slotFilter:
		return append(dst, e.filterResults()...), true
	case slotRequestID:
		return jsonx.AppendString(dst, requestID(e.c)), true
	case slotUUID, slotHexID:
		return jsonx.AppendString(dst, traceID(e.c, s)), true
	case slotXGroq:
		return e.fillGroq(dst)
	}
	if s <= slotLogprobs {
		return e.fillChoice(dst, s)
	}
	if s <= slotAnnotations {
		return e.fillMessage(dst, s)
	}
	switch s {
	case slotCallIndex:
		switch e.p.q.ToolIndex {
		case "omit":
			return dst, false
		case "zero":
			return append(dst, '0'), true
		}
		return appendInt(dst, n.callIndex+e.p.q.ToolIndexBase), true
	case slotCallID:
		return jsonx.AppendString(dst, n.call.ID), true
	case slotCallName:
		return jsonx.AppendString(dst, n.call.Name), true
	case slotArguments:
		if e.p.q.ArgumentsObject && jsonx.Valid(n.call.Arguments) {
			return jsonx.AppendCompact(dst, n.call.Arguments), true
		}
		return jsonx.AppendString(dst, n.call.Arguments), true
	}
	return dst, false
}

func (e *chatEncoder) fillUsage(dst []byte, s slot) ([]byte, bool) {
	u := e.now.usage
	if u == nil {
		if s == slotUsageIfAsked && e.streams && e.a.usage {
			return append(dst, "null"...), true
		}
		return dst, false
	}
	l := e.p.l[usageLayout]
	if e.streams {
		l = e.p.l[streamUsageLayout]
	}
	return l.append(dst, &usageFiller{u, e.p.q.ReasoningApart}), true
}

// usageFiller gives the counts of a usage layout.
type usageFiller struct {
	u     *wire.Usage
	apart bool
}

func (f *usageFiller) fill(dst []byte, s slot) ([]byte, bool) {
	u := f.u
	switch s {
	case slotPrompt:
		return appendInt(dst, u.Input), true
	case slotCompletion:
		if f.apart {
			return appendInt(dst, u.Output-u.Reasoning), true
		}
		return appendInt(dst, u.Output), true
	case slotTotal:
		return appendInt(dst, u.Input+u.Output), true
	case slotCached:
		return appendInt(dst, u.CacheRead), true
	case slotUncached:
		return appendInt(dst, u.Input-u.CacheRead), true
	case slotCacheWrite:
		if u.CacheWrite == 0 {
			return dst, false
		}
		return appendInt(dst, u.CacheWrite), true
	case slotCacheWriteCount:
		return appendInt(dst, u.CacheWrite), true
	case slotThought:
		return appendInt(dst, u.Reasoning), true
	case slotThoughtDetails:
		if u.Reasoning == 0 {
			return dst, false
		}
		return append(appendInt(append(dst, `{"reasoning_tokens":`...), u.Reasoning), '}'), true
	case slotCachedDetails:
		if u.CacheRead == 0 {
			return dst, false
		}
		return append(appendInt(append(dst, `{"cached_tokens":`...), u.CacheRead), '}'), true
	}
	return dst, false
}

// fillGroq is Groq's own object: with the request's id on the first chunk and in a whole answer, and with the usage where
// a choice ends (recorded 2026-02).
func (e *chatEncoder) fillGroq(dst []byte) ([]byte, bool) {
	const seed = `,"seed":1322261444`
	u := e.now.usage
	if e.streams && e.chunks > 1 && u == nil {
		return dst, false
	}
	dst = jsonx.AppendString(append(dst, `{"id":`...), requestID(e.c))
	if !e.streams || u == nil {
		return append(append(dst, seed...), '}'), true
	}
	dst = append(dst, `,"usage":`...)
	dst = e.p.l[streamUsageLayout].append(dst, &usageFiller{u, e.p.q.ReasoningApart})
	return append(dst, '}'), true
}

// fillObfuscation pads an event with 0 to 15 characters, so that its length says nothing of its text.
func (e *chatEncoder) fillObfuscation(dst []byte) []byte {
	dst = append(dst, '"')
	dst = wire.AppendRandom(dst, &e.rng, wire.Base62, int(e.rng.Uint64()>>60))
	return append(dst, '"')
}

const padAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

// fillPad is Mistral's padding: the beginning of the alphabet, in each chunk but the first (recorded 2025-09 and later).
func (e *chatEncoder) fillPad(dst []byte) ([]byte, bool) {
	if e.chunks == 1 {
		return dst, false
	}
	n := 1 + e.rng.Uint64()%uint64(len(padAlphabet))
	return append(append(append(dst, '"'), padAlphabet[:n]...), '"'), true
}

func (e *chatEncoder) fillChoices(dst []byte) []byte {
	if e.streams {
		dst = append(dst, '[')
		if e.now.choice >= 0 {
			l := e.p.l[chunkChoiceLayout]
			if f := e.p.l[finishChoiceLayout]; f != nil && e.now.finish != "" {
				l = f
			}
			dst = l.append(dst, e)
		}
		return append(dst, ']')
	}
	usage := e.now.usage
	dst = append(dst, '[')
	n := 0
	for i := range e.choices {
		st := &e.choices[i]
		if !st.ended {
			continue
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		n++
		dst = e.line(dst, 2)
		e.now = current{choice: i, answer: &st.answer, finish: e.finishReason(st)}
		e.collect() // before any key: some speakers send logprobs before the message
		dst = e.p.l[choiceLayout].append(dst, e)
	}
	e.now = current{usage: usage}
	if n > 0 {
		dst = e.line(dst, 1)
	}
	return append(dst, ']')
}

func (e *chatEncoder) line(dst []byte, depth int) []byte {
	if e.p.indent == "" || e.streams {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, e.p.indent...)
	}
	return dst
}

func (e *chatEncoder) fillChoice(dst []byte, s slot) ([]byte, bool) {
	n := &e.now
	switch s {
	case slotIndex:
		return appendInt(dst, n.choice), true
	case slotMessage:
		return e.p.l[messageLayout].append(dst, e), true
	case slotDelta:
		return n.delta.append(dst, e), true
	case slotFinish:
		if n.finish == "" {
			return dst, false
		}
		return jsonx.AppendString(dst, n.finish), true
	case slotNativeFinish:
		if n.finish == "" {
			return dst, false
		}
		return jsonx.AppendString(dst, replaceWord(e.p.q.NativeFinishReasons, n.finish)), true
	case slotLogprobs:
		if e.family.quiet {
			return dst, false
		}
		return e.fillLogprobs(dst), true
	}
	return dst, false
}

// collect makes the values of a choice of the parts of its answer.
func (e *chatEncoder) collect() {
	n := &e.now
	for _, p := range n.answer.Parts {
		switch p := p.(type) {
		case wire.Text:
			n.text, n.hasText = n.text+p.Text, true
		case wire.Refusal:
			n.refusal, n.hasRefusal = n.refusal+p.Text, true
		case wire.Reasoning:
			n.reasoning += p.Text
		}
	}
}

func (e *chatEncoder) fillMessage(dst []byte, s slot) ([]byte, bool) {
	n := &e.now
	switch s {
	case slotRole:
		if !n.role {
			return dst, false
		}
		return append(dst, `"assistant"`...), true
	case slotText:
		if n.answer != nil && !n.hasText && (n.hasRefusal || hasCalls(n.answer)) {
			return dst, false
		}
		return e.fillText(dst), true
	case slotTextIfAny:
		return e.fillText(dst), true
	case slotTextSoFar:
		return jsonx.AppendString(dst, e.choice(n.choice).text.String()), true
	case slotRefusal:
		if !n.hasRefusal {
			return dst, false
		}
		return jsonx.AppendString(dst, n.refusal), true
	case slotReasoning:
		if n.reasoning == "" {
			return dst, false
		}
		return jsonx.AppendString(dst, n.reasoning), true
	case slotToolCalls:
		return e.fillCalls(dst)
	case slotToolCallsOrNone:
		if !hasCalls(n.answer) {
			return append(dst, "[]"...), true
		}
		return e.fillCalls(dst)
	case slotFunctionCall:
		return e.fillFunctionCall(dst)
	case slotAnnotations:
		return e.fillAnnotations(dst), true
	}
	return dst, false
}

// fillText writes the text: a string, or the list of parts that Mistral's reasoning models send.
func (e *chatEncoder) fillText(dst []byte) []byte {
	n := &e.now
	if e.p.q.Reasoning != "parts" || n.answer == nil || n.reasoning == "" {
		return jsonx.AppendString(dst, n.text)
	}
	dst = append(dst, `[{"type":"thinking","thinking":[{"type":"text","text":`...)
	dst = append(jsonx.AppendString(dst, n.reasoning), "}]}"...)
	if n.hasText {
		dst = append(dst, `,{"type":"text","text":`...)
		dst = append(jsonx.AppendString(dst, n.text), '}')
	}
	return append(dst, ']')
}

func hasCalls(a *wire.Answer) bool {
	if a == nil {
		return false
	}
	for _, p := range a.Parts {
		if _, ok := p.(wire.ToolCall); ok {
			return true
		}
	}
	return false
}

func (e *chatEncoder) fillCalls(dst []byte) ([]byte, bool) {
	n := &e.now
	if e.functions {
		return dst, false
	}
	if n.answer == nil {
		if n.callLayout == nil {
			return dst, false
		}
		return append(n.callLayout.append(append(dst, '['), e), ']'), true
	}
	if !hasCalls(n.answer) {
		return dst, false
	}
	dst = append(dst, '[')
	n.callIndex = 0
	for _, p := range n.answer.Parts {
		call, ok := p.(wire.ToolCall)
		if !ok {
			continue
		}
		if n.callIndex > 0 {
			dst = append(dst, ',')
		}
		dst = e.line(dst, 5)
		n.call = call
		l := e.p.l[toolCallLayout]
		if call.Custom {
			l = e.p.l[customCallLayout]
		}
		dst = l.append(dst, e)
		n.callIndex++
	}
	return append(e.line(dst, 4), ']'), true
}

// fillFunctionCall is the call in the form of before tools.
func (e *chatEncoder) fillFunctionCall(dst []byte) ([]byte, bool) {
	n := &e.now
	if !e.functions {
		return dst, false
	}
	if n.answer == nil {
		if n.callLayout == nil {
			return dst, false
		}
		if n.callLayout == e.p.l[toolStartLayout] {
			dst = jsonx.AppendString(append(dst, `{"name":`...), n.call.Name)
			dst = append(dst, `,"arguments":`...)
		} else {
			dst = append(dst, `{"arguments":`...)
		}
		return append(jsonx.AppendString(dst, n.call.Arguments), '}'), true
	}
	for _, p := range n.answer.Parts {
		if call, ok := p.(wire.ToolCall); ok {
			n.call = call
			return e.p.l[functionCallLayout].append(dst, e), true
		}
	}
	return dst, false
}

func (e *chatEncoder) fillAnnotations(dst []byte) []byte {
	dst = append(dst, '[')
	if e.now.answer == nil {
		return append(append(dst, e.now.annotation...), ']')
	}
	n := 0
	for _, p := range e.now.answer.Parts {
		c, ok := p.(wire.Citation)
		if !ok {
			continue
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		n++
		dst = append(e.line(dst, 5), c.Raw...)
	}
	if n > 0 {
		dst = e.line(dst, 4)
	}
	return append(dst, ']')
}
