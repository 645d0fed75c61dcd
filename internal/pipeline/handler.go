package pipeline

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/redact"
	"github.com/mimus-go/mimus/wire"
)

// DefaultMaxBody is the largest request body that is read where nothing else is said: 64 MiB.
const DefaultMaxBody = 64 << 20

// Config is what a Handler works with.
type Config struct {
	Providers []wire.Provider
	Space     *engine.Space
	Journal   *journal.Journal
	// As names the dialect of requests that say nothing themselves; "" is the provider's own.
	As string
	// MaxBody is the largest body in bytes; 0 is DefaultMaxBody.
	MaxBody int64
	// Now dates answers; nil is time.Now. With Pinned, the Date header says it too. The journal keeps the real time.
	Now    func() time.Time
	Pinned bool
	// Models are the names of a model list that no stub answers; nil are the provider's usual ones.
	Models []string
	// Stopping, once closed, ends the answers that a stub lets hang.
	Stopping <-chan struct{}
	// Log gets warnings; nil discards them.
	Log *slog.Logger
	// Unmatched, if set, is called for each request that nothing answers, with a *NoStubError, a *ScriptError or a
	// *NoEndpointError.
	Unmatched func(error)
}

// Handler answers model requests.
type Handler struct {
	config   Config
	router   *wire.Router
	dialects map[string]bool
	keyed    redact.Keyed
}

// New makes a handler.
func New(c Config) *Handler {
	if c.MaxBody <= 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{config: c, router: wire.NewRouter(c.Providers...), dialects: map[string]bool{}, keyed: redact.NewKeyed()}
	for _, name := range Dialects(c.Providers) {
		h.dialects[name] = true
	}
	c.Journal.DecodeWith(h.decode)
	return h
}

// decode reads the request of a journal entry again: the journal keeps bytes only.
func (h *Handler) decode(e *journal.Entry, history *wire.Turn) *wire.Request {
	p := *e.Probe
	provider, endpoint, _, _ := h.router.Route(&p)
	if endpoint == nil || endpoint.Codec == nil {
		return nil
	}
	c := &wire.Call{Probe: e.Probe, Endpoint: endpoint, Env: &env{h, provider}}
	c.Request = c.NewRequest(provider)
	if endpoint.Codec.Decode(c) != nil {
		return nil
	}
	c.Request.History = history
	c.Request.NameResults(h.config.Space.ToolOf)
	return c.Request
}

// Dialects are the names that a prefix /as/NAME or an option may ask for. One who speaks several wires is named once.
func Dialects(providers []wire.Provider) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, p := range providers {
		add(p.Name())
		if d, ok := p.(wire.Dialecter); ok {
			for _, name := range d.Dialects() {
				add(name)
			}
		}
	}
	return names
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{ending: ending{handler: h, entry: &journal.Entry{Time: time.Now()}}}
	x.decide(x.read(w, r))
	x.forget()
	// Only now can others see the entry, so that nothing changes under their eyes but by Update.
	h.config.Journal.Add(x.entry)
	if x.send(w, r) {
		panic(http.ErrAbortHandler)
	}
}

// forget leaves of the request's credentials only what tells equal ones apart from others: nothing needs them once the
// answer is decided.
func (x *exchange) forget() {
	p := x.probe
	p.Header, p.Query = x.handler.keyed.Headers(p.Header), x.handler.keyed.Values(p.Query)
	p.Target = redact.Target(p.Target)
}

// decide finds the answer: the refusal of a request that could not be read, else what the pipeline says. A panic of a
// codec becomes the provider's server error.
func (x *exchange) decide(refusal *wire.Failure) {
	defer func() {
		if v := recover(); v != nil {
			x.panicked(v)
		}
	}()
	if refusal != nil {
		x.refuse(x.handler.speaker(x.probe).Refuse(x.probe, refusal), refusal)
		return
	}
	x.answer()
}

// panicked answers a request that made somebody's code panic, in plain text if the provider's voice panics, too.
func (x *exchange) panicked(v any) {
	x.handler.config.Log.Error("mimus: a request made a codec or a function of a stub panic", "panic", v, "stack", string(debug.Stack()))
	x.plan, x.used = deliver.Plan{}, nil
	f := &wire.Failure{Kind: wire.ServerError, Message: fmt.Sprintf("mimus: internal error: %v", v), Rule: "panic"}
	defer func() {
		if recover() != nil {
			x.refuse(wire.Response{
				Status: http.StatusInternalServerError, Header: wire.Header{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}},
				Body: []byte(f.Message + "\n"),
			}, f)
		}
	}()
	x.refuse(x.handler.speaker(x.probe).Refuse(x.probe, f), f)
}

// speaker is the provider that a request which no endpoint claims is most likely meant for.
func (h *Handler) speaker(p *wire.Probe) wire.Provider {
	best, most := h.config.Providers[0], 0
	for _, provider := range h.config.Providers {
		if n := provider.Owns(p); n > most {
			best, most = provider, n
		}
	}
	return best
}
