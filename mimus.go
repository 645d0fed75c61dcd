package mimus

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/memnet"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire/all"
)

// Mock stands in for every LLM API. Make it with [New].
type Mock struct {
	// URL is a base URL that reaches the mock: a loopback address with [Listen], else one that only [Mock.Client] and
	// [Mock.Transport] know.
	URL string

	tb      testing.TB
	space   *engine.Space
	journal *journal.Journal
	handler *pipeline.Handler
	net     *memnet.Net
	server  *http.Server

	// mu guards what follows.
	mu        sync.Mutex
	unmatched []string
	order     int
}

// Option changes what [New] makes.
type Option func(*options)

type options struct {
	listen  bool
	lenient bool
	seed    uint64
	as      string
	models  []string
}

// Listen makes the mock listen on a loopback port, which [Mock.URL] names, for code that can't be given a client.
func Listen() Option { return func(o *options) { o.listen = true } }

// AllowUnmatched lets requests that no stub answers pass as what they are to the client: a 404. Without it they fail the
// test too.
func AllowUnmatched() Option { return func(o *options) { o.lenient = true } }

// Seed makes other ids and paddings than the usual seed 1.
func Seed(n uint64) Option { return func(o *options) { o.seed = n } }

// As names who speaks where a request doesn't say: "azure", "deepseek".
func As(dialect string) Option { return func(o *options) { o.as = dialect } }

// New starts a mock that ends with the test. It lives in memory: no socket, no port, no certificate. A request that no
// stub answers fails the test when it ends, and so does a [Mock.Script] that was not used up.
func New(tb testing.TB, opts ...Option) *Mock {
	tb.Helper()
	o := options{seed: 1}
	for _, opt := range opts {
		opt(&o)
	}
	m := &Mock{tb: tb, URL: "http://mimus.test", space: engine.NewSpace("", o.seed), journal: journal.New(0, 0), net: memnet.New()}
	m.handler = pipeline.New(pipeline.Config{
		Providers: all.Providers(), Space: m.space, Journal: m.journal, As: o.as, Models: []string{"mimus-1"},
		Unmatched: func(err *pipeline.NoStubError) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.unmatched = append(m.unmatched, err.Error())
		},
	})
	m.serve(o.listen)
	tb.Cleanup(func() { m.end(o.lenient) })
	return m
}

func (m *Mock) serve(listen bool) {
	m.tb.Helper()
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	m.server = &http.Server{Handler: m.handler, Protocols: &protocols, ReadHeaderTimeout: time.Minute}
	go func() { _ = m.server.Serve(m.net.Listen()) }()
	if !listen {
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.tb.Fatalf("mimus: %v", err)
	}
	m.URL = "http://" + l.Addr().String()
	go func() { _ = m.server.Serve(l) }()
}

func (m *Mock) end(lenient bool) {
	m.tb.Helper()
	_ = m.server.Close()
	_ = m.net.Close()
	m.mu.Lock()
	defer m.mu.Unlock()
	if lenient {
		return
	}
	for _, miss := range m.unmatched {
		m.tb.Error(miss)
	}
}

// Client is an HTTP client on which every host is the mock, by http and https: give it to the SDK under test.
func (m *Mock) Client() *http.Client { return &http.Client{Transport: m.Transport()} }

// Transport is the transport of [Mock.Client], a new one on each call.
func (m *Mock) Transport() *http.Transport {
	t := m.net.Transport()
	m.tb.Cleanup(t.CloseIdleConnections)
	return t
}

// Handler is the mock as a handler, to mount in a server of one's own.
func (m *Mock) Handler() http.Handler { return m.handler }

// On begins a stub: it answers the requests that meet all the matchers. Stubs with more matchers are asked first, then
// those written first.
func (m *Mock) On(matchers ...Matcher) *Stub {
	s := &Stub{mock: m, stub: &stub.Stub{Origin: stub.File, Priority: stub.DefaultPriority}}
	for _, matcher := range matchers {
		matcher.apply(s.stub)
	}
	return s
}

// Stub is a stub that is being written.
type Stub struct {
	mock *Mock
	stub *stub.Stub
}

// Times is how often the stub answers; after that it is no longer there.
func (s *Stub) Times(n int) *Stub {
	s.stub.Times = n
	return s
}

// Named gives the stub a name for messages.
func (s *Stub) Named(name string) *Stub {
	s.stub.Name = name
	return s
}

// Priority decides first which stub answers; lower wins, and 5 is usual.
func (s *Stub) Priority(n int) *Stub {
	s.stub.Priority = n
	return s
}

// Reply puts the stub in place. Several replies are given one after the other; the last one is repeated.
func (s *Stub) Reply(replies ...Replier) {
	for _, r := range replies {
		s.stub.Answers = append(s.stub.Answers, r.answer())
	}
	s.mock.space.Add(s.stub)
}
