package mimus

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// describe says in a few words what an answer is.
func describe(a *stub.Answer) string {
	switch {
	case a.Reject != nil:
		return "a rejected call: " + a.Reject.Error()
	case a.Error != nil && a.Error.AfterEvents == nil:
		return "the failure " + a.Error.Failure().Error()
	case a.Make != nil:
		return "a function of the request"
	case a.Growing != nil:
		return "a stream by hand"
	case a.Raw != nil:
		return "raw bytes " + quoted(strings.Join(a.Raw.Chunks, ""))
	case a.Embedding != nil:
		return "an embedding"
	case a.Models != nil:
		return "the models " + strings.Join(a.Models, ", ")
	case a.Blocked != "":
		return "a blocked prompt"
	}
	var words []string
	for _, c := range a.Choices {
		for _, p := range c.Parts {
			words = append(words, describePart(p))
		}
	}
	if len(words) == 0 {
		return "an empty answer"
	}
	return strings.Join(words, ", ")
}

func describePart(p wire.Part) string {
	switch p := p.(type) {
	case wire.Text:
		return "the text " + quoted(p.Text)
	case wire.Refusal:
		return "the refusal " + quoted(p.Text)
	case wire.Reasoning:
		return "reasoning"
	case wire.ToolCall:
		return "a call of " + p.Name
	case wire.Opaque:
		return "a block of type " + p.Type
	}
	return "a part"
}

// quoted is a text in quotes, of at most 60 characters.
func quoted(s string) string { return strconv.Quote(shortened(s, 60)) }

func shortened(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
