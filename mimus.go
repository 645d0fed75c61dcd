package mimus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/memnet"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/wire/all"
)

// Mock stands in for every LLM API. Make it with [New].
type Mock struct {
	// URL is a base URL that reaches the mock: a loopback address with [Listen], else one that only [Mock.Client] and
	// [Mock.Transport] know.
	URL string

	tb      testing.TB
	name    string
	lenient bool
	space   *engine.Space
	journal *journal.Journal
	handler *pipeline.Handler
	net     *memnet.Net
	server  *http.Server
	conns   connections

	// mu guards what follows.
	mu       sync.Mutex
	ended    bool
	problems []string
	// begun are the stubs that have no reply yet.
	begun []*Stub
	// progress is closed, and made anew, whenever an answer has left.
	progress chan struct{}
}

// providers are made once: they never change.
var providers = sync.OnceValue(all.Providers)

// New starts a mock that ends with the test. It lives in memory: no socket, no port, no certificate, and nothing that is
// shared with other tests, so that tests may run in parallel; inside a testing/synctest bubble, its waits take no time.
//
// A request that nothing answers fails the test when it ends, and so does a [Mock.Script] that was not used up.
func New(tb testing.TB, opts ...Option) *Mock {
	tb.Helper()
	o := options{seed: 1}
	for _, opt := range opts {
		opt(&o)
	}
	m := &Mock{
		tb: tb, name: tb.Name(), URL: "http://mimus.test", lenient: o.lenient,
		space: engine.NewSpace("", o.seed), journal: journal.New(o.keep, 0), net: memnet.New(), progress: make(chan struct{}),
	}
	m.handler = pipeline.New(pipeline.Config{
		Providers: providers(), Space: m.space, Journal: m.journal, As: o.as, Now: o.now, Pinned: o.now != nil, Unmatched: m.unmatched,
	})
	m.serve(o.listen)
	tb.Cleanup(m.end)
	return m
}

func (m *Mock) serve(listen bool) {
	m.tb.Helper()
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	m.server = &http.Server{Handler: m.Handler(), Protocols: &protocols, ReadHeaderTimeout: time.Minute, ConnState: m.conns.state}
	m.conns.serve(m.server, m.net.Listen())
	if !listen {
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.tb.Fatalf("mimus: %v", err)
	}
	m.URL = "http://" + l.Addr().String()
	m.conns.serve(m.server, l)
}

// unmatched takes note of a request that nothing answers.
func (m *Mock) unmatched(err error) {
	var script *pipeline.ScriptError
	if m.lenient && !errors.As(err, &script) {
		return
	}
	m.fail(err.Error())
}

// fail keeps a problem for the test's end: the test is not always at home to be told.
func (m *Mock) fail(problem string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.problems = append(m.problems, problem)
}

// longestEnd is how long the end of a test waits for handlers; only a function of the test's own can keep one.
const longestEnd = 10 * time.Second

// end stops the mock, and tells the test what went wrong.
func (m *Mock) end() {
	m.tb.Helper()
	m.mu.Lock()
	m.ended = true
	m.mu.Unlock()
	_ = m.server.Close()
	_ = m.net.Close()
	if !m.conns.wait(longestEnd) {
		m.fail("mimus: a request is still being answered: does a function of a matcher or a reply not return?")
	}
	m.mu.Lock()
	problems := m.problems
	for _, s := range m.begun {
		problems = append(problems, s.where+": mimus: this stub has no reply: end it with .Reply(…)")
	}
	m.mu.Unlock()
	for _, p := range problems {
		m.tb.Error(p)
	}
	m.scriptEnd()
}

// over is the error of a call that came after the test, or nil before.
func (m *Mock) over() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.ended {
		return nil
	}
	return fmt.Errorf("mimus: the test %s has ended, and its mock with it: wait for what the test started before it returns", m.name)
}

// Handler is the mock as a handler, to mount in a server of one's own.
func (m *Mock) Handler() http.Handler { return handler{m} }

type handler struct{ m *Mock }

// ServeHTTP answers one request, and lets those know who wait for answers to have left.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h.m.over(); err != nil {
		w.Header().Set("X-Should-Retry", "false")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer func() {
		h.m.mu.Lock()
		defer h.m.mu.Unlock()
		close(h.m.progress)
		h.m.progress = make(chan struct{})
	}()
	h.m.handler.ServeHTTP(w, r)
}

// settled waits until done says so, asked again whenever an answer has left; at most so long.
func (m *Mock) settled(most time.Duration, done func() bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	for {
		m.mu.Lock()
		progress := m.progress
		m.mu.Unlock()
		if done() {
			return true
		}
		select {
		case <-progress:
		case <-ctx.Done():
			return false
		}
	}
}
