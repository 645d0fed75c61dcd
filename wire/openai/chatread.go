package openai

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"mime"
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads a chat answer of OpenAI or of any server that speaks like it.
func (chat) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		br := bufio.NewReader(body)
		if h.Status >= 300 {
			yield(wire.Event{}, readFailure(h, br))
			return
		}
		r := &chatReader{yield: yield}
		if isStream(h, br) {
			r.stream(br)
			return
		}
		r.whole(br)
	}
}

const maxBody = 64 << 20

// readFailure reads an error answer.
func readFailure(h *wire.ResponseHead, body io.Reader) *wire.Failure {
	text, err := io.ReadAll(io.LimitReader(body, maxBody))
	f := readError(h.Status, h.Header, text)
	if err != nil {
		f.Sent = wire.MaybeSent
	}
	return f
}

// isStream tells a stream from a whole body: by the content type, else by how the body begins.
func isStream(h *wire.ResponseHead, br *bufio.Reader) bool {
	kind, _, _ := mime.ParseMediaType(h.Header.Get("Content-Type"))
	switch kind {
	case "text/event-stream":
		return true
	case "application/json", "text/html":
		return false
	}
	begin, _ := br.Peek(64)
	begin = bytes.TrimLeft(begin, "\xEF\xBB\xBF \r\n\t")
	for _, field := range []string{"data:", "event:", ":", "id:", "retry:"} {
		if bytes.HasPrefix(begin, []byte(field)) {
			return true
		}
	}
	return false
}

// unusable is a failure to understand an answer.
func unusable(what string, err error) *wire.Failure {
	f := &wire.Failure{Kind: wire.Unusable, Message: what, Sent: wire.Completed}
	if err != nil {
		f.Message += ": " + err.Error()
	}
	return f
}

// broken is a connection that ended in the middle.
func broken(err error, partial bool) *wire.Failure {
	f := wire.ErrIncomplete(partial)
	f.Message += ": " + err.Error()
	return f
}

// chatReader turns an answer into events.
type chatReader struct {
	yield   func(wire.Event, error) bool
	stopped bool
	begun   bool
	choices []*readChoice
	usage   *wire.Usage
	sawDone bool
}

// readChoice is how far a choice was read.
type readChoice struct {
	index int
	parts int
	// open is the kind of the open text part, "" for none.
	open  string
	text  strings.Builder
	calls []*readCall
	// refused says that a refusal came.
	refused  bool
	finish   string
	finished bool
	said     bool
}

type readCall struct {
	key  int
	part int
	call wire.ToolCall
	args strings.Builder
}

func (r *chatReader) emit(e wire.Event) {
	if !r.stopped && !r.yield(e, nil) {
		r.stopped = true
	}
}

func (r *chatReader) fail(f *wire.Failure) {
	if !r.stopped {
		r.stopped = true
		r.yield(wire.Event{}, f)
	}
}

func (r *chatReader) begin(v jsonx.Value) {
	if r.begun {
		return
	}
	r.begun = true
	r.emit(wire.Event{Op: wire.Begin, Head: &wire.Head{ID: v.Get("id").Str(), Model: v.Get("model").Str()}})
}

func (r *chatReader) whole(body io.Reader) {
	text, err := io.ReadAll(io.LimitReader(body, maxBody))
	if err != nil {
		r.fail(broken(err, len(text) > 0))
		return
	}
	v, err := jsonx.ParseBytes(text)
	if err != nil {
		r.fail(unusable("the body is no JSON ("+plainText(string(text))+")", err))
		return
	}
	if f := errorIn(v, text); f != nil {
		r.fail(f)
		return
	}
	if v.Get("choices").Kind() != jsonx.Array {
		r.fail(unusable("the body has no choices", nil))
		return
	}
	r.begin(v)
	for i, c := range v.Get("choices").Items() {
		choice := r.choice(c, i)
		m := c.Get("message")
		r.message(choice, m)
		choice.finish, choice.finished = c.Get("finish_reason").Str(), true
	}
	r.usage = usageOf(v)
	r.end()
}

