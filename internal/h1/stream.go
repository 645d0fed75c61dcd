package h1

import (
	"errors"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Stream is the rest of an answer, which falls due bit by bit: see [Writer.Hand]. Its methods are never called at the
// same time. It is an alias, so that those who make streams need not know this package.
type Stream = interface {
	// Next adds to dst what is due now, and says when there is more; more is false where that was all.
	Next(dst []byte, now time.Time) (all []byte, next time.Time, more bool)
	// Wrote says that all that Next gave so far was written.
	Wrote()
	// Exact says that the last bytes must be known to have been written before Ended is called.
	Exact() bool
	// Ended is called once, at the end: gone says that the client hung up, or could not be written to, before all was
	// written. Where it is false, the connection is broken.
	Ended(gone bool) bool
}

// handed is a stream that its handler handed over. It is in the wheel, or one goroutine of its own writes.
type handed struct {
	conn   *conn
	stream Stream
	wheel  *wheel
	raw    syscall.RawConn
	done   chan struct{} // closed once it has ended
	goesOn bool          // after done: the connection is good for the next request

	due  time.Time // guarded by mu, as what follows
	mu   sync.Mutex
	busy bool // a goroutine of its own writes
	gone bool // the client hung up
	over bool // Ended was called, or is about to be

	next *handed // in the same slot; the wheel's
}

// Hand leaves the rest of an answer to the keeper: the handler is to return at once, and what falls due is written
// without it. Status, header and the beginning of the body must have been flushed. It is false where that is not
// possible; the handler then goes on by itself.
func (w *Writer) Hand(s Stream, due time.Time) bool {
	c := w.conn
	if w.handed != nil || w.hijacked || w.err != nil || !w.chunked || w.head || len(c.out) > 0 || !c.body.ended {
		return false
	}
	raw := rawConn(c.net)
	if raw == nil {
		return false
	}
	w.handed = &handed{conn: c, stream: s, raw: raw, wheel: c.keeper.wheel(), done: make(chan struct{}), due: due}
	return true
}

// handOver is called once the handler has returned.
func (c *conn) handOver() {
	s := c.writer.handed
	c.writer.handed = nil
	c.now.Store(nil)
	c.body = body{}
	c.letGo()
	if c.in.Buffered() == 0 {
		putReader(c.in)
		c.in = nil
	}
	c.keeper.active.Add(1)
	s.wheel.live.Add(1)
	go c.attend(s)
	s.wheel.add(s)
}

// letGo gives up the buffers of a connection which writes nothing for now.
func (c *conn) letGo() {
	if b := c.out; cap(b) > 0 && cap(b) <= mostPooled {
		buffers.Put(&b)
	}
	c.out, c.writer.pending, c.writer.header = nil, nil, nil
}

// attend waits for the client to hang up, or for its next request once the stream has ended, and goes on with that. Its
// stack is small: that of the handler is gone.
func (c *conn) attend(s *handed) {
	kept := false
	defer func() {
		if v := recover(); v != nil {
			c.report(v)
		}
		if !kept && !c.writer.hijacked {
			_ = c.net.Close()
		}
		if !kept {
			c.keeper.remove(c)
		}
		c.keeper.active.Done()
	}()
	var err error
	if c.in == nil && len(c.from.ahead) == 0 {
		var n int
		if n, err = c.net.Read(c.one[:]); err == nil {
			c.from.ahead = c.one[:n]
		} else {
			s.hangUp()
		}
	}
	<-s.done
	if !s.goesOn || err != nil && !c.writer.last {
		return
	}
	if c.in == nil {
		c.in = getReader(&c.from)
	}
	if c.writer.last {
		c.linger()
		return
	}
	r, err := c.read()
	if err != nil {
		return
	}
	kept = c.run(r)
}

// report says what a handler panicked with, as net/http does.
func (c *conn) report(v any) {
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		return
	}
	if s, ok := c.base.Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
		s.ErrorLog.Printf("http: panic serving %v: %v\n%s", c.remote, v, debug.Stack())
	}
}

// hangUp ends a stream whose client is gone.
func (s *handed) hangUp() {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return
	}
	s.gone = true
	if s.busy {
		s.mu.Unlock()
		_ = s.conn.net.Close() // whoever writes learns of it
		return
	}
	s.over = true
	s.mu.Unlock()
	s.end(true, nil)
}

// turn writes what is due, and says whether there is more to come from the wheel. Nothing here waits.
func (s *handed) turn(w *wheel, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return false
	}
	if cap(w.out) > mostPending { // as after a pause
		w.body, w.out = nil, nil
	}
	var more bool
	w.body, s.due, more = s.stream.Next(w.body[:0], now)
	if !more {
		s.busy = true
		go s.last(append([]byte(nil), w.body...))
		return false
	}
	if len(w.body) == 0 {
		return true
	}
	w.out = appendChunk(w.out[:0], w.body)
	n, err := w.try.write(s.raw, w.out)
	switch {
	case err != nil:
		s.over = true
		go s.end(true, nil)
		return false
	case n < len(w.out):
		s.busy = true
		s.conn.keeper.active.Add(1)
		go s.wait(append([]byte(nil), w.out[n:]...))
		return false
	}
	s.stream.Wrote()
	return true
}

// wait writes where that takes its time, then gives the stream back to the wheel.
func (s *handed) wait(rest []byte) {
	defer s.conn.keeper.active.Done()
	_, err := s.conn.net.Write(rest)
	s.mu.Lock()
	if err == nil {
		s.stream.Wrote()
	}
	s.busy = false
	gone := err != nil || s.gone
	s.over = gone
	s.mu.Unlock()
	if gone {
		s.end(true, nil)
		return
	}
	s.wheel.add(s)
}

// last writes the end of a stream. As without a wheel, it has ended before its last bytes leave, unless those must be
// known to have left.
func (s *handed) last(rest []byte) {
	out := appendChunk(make([]byte, 0, len(rest)+16), rest)
	exact := s.stream.Exact()
	var err error
	if exact {
		_, err = s.conn.net.Write(out)
		out = out[:0]
	}
	s.mu.Lock()
	gone := err != nil || s.gone && !exact
	s.over = true
	s.mu.Unlock()
	if !gone {
		s.stream.Wrote()
	}
	s.end(gone, append(out, "0\r\n\r\n"...))
}

// end says that a stream has ended, of which only rest has not left.
func (s *handed) end(gone bool, rest []byte) {
	c := s.conn
	defer close(s.done)
	defer s.wheel.left()
	s.goesOn = s.stream.Ended(gone) && !gone
	if s.goesOn {
		_, err := c.net.Write(rest)
		s.goesOn = err == nil
	}
	switch {
	case !s.goesOn:
		_ = c.net.Close()
	case c.writer.last:
		_ = c.net.SetReadDeadline(time.Unix(1, 0)) // whoever attends closes it
	case !c.rest():
		s.goesOn = false
		_ = c.net.Close()
	}
}

// appendChunk adds a piece of a body in chunks.
func appendChunk(dst, b []byte) []byte {
	if len(b) == 0 {
		return dst
	}
	dst = strconv.AppendInt(dst, int64(len(b)), 16)
	dst = append(dst, "\r\n"...)
	dst = append(dst, b...)
	return append(dst, "\r\n"...)
}

// rawConn is what writes without waiting need, or nil.
func rawConn(c net.Conn) syscall.RawConn {
	sc, ok := c.(syscall.Conn)
	if !ok || !canTry {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}
