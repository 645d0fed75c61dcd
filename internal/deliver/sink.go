package deliver

import (
	"net/http"
	"strconv"

	"github.com/mimus-go/mimus/wire"
)

// Sink is a connection that an answer goes to.
type Sink interface {
	// Head takes the status line and header. length is the body's, or -1 where it is not known before its end.
	// Nothing need leave before the first Write or Flush.
	Head(status int, h wire.Header, length int)
	// Write adds to the body.
	Write(b []byte) error
	// Flush sends what was written, and the head.
	Flush() error
	// Break breaks the connection, by a reset where that is asked for and possible. The answer must not go on after it.
	Break(reset bool)
}

// HTTP is the Sink of an ordinary handler. Break only prepares: the handler must then panic with http.ErrAbortHandler.
type HTTP struct {
	w  http.ResponseWriter
	rc *http.ResponseController
	h1 bool
}

// NewHTTP makes the sink of one request.
func NewHTTP(w http.ResponseWriter, r *http.Request) *HTTP {
	return &HTTP{w: w, rc: http.NewResponseController(w), h1: r.ProtoMajor == 1 && r.ProtoAtLeast(1, 1)}
}

// Head sets status and header. A body of unknown length is chunked, however short it turns out.
func (s *HTTP) Head(status int, h wire.Header, length int) {
	header := s.w.Header()
	h.WriteTo(header)
	switch {
	case length >= 0:
		header["Content-Length"] = []string{strconv.Itoa(length)}
	case s.h1:
		header["Transfer-Encoding"] = chunked
	}
	s.w.WriteHeader(status)
}

var chunked = []string{"chunked"} //nolint:gochecknoglobals // never changed: a header value that need not be allocated

// Write adds to the body.
func (s *HTTP) Write(b []byte) error {
	_, err := s.w.Write(b)
	return err
}

// Flush sends what was written.
func (s *HTTP) Flush() error { return s.rc.Flush() }

// Break sends what was written, and with reset makes the connection end in a TCP reset where it is one. On HTTP/2 the
// handler's panic resets the stream.
func (s *HTTP) Break(reset bool) {
	if !reset || !s.h1 {
		return
	}
	conn, _, err := s.rc.Hijack()
	if err != nil {
		return
	}
	if c, ok := conn.(interface{ SetLinger(sec int) error }); ok {
		_ = c.SetLinger(0)
	}
	_ = conn.Close()
}