// errorIn finds an error in a 200 answer: in place of the answer, or beside it.
func errorIn(v jsonx.Value, raw []byte) *wire.Failure {
	e := v.Get("error")
	if v.Kind() == jsonx.Array {
		e = v.Index(0).Get("error")
	}
	flat := v.Get("object").Str() == "error"
	if !flat && (!e.Exists() || e.IsNull()) {
		return nil
	}
	f := readError(0, http.Header{}, raw)
	if n, ok := e.Get("status_code").Int(); ok {
		// Groq says the status that it would have sent.
		f.Status = int(n)
		f.Kind = failureKind(f)
	}
	return f
}

// choice finds a choice by its index.
func (r *chatReader) choice(v jsonx.Value, position int) *readChoice {
	index := position
	if n, ok := v.Get("index").Int(); ok && n >= 0 && n < 1024 {
		index = int(n)
	}
	for _, c := range r.choices {
		if c.index == index {
			return c
		}
	}
	c := &readChoice{index: index}
	r.choices = append(r.choices, c)
	return c
}

// message reads a message or a delta: both have the same fields.
func (r *chatReader) message(c *readChoice, m jsonx.Value) {
	if text := reasoningText(m); text != "" {
		r.say(c, "reasoning", text)
	} else if text := reasoningDetails(m.Get("reasoning_details")); text != "" {
		r.say(c, "reasoning", text)
	}
	content := m.Get("content")
	if s, ok := content.Text(); ok {
		r.say(c, "text", s)
	}
	for _, part := range content.Items() {
		switch part.Get("type").Str() {
		case "thinking":
			r.say(c, "reasoning", thinkingText(part))
		case "refusal":
			r.say(c, "refusal", part.Get("refusal").Str())
		default:
			r.say(c, "text", part.Get("text").Str())
		}
	}
	r.say(c, "refusal", m.Get("refusal").Str())
	for _, a := range m.Get("annotations").Items() {
		r.closeText(c)
		r.part(c, citationOf(a))
	}
	if audio := m.Get("audio"); audio.Kind() == jsonx.Object {
		r.audio(c, audio)
	}
	for i, call := range m.Get("tool_calls").Items() {
		r.call(c, call, i)
	}
	if fn := m.Get("function_call"); fn.Kind() == jsonx.Object {
		r.function(c, fn)
	}
}

func reasoningDetails(v jsonx.Value) string {
	var text strings.Builder
	for _, d := range v.Items() {
		text.WriteString(d.Get("text").Str())
		text.WriteString(d.Get("summary").Str())
	}
	return text.String()
}

// audio gives what was spoken as text: its sound is kept where the body has it whole.
func (r *chatReader) audio(c *readChoice, v jsonx.Value) {
	if data := v.Get("data").Str(); data != "" {
		r.closeText(c)
		r.part(c, wire.Media{Kind: "audio", Data: data, FileID: v.Get("id").Str()})
	}
	r.say(c, "text", v.Get("transcript").Str())
}

// part gives a part that comes in one piece.
func (r *chatReader) part(c *readChoice, p wire.Part) {
	c.said = true
	r.emit(wire.Event{Op: wire.PartStart, Choice: c.index, Part: c.parts, What: p})
	r.emit(wire.Event{Op: wire.PartEnd, Choice: c.index, Part: c.parts, What: p})
	c.parts++
}

// say adds text of a kind to the open part, or opens one.
func (r *chatReader) say(c *readChoice, kind, text string) {
	if text == "" {
		return
	}
	if c.open != kind {
		r.closeText(c)
		c.open = kind
		r.emit(wire.Event{Op: wire.PartStart, Choice: c.index, Part: c.parts, What: textPart(kind, "")})
	}
	c.said = true
	c.refused = c.refused || kind == "refusal"
	c.text.WriteString(text)
	r.emit(wire.Event{Op: wire.Delta, Choice: c.index, Part: c.parts, What: textPart(kind, ""), Text: text, Tokens: wire.Tokens(text)})
}

func textPart(kind, text string) wire.Part {
	switch kind {
	case "reasoning":
		return wire.Reasoning{Text: text}
	case "refusal":
		return wire.Refusal{Text: text}
	}
	return wire.Text{Text: text}
}

