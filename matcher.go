package mimus

import (
	"regexp"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Matcher is a condition on a request.
type Matcher interface{ apply(*stub.Stub) }

type matcher func(*stub.Stub)

func (m matcher) apply(s *stub.Stub) { m(s) }

func when(c ...stub.Condition) Matcher {
	return matcher(func(s *stub.Stub) { s.When = append(s.When, c...) })
}

// About wants each text in the conversation: the system text, messages, tool calls and results, as a case-sensitive
// substring. JSON is searched as text and by its values.
func About(texts ...string) Matcher { return when(stub.About(texts...)...) }

// AfterTool wants the result of that tool to be the last since the user wrote. A stub without it answers only where no
// tool result came since.
func AfterTool(name string) Matcher { return when(stub.AfterTool(name)) }

// Wire wants a provider ("anthropic") or one of its endpoints ("openai.chat").
func Wire(name string) Matcher { return when(stub.Wire(name)) }

// Model wants a model's name; * stands for any text.
func Model(glob string) Matcher { return when(stub.Model(glob)) }

// Streamed wants a streamed answer to be asked for.
func Streamed() Matcher { return when(stub.Stream(true)) }

// Whole wants an answer in one piece to be asked for.
func Whole() Matcher { return when(stub.Stream(false)) }

// System wants a text in the system prompt.
func System(text string) Matcher { return when(stub.System(stub.Contains(text))) }

// User wants a text in what the user wrote last.
func User(text string) Matcher { return when(stub.User(stub.Contains(text))) }

// UserMatches wants what the user wrote last to match a regular expression.
func UserMatches(re *regexp.Regexp) Matcher { return when(stub.User(stub.Matches(re))) }

// Not wants that the matchers' conditions don't hold.
func Not(matchers ...Matcher) Matcher {
	var inner stub.Stub
	for _, m := range matchers {
		m.apply(&inner)
	}
	return when(stub.Not(inner.When...)...)
}

// Where wants what a function says.
func Where(name string, f func(*wire.Request) bool) Matcher { return when(stub.Func(name, f)) }

// Embeddings makes the stub answer requests for embeddings.
func Embeddings() Matcher { return matcher(func(s *stub.Stub) { s.Kind = wire.Embeddings }) }
