package bedrock

import (
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// converse is the codec of Converse and ConverseStream.
type converse struct{}

// Decode reads a request. A field of a wrong type is left out here; Check refuses it.
func (converse) Decode(c *wire.Call) *wire.Failure {
	r := c.Request
	r.Model = c.Probe.Vars["id"]
	r.Stream = strings.HasSuffix(c.Probe.Path, opConverseStream)
	n := &native{}
	r.Native = n
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	n.body = body
	for _, path := range body.Get("additionalModelResponseFieldPaths").Items() {
		n.stopField = n.stopField || path.Str() == "/stop_sequence"
	}
	n.latencyMode = body.At("performanceConfig", "latency").Str()
	n.tier = body.At("serviceTier", "type").Str()
	decodeConversation(r, body)
	r.Output = decodeOutput(body)
	return nil
}

// Refuse is the provider's error answer. A prompt that is blocked is no error to Bedrock: the guardrail answers.
func (cv converse) Refuse(c *wire.Call, f *wire.Failure) wire.Response {
	if f.Kind == wire.ContentFilter && f.Param == "prompt" && c.Request != nil {
		r, _, _ := wire.Render(c, cv, wire.Reply{Blocked: "prompt"}, wire.Split{}, wire.NoCut())
		return r
	}
	return refuse(c, f)
}

// Fit makes one answer of the blocks that Converse has.
func (converse) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) { return fitBlocks(c, r, false) }

// Encode makes the encoder of one answer.
func (converse) Encode(c *wire.Call) wire.Encoder { return newEncoder(c, false) }
