package wire

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Conversation is the text that `about` is looked for in: the system text, then each message's text, calls (name and
// arguments) and results, oldest first, history included; for embeddings, the inputs. Pieces are separated by a line
// end. A piece that is JSON is followed by the strings, numbers and booleans in it, at any depth, and those of JSON
// inside its strings, so that an escaped text is found as it reads.
//
// What a continued request is about is what the model would see: earlier inputs and answers, and the current
// instructions. It is made once, on the first call.
func (r *Request) Conversation() string {
	r.once.Do(func() {
		var b strings.Builder
		b.Grow(r.size())
		r.writeConversation(&b)
		text := b.String()
		r.conversation = func() string { return text }
	})
	return r.conversation()
}

func (r *Request) size() int {
	if r.Probe == nil {
		return 256
	}
	return len(r.Probe.Body)
}

func (r *Request) writeConversation(b *strings.Builder) {
	searchable(b, r.System)
	writeHistory(b, r.History)
	writeMessages(b, r.Messages)
	for _, text := range r.Inputs {
		searchable(b, text)
	}
}

func writeHistory(b *strings.Builder, t *Turn) {
	if t == nil {
		return
	}
	writeHistory(b, t.Before)
	if t.Request != nil {
		writeMessages(b, t.Request.Messages)
	}
	if t.Answer != nil {
		writeMessages(b, []Message{{Role: Assistant, Parts: t.Answer.Parts}})
	}
}

func writeMessages(b *strings.Builder, messages []Message) {
	for _, m := range messages {
		searchable(b, m.Text())
		for _, p := range m.Parts {
			switch p := p.(type) {
			case ToolCall:
				searchable(b, p.Name)
				searchable(b, p.Arguments)
			case ToolResult:
				searchable(b, p.Text)
			}
		}
	}
}

// Text is the message's text and refusals, joined by line ends.
func (m Message) Text() string {
	var one string
	var parts []string
	for _, p := range m.Parts {
		var s string
		switch p := p.(type) {
		case Text:
			s = p.Text
		case Refusal:
			s = p.Text
		default:
			continue
		}
		if one == "" && parts == nil {
			one = s
			continue
		}
		if parts == nil {
			parts = []string{one}
		}
		parts = append(parts, s)
	}
	if parts == nil {
		return one
	}
	return strings.Join(parts, "\n")
}

const maxNestedJSON = 16

func searchable(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	b.WriteString(text)
	b.WriteByte('\n')
	expand(b, text, 0)
}

// expand adds the values of a text that is JSON.
func expand(b *strings.Builder, text string, depth int) {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if depth > maxNestedJSON || trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' {
		return
	}
	v, err := jsonx.Parse(trimmed)
	if err != nil {
		return
	}
	expandValue(b, v, depth)
}

func expandValue(b *strings.Builder, v jsonx.Value, depth int) {
	switch v.Kind() {
	case jsonx.String:
		s := v.Str()
		b.WriteString(s)
		b.WriteByte('\n')
		expand(b, s, depth+1)
	case jsonx.Number, jsonx.Bool:
		b.WriteString(v.Raw())
		b.WriteByte('\n')
	case jsonx.Array:
		for _, item := range v.Items() {
			expandValue(b, item, depth)
		}
	case jsonx.Object:
		for _, member := range v.Members() {
			expandValue(b, member, depth)
		}
	}
}
