package openai

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// errStopped says that nobody wants more events.
var errStopped = errors.New("openai: stopped reading")

// Read turns an answer of the Responses API back into events, of OpenAI or of anyone who speaks like it.
func (responsesCodec) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		r := respReader{yield: yield}
		br := bufio.NewReader(body)
		var err error
		if h.Status >= 400 || respIsWhole(br) {
			err = r.whole(h, br)
		} else {
			err = r.stream(br)
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(wire.Event{}, err)
		}
	}
}

// respIsWhole says whether a body is one JSON document, whatever the header says: proxies answer streams by whole bodies.
func respIsWhole(br *bufio.Reader) bool {
	for {
		b, err := br.ReadByte()
		if err != nil {
			return false
		}
		if b == ' ' || b == '\n' || b == '\r' || b == '\t' {
			continue
		}
		if br.UnreadByte() != nil {
			return false
		}
		return b == '{' || b == '['
	}
}

// respReader gives the events of one answer.
type respReader struct {
	yield func(wire.Event, error) bool
	// parts counts those that began; said, whether any said something.
	parts int
	said  bool
	begun bool
	// answer is the parts so far, for the natural stop.
	answer []wire.Part
	// open are the items of a stream that are not done, by output index.
	open map[int]*respOpenItem
	// seen are the output indexes that had events.
	seen map[int]bool
}

func (r *respReader) event(e wire.Event) error {
	if !r.yield(e, nil) {
		return errStopped
	}
	return nil
}

func (r *respReader) begin(response jsonx.Value) error {
	if r.begun {
		return nil
	}
	r.begun = true
	e := wire.Event{Op: wire.Begin}
	if id := response.Get("id").Str(); id != "" {
		e.Head = &wire.Head{ID: id, Model: response.Get("model").Str()}
	}
	return r.event(e)
}

// whole reads a unary answer, or an error.
func (r *respReader) whole(h *wire.ResponseHead, body io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
	if err != nil {
		return respBroken(err, r.said)
	}
	if h.Status >= 400 {
		return readError(h.Status, h.Header, text)
	}
	v, err := jsonx.ParseBytes(text)
	if err != nil || v.Kind() != jsonx.Object {
		return &wire.Failure{Kind: wire.Unusable, Status: h.Status, Message: "the answer is no JSON object", Sent: wire.Completed}
	}
	if !v.Get("output").Exists() && !v.Get("status").Exists() {
		f := readError(h.Status, h.Header, text)
		if f.Message == "" {
			f.Kind, f.Message = wire.Unusable, "the answer is no response object"
		}
		return f
	}
	if err := r.begin(v); err != nil {
		return err
	}
	for _, item := range v.Get("output").Items() {
		if err := r.item(item); err != nil {
			return err
		}
	}
	return r.finish(v, v.Get("status").Str())
}

// respBroken is a connection that failed while the answer was read.
func respBroken(err error, partial bool) *wire.Failure {
	f := wire.ErrIncomplete(partial)
	f.Message = "reading the answer: " + err.Error()
	return f
}

// finish ends the answer with a response that is done.
func (r *respReader) finish(response jsonx.Value, status string) error {
	if s := response.Get("status").Str(); s != "" && status == "completed" {
		status = s // a completed event whose response failed
	}
	usage := respReadUsage(response.Get("usage"))
	stop := respNaturalStop(r.answer)
	switch status {
	case "completed", "complete", "":
	case "incomplete":
		stop = wire.StopLength
		if response.Get("incomplete_details").Get("reason").Str() == "content_filter" {
			stop = wire.StopSafety
		}
	case "failed":
		return r.failed(response)
	case "cancelled":
		return &wire.Failure{Kind: wire.Canceled, Message: "the response was cancelled", Sent: wire.Completed, PartialOutput: r.said, Usage: usage}
	default:
		return wire.ErrIncomplete(r.said)
	}
	if err := r.event(wire.Event{Op: wire.ChoiceEnd, Stop: stop}); err != nil {
		return err
	}
	return r.event(wire.Event{Op: wire.End, Usage: usage})
}

// failed is the failure of a response; its error may be null.
func (r *respReader) failed(response jsonx.Value) error {
	f := &wire.Failure{Sent: wire.Completed, PartialOutput: r.said, Usage: respReadUsage(response.Get("usage"))}
	errorFields(f, response.Get("error"))
	f.Kind = failureKind(f)
	if f.Message == "" {
		f.Message = "the response failed"
	}
	return f
}

func respReadUsage(v jsonx.Value) *wire.Usage {
	if v.Kind() != jsonx.Object {
		return nil
	}
	count := func(v jsonx.Value) int {
		n, _ := v.Int()
		return int(n)
	}
	return &wire.Usage{
		Input: count(v.Get("input_tokens")), Output: count(v.Get("output_tokens")),
		Reasoning:  count(v.Get("output_tokens_details").Get("reasoning_tokens")),
		CacheRead:  count(v.Get("input_tokens_details").Get("cached_tokens")),
		CacheWrite: count(v.Get("input_tokens_details").Get("cache_write_tokens")),
	}
}

