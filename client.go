package mimus

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/mimus-go/mimus/internal/memnet"
)

// Client is an HTTP client on which every host is the mock, by http and https: give it to the SDK under test. Errors of
// [Reject] come out of it as they were given. A call after the test gets an error that says so.
func (m *Mock) Client() *http.Client {
	return &http.Client{Transport: &client{m, m.Transport()}}
}

// Transport is the transport below [Mock.Client], a new one on each call, which may be changed before its first use: its
// ResponseHeaderTimeout, or its Protocols, for HTTP/2. net/http wraps the errors that come out of it.
func (m *Mock) Transport() *http.Transport {
	t := m.net.Transport()
	t.DialContext, t.DialTLSContext = m.dialler(m.net.DialContext), m.dialler(m.net.DialTLSContext)
	m.tb.Cleanup(t.CloseIdleConnections)
	return t
}

type dial = func(ctx context.Context, network, addr string) (net.Conn, error)

func (m *Mock) dialler(d dial) dial {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if err := m.over(); err != nil {
			return nil, err
		}
		return d(ctx, network, addr)
	}
}

// client asks the mock once for each request, and gives errors as they are meant.
type client struct {
	m *Mock
	t *http.Transport
}

// RoundTrip implements [http.RoundTripper]. It takes the request's body in before it sends anything: an answer in memory
// can else be back before net/http has seen the body's end, which is faster than any network, and than some SDKs stand.
func (c *client) RoundTrip(r *http.Request) (*http.Response, error) {
	once := r.WithContext(r.Context())
	// net/http would silently send a request again whose connection broke. A retry is the SDK's to make, and a step of a
	// script.
	once.GetBody = nil
	if r.Body != nil && r.Body != http.NoBody {
		body, err := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if err != nil {
			return nil, err
		}
		once.Body = io.NopCloser(bytes.NewReader(body))
	}
	resp, err := c.t.RoundTrip(once)
	if err == nil {
		resp.Request = r
		return resp, nil
	}
	if rejected := (*memnet.RejectedError)(nil); errors.As(err, &rejected) {
		return nil, rejected.Err
	}
	if r.Context().Err() == nil {
		if over := c.m.over(); over != nil {
			return nil, over
		}
	}
	return nil, err
}

// CloseIdleConnections lets [http.Client.CloseIdleConnections] work.
func (c *client) CloseIdleConnections() { c.t.CloseIdleConnections() }
