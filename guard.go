package mimus

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// Guard fails the test when code under test dials a real provider's host through [http.DefaultTransport], as a client
// does that nobody gave a transport. The call gets an error and does not leave the machine; other hosts are reached as
// ever.
//
// It changes the process until the test ends, as t.Setenv does, and so panics in a test that runs in parallel with others.
// To guard parallel tests, make them subtests of one that is guarded.
func Guard(tb testing.TB) {
	tb.Helper()
	tb.Setenv("MIMUS_GUARD", tb.Name()) // the standard library's own check that the test is not parallel
	before, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		tb.Errorf("mimus: Guard: http.DefaultTransport is a %T, not an *http.Transport: there is nothing that Guard could look into", http.DefaultTransport)
		return
	}
	g := &guard{test: tb.Name(), dial: before.DialContext}
	if g.dial == nil {
		g.dial = (&net.Dialer{}).DialContext
	}
	g.proxy = before.Proxy
	guarded := before.Clone()
	// A clone that an SDK makes of it is guarded too.
	guarded.DialContext, guarded.Proxy = g.dialContext, g.proxyFor
	http.DefaultTransport = guarded
	tb.Cleanup(func() {
		http.DefaultTransport = before
		guarded.CloseIdleConnections()
		for _, err := range g.dialled() {
			tb.Error(err)
		}
	})
}

type guard struct {
	test  string
	dial  func(ctx context.Context, network, addr string) (net.Conn, error)
	proxy func(*http.Request) (*url.URL, error)

	// mu guards calls.
	mu    sync.Mutex
	calls []error
}

func (g *guard) dialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	if isProvider(host) {
		return nil, g.refuse(addr)
	}
	return g.dial(ctx, network, addr)
}

// proxyFor sees requests that would go through a proxy, which is all that is dialled then.
func (g *guard) proxyFor(r *http.Request) (*url.URL, error) {
	if isProvider(r.URL.Hostname()) {
		return nil, g.refuse(r.Method + " " + r.URL.Scheme + "://" + r.URL.Host + r.URL.Path)
	}
	if g.proxy == nil {
		return nil, nil //nolint:nilnil // what net/http wants where there is no proxy
	}
	return g.proxy(r)
}

func (g *guard) refuse(what string) error {
	err := fmt.Errorf("mimus: %s asked a real provider, %s, which mimus.Guard forbids: give the code under test m.Client()", g.test, what)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls = append(g.calls, err)
	return err
}

func (g *guard) dialled() []error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls
}

// cloudModels are the hosts of clouds where models are one service of several, so that the host alone does not tell a
// provider whose request it is: Vertex AI, and Bedrock in each region.
var cloudModels = regexp.MustCompile(`^([a-z0-9-]+-)?aiplatform\.googleapis\.com$|^bedrock[a-z-]*\.[a-z0-9-]+\.(amazonaws\.com(\.cn)?|api\.aws)$`)

// isProvider says whether a host is that of a provider or of a vendor that speaks like one.
func isProvider(host string) bool {
	const sure = 90 // as sure as a host makes a provider
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip := net.ParseIP(host); host == "" || host == "localhost" || ip != nil {
		return false
	}
	if cloudModels.MatchString(host) {
		return true
	}
	for _, p := range providers() {
		if p.Owns(&wire.Probe{Host: host, Header: http.Header{}}) >= sure {
			return true
		}
	}
	return false
}
