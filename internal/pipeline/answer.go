package pipeline

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// exchange is one request on its way.
type exchange struct {
	ending
	probe *wire.Probe

	call  *wire.Call
	codec wire.Codec
	// fitted is what the wire carries of it.
	fitted wire.Reply
	lost   []error
	// later, where it is set, waits until the answer can be made, and makes it. It is false where ctx ended first.
	later func(ctx context.Context) bool

	resp wire.Response
	plan deliver.Plan

	// own is what every exchange has one of, so that they come in one piece of memory.
	own struct {
		probe wire.Probe
		call  wire.Call
		env   env
	}
}

// answer decides what is answered, in the order of the design: nothing here writes.
func (x *exchange) answer() {
	h := x.handler
	x.dialect()
	provider, endpoint, _, methods := h.router.Route(x.probe)
	if endpoint == nil {
		f := &wire.Failure{Kind: wire.NotFound, Rule: "unknown-path"}
		if len(methods) > 0 {
			f = &wire.Failure{Kind: wire.Invalid, Status: http.StatusMethodNotAllowed, Rule: "wrong-method"}
		}
		x.refuse(h.speaker(x.probe).Refuse(x.probe, f), f)
		x.unmatched(&NoEndpointError{Probe: x.probe, Methods: methods})
		return
	}
	key := h.config.Space.Key(x.probe)
	x.own.env = env{h, provider}
	x.own.call = wire.Call{Probe: x.probe, Endpoint: endpoint, Env: &x.own.env, Seed: h.config.Space.CallSeed(key)}
	x.call = &x.own.call
	x.call.Request = x.call.NewRequest(provider)
	x.entry.Endpoint = endpoint.Name
	x.codec = endpoint.Codec
	var undecoded *wire.Failure
	if x.codec != nil {
		if undecoded = x.codec.Decode(x.call); undecoded == nil {
			x.entry.Request = x.call.Request // what is refused was asked, too
		}
	}
	if g, ok := provider.(wire.Gatekeeper); ok {
		if f := g.Gate(x.call); f != nil {
			x.refuse(x.refusal(provider, f), f)
			return
		}
	}
	switch {
	case endpoint.Serve != nil:
		x.state(endpoint.Serve(x.call))
		return
	case undecoded != nil:
		x.refuse(x.codec.Refuse(x.call, undecoded), undecoded)
		return
	}
	r := x.call.Request
	if r.Previous != "" {
		if o, ok := x.call.Env.Store().Get("response", r.Previous); ok {
			r.History = o.Turn
		}
	}
	r.NameResults(h.config.Space.ToolOf)
	x.choose(key)
}

// refusal is the provider's, in the endpoint's own words where it has a codec.
func (x *exchange) refusal(p wire.Provider, f *wire.Failure) wire.Response {
	if x.codec != nil {
		return x.codec.Refuse(x.call, f)
	}
	return p.Refuse(x.probe, f)
}

// state is an answer from the provider's state.
func (x *exchange) state(resp wire.Response) {
	x.resp = resp
	if x.entry.Matched = resp.Status < 400; !x.entry.Matched {
		x.entry.Reason = "status " + strconv.Itoa(resp.Status)
	}
}

// dialect asks the providers who speaks, unless the request or an option said so.
func (x *exchange) dialect() {
	for _, p := range x.handler.config.Providers {
		if x.probe.Dialect != "" {
			return
		}
		if d, ok := p.(wire.Dialecter); ok {
			x.probe.Dialect = d.Dialect(x.probe)
		}
	}
}

// choose finds the stub, lets the provider refuse the request, and renders the stub's answer.
func (x *exchange) choose(key uint64) {
	space := x.handler.config.Space
	for {
		match := space.Peek(x.call.Request, key)
		if match == nil || !beforeLooking(match.Next()) {
			if match != nil {
				x.call.SignaturesAny = match.Stub.SignaturesAny
			}
			for v := range x.codec.Check(x.call) {
				f := *v.Failure
				f.Rule = v.Rule
				x.refuse(x.codec.Refuse(x.call, &f), &f)
				return
			}
		}
		if match == nil {
			x.noStub()
			return
		}
		if x.lease = space.Commit(match, key); x.lease != nil {
			x.render(match.Stub, x.lease.Answer)
			return
		}
	}
}

