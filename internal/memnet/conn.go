package memnet

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
)

// Conn is one end of a connection: a [net.Pipe] with addresses, whose errors
// are those of a TCP connection.
type Conn struct {
	net.Conn

	net           *Net
	cut           *cut
	local, remote Addr
	abrupt        atomic.Bool
	server        bool
}

// cut is what both ends of a connection know about its end.
type cut struct {
	reset    atomic.Bool
	rejected atomic.Pointer[RejectedError]
}

// RejectedError is the error of a connection that the server rejected: it stands for Err.
type RejectedError struct{ Err error }

// Error is Err's.
func (r *RejectedError) Error() string { return r.Err.Error() }

// Unwrap is Err.
func (r *RejectedError) Unwrap() error { return r.Err }

// Reject closes the connection. The other side's reads and writes fail with a [RejectedError] of err.
func (c *Conn) Reject(err error) {
	c.cut.rejected.Store(&RejectedError{err})
	_ = c.Close()
}

// Read implements [net.Conn]. It returns [io.EOF] after the other side closed,
// and [syscall.ECONNRESET] after it reset the connection.
func (c *Conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := c.Conn.Read(p)
	switch {
	case err == nil:
		if c.server {
			// Who wrote goes on first. Without that an answer can be back before the goroutine that wrote the request has
			// run again; no real network is as fast, and clients are not ready for it: smithy-go closes a request's body when
			// the answer comes, and then fails because the body was closed before its end was seen.
			runtime.Gosched()
		}
		return n, nil
	case errors.Is(err, io.ErrClosedPipe):
		return n, c.fail("read", net.ErrClosed)
	case errors.Is(err, io.EOF) && c.cut.rejected.Load() != nil:
		return n, c.cut.rejected.Load()
	case errors.Is(err, io.EOF) && c.cut.reset.Load():
		return n, c.fail("read", os.NewSyscallError("read", syscall.ECONNRESET))
	default:
		return n, err
	}
}

// Write implements [net.Conn]. It returns when the other side has read p, and
// fails with [syscall.EPIPE] (after a reset, [syscall.ECONNRESET]) once the
// other side has closed.
func (c *Conn) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil // a pipe would wait for a reader even so
	}
	n, err := c.Conn.Write(p)
	switch {
	case err == nil || !errors.Is(err, io.ErrClosedPipe):
		return n, err
	case c.closed():
		return n, c.fail("write", net.ErrClosed)
	case c.cut.rejected.Load() != nil:
		return n, c.cut.rejected.Load()
	case c.cut.reset.Load():
		return n, c.fail("write", os.NewSyscallError("write", syscall.ECONNRESET))
	default:
		return n, c.fail("write", os.NewSyscallError("write", syscall.EPIPE))
	}
}

// SetLinger does what [net.TCPConn.SetLinger] does: with 0, the next Close
// resets the connection instead of ending it in order.
func (c *Conn) SetLinger(sec int) error {
	c.abrupt.Store(sec == 0)
	return nil
}

// Close implements [net.Conn]. It unblocks both ends.
func (c *Conn) Close() error {
	if c.abrupt.Load() && !c.closed() {
		c.cut.reset.Store(true)
	}
	c.net.forget(c)
	return c.Conn.Close()
}

// LocalAddr implements [net.Conn]. On the server's end it is an [Addr] that
// holds what the client dialled.
func (c *Conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements [net.Conn].
func (c *Conn) RemoteAddr() net.Addr { return c.remote }

// closed tells whether this end was closed.
func (c *Conn) closed() bool {
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	_, live := c.net.live[c]
	return !live
}

func (c *Conn) fail(op string, err error) error {
	return &net.OpError{Op: op, Net: network, Source: c.local, Addr: c.remote, Err: err}
}
