package openai

import (
	"slices"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// ruleToolPairs is about calls without an output, and outputs without a call.
func ruleToolPairs(r *ruling) {
	if !respStrict(r.c) {
		return
	}
	p := respPairs{answered: map[string]bool{}}
	p.history(r.c.Request.History)
	for _, m := range r.c.Request.Messages {
		if id := p.message(m); id != "" {
			r.refuse("input", "", "No tool call found for function call output with call_id %s.", id)
			return
		}
	}
	for _, id := range p.calls {
		if !p.answered[id] {
			r.refuse("input", "", "No tool output found for function call %s.", id)
			return
		}
	}
}

// respPairs matches calls with their outputs.
type respPairs struct {
	calls    []string
	answered map[string]bool
}

func (p *respPairs) history(t *wire.Turn) {
	if t == nil {
		return
	}
	p.history(t.Before)
	if t.Request != nil {
		for _, m := range t.Request.Messages {
			p.message(m)
		}
	}
	if t.Answer != nil {
		p.message(wire.Message{Parts: t.Answer.Parts})
	}
}

// message takes one message, and gives the id of an output without a call.
func (p *respPairs) message(m wire.Message) string {
	orphan := ""
	for _, part := range m.Parts {
		switch part := part.(type) {
		case wire.ToolCall:
			p.calls = append(p.calls, part.ID)
		case wire.ToolResult:
			p.answered[part.ID] = true
			if orphan == "" && !slices.Contains(p.calls, part.ID) {
				orphan = part.ID
			}
		}
	}
	return orphan
}

// ruleThoughts holds a thought and what it led to together, in both directions, as far as they were stored here.
func ruleThoughts(r *ruling) {
	if !respStrict(r.c) {
		return
	}
	items := respNativeOf(r.c).items
	thoughts := map[string]bool{}
	for i, item := range items {
		id := item.value.Get("id").Str()
		if item.typ == "reasoning" {
			thoughts[id] = true
			if id != "" && !respFollows(items[i+1:]) {
				r.refuse("input", "", "Item '%s' of type 'reasoning' was provided without its required following item.", id)
				return
			}
			continue
		}
		if thought := respThoughtOf(r.c, id); thought != "" && !thoughts[thought] {
			r.refuse("input", "", "Item '%s' of type '%s' was provided without its required 'reasoning' item: '%s'.", id, item.typ, thought)
			return
		}
	}
}

// respFollows says whether the next item is one that the model made.
func respFollows(rest []respInputItem) bool {
	if len(rest) == 0 {
		return false
	}
	next := rest[0]
	if next.typ == "message" {
		return next.value.Get("role").Str() == "assistant"
	}
	return !strings.HasSuffix(next.typ, "_output")
}