// beforeLooking says whether an answer is a failure that a provider gives before it reads the request.
func beforeLooking(a *stub.Answer) bool {
	if a.Raw != nil || a.DropAfter != nil && *a.DropAfter == 0 || a.HangAfter != nil && *a.HangAfter == 0 {
		return true
	}
	if a.Error == nil || a.Error.AfterEvents != nil {
		return false
	}
	switch a.Error.Kind {
	case wire.Auth, wire.Permission, wire.Quota, wire.RateLimit, wire.Overloaded, wire.ServerError, wire.Timeout, wire.TooLarge:
		return true
	}
	return false
}

// noStub answers a model list from what is known, and refuses everything else.
func (x *exchange) noStub() {
	r := x.call.Request
	if r.Kind == wire.Models {
		x.entry.Matched = true
		x.resp, _, _ = wire.Render(x.call, x.codec, wire.Reply{Models: x.call.Env.Models()}, wire.Split{}, wire.NoCut())
		return
	}
	var err error
	f := &wire.Failure{Kind: wire.NotFound, Rule: "no-stub"}
	if misfit := x.handler.config.Space.Misfit(r); misfit != nil {
		err, f.Rule = &ScriptError{r, misfit}, "script"
	} else {
		none := &NoStubError{Request: r, Near: x.handler.config.Space.NearMisses(r, 3)}
		for _, n := range none.Near {
			x.entry.Near = append(x.entry.Near, n.String())
		}
		err = none
	}
	f.Message = err.Error()
	resp := x.codec.Refuse(x.call, f)
	resp.Header = resp.Header.Set("X-Mimus-Reason", f.Rule).Set("X-Should-Retry", "false")
	x.refuse(resp, f)
	x.unmatched(err)
}

func (x *exchange) unmatched(err error) {
	if x.handler.config.Unmatched != nil {
		x.handler.config.Unmatched(err)
	}
}

// refuse answers with a failure that no stub asked for.
func (x *exchange) refuse(resp wire.Response, f *wire.Failure) {
	x.resp = resp
	x.entry.Reason = f.Rule
	if x.entry.Reason == "" {
		x.entry.Reason = string(f.Kind)
	}
}

// render makes the answer of a stub.
func (x *exchange) render(s *stub.Stub, a *stub.Answer) {
	r := x.call.Request
	if a.Make != nil {
		made := a.Make(r)
		a = &made
	}
	x.used = a
	title := s.Title()
	x.entry.Stub, x.entry.Matched = title, true
	x.call.Stub, x.call.Quirks = title, a.Quirks
	x.plan = plan(s, a)
	x.plan.Exact = x.lease != nil && x.lease.Stateful()
	x.call.Speed = speed(x.plan)
	if x.plan.Pace != nil && x.plan.Pace.Jitter > 0 {
		x.plan.Rand = x.call.Rand("pace")
	}
	if a.Raw != nil {
		x.resp, x.plan.EachFrame = raw(a.Raw), true
		return
	}
	if a.Growing != nil && r.Kind == wire.Chat && (a.Error == nil || a.Error.AfterEvents != nil) {
		x.grow(s, a)
		return
	}
	x.whole(s, a, a.Reply(r), a.Cut())
}

// split is how the texts of a stream are cut.
func (x *exchange) split() wire.Split {
	if x.plan.Pace != nil {
		return wire.Split{Runes: x.plan.Pace.Chunk}
	}
	return wire.Split{}
}

