package anthropic

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Claude on InvokeModel: Anthropic's bodies, which the version in them tells from other models'.
const (
	bedrockEndpoint = "anthropic.bedrock"
	bedrockStream   = "/invoke-with-response-stream"
	bedrockVersion  = "anthropic_version"
)

// isBedrock knows the paths of InvokeModel, and Claude's bodies on them.
func isBedrock(p *wire.Probe) bool {
	at := strings.LastIndex(p.Path, "/model/")
	if at < 0 || !strings.HasSuffix(p.Path, "/invoke") && !strings.HasSuffix(p.Path, bedrockStream) {
		return false
	}
	return isClaude(p.Path[at:], p.Body)
}

// claimsBedrock leaves the bodies of other models to others.
func claimsBedrock(p *wire.Probe) bool { return isClaude(p.Vars["model"], p.Body) }

// isClaude goes by the model's id; an ARN of the user's own says nothing, and then the body does.
func isClaude(model string, body []byte) bool {
	if strings.Contains(model, "anthropic.") {
		return true
	}
	if !bytes.Contains(body, []byte(`"`+bedrockVersion+`"`)) {
		return false
	}
	v, err := jsonx.ParseBytes(body)
	return err == nil && v.Get(bedrockVersion).Exists()
}

// bareModel is the name that an answer has for a model: "us.anthropic.claude-haiku-4-5-20251001-v1:0" is
// "claude-haiku-4-5-20251001" (recorded), and "anthropic.claude-v2" is "claude-2.0".
func bareModel(id string) string {
	name := id[strings.LastIndexByte(id, '/')+1:]
	if at := strings.Index(name, "anthropic."); at >= 0 {
		name = name[at+len("anthropic."):]
	}
	switch name {
	case "claude-v2", "claude-v2:0":
		return "claude-2.0"
	case "claude-v2:1":
		return "claude-2.1"
	case "claude-instant-v1":
		return "claude-instant-1.2"
	}
	name, _, _ = strings.Cut(name, ":")
	if at := strings.LastIndex(name, "-v"); at >= 0 && strings.Trim(name[at+2:], "0123456789") == "" {
		name = name[:at]
	}
	return name
}

// ofModel sets what differs from model to model on Bedrock: up to Claude 3.7 the keys are in the old order and only input
// and output are counted (recorded 2025).
func (q *Quirks) ofModel(id string) {
	name := bareModel(id)
	for _, old := range [...]string{"claude-2", "claude-3", "claude-instant"} {
		if strings.HasPrefix(name, old) {
			q.OldOrder, q.Usage = true, "plain"
		}
	}
}

// wrap puts the event that was written into b since start into a chunk.
func (e *encoder) wrap(b []byte, start int) []byte {
	e.event = append(e.event[:0], b[start:]...)
	return aws.AppendChunk(b[:start], e.event, e.chunks.Next())
}

// isEventStream tells Bedrock's streams from server-sent events.
func isEventStream(h *wire.ResponseHead) bool {
	kind := h.Header.Get("Content-Type")
	return strings.HasPrefix(kind, awsstream.ContentType) || kind == "" && isBedrockRequest(h.Request)
}

// isBedrockAnswer tells Bedrock's errors from Anthropic's.
func isBedrockAnswer(h *wire.ResponseHead) bool {
	return h.Header.Get("X-Amzn-Requestid") != "" || h.Header.Get("X-Amzn-Errortype") != "" || isBedrockRequest(h.Request)
}

func isBedrockRequest(r *wire.Request) bool { return r != nil && r.Endpoint == bedrockEndpoint }

// readChunks reads a stream of Bedrock's, whose chunks hold the events of the others.
func readChunks(body io.Reader, yield func(wire.Event, error) bool) {
	r := &streamReader{yield: yield}
	messages := awsstream.Reader{R: body}
	for {
		m, err := messages.Next()
		if err != nil {
			f := wire.ErrIncomplete(r.partial)
			if !errors.Is(err, io.EOF) {
				f = aws.Broken(err, r.partial, nil)
			}
			f.Usage = r.usage.usage()
			yield(wire.Event{}, f)
			return
		}
		if f := aws.ReadException(m); f != nil {
			f.PartialOutput, f.Usage = r.partial, r.usage.usage()
			yield(wire.Event{}, f)
			return
		}
		if m.Get(":event-type") != aws.ChunkEvent {
			continue
		}
		v, err := aws.ReadChunk(m.Payload)
		if err != nil {
			yield(wire.Event{}, unusable("anthropic: "+err.Error(), r.partial, r.usage.usage()))
			return
		}
		if done := r.event("", v); done || r.stopped {
			return
		}
	}
}
