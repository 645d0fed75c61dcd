package openai

import (
	"io"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// stream reads chunks until [DONE], or until the end where every choice had its finish reason: not every server sends
// [DONE].
func (r *chatReader) stream(body io.Reader) {
	for event, err := range wire.ReadSSE(body) {
		if r.stopped || r.sawDone {
			return
		}
		if err != nil {
			r.fail(broken(err, r.partial()))
			return
		}
		r.chunk(event)
	}
	if r.stopped || r.sawDone {
		return
	}
	if !r.complete() {
		r.fail(wire.ErrIncomplete(r.partial()))
		return
	}
	r.end()
}

func (r *chatReader) partial() bool {
	for _, c := range r.choices {
		if c.said {
			return true
		}
	}
	return false
}

func (r *chatReader) complete() bool {
	for _, c := range r.choices {
		if !c.finished {
			return false
		}
	}
	return len(r.choices) > 0
}

func (r *chatReader) chunk(event wire.SSEEvent) {
	data := strings.TrimSpace(event.Data)
	if data == "" {
		return
	}
	if strings.HasPrefix(data, done) {
		r.sawDone = true
		r.finish()
		return
	}
	v, err := jsonx.Parse(data)
	if err != nil {
		f := unusable("an event is no JSON", err)
		f.PartialOutput = r.partial()
		r.fail(f)
		return
	}
	f := errorIn(v, []byte(data))
	if f == nil && event.Name == "error" {
		f = readError(0, nil, []byte(data))
	}
	if f != nil {
		f.PartialOutput = r.partial()
		r.fail(f)
		return
	}
	if id := v.Get("id").Str(); id != "" || v.Get("choices").Len() > 0 {
		// Azure's first chunk speaks of the prompt and has no id.
		r.begin(v)
	}
	if u := usageOf(v); u != nil {
		r.usage = u
	}
	for i, c := range v.Get("choices").Items() {
		r.delta(c, i)
	}
}

func (r *chatReader) delta(v jsonx.Value, position int) {
	c := r.choice(v, position)
	d := v.Get("delta")
	if !c.finished || !onlyRole(d) {
		r.message(c, d)
	}
	if word := v.Get("finish_reason").Str(); word != "" {
		c.finish, c.finished = word, true
	}
}

// onlyRole says that a delta after the finish adds nothing: OpenRouter repeats the finish chunk with the usage.
func onlyRole(d jsonx.Value) bool {
	return d.Get("content").Str() == "" && d.Get("tool_calls").Len() == 0 && reasoningText(d) == ""
}

// finish is what [DONE] means: all is well where each choice has ended.
func (r *chatReader) finish() {
	if !r.complete() {
		r.fail(wire.ErrIncomplete(r.partial()))
		return
	}
	r.end()
}
