package deliver

import (
	"net/http"
	"strconv"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Sink is a connection that an answer goes to.
type Sink interface {
	// Head takes the status line and header. length is the body's, or -1 where it is not known before its end.
	// Nothing need leave before the first Flush.
	Head(status int, h wire.Header, length int)
	// Write adds to the body.
	Write(b []byte) error
	// Flush sends what was written, and the head.
	Flush() error
	// Break breaks the connection, by a reset where that is asked for and possible. The answer must not go on after it.
	Break(reset bool)
}

// Rejecter is a Sink that can break the connection before any answer, so that the client sees err where that is possible.
type Rejecter interface{ Reject(err error) }

// HTTP is the Sink of an ordinary handler. Break only prepares: the handler must then panic with http.ErrAbortHandler.
type HTTP struct {
	w  http.ResponseWriter
	h1 bool
	// open says that net/http could still give the body of a stream a length.
	open bool
}

// NewHTTP makes the sink of one request.
func NewHTTP(w http.ResponseWriter, r *http.Request) *HTTP {
	return &HTTP{w: w, h1: r.ProtoMajor == 1 && r.ProtoAtLeast(1, 1)}
}

// responder is a ResponseWriter that takes a head in one, without a map.
type responder interface {
	Respond(status int, h wire.Header, length int)
}

// Head sets status and header. A body of unknown length is chunked, however short it turns out: net/http would give a
// short one a length.
func (s *HTTP) Head(status int, h wire.Header, length int) {
	if w, ok := s.w.(responder); ok {
		w.Respond(status, h, length)
		return
	}
	header := s.w.Header()
	h.WriteTo(header)
	switch {
	case length >= 0:
		header["Content-Length"] = []string{strconv.Itoa(length)}
	case s.h1:
		header["Transfer-Encoding"] = chunked
	default:
		s.open = true
	}
	s.w.WriteHeader(status)
}

var chunked = []string{"chunked"}

// Write adds to the body.
func (s *HTTP) Write(b []byte) error {
	_, err := s.w.Write(b)
	if s.open && err == nil {
		s.open = false
		return s.Flush() // on HTTP/2 there is no other way to have no length
	}
	return err
}

// Flush sends what was written.
func (s *HTTP) Flush() error {
	if f, ok := s.w.(interface{ FlushError() error }); ok {
		return f.FlushError()
	}
	return http.NewResponseController(s.w).Flush()
}

// Hand leaves the rest of a stream to a writer that can go on with it.
func (s *HTTP) Hand(rest Rest, due time.Time) bool {
	w, ok := s.w.(Hander)
	return ok && w.Hand(rest, due)
}

// Break makes the connection end in a TCP reset, where that is asked for and there is one. Everything else is the
// handler's panic: net/http then closes the connection, or on HTTP/2 resets the stream.
func (s *HTTP) Break(reset bool) {
	if !reset || !s.h1 {
		return
	}
	conn, _, err := http.NewResponseController(s.w).Hijack()
	if err != nil {
		return
	}
	if c, ok := conn.(interface{ SetLinger(sec int) error }); ok {
		_ = c.SetLinger(0)
	}
	_ = conn.Close()
}

// Reject lets the client see err, on a connection in memory.
func (s *HTTP) Reject(err error) {
	if !s.h1 {
		return
	}
	conn, _, failed := http.NewResponseController(s.w).Hijack()
	if failed != nil {
		return
	}
	if c, ok := conn.(interface{ Reject(error) }); ok {
		c.Reject(err)
		return
	}
	_ = conn.Close()
}
