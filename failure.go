package mimus

import (
	"net/textproto"
	"strconv"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Failure is an error answer, in each provider's own form. Its methods return changed copies.
type Failure struct{ a stub.Answer }

func (f Failure) reply() given { return given{answer: f.a, any: true} }

func failure(e stub.Error) Failure { return Failure{stub.Answer{Error: &e}} }

func (f Failure) edit(change func(*stub.Error)) Failure {
	e := *f.a.Error
	change(&e)
	f.a.Error = &e
	return f
}

// RateLimited is "too many requests".
func RateLimited() Failure { return failure(stub.Error{Kind: wire.RateLimit}) }

// QuotaExceeded is "no credit left": a retry won't help, although several providers say it with the status of a rate
// limit.
func QuotaExceeded() Failure { return failure(stub.Error{Kind: wire.Quota}) }

// Overloaded is "try again later": 529 from Anthropic, 503 from others.
func Overloaded() Failure { return failure(stub.Error{Kind: wire.Overloaded}) }

// Unauthorized is a wrong key.
func Unauthorized() Failure { return failure(stub.Error{Kind: wire.Auth}) }

// ContextTooLong is a prompt that doesn't fit the model.
func ContextTooLong() Failure { return failure(stub.Error{Kind: wire.ContextLength}) }

// ServerError is the provider's own fault.
func ServerError() Failure { return failure(stub.Error{Kind: wire.ServerError}) }

// StatusError is any status, in the provider's error shape.
func StatusError(status int, message string) Failure {
	return failure(stub.Error{Kind: wire.KindOfStatus(status), Status: status, Message: message})
}

// failureOfCode is a failure that is known by the provider's own code.
func failureOfCode(code, message string) Failure {
	return failure(stub.Error{Kind: wire.KindOfCode(code), Code: code, Message: message})
}

// RetryAfter says when the provider wants to be asked again, in the provider's place for it: a header, in whole seconds
// rounded up, or the RetryInfo of Google's errors.
func (f Failure) RetryAfter(d time.Duration) Failure {
	if d <= 0 {
		// "At once" is a hint too, which a Failure's zero is not.
		return f.Header("Retry-After", strconv.FormatInt(wholeSeconds(d), 10))
	}
	return f.edit(func(e *stub.Error) { e.RetryAfter = d })
}

// Message replaces the provider's usual message.
func (f Failure) Message(text string) Failure {
	return f.edit(func(e *stub.Error) { e.Message = text })
}

// Code replaces the provider's usual code.
func (f Failure) Code(code string) Failure { return f.edit(func(e *stub.Error) { e.Code = code }) }

// Header adds a header to the provider's, or replaces it.
func (f Failure) Header(name, value string) Failure {
	f.a.Headers = f.a.Headers.Set(textproto.CanonicalMIMEHeaderKey(name), value)
	return f
}

// Delay waits before the status line.
func (f Failure) Delay(d time.Duration) Failure {
	f.a.Delay = d
	return f
}
