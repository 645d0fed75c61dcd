package aws

import (
	"errors"
	"io"
	"mime"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Streams tells an event stream by its content type; where that says nothing, by what was asked.
func Streams(h *wire.ResponseHead) bool {
	kind, _, _ := mime.ParseMediaType(h.Header.Get("Content-Type"))
	switch kind {
	case awsstream.ContentType:
		return true
	case JSON:
		return false
	}
	return h.Request != nil && h.Request.Stream
}

// ReadFailure reads an error answer. The exception's name is in the header, else in the body.
func ReadFailure(h *wire.ResponseHead, body []byte) *wire.Failure {
	f := &wire.Failure{Status: h.Status, Sent: wire.Completed, Code: bareName(h.Header.Get("X-Amzn-Errortype"))}
	if v, err := jsonx.ParseBytes(body); err != nil {
		f.Message = strings.TrimSpace(string(body))
	} else {
		readBody(f, v)
	}
	if ms, err := strconv.ParseInt(h.Header.Get("X-Amz-Retry-After"), 10, 64); err == nil && ms > 0 && ms < 1<<31 {
		f.RetryAfter = time.Duration(ms) * time.Millisecond
	}
	f.Kind = kindOf(f)
	return f
}

// readBody reads the message, and the name where no header gave it.
func readBody(f *wire.Failure, v jsonx.Value) {
	for _, key := range [...]string{"message", "Message"} {
		if s, ok := v.Get(key).Text(); ok {
			f.Message = s
			break
		}
	}
	for _, key := range [...]string{"__type", "code"} {
		if f.Code == "" {
			f.Code = bareName(v.Get(key).Str())
		}
	}
}

// bareName takes an exception's name out of "Name:http://…" and "com.amazon#Name".
func bareName(s string) string {
	s, _, _ = strings.Cut(s, ":")
	return s[strings.LastIndexByte(s, '#')+1:]
}

// ReadException is the failure in a message of a stream, or nil where it is an event.
func ReadException(m awsstream.Message) *wire.Failure {
	f := &wire.Failure{Sent: wire.Completed}
	switch m.Get(":message-type") {
	case "exception":
		f.Code = m.Get(":exception-type")
		v, err := jsonx.ParseBytes(m.Payload)
		if err != nil {
			f.Message = strings.TrimSpace(string(m.Payload))
			break
		}
		readBody(f, v)
		if status, ok := v.Get("originalStatusCode").Int(); ok && status >= 400 && status < 600 {
			f.Kind = wire.KindOfStatus(int(status))
		}
	case "error":
		f.Code, f.Message = m.Get(":error-code"), m.Get(":error-message")
	default:
		return nil
	}
	if f.Code != "" {
		f.Code = strings.ToUpper(f.Code[:1]) + f.Code[1:]
	}
	if f.Kind == "" {
		f.Kind = kindOf(f)
	}
	return f
}

// kindOf goes by the exception's name, then by its words: a ValidationException can be many things.
func kindOf(f *wire.Failure) wire.FailureKind {
	kind := wire.FailureKind("")
	switch name := f.Code; name {
	case "ValidationException":
		kind = wire.Invalid
	default:
		for _, u := range failures {
			if u.name == name {
				kind = u.kind
			}
		}
		for _, m := range more {
			if m.name == name {
				kind = m.kind
			}
		}
	}
	if kind == "" {
		if kind = wire.ServerError; f.Status != 0 {
			kind = wire.KindOfStatus(f.Status)
		}
	}
	lower := strings.ToLower(f.Message)
	has := func(s string) bool { return strings.Contains(lower, s) }
	switch kind {
	case wire.RateLimit:
		if has("per day") {
			return wire.Quota
		}
	case wire.Permission:
		if has("authentication failed") || has("invalid api key") || has("authorization header is missing") {
			return wire.Auth
		}
	case wire.Invalid:
		return validationKind(has)
	}
	return kind
}

// validationKind tells the kinds of what is not valid by what the message has.
func validationKind(has func(string) bool) wire.FailureKind {
	switch {
	case has("input is too long"), has("prompt is too long"), has("input tokens exceeded"), has("exceed context limit"):
		return wire.ContextLength
	case has("'body' failed to satisfy constraint") && has("less than or equal to"):
		return wire.TooLarge
	case has("content filtering policy"):
		return wire.ContentFilter
	case has("security token included"), has("authentication failed"):
		return wire.Auth
	case has("don't have access to the model"):
		return wire.Permission
	case has("could not resolve the foundation model"), has("model identifier is invalid"):
		return wire.NotFound
	}
	return wire.Invalid
}

// Broken is a stream that could not be read on: the connection broke, or a frame is wrong.
func Broken(err error, partial bool, u *wire.Usage) *wire.Failure {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		// A client that reads whole frames sees no more of it than that the stream ended.
		f := wire.ErrIncomplete(partial)
		f.Usage = u
		return f
	}
	f := &wire.Failure{Kind: wire.Transport, Message: err.Error(), Sent: wire.MaybeSent, PartialOutput: partial, Usage: u}
	if strings.HasPrefix(f.Message, "awsstream: ") {
		f.Kind, f.Sent = wire.Unusable, wire.Completed
	}
	return f
}
