package h1

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The states of a connection.
const (
	active int32 = iota // a request is read or answered
	idle                // it waits for the next
	closed              // it was closed while it was idle, or in the middle
)

// Limits of a connection, as net/http has them.
const (
	maxHeader   = 1 << 20
	maxUnread   = 256 << 10 // of a body that the handler left: more costs the connection
	lingering   = 500 * time.Millisecond
	readBuffer  = 4 << 10
	mostPending = 64 << 10 // of an answer of unknown length: more is sent in chunks
	mostKept    = 4 << 10  // of a buffer, for the connection's next write
	mostPooled  = 1 << 20  // of a buffer, for other connections
)

// conn is a connection that was taken over.
type conn struct {
	keeper *Keeper
	net    net.Conn
	base   context.Context
	remote string
	from   limited
	in     *bufio.Reader
	out    []byte
	state  atomic.Int32

	one    [1]byte // the first of a request that comes after a stream which was handed over
	body   body
	now    atomic.Pointer[request] // the context of the request that is answered
	writer Writer
}

// limited reads from the connection, at most so many bytes while a header is read.
type limited struct {
	net   net.Conn
	ahead []byte
	left  int64
}

func (l *limited) Read(p []byte) (n int, err error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	if len(l.ahead) > 0 {
		n = copy(p, l.ahead)
		l.ahead = l.ahead[n:]
	} else {
		n, err = l.net.Read(p)
	}
	l.left -= int64(n)
	return n, err
}

var errTooLong = errors.New("h1: the header is too long")

func newConn(k *Keeper, nc net.Conn, r *http.Request) *conn {
	c := &conn{keeper: k, net: nc, base: context.WithoutCancel(r.Context()), remote: r.RemoteAddr}
	c.from = limited{net: nc, left: math.MaxInt64}
	c.in = getReader(&c.from)
	return c
}

// readers are those of connections whose answer was handed over, and which read nothing for now.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, readBuffer) }}

func getReader(from io.Reader) *bufio.Reader {
	in := readers.Get().(*bufio.Reader)
	in.Reset(from)
	return in
}

func putReader(in *bufio.Reader) {
	in.Reset(nil)
	readers.Put(in)
}

// run answers requests until the connection ends, or until an answer is handed over: then it is true, and others go on.
func (c *conn) run(r *http.Request) (handed bool) {
	w := &c.writer
	defer func() {
		if handed {
			return
		}
		c.shut()
		if !w.hijacked {
			_ = c.net.Close()
		}
	}()
	for {
		c.body = body{conn: c, from: r.Body, left: r.ContentLength, ended: r.ContentLength == 0}
		r.Body = &c.body
		ctx := &request{Context: c.base, conn: c, ready: c.body.ended}
		c.now.Store(ctx)
		w.begin(c, r)
		c.keeper.Handler.ServeHTTP(w, r.WithContext(ctx)) // a panic ends the connection, and net/http says so
		ctx.end()
		if w.hijacked {
			return false
		}
		if w.handed != nil {
			c.handOver()
			return true
		}
		if err := w.finish(); err != nil {
			return false
		}
		if w.last || !c.body.drain() {
			c.linger()
			return false
		}
		if !c.rest() {
			return false
		}
		var err error
		if r, err = c.read(); err != nil {
			return false
		}
	}
}

// buffers are for answers: a connection keeps only a small one.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// giveBack empties out, and lets others have it where it is large.
func (c *conn) giveBack() {
	c.out = c.out[:0]
	if b := c.out; cap(b) > mostKept {
		if c.out = nil; cap(b) <= mostPooled {
			buffers.Put(&b)
		}
	}
}

// shut ends the context of the request that is answered.
func (c *conn) shut() {
	if ctx := c.now.Load(); ctx != nil {
		ctx.cancel()
	}
}

// rest says that the connection waits for its next request. It is false where it is to be closed.
func (c *conn) rest() bool {
	return c.state.CompareAndSwap(active, idle) && !c.keeper.closing.Load()
}

// read reads the head of the next request.
func (c *conn) read() (*http.Request, error) {
	if _, err := c.in.Peek(1); err != nil {
		return nil, err
	}
	if !c.state.CompareAndSwap(idle, active) {
		return nil, net.ErrClosed
	}
	timed := c.keeper.HeaderTimeout > 0 && !c.headIsHere()
	if timed {
		_ = c.net.SetReadDeadline(time.Now().Add(c.keeper.HeaderTimeout))
	}
	c.from.left = maxHeader
	r, err := http.ReadRequest(c.in)
	c.from.left = math.MaxInt64
	if timed {
		_ = c.net.SetReadDeadline(time.Time{})
	}
	if err != nil {
		c.complain(err)
		return nil, err
	}
	if r.ProtoMajor != 1 || r.Host == "" && r.ProtoAtLeast(1, 1) {
		c.say("400 Bad Request")
		return nil, errors.New("h1: no HTTP/1 request with a host")
	}
	r.RemoteAddr = c.remote
	if expect := r.Header.Get("Expect"); expect != "" {
		if !strings.EqualFold(expect, "100-continue") {
			c.say("417 Expectation Failed")
			return nil, errors.New("h1: unknown expectation")
		}
		if r.ContentLength != 0 {
			r.Body = &expecting{conn: c, from: r.Body}
		}
	}
	return r, nil
}

var headEnd = []byte("\r\n\r\n")

// headIsHere says whether the whole header is in memory, as it nearly always is, so that no time-out need be set.
func (c *conn) headIsHere() bool {
	b, _ := c.in.Peek(c.in.Buffered())
	return bytes.Contains(b, headEnd)
}

// complain answers what is no request.
func (c *conn) complain(err error) {
	var timeout net.Error
	switch {
	case errors.Is(err, errTooLong):
		c.say("431 Request Header Fields Too Large")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &timeout):
	default:
		c.say("400 Bad Request")
	}
}

// say answers with a status alone, and ends the connection.
func (c *conn) say(status string) {
	_, _ = io.WriteString(c.net, "HTTP/1.1 "+status+"\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"+status)
	c.linger()
}

// linger lets the client read the answer before the connection is closed: a close with unread bytes would reset it.
func (c *conn) linger() {
	t, ok := c.net.(interface{ CloseWrite() error })
	if !ok || t.CloseWrite() != nil {
		return
	}
	_ = c.net.SetReadDeadline(time.Now().Add(lingering))
	_, _ = io.CopyN(io.Discard, c.net, maxUnread)
}
