package openai

import (
	"bytes"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Fail ends a stream with an error inside it: an error event with the error nested in it, then response.failed, as
// recorded in 2025 and 2026. The published schema's flat event, alone, is a quirk; and the codes that say what became
// of the response, not of the request, travel in response.failed alone.
func (e *respEncoder) Fail(dst []wire.Frame, f *wire.Failure, sent int) []wire.Frame {
	w := e.p.words(e.c, f)
	code := respFailCode(f, w)
	e.w.next = sent
	e.w.frames = e.w.frames[:min(sent, len(e.w.frames))]
	e.closed, e.status = true, "failed"
	e.usage, e.incomplete = nil, ""
	e.failed = append(jsonx.AppendString(append(jsonx.AppendString([]byte(`{"code":`), code), `,"message":`...), w.message), '}')
	e.forgetUnsent()
	mode := e.p.q.responses.Error
	if mode == "" && respResponseCode(code) {
		mode = "failed"
	}
	switch mode {
	case "flat":
		return e.w.emit(dst, respEvent{
			name: "error", has: respKeys(rkCode, rkMessage, rkParam),
			flat: &respFlatError{code: code, message: w.message, param: w.param},
		})
	case "failed":
	default:
		dst = e.w.emit(dst, respEvent{name: "error", has: respKeys(rkError), raw: respNestedError(w, code)})
	}
	st := e.failedState()
	st.stream = true
	return e.response(dst, "response.failed", &st)
}

// failedState is the response when it failed: nothing of its output is kept, and no usage is counted (recorded 2026).
func (e *respEncoder) failedState() respState {
	return respState{status: "failed", failure: e.failed, lay: e.w.lay}
}

// respFlatError is the error of the published schema, which has no object of its own.
type respFlatError struct{ code, message, param string }

func respNestedError(w errorWords, code string) []byte {
	b := jsonx.AppendString([]byte(`{"type":`), orElse(w.kind, "server_error"))
	b = jsonx.AppendString(append(b, `,"code":`...), code)
	b = jsonx.AppendString(append(b, `,"message":`...), w.message)
	b = append(b, `,"param":`...)
	if w.param == "" {
		b = append(b, "null"...)
	} else {
		b = jsonx.AppendString(b, w.param)
	}
	return append(b, '}')
}

// respFailCode is the code inside a stream, which is never null.
func respFailCode(f *wire.Failure, w errorWords) string {
	switch {
	case w.code != "":
		return w.code
	case f.Kind == wire.Overloaded:
		return "server_is_overloaded"
	case f.Kind == wire.ContentFilter:
		return "invalid_prompt"
	}
	return "server_error"
}

// respResponseCode says whether a code is one of the response object's own (openai-openapi, ResponseErrorCode, Aug
// 2026), and not one of an HTTP error too.
func respResponseCode(code string) bool {
	switch code {
	case "data_residency_mismatch", "bio_policy", "misalignment_policy_violation", "vector_store_timeout", "invalid_image",
		"invalid_image_format", "invalid_base64_image", "invalid_image_url", "image_too_large", "image_too_small",
		"image_parse_error", "image_content_policy_violation", "invalid_image_mode", "image_file_too_large",
		"unsupported_image_media_type", "empty_image_file", "failed_to_download_image", "image_file_not_found":
		return true
	}
	return false
}

// forgetUnsent makes what is remembered what was said before the failure.
func (e *respEncoder) forgetUnsent() {
	e.items = nil
	e.folder = wire.Folder{}
	if !e.w.keep {
		return
	}
	var b bytes.Buffer
	framing := wire.SSE{}
	for i, f := range e.w.frames {
		b.Write(framing.Append(nil, f, i))
	}
	for ev, err := range (responsesCodec{}).Read(&wire.ResponseHead{Status: 200}, &b) {
		if err != nil {
			break
		}
		e.folder.Add(ev)
	}
}
