package ollama

import (
	"strconv"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// usual is how the server, or its cloud, words a kind of failure.
type usual struct {
	kind    wire.FailureKind
	status  int
	message string
}

const (
	stopped  = "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"
	tooLong  = "the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length"
	inputBig = "the input length exceeds the context length"
	busy     = "server busy, please try again.  maximum pending requests exceeded"
	cloudOff = "ollama cloud is disabled: remote model is unavailable"
	signIn   = "https://ollama.com/connect?name=mimus&key=c3NoLWVkMjU1MTkgQUFBQQ"
)

// failures has one line a kind, in the order of wire.FailureKinds. What counts requests is only in the cloud: its quota is
// worded as github.com/continuedev/continue issue 11444 quotes it (Mar 2026). There is no filter of content, no limit of a
// body but Go's, and a model that takes too long to load ends as a server error.
var failures = [...]usual{
	{wire.RateLimit, 429, "too many concurrent requests"},
	{wire.Quota, 429, "you (mimus) have reached your session usage limit, upgrade for higher limits: https://ollama.com/upgrade"},
	{wire.Overloaded, 503, busy},
	{wire.ContextLength, 400, tooLong},
	{wire.Auth, 401, "unauthorized"},
	{wire.Permission, 403, cloudOff},
	{wire.NotFound, 404, ""},
	{wire.Invalid, 400, "invalid request"},
	{wire.TooLarge, 413, "http: request body too large"},
	{wire.ContentFilter, 400, "the request was blocked by a content filter"},
	{wire.Timeout, 500, "timed out waiting for llama-server to start - context deadline exceeded"},
	{wire.ServerError, 500, stopped},
}

// refusal is an error as it travels.
type refusal struct {
	kind    wire.FailureKind
	status  int
	message string
}

// refusalOf fills what a failure leaves out.
func refusalOf(c *wire.Call, f *wire.Failure) refusal {
	x := refusal{kind: f.Kind, status: f.Status, message: f.Message}
	u := usualOf(f)
	if x.kind == "" {
		x.kind = u.kind
	}
	if x.status == 0 {
		x.status = u.status
	}
	if x.message == "" {
		x.message = u.message
	}
	if x.message == "" {
		x.message = notFound(c)
	}
	return x
}

func usualOf(f *wire.Failure) usual {
	kind := f.Kind
	for range 2 {
		for _, u := range failures {
			if u.kind == kind {
				return u
			}
		}
		if kind = wire.ServerError; f.Status != 0 {
			kind = wire.KindOfStatus(f.Status)
		}
	}
	return failures[len(failures)-1]
}

// notFound words a missing model.
func notFound(c *wire.Call) string {
	model := ""
	if c.Request != nil {
		model = c.Request.Model
	}
	if quirksOf(c).OldNotFound {
		return "model " + strconv.Quote(model) + " not found, try pulling it first"
	}
	return "model '" + model + "' not found"
}

// Refuse is the server's error answer.
func (inference) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

// refuse answers {"error":"text"}. An error of the model, which comes where a stream was about to begin, has no charset.
func refuse(c *wire.Call, f *wire.Failure) wire.Response {
	x := refusalOf(c, f)
	kind := jsonType
	if x.kind == wire.ServerError && c.Request != nil && c.Request.Stream {
		kind = plainJSON
	}
	return wire.Response{
		Status: x.status, Header: hints(wire.Header{{Name: "Content-Type", Value: kind}}, f), Body: appendError(nil, x),
	}
}

const plainJSON = "application/json"

func appendError(b []byte, x refusal) []byte {
	b = appendString(append(b, `{"error":`...), x.message)
	if x.status == 401 {
		b = appendString(append(b, `,"signin_url":`...), signIn)
	}
	return append(b, '}')
}

// The rules of failures that the pipeline makes.
const (
	noStub      = "no-stub"
	wrongMethod = "wrong-method"
	unknownPath = "unknown-path"
)

// hints adds what a client may go by when it decides to try again.
func hints(h wire.Header, f *wire.Failure) wire.Header {
	if f.Rule == noStub {
		h = append(h, wire.Field{Name: "X-Mimus-Reason", Value: noStub}, wire.Field{Name: "X-Should-Retry", Value: "false"})
	}
	if f.RetryAfter > 0 {
		seconds := (f.RetryAfter + time.Second - 1) / time.Second
		h = append(h, wire.Field{Name: "Retry-After", Value: strconv.FormatInt(int64(seconds), 10)})
	}
	return h
}

// refuseStray answers where no endpoint does: gin's plain texts for a path or a method that it does not know.
func refuseStray(p *wire.Probe, f *wire.Failure) wire.Response {
	h := wire.Header{{Name: "Content-Type", Value: "text/plain"}}
	switch f.Rule {
	case unknownPath:
		return wire.Response{Status: 404, Header: h, Body: []byte("404 page not found")}
	case wrongMethod:
		if f.Param != "" {
			h = append(h, wire.Field{Name: "Allow", Value: f.Param})
		}
		return wire.Response{Status: 405, Header: h, Body: []byte("405 method not allowed")}
	}
	return refuse(&wire.Call{Probe: p}, f)
}
