package server

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/h1"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// DefaultAddr is where the server listens if nothing else is said.
const DefaultAddr = "127.0.0.1:8080"

// DefaultGrace is how long streams may go on once the server is to stop.
const DefaultGrace = 5 * time.Second

// Config says what a Server serves, and how. Its zero value works: it answers every chat by saying what it heard.
type Config struct {
	// Addr is host:port; "" is DefaultAddr, and port 0 is a free one.
	Addr string
	// Paths are stub files, and folders of them. Without any, every chat is answered by saying what was heard.
	Paths []string
	// Watch reads the stub files again when they change.
	Watch bool
	// Seed makes ids and everything else that is left to chance; 0 is 1, the library's.
	Seed uint64
	// TLS serves https instead of http, with a certificate that is made at the start.
	TLS bool
	// As names the dialect of requests that say nothing themselves: "azure", "deepseek".
	As string
	// Time, where it is set, is the time of every answer.
	Time time.Time
	// MaxBody is the largest request body in bytes; 0 is 64 MiB.
	MaxBody int64
	// Grace is how long streams may go on once the server is to stop, before they are cut; 0 is DefaultGrace.
	Grace time.Duration
	// Log gets what an operator should know; nil discards it.
	Log *slog.Logger
	// Version is what the health check says.
	Version string
	// Stubs are served beside those of the Paths.
	Stubs []*stub.Stub
	// Providers are who is spoken for; nil are all.
	Providers []wire.Provider
}

// Server answers model requests and the admin API. Make one with [New].
type Server struct {
	config  Config
	space   *engine.Space
	journal *journal.Journal
	models  *pipeline.Handler
	keeper  *h1.Keeper // of the connections of HTTP/1.1
	started time.Time

	seen        [sha256.Size]byte // the fingerprint of the files that were read last
	certificate *tls.Certificate
	stopping    chan struct{} // closed when the server is to stop
	stop        sync.Once
}

// New reads the stub files. It fails where one is wrong, and says which and where.
func New(c Config) (*Server, error) {
	c = c.withDefaults()
	if names := pipeline.Dialects(c.Providers); c.As != "" {
		if err := known(c.As, names); err != nil {
			return nil, fmt.Errorf("server: as: %w", err)
		}
	}
	s := &Server{
		config: c, space: engine.NewSpace("", c.Seed), journal: journal.New(0, 0), started: time.Now(),
		stopping: make(chan struct{}),
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	if c.TLS {
		cert, err := selfSigned(c.Addr, s.started)
		if err != nil {
			return nil, fmt.Errorf("server: make a certificate: %w", err)
		}
		s.certificate = cert
	}
	s.models = pipeline.New(s.pipelineConfig())
	return s, nil
}

func (c Config) withDefaults() Config {
	if c.Addr == "" {
		c.Addr = DefaultAddr
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Grace <= 0 {
		c.Grace = DefaultGrace
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Providers == nil {
		c.Providers = all.Providers()
	}
	return c
}

func (s *Server) pipelineConfig() pipeline.Config {
	c := pipeline.Config{
		Providers: s.config.Providers, Space: s.space, Journal: s.journal, As: s.config.As, MaxBody: s.config.MaxBody,
		Log: s.config.Log, Stopping: s.stopping,
		Unmatched: func(err error) { s.config.Log.Warn(err.Error()) },
	}
	if t := s.config.Time; !t.IsZero() {
		c.Now, c.Pinned = func() time.Time { return t }, true
	}
	return c
}

// known says so where a word is none of some names.
func known(word string, names []string) error {
	if slices.Contains(names, word) {
		return nil
	}
	if near := stub.Nearest(word, names); near != "" {
		return fmt.Errorf("there is no provider or vendor %q (did you mean %q?)", word, near)
	}
	return fmt.Errorf("there is no provider or vendor %q; there are %s", word, strings.Join(names, ", "))
}

// Listen opens the configured address.
func (s *Server) Listen(ctx context.Context) (net.Listener, error) {
	var lc net.ListenConfig
	return lc.Listen(ctx, "tcp", s.config.Addr)
}

// URL is the base URL of a server that listens there.
func (s *Server) URL(l net.Listener) string {
	if s.config.TLS {
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

// Serve answers until ctx is done. Then nothing new is accepted, hanging answers are cut, and the others may go on for
// the grace period before they are cut too. The error is nil where it ended because of ctx.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.config.Watch && len(s.config.Paths) > 0 {
		w, err := newWatcher(s.config.Paths)
		if err != nil {
			_ = l.Close()
			return fmt.Errorf("server: watch: %w", err)
		}
		background.Go(func() { s.watch(ctx, w) })
	}
	hs := s.httpServer()
	served := make(chan error, 1)
	go func() {
		if s.config.TLS {
			served <- hs.ServeTLS(l, "", "")
		} else {
			served <- hs.Serve(l)
		}
	}()
	select {
	case err := <-served:
		return fmt.Errorf("server: %w", err)
	case <-ctx.Done():
	}
	s.stop.Do(func() { close(s.stopping) })
	late, done := context.WithTimeout(context.WithoutCancel(ctx), s.config.Grace)
	defer done()
	var taken sync.WaitGroup
	taken.Go(func() { _ = s.keeper.Shutdown(late) })
	if err := hs.Shutdown(late); err != nil {
		_ = hs.Close()
	}
	taken.Wait()
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}

func (s *Server) httpServer() *http.Server {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	s.keeper = &h1.Keeper{Handler: s, HeaderTimeout: time.Minute}
	hs := &http.Server{
		Handler: s.keeper, Protocols: &protocols, ReadHeaderTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(s.config.Log.Handler(), slog.LevelWarn),
	}
	if s.config.TLS {
		protocols.SetHTTP2(true)
		hs.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*s.certificate}, MinVersion: tls.VersionTLS12}
	} else {
		protocols.SetUnencryptedHTTP2(true)
	}
	return hs
}

// ServeHTTP answers one request: of the admin API below /__admin, else of a model.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, adminPrefix); ok && (path == "" || path[0] == '/') {
		s.admin(w, r, path)
		return
	}
	s.models.ServeHTTP(w, r)
}
