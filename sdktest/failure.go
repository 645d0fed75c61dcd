package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"syscall"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// fail adds to what a stream had told before that it ended with a failure.
func (o *outcome) fail(f outcome) { o.failure, o.symptom, o.err = f.failure, f.symptom, f.err }

// openAIFailure reads an error of openai-go: what the provider said, or the symptom of what broke.
func openAIFailure(err error) outcome {
	if status, ok := errors.AsType[*openai.Error](err); ok {
		return outcome{err: err, failure: &failure{
			Status: status.StatusCode, Type: status.Type, Code: status.Code, Param: status.Param, Message: status.Message,
		}}
	}
	if inside, ok := errors.AsType[*ssestream.StreamError](err); ok {
		var body struct {
			Error struct{ Type, Code, Param, Message string }
		}
		if json.Unmarshal(inside.Event.Data, &body) != nil {
			return outcome{err: err, symptom: "an error inside the stream that is no object"}
		}
		return outcome{err: err, failure: &failure{
			InStream: true, Type: body.Error.Type, Code: body.Error.Code, Param: body.Error.Param, Message: body.Error.Message,
		}}
	}
	return outcome{err: err, symptom: symptom(err)}
}

// anthropicFailure reads an error of anthropic-sdk-go. An error inside a stream is the same type with status 200.
func anthropicFailure(err error) outcome {
	if status, ok := errors.AsType[*anthropic.Error](err); ok {
		f := &failure{Status: status.StatusCode, Type: string(status.Type()), Code: string(status.ErrorCode()), Message: status.Message}
		if f.Status == 200 {
			f.Status, f.InStream = 0, true
		}
		return outcome{err: err, failure: f}
	}
	return outcome{err: err, symptom: symptom(err)}
}

// symptom is the neutral word for what a client sees of a breakage.
func symptom(err error) string {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, syscall.ECONNRESET):
		return "reset"
	case strings.Contains(err.Error(), "responses with content-type"):
		return "wrong content type"
	case strings.Contains(err.Error(), "checksum mismatch"):
		return "bad checksum"
	case strings.Contains(err.Error(), "parsing response json"), strings.Contains(err.Error(), "unexpected token at offset"):
		return "bad json"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "truncated"
	case errors.Is(err, io.EOF):
		return "no answer"
	case errors.As(err, &syntax), strings.Contains(err.Error(), "unexpected end of JSON input"):
		return "bad json"
	}
	return "other: " + err.Error()
}
