// Package memnet is a network that lives in memory: an HTTP server and its
// clients in one process, with no socket, no port and no certificate.
//
//	n := memnet.New()
//	defer n.Close()
//	go http.Serve(n.Listen(), handler)
//	client := &http.Client{Transport: n.Transport()}
//	client.Get("https://api.openai.com/v1/models") // reaches handler
//
// Every name resolves to the one listener, and https is carried without TLS.
// What the client meant stays visible: r.Host is the host of its URL, and
// [Dialed] tells the address and whether it was https.
//
// # Time
//
// A connection has no buffer. A write ends when the other side has read it,
// so what a server knows to have left has arrived, too. Waiting is done on
// channels alone, which makes it durable in the sense of testing/synctest: in
// a bubble, a stall of ten minutes takes no time. Make the [Net] inside the
// bubble, and close it there.
//
// # Hanging up
//
// Closing one end unblocks the other, whether it reads or writes. So a client
// that closes an unfinished body cancels the context of the server's request.
// SetLinger(0) followed by Close resets the connection, as it does on TCP.
package memnet

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
)

// Net is a network with one listener. Make it with [New].
type Net struct {
	listener listener

	// mu guards the fields below it.
	mu     sync.Mutex
	dials  int
	live   map[*Conn]struct{}
	closed bool
}

// New returns a network on which nobody listens yet. Dialling waits until
// somebody accepts from [Net.Listen].
func New() *Net {
	n := &Net{live: map[*Conn]struct{}{}}
	n.listener.conns = make(chan *Conn)
	n.listener.done = make(chan struct{})
	return n
}

// Listen returns the network's listener: always the same one. Closing it
// refuses further dials and leaves open connections alone, so that an
// [http.Server] can shut down in order.
func (n *Net) Listen() net.Listener { return &n.listener }

// DialContext connects to the listener, whatever network and addr say. It
// waits for Accept, and fails when ctx is done or the listener is closed.
func (n *Net) DialContext(ctx context.Context, _, addr string) (net.Conn, error) {
	return n.dial(ctx, addr, false)
}

// DialTLSContext is [Net.DialContext] for a client that asked for https. The
// connection is plain all the same; the server learns of it by [Dialed].
func (n *Net) DialTLSContext(ctx context.Context, _, addr string) (net.Conn, error) {
	return n.dial(ctx, addr, true)
}

// Transport returns a new transport on which every host, http and https,
// reaches the listener. It ignores the proxies of the environment. The caller
// may change it before its first use.
func (n *Net) Transport() *http.Transport {
	return &http.Transport{
		DialContext:         n.DialContext,
		DialTLSContext:      n.DialTLSContext,
		MaxIdleConnsPerHost: 100,
	}
}

// Close closes the listener and every connection. The goroutines that a
// server or a transport has for them end thereafter.
func (n *Net) Close() error {
	n.listener.Close()
	n.mu.Lock()
	n.closed = true
	live := n.live
	n.live = nil
	n.mu.Unlock()
	for c := range live {
		c.Close()
	}
	return nil
}

func (n *Net) dial(ctx context.Context, addr string, https bool) (net.Conn, error) {
	refused := func(err error) error {
		return &net.OpError{Op: "dial", Net: network, Addr: Addr{HostPort: addr, TLS: https}, Err: err}
	}
	if err := ctx.Err(); err != nil {
		return nil, refused(err)
	}
	client, server, ok := n.pair(Addr{HostPort: addr, TLS: https})
	if !ok {
		return nil, refused(syscall.ECONNREFUSED)
	}
	select {
	case n.listener.conns <- server:
		return client, nil
	case <-n.listener.done:
		client.Close()
		server.Close()
		return nil, refused(syscall.ECONNREFUSED)
	case <-ctx.Done():
		client.Close()
		server.Close()
		return nil, refused(ctx.Err())
	}
}

// pair makes the two ends of a connection to the address to, and remembers
// them until they are closed. It fails on a closed network.
func (n *Net) pair(to Addr) (client, server *Conn, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, nil, false
	}
	// An address of a documentation network (RFC 5737), another one for each
	// dial: 65,535 ports on 192.0.2.1, then on 192.0.2.2, and round again.
	port, host := n.dials%65535+1, n.dials/65535%254+1
	n.dials++
	from := Addr{HostPort: net.JoinHostPort("192.0.2."+strconv.Itoa(host), strconv.Itoa(port))}

	a, b := net.Pipe()
	cut := new(cut)
	client = &Conn{Conn: a, net: n, cut: cut, local: from, remote: to}
	server = &Conn{Conn: b, net: n, cut: cut, local: to, remote: from, server: true}
	n.live[client] = struct{}{}
	n.live[server] = struct{}{}
	return client, server, true
}

func (n *Net) forget(c *Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.live, c)
}

// network is what [Addr.Network] says.
const network = "memnet"

// Addr is the address of one end of a connection.
type Addr struct {
	// HostPort is the server's address as the client dialled it
	// ("api.openai.com:443"), or one made up for the client.
	HostPort string
	// TLS says that the client asked for https. It is false for a client's
	// own address.
	TLS bool
}

// Network returns "memnet".
func (a Addr) Network() string { return network }

// String returns HostPort.
func (a Addr) String() string { return a.HostPort }

// Dialed returns the address that the client of a request dialled. ctx is the
// request's context on the server. It returns false if the request did not
// come over this network.
func Dialed(ctx context.Context) (Addr, bool) {
	a, ok := ctx.Value(http.LocalAddrContextKey).(Addr)
	return a, ok
}

// listener hands dialled connections to whoever accepts.
type listener struct {
	conns chan *Conn
	once  sync.Once
	done  chan struct{}
}

// Accept implements [net.Listener]. After Close it fails with [net.ErrClosed].
func (l *listener) Accept() (net.Conn, error) {
	select {
	case <-l.done:
		return nil, l.closedErr()
	default:
	}
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, l.closedErr()
	}
}

func (l *listener) closedErr() error {
	return &net.OpError{Op: "accept", Net: network, Addr: l.Addr(), Err: net.ErrClosed}
}

// Close implements [net.Listener].
func (l *listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr implements [net.Listener].
func (l *listener) Addr() net.Addr { return Addr{HostPort: "mimus.invalid:80"} }
