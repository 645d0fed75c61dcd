package mimus

import (
	"regexp"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Matcher is a condition on a request. It knows what it wants, so that it can be counted and explained.
type Matcher interface{ apply(*stub.Stub) }

type matcher func(*stub.Stub)

func (m matcher) apply(s *stub.Stub) { m(s) }

func when(c ...stub.Condition) Matcher {
	return matcher(func(s *stub.Stub) { s.When = append(s.When, c...) })
}

// TextWanted is how a matcher says what a text must be: a string is a substring, case and all; [Exactly] is the whole
// text; and a regular expression must be found in it.
type TextWanted interface {
	string | Exactly | *regexp.Regexp
}

// Exactly is a whole text: mimus.Header("X-Team", mimus.Exactly("parcels")).
type Exactly string

func wanted[T TextWanted](want T) stub.Text {
	switch want := any(want).(type) {
	case *regexp.Regexp:
		return stub.Matches(want)
	case Exactly:
		return stub.Equals(string(want))
	case string:
		return stub.Contains(want)
	}
	return stub.Text{}
}

// About wants each text in the conversation: the system text, messages, tool calls and results. JSON is searched as text
// and by its values, so that an escaped text is found as it reads. For embeddings, the texts to embed are searched.
func About[T TextWanted](texts ...T) Matcher {
	conditions := make([]stub.Condition, len(texts))
	for i, text := range texts {
		conditions[i] = stub.AboutText(wanted(text))
	}
	return when(conditions...)
}

// AfterTool wants the result of that tool to be the last since the user wrote; [AnyTool] is whichever. A stub without it
// answers only where no tool result came since, unless it has [ToolResult].
func AfterTool(name string) Matcher { return when(stub.AfterTool(name)) }

// AnyTool is [AfterTool]'s name for "whichever tool".
const AnyTool = stub.AnyTool

// ToolResult wants a text in a tool result that came since the user wrote.
func ToolResult[T TextWanted](want T) Matcher { return when(stub.ToolResult(wanted(want))) }

// Offers wants the request to offer the model a tool of that name.
func Offers(tool string) Matcher { return when(stub.Tool(tool)) }

// Wire wants a provider ("anthropic") or one of its endpoints ("openai.chat").
func Wire(name string) Matcher { return when(stub.Wire(name)) }

// Model wants a model's name; * stands for any text, and ? for one character.
func Model(glob string) Matcher { return when(stub.Model(glob)) }

// Streamed wants a streamed answer to be asked for.
func Streamed() Matcher { return when(stub.Stream(true)) }

// Whole wants an answer in one piece to be asked for.
func Whole() Matcher { return when(stub.Stream(false)) }

// System wants a text in the system prompt.
func System[T TextWanted](want T) Matcher { return when(stub.System(wanted(want))) }

// User wants a text in what the user wrote last.
func User[T TextWanted](want T) Matcher { return when(stub.User(wanted(want))) }

// Header wants one of the request's header lines of that name to be as said.
func Header[T TextWanted](name string, want T) Matcher {
	return when(stub.Header(name, wanted(want)))
}

// Query wants one of the values of that name in the request's query to be as said.
func Query[T TextWanted](name string, want T) Matcher { return when(stub.Query(name, wanted(want))) }

// Not wants that none of the matchers' conditions holds.
func Not(matchers ...Matcher) Matcher {
	var inner stub.Stub
	for _, m := range matchers {
		m.apply(&inner)
	}
	return when(stub.Not(inner.When...)...)
}

// All joins matchers into one, for [Exchange].
func All(matchers ...Matcher) Matcher {
	return matcher(func(s *stub.Stub) {
		for _, m := range matchers {
			m.apply(s)
		}
	})
}

// Where wants what a function says; the name is for messages. The function is called on goroutines of the mock, and must
// not change the request. It counts as one condition.
func Where(name string, f func(*wire.Request) bool) Matcher { return when(stub.Func(name, f)) }

// Embeddings makes a stub answer requests for embeddings, and lets [Mock.Asked] look at those.
func Embeddings() Matcher { return matcher(func(s *stub.Stub) { s.Kind = wire.Embeddings }) }

// ModelLists makes a stub answer requests for lists of models, and lets [Mock.Asked] look at those.
func ModelLists() Matcher { return matcher(func(s *stub.Stub) { s.Kind = wire.Models }) }
