package stub

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Condition is one thing that a request must be.
type Condition struct {
	// Key is the word of the stub file: "about".
	Key string
	// Want says in words what is wanted, for messages.
	Want string
	// Weight is how many conditions it counts as: 1, or 0 where it hardly narrows.
	Weight int
	// Anchor is a text that the conversation must hold, where that is part of the condition: stubs are found by it.
	Anchor string
	// Label is a plain fact that the request must show, where that is part of the condition: stubs without an Anchor are
	// found by it.
	Label Label
	Match func(*wire.Request) bool
	// Got says in words what the request has instead; nil where that is not worth saying.
	Got func(*wire.Request) string
}

// Label is a plain fact of a request: the value that a field of it has.
type Label struct {
	Of    Field
	Value string
}

// Field is what a Label is about. Its zero value is nothing.
type Field uint8

// The fields that stubs are found by.
const (
	OfModel     Field = iota + 1 // the model's name
	OfWire                       // the endpoint ("openai.chat") or the provider ("openai")
	OfTool                       // one of the tools that the request offers
	OfAfterTool                  // the tool whose result is the last since the user wrote
)

// About wants each text in the conversation, as a case-sensitive substring. See [wire.Request.Conversation].
func About(texts ...string) []Condition {
	conditions := make([]Condition, len(texts))
	for i, text := range texts {
		conditions[i] = AboutText(Contains(text))
	}
	return conditions
}

// AboutText wants the conversation to hold a text.
func AboutText(t Text) Condition {
	c := Condition{
		Key: "about", Want: t.String(), Weight: 1,
		Match: func(r *wire.Request) bool { return t.Match(r.Conversation()) },
		Got:   func(r *wire.Request) string { return quoteShort(r.LastUser()) },
	}
	c.Anchor = t.anchor()
	return c
}

// AnyTool is AfterTool's name for "whichever tool".
const AnyTool = "any"

// AfterTool wants that the last tool result since the user wrote is of that tool, or of any with [AnyTool].
func AfterTool(name string) Condition {
	c := Condition{
		Key: "afterTool", Want: strconv.Quote(name), Weight: 1,
		Match: func(r *wire.Request) bool {
			got, ok := r.AfterTool()
			return ok && (got == name || name == AnyTool && got != "")
		},
		Got: gotTool,
	}
	if name != AnyTool {
		c.Label = Label{OfAfterTool, name}
	}
	return c
}

var noToolSince = Condition{
	Key: "afterTool", Want: "none: no tool result since the user wrote",
	Match: func(r *wire.Request) bool { _, ok := r.AfterTool(); return !ok },
	Got:   gotTool,
}

func gotTool(r *wire.Request) string {
	name, ok := r.AfterTool()
	switch {
	case !ok:
		return "no tool result since the user wrote"
	case name == "":
		return "the result of a call that is not known"
	}
	return strconv.Quote(name)
}

// Wire wants a provider ("openai") or one of its endpoints ("openai.chat").
func Wire(name string) Condition {
	return Condition{
		Key: "wire", Want: strconv.Quote(name), Weight: 1, Label: Label{OfWire, name},
		Match: func(r *wire.Request) bool { return r.Endpoint == name || r.Provider == name },
		Got:   func(r *wire.Request) string { return strconv.Quote(r.Endpoint) },
	}
}

// Model wants a model's name; * stands for any text, ? for one character.
func Model(glob string) Condition {
	c := Condition{
		Key: "model", Want: strconv.Quote(glob), Weight: 1,
		Match: func(r *wire.Request) bool { return Glob(glob, r.Model) },
		Got:   func(r *wire.Request) string { return strconv.Quote(r.Model) },
	}
	switch {
	case glob == "*":
		c.Weight = 0
	case !strings.ContainsAny(glob, "*?"):
		c.Label = Label{OfModel, glob}
	}
	return c
}

// Stream wants a streamed answer to be asked for, or not.
func Stream(want bool) Condition {
	return Condition{
		Key: "stream", Want: strconv.FormatBool(want), Weight: 1,
		Match: func(r *wire.Request) bool { return r.Stream == want },
		Got:   func(r *wire.Request) string { return strconv.FormatBool(r.Stream) },
	}
}

// System wants a text in the system prompt.
func System(t Text) Condition {
	return Condition{
		Key: "system", Want: t.String(), Weight: 1, Anchor: t.anchor(),
		Match: func(r *wire.Request) bool { return t.Match(r.System) },
		Got:   func(r *wire.Request) string { return quoteShort(r.System) },
	}
}

// User wants a text in what the user wrote last.
func User(t Text) Condition {
	return Condition{
		Key: "user", Want: t.String(), Weight: 1, Anchor: t.anchor(),
		Match: func(r *wire.Request) bool { return t.Match(r.LastUser()) },
		Got:   func(r *wire.Request) string { return quoteShort(r.LastUser()) },
	}
}

// Func wants what a function says; name is for messages.
func Func(name string, match func(*wire.Request) bool) Condition {
	return Condition{Key: "func", Want: name, Weight: 1, Match: match}
}

// Not wants that none of the conditions holds.
func Not(conditions ...Condition) []Condition {
	out := make([]Condition, len(conditions))
	for i, c := range conditions {
		out[i] = Condition{
			Key: "not", Want: c.Key + " " + c.Want, Weight: 1, Got: c.Got,
			Match: func(r *wire.Request) bool { return !c.Match(r) },
		}
	}
	return out
}

func quoteShort(s string) string {
	const most = 120
	n := 0
	for i := range s { // not []rune(s): a conversation may be megabytes long
		if n++; n > most {
			s = s[:i] + "…"
			break
		}
	}
	return fmt.Sprintf("%q", strings.TrimSpace(s))
}