// whole makes the answer of a reply that is there.
func (x *exchange) whole(s *stub.Stub, a *stub.Answer, reply wire.Reply, cut wire.Cut) {
	reply, warnings := limit(x.call.Request, reply, s.EnforceLimits)
	resp, fitted, lost := wire.Render(x.call, x.codec, reply, x.split(), cut)
	x.fitted = fitted
	x.warn(s, append(warnings, lost...))
	if reply.Blocked != "" && fitted.Blocked == "" && a.Error == nil {
		resp, fitted = x.codec.Refuse(x.call, &wire.Failure{Kind: wire.ContentFilter, Param: "prompt"}), wire.Reply{}
	}
	x.resp = resp
	x.resp.Header = withHeaders(resp.Header, a.Headers)
	if resp.Status < 300 {
		x.remember(fitted)
	}
}

// grow makes the answer of a reply that is yet to come: a stream begins at once, a whole body waits for all of it.
func (x *exchange) grow(s *stub.Stub, a *stub.Answer) {
	base := wire.Reply{Usage: a.Usage}
	if x.call.Request.Stream {
		x.resp = wire.RenderLive(x.call, x.codec, a.Growing, base, x.split(), a.Cut(), x.remember)
		x.resp.Header = withHeaders(x.resp.Header, a.Headers)
		return
	}
	x.later = func(ctx context.Context) bool {
		reply, failure, ok := wire.Grown(ctx, a.Growing, base)
		cut := a.Cut()
		if failure != nil {
			cut.Failure, cut.FailAfter = failure, -1
		}
		if ok {
			x.whole(s, a, reply, cut)
		}
		return ok
	}
}

// remember keeps what a provider would remember of an answer.
func (x *exchange) remember(fitted wire.Reply) {
	x.handler.config.Space.RememberCalls(fitted)
	if x.call.Remember != nil {
		x.call.Remember()
	}
}

// plan is how an answer leaves: its own delay and pace, else the stub's.
func plan(s *stub.Stub, a *stub.Answer) deliver.Plan {
	p := deliver.Plan{Delay: s.Delay, Pace: s.Pace, Fault: a.Fault}
	if a.Delay > 0 {
		p.Delay = a.Delay
	}
	if a.Pace != nil {
		p.Pace = a.Pace
	}
	return p
}

// speed is the plan in the words of the codecs.
func speed(p deliver.Plan) wire.Speed {
	s := wire.Speed{Delay: p.Delay}
	if p.Pace != nil {
		s.FirstToken, s.TokensPerSecond = p.Pace.FirstToken, p.Pace.TokensPerSecond
	}
	return s
}

func (x *exchange) warn(s *stub.Stub, warnings []error) {
	x.lost = warnings
	for _, w := range warnings {
		add := func(e *journal.Entry) { e.Warnings = append(e.Warnings, w.Error()) }
		if x.later != nil {
			x.handler.config.Journal.Update(x.entry, add) // others can see it by now
		} else {
			add(x.entry)
		}
		x.handler.config.Log.Warn("mimus: the answer is not all that the stub says", "stub", s.Title(), "endpoint", x.entry.Endpoint, "why", w.Error())
	}
}

// raw is a response given byte by byte.
func raw(r *stub.Raw) wire.Response {
	resp := wire.Response{Status: r.Status, Header: withHeaders(nil, r.Headers), Framing: wire.Raw{}}
	if resp.Status == 0 {
		resp.Status = 200
	}
	for _, chunk := range r.Chunks {
		resp.Frames = append(resp.Frames, wire.Frame{Data: []byte(chunk)})
	}
	return resp
}

// withHeaders lets a stub's headers replace the provider's; those that frame the message are not the stub's to set.
func withHeaders(h, own wire.Header) wire.Header {
	out := slices.Clip(h)
	if len(own) > 0 {
		out = slices.DeleteFunc(slices.Clone(h), func(f wire.Field) bool { return own.Get(f.Name) != "" && !framing(f.Name) })
	}
	for _, f := range own {
		if !framing(f.Name) {
			out = append(out, f) // a name may come several times
		}
	}
	return out
}

func framing(name string) bool {
	switch name {
	case "Content-Length", "Transfer-Encoding", "Connection":
		return true
	}
	return false
}
