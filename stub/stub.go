package stub

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// DefaultPriority is a stub's priority where it names none. Lower wins.
const DefaultPriority = 5

// Then says what a sequence of answers does after its last.
type Then string

// What comes after the last answer: it is repeated (the default), the sequence starts again, or nothing matches.
const (
	ThenLast  Then = "last"
	ThenCycle Then = "cycle"
	ThenFail  Then = "fail"
)

// Origin says where a stub came from; it breaks ties between stubs that are otherwise equal.
type Origin uint8

// The origins, in the order in which they are asked.
const (
	Runtime  Origin = iota // added by the admin API or by Go code while running
	File                   // read from a stub file
	WireMock               // read from a WireMock mapping file
)

// Source is where a stub stands in a file.
type Source struct {
	File         string
	Line, Column int
}

// String is "file:line:column", or "" for a stub of no file.
func (s Source) String() string {
	if s.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

// Stub answers the requests that meet all its conditions.
type Stub struct {
	// Name is said in the journal and in messages.
	Name   string
	Origin Origin
	Source Source
	// Kind is the kind of endpoint that it answers: chat by default.
	Kind wire.Kind
	// AnyKind lets a step of a script answer endpoints of every kind.
	AnyKind bool
	When    []Condition
	// Answers is a sequence; most stubs have one.
	Answers []Answer
	Then    Then
	// Times is how often the stub answers before it is used up; 0 is without end.
	Times int
	// Priority decides first which stub answers; lower wins. See DefaultPriority.
	Priority int
	// Delay comes before the status line.
	Delay time.Duration
	Pace  *Pace
	// EnforceLimits cuts an answer at the request's max_tokens and stop sequences, as the provider would.
	EnforceLimits bool
	// SignaturesAny accepts signatures that this server did not issue.
	SignaturesAny bool
}

// Title is the stub's name, else where it stands, else the key of its conditions.
func (s *Stub) Title() string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Source.File != "":
		return s.Source.String()
	}
	return fmt.Sprintf("a stub for %s%s", s.Kind, describe(s.When))
}

func describe(conditions []Condition) string {
	var b strings.Builder
	for _, c := range conditions {
		fmt.Fprintf(&b, ", %s %s", c.Key, c.Want)
	}
	return b.String()
}

// Weight is how many conditions the stub has, for "more conditions win".
func (s *Stub) Weight() int {
	n := 0
	for _, c := range s.When {
		n += c.Weight
	}
	return n
}

// Conditions are the stub's conditions and the one that goes without saying: a stub that names no tool result answers
// only where no tool result came since the user wrote.
func (s *Stub) Conditions() []Condition {
	if s.Kind != wire.Chat {
		return s.When
	}
	for _, c := range s.When {
		if c.Key == "afterTool" || c.Key == "toolResult" || c.Key == "turn" {
			return s.When
		}
	}
	return append(slices.Clip(s.When), noToolSince)
}

// Pace is how fast a stream goes. The zero value is "at once".
type Pace struct {
	// FirstToken is the time from the headers to the first token.
	FirstToken time.Duration
	// TokensPerSecond is the speed from then on; 0 is without delay.
	TokensPerSecond float64
	// Jitter is the largest part by which a gap may be longer or shorter: 0.2 is a fifth.
	Jitter float64
	// Chunk is how many runes of text an event carries; 0 is a word.
	Chunk int
}