// item gives a whole output item.
func (r *respReader) item(v jsonx.Value) error {
	switch v.Get("type").Str() {
	case "message":
		for _, p := range v.Get("content").Items() {
			if err := r.content(p); err != nil {
				return err
			}
		}
		return nil
	case "function_call", "custom_tool_call", "reasoning":
		return r.part(respReadPart(v))
	case "":
		return nil
	}
	return r.part(respOpaque(v))
}

// content gives a part of a message, and the citations in it.
func (r *respReader) content(p jsonx.Value) error {
	switch p.Get("type").Str() {
	case "refusal":
		return r.part(wire.Refusal{Text: p.Get("refusal").Str()})
	case "output_text", "text", "":
		if err := r.part(wire.Text{Text: p.Get("text").Str()}); err != nil {
			return err
		}
		return r.citations(p.Get("annotations"))
	}
	return nil
}

func (r *respReader) citations(annotations jsonx.Value) error {
	for _, a := range annotations.Items() {
		if err := r.part(respCitation(a)); err != nil {
			return err
		}
	}
	return nil
}

// part gives a part that is known as a whole.
func (r *respReader) part(p wire.Part) error {
	n := r.start(p)
	hollow, text := respHollow(p)
	if err := r.event(wire.Event{Op: wire.PartStart, Part: n, What: hollow}); err != nil {
		return err
	}
	if text != "" {
		r.said = true
		if err := r.event(wire.Event{Op: wire.Delta, Part: n, What: hollow, Text: text, Tokens: wire.Tokens(text)}); err != nil {
			return err
		}
	}
	return r.endPart(n, p)
}

// start counts a part that begins. Of texts and thoughts it is the first words that say something.
func (r *respReader) start(what wire.Part) int {
	n := r.parts
	r.parts++
	switch what.(type) {
	case wire.Text, wire.Refusal, wire.Reasoning:
	default:
		r.said = true
	}
	return n
}

func (r *respReader) endPart(n int, p wire.Part) error {
	r.answer = append(r.answer, p)
	return r.event(wire.Event{Op: wire.PartEnd, Part: n, What: p})
}

// respHollow is a part without its text, and the text.
func respHollow(p wire.Part) (wire.Part, string) {
	switch p := p.(type) {
	case wire.Text:
		return wire.Text{}, p.Text
	case wire.Refusal:
		return wire.Refusal{}, p.Text
	case wire.Reasoning:
		return wire.Reasoning{Signature: p.Signature, Redacted: p.Redacted}, p.Text
	case wire.ToolCall:
		return wire.ToolCall{ID: p.ID, Name: p.Name, Custom: p.Custom}, p.Arguments
	}
	return p, ""
}

// respReadPart is a call or a thought.
func respReadPart(v jsonx.Value) wire.Part {
	switch v.Get("type").Str() {
	case "function_call":
		return wire.ToolCall{ID: respCallID(v), Name: v.Get("name").Str(), Arguments: respArguments(v.Get("arguments"))}
	case "custom_tool_call":
		return wire.ToolCall{ID: respCallID(v), Name: v.Get("name").Str(), Arguments: v.Get("input").Str(), Custom: true}
	}
	r := wire.Reasoning{Text: respSummary(v), Signature: v.Get("encrypted_content").Str()}
	r.Redacted = r.Text == "" && r.Signature != ""
	return r
}

// respCallID is call_id; a server that sends none has the item's id at least.
func respCallID(v jsonx.Value) string {
	return orElse(v.Get("call_id").Str(), v.Get("id").Str())
}

// respArguments are a string with JSON in it; some servers send the JSON itself.
func respArguments(v jsonx.Value) string {
	if v.Kind() == jsonx.Object || v.Kind() == jsonx.Array {
		return string(jsonx.AppendCompact(nil, v.Raw()))
	}
	return v.Str()
}

// respSummary is the text of a thought: the parts of its summary, else those of its content.
func respSummary(v jsonx.Value) string {
	for _, key := range []string{"summary", "content"} {
		var texts []string
		for _, p := range v.Get(key).Items() {
			if text := p.Get("text").Str(); text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) > 0 {
			return strings.Join(texts, summarySeparator)
		}
	}
	return ""
}

// summarySeparator stands between the parts of a summary, which are paragraphs under headings.
const summarySeparator = "\n\n"

func respOpaque(v jsonx.Value) wire.Opaque {
	return wire.Opaque{Type: v.Get("type").Str(), Raw: string(jsonx.AppendCompact(nil, v.Raw()))}
}
