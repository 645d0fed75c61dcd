package mimus

import (
	"context"
	"errors"
	"net"

	"github.com/mimus-go/mimus/wire"
)

// FailureOf is the failure that a client gets from a reply, without a call: what the codec's own reader makes of it, or
// nil where the reply is an answer. An answer that the provider's filter ended is a failure too, and so is a blocked
// prompt. It fails where [Lower] does.
func FailureOf(codec wire.Codec, r Replier) (*wire.Failure, error) {
	if r != nil {
		if err := r.reply().answer.Reject; err != nil {
			return notSent(err), nil
		}
	}
	l, err := Lower(codec, r)
	if err != nil {
		return nil, err
	}
	got, err := wire.Fold(codec.Read(&wire.ResponseHead{Status: l.Status, Header: l.Header, Request: l.request}, l.body()))
	var f *wire.Failure
	switch {
	case err == nil:
		return got.Failure(), nil
	case errors.As(err, &f):
		return f, nil
	}
	return &wire.Failure{Kind: wire.Unusable, Message: err.Error(), Sent: wire.Completed}, nil
}

// notSent is the failure of a call that never left.
func notSent(err error) *wire.Failure {
	f := &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.NotSent}
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		f.Kind = wire.Canceled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.Kind = wire.Timeout
	}
	return f
}
