package wire

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// FailureKind says what went wrong, in words that no provider owns.
type FailureKind string

// The kinds of failure.
const (
	RateLimit     FailureKind = "rate_limit"
	Quota         FailureKind = "quota"
	Overloaded    FailureKind = "overloaded"
	ContextLength FailureKind = "context_length"
	Auth          FailureKind = "auth"
	Permission    FailureKind = "permission"
	NotFound      FailureKind = "not_found"
	Invalid       FailureKind = "invalid_request"
	TooLarge      FailureKind = "too_large"
	ContentFilter FailureKind = "content_filter"
	Timeout       FailureKind = "timeout"
	ServerError   FailureKind = "server"
	Transport     FailureKind = "transport"
	Unusable      FailureKind = "unusable_response"
	Canceled      FailureKind = "canceled"
)

// FailureKinds lists the kinds that a provider can send, in the order of the documentation.
func FailureKinds() []FailureKind {
	return []FailureKind{RateLimit, Quota, Overloaded, ContextLength, Auth, Permission, NotFound, Invalid, TooLarge, ContentFilter, Timeout, ServerError}
}

// Sent says how far a failed request got.
type Sent uint8

// How far a request got: a request that MaybeSent may have cost tokens; Completed means that the provider answered.
const (
	NotSent Sent = iota
	MaybeSent
	Completed
)

// Failure is an answer that is none. As a thing to send, a zero field takes the provider's usual value for the Kind; as
// a thing that was read, the fields say what came. It is an error.
type Failure struct {
	Kind FailureKind
	// Code, Type and Param are the provider's own words, where its envelope has such fields.
	Code, Type, Param string
	Message           string
	Status            int
	// RetryAfter is the provider's hint; 0 is none.
	RetryAfter time.Duration
	// Rule names the rule that a refused request broke, "no-stub" where nothing matched.
	Rule string

	Sent          Sent
	PartialOutput bool
	Usage         *Usage
}

// Error is one line: kind, status, code and message.
func (f *Failure) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Kind))
	if f.Status != 0 {
		fmt.Fprintf(&b, " (%d", f.Status)
		if f.Code != "" {
			b.WriteString(" " + f.Code)
		}
		b.WriteString(")")
	} else if f.Code != "" {
		b.WriteString(" (" + f.Code + ")")
	}
	if f.Message != "" {
		b.WriteString(": " + f.Message)
	}
	return b.String()
}

// ErrNotOnWire says that a wire cannot carry what it was given. Errors of Fit wrap it.
var ErrNotOnWire = errors.New("not on this wire")

// ErrIncomplete says that an answer that was read ended before its terminal event. Failures of kind Transport that a
// reader gives for it have Rule "incomplete".
func ErrIncomplete(partial bool) *Failure {
	return &Failure{Kind: Transport, Rule: "incomplete", Message: "the answer ended before its terminal event", Sent: MaybeSent, PartialOutput: partial}
}

// Violation is a rule of the provider that a request breaks.
type Violation struct {
	Rule string
	// Sure is false where the rule is a guess, which a lenient configuration may skip.
	Sure bool
	*Failure
}

// KindOfStatus is the kind that an HTTP status stands for where nothing else is known.
func KindOfStatus(status int) FailureKind {
	switch status {
	case 401:
		return Auth
	case 402:
		return Quota
	case 403:
		return Permission
	case 404:
		return NotFound
	case 408, 504:
		return Timeout
	case 413:
		return TooLarge
	case 429:
		return RateLimit
	case 503, 529:
		return Overloaded
	}
	if status >= 500 {
		return ServerError
	}
	return Invalid
}
