package pipeline

import (
	"fmt"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Preview is what a stub's answer becomes on one endpoint.
type Preview struct {
	Request  *wire.Request
	Codec    wire.Codec
	Response wire.Response
	// Fitted is what the wire carries of the answer; Lost says what it does not carry. Fitted is empty where the answer
	// is an error or raw bytes.
	Fitted wire.Reply
	Lost   []string
	// Losses are the same as errors; those that wrap wire.ErrNotOnWire say what the wire cannot carry.
	Losses []error
	// Plan is how the answer would leave.
	Plan deliver.Plan
}

// Preview gives what the handler would answer to a request with this answer of a stub. No stub is asked for, used up or
// written down. It fails where the request is one that the provider refuses.
func (h *Handler) Preview(p *wire.Probe, s *stub.Stub, a *stub.Answer) (*Preview, error) {
	x := &exchange{ending: ending{handler: h, entry: &journal.Entry{Probe: p}}, probe: p}
	x.dialect()
	provider, endpoint, _, _ := h.router.Route(p)
	if endpoint == nil || endpoint.Codec == nil {
		return nil, fmt.Errorf("%s %s: no endpoint that stubs answer", p.Method, p.URL())
	}
	x.call = &wire.Call{Probe: p, Endpoint: endpoint, Env: &env{h, provider}, Seed: h.config.Space.CallSeed(h.config.Space.Key(p))}
	x.call.Request = x.call.NewRequest(provider)
	x.entry.Endpoint = endpoint.Name
	x.codec = endpoint.Codec
	if f := x.codec.Decode(x.call); f != nil {
		return nil, fmt.Errorf("%s: decode the request: %w", endpoint.Name, f)
	}
	x.call.Request.NameResults(h.config.Space.ToolOf)
	for v := range x.codec.Check(x.call) {
		return nil, fmt.Errorf("%s: check the request: %w", endpoint.Name, v.Failure)
	}
	x.render(s, a)
	return &Preview{Request: x.call.Request, Codec: x.codec, Response: x.resp, Fitted: x.fitted, Lost: x.entry.Warnings, Losses: x.lost, Plan: x.plan}, nil
}