func (r *chatReader) closeText(c *readChoice) {
	if c.open == "" {
		return
	}
	r.emit(wire.Event{Op: wire.PartEnd, Choice: c.index, Part: c.parts, What: textPart(c.open, c.text.String())})
	c.open = ""
	c.text.Reset()
	c.parts++
}

// call reads a tool call, or a piece of one. Pieces are matched by index; a server that sends none sends whole calls,
// and several calls with the same index differ by id.
func (r *chatReader) call(c *readChoice, v jsonx.Value, position int) {
	r.closeText(c)
	id := v.Get("id").Str()
	name := toolCallOf(v).Name
	index, indexed := v.Get("index").Int()
	var found *readCall
	for i := len(c.calls) - 1; i >= 0 && found == nil; i-- {
		rc := c.calls[i]
		switch {
		case indexed && rc.key == int(index) && (id == "" || rc.call.ID == "" && name == "" || rc.call.ID == id):
			found = rc
		case !indexed && id != "" && rc.call.ID == id:
			found = rc
		case !indexed && id == "" && name == "":
			found = rc
		}
	}
	if found == nil {
		key := position
		if indexed {
			key = int(index)
		}
		found = &readCall{key: key, part: c.parts, call: toolCallOf(v)}
		args := found.call.Arguments
		found.call.Arguments = ""
		c.parts++
		c.said = true
		c.calls = append(c.calls, found)
		r.emit(wire.Event{Op: wire.PartStart, Choice: c.index, Part: found.part, What: found.call})
		r.arguments(c, found, args)
		return
	}
	r.arguments(c, found, toolCallOf(v).Arguments)
}

func (r *chatReader) arguments(c *readChoice, call *readCall, text string) {
	if text == "" {
		return
	}
	call.args.WriteString(text)
	r.emit(wire.Event{Op: wire.Delta, Choice: c.index, Part: call.part, What: call.call, Text: text, Tokens: wire.Tokens(text)})
}

// function reads the form of before tools: one call, without an id.
func (r *chatReader) function(c *readChoice, fn jsonx.Value) {
	r.closeText(c)
	if len(c.calls) == 0 {
		call := &readCall{part: c.parts, call: wire.ToolCall{Name: fn.Get("name").Str()}}
		c.parts++
		c.said = true
		c.calls = append(c.calls, call)
		r.emit(wire.Event{Op: wire.PartStart, Choice: c.index, Part: call.part, What: call.call})
	}
	r.arguments(c, c.calls[0], argumentsOf(fn.Get("arguments")))
}

// end closes all parts and choices.
func (r *chatReader) end() {
	for _, c := range r.choices {
		r.closeText(c)
		for _, call := range c.calls {
			call.call.Arguments = call.args.String()
			r.emit(wire.Event{Op: wire.PartEnd, Choice: c.index, Part: call.part, What: call.call})
		}
		r.emit(wire.Event{Op: wire.ChoiceEnd, Choice: c.index, Stop: stopOf(c.finish, c.refused)})
	}
	r.emit(wire.Event{Op: wire.End, Usage: r.usage})
}

// usageOf reads token counts wherever a server puts them.
func usageOf(v jsonx.Value) *wire.Usage {
	u := v.Get("usage")
	if u.Kind() != jsonx.Object {
		u = v.At("x_groq", "usage")
	}
	if u.Kind() != jsonx.Object {
		u = v.At("choices", 0, "usage") // Moonshot
	}
	if u.Kind() != jsonx.Object {
		return nil
	}
	count := func(path ...any) int {
		n, ok := u.At(path...).Int()
		if !ok || n < 0 || n > 1<<40 {
			return 0
		}
		return int(n)
	}
	out := wire.Usage{
		Input: count("prompt_tokens"), Output: count("completion_tokens"),
		CacheRead:  max(count("prompt_tokens_details", "cached_tokens"), count("prompt_cache_hit_tokens")),
		CacheWrite: count("prompt_tokens_details", "cache_write_tokens"),
		Reasoning:  max(count("completion_tokens_details", "reasoning_tokens"), count("reasoning_tokens")),
	}
	// xAI and Gemini count thoughts beside the completion: only the total holds them.
	if total := count("total_tokens"); total > out.Input+out.Output {
		out.Output = total - out.Input
	}
	return &out
}
