package pipeline

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
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
	// Unmatched, if set, is called for each request that no stub answered.
	Unmatched func(*NoStubError)
}

// Handler answers model requests.
type Handler struct {
	config   Config
	router   *wire.Router
	dialects map[string]bool
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
	h := &Handler{config: c, router: wire.NewRouter(c.Providers...), dialects: map[string]bool{}}
	for _, name := range Dialects(c.Providers) {
		h.dialects[name] = true
	}
	return h
}

// Dialects are the names that a prefix /as/NAME or an option may ask for.
func Dialects(providers []wire.Provider) []string {
	var names []string
	for _, p := range providers {
		names = append(names, p.Name())
		if d, ok := p.(wire.Dialecter); ok {
			for _, name := range d.Dialects() {
				if name != p.Name() {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{handler: h, entry: &journal.Entry{Time: time.Now()}}
	if h.serve(x, w, r) {
		panic(http.ErrAbortHandler)
	}
}

// serve answers, and says whether the connection is to be broken.
func (h *Handler) serve(x *exchange, w http.ResponseWriter, r *http.Request) (broken bool) {
	refusal := x.read(w, r)
	switch {
	case x.gone:
		h.config.Journal.Add(x.entry)
		x.finish(nil)
		return true
	case refusal != nil:
		x.refuse(h.speaker(x.probe).Refuse(x.probe, refusal), refusal)
	default:
		x.decide()
	}
	// From here on others may read the entry: it is only changed through the journal.
	h.config.Journal.Add(x.entry)
	return x.send(w, r)
}

// decide finds the answer; a panic of a codec becomes the provider's server error.
func (x *exchange) decide() {
	defer func() {
		if v := recover(); v != nil {
			x.handler.config.Log.Error("mimus: a request made a codec panic; this is a bug in mimus", "panic", v, "stack", string(debug.Stack()))
			f := &wire.Failure{Kind: wire.ServerError, Message: fmt.Sprintf("mimus: internal error: %v", v), Rule: "panic"}
			x.refuse(x.handler.speaker(x.probe).Refuse(x.probe, f), f)
		}
	}()
	x.answer()
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
