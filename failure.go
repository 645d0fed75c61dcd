package mimus

import (
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Failure is an error answer, in each provider's own form. Its methods return changed copies.
type Failure struct{ e stub.Error }

func (f Failure) answer() stub.Answer {
	e := f.e
	return stub.Answer{Error: &e}
}

func failure(kind wire.FailureKind) Failure { return Failure{stub.Error{Kind: kind}} }

// RateLimited is "too many requests".
func RateLimited() Failure { return failure(wire.RateLimit) }

// QuotaExceeded is "no credit left": a retry won't help.
func QuotaExceeded() Failure { return failure(wire.Quota) }

// Overloaded is "try again later".
func Overloaded() Failure { return failure(wire.Overloaded) }

// Unauthorized is a wrong key.
func Unauthorized() Failure { return failure(wire.Auth) }

// ContextTooLong is a prompt that doesn't fit the model.
func ContextTooLong() Failure { return failure(wire.ContextLength) }

// ServerError is the provider's own fault.
func ServerError() Failure { return failure(wire.ServerError) }

// ContentFiltered is a prompt that the provider's policy refuses.
func ContentFiltered() Failure { return failure(wire.ContentFilter) }

// StatusError is any status, in the provider's error shape.
func StatusError(status int, message string) Failure {
	return Failure{stub.Error{Kind: wire.KindOfStatus(status), Status: status, Message: message}}
}

// RetryAfter says when the provider wants to be asked again, in the provider's place for it.
func (f Failure) RetryAfter(d time.Duration) Failure {
	f.e.RetryAfter = d
	return f
}

// Message replaces the provider's usual message.
func (f Failure) Message(text string) Failure {
	f.e.Message = text
	return f
}
