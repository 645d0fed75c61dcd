package h1

import (
	"bufio"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Writer is the [http.ResponseWriter] of a connection that was taken over. It also implements [http.Flusher] and
// [http.Hijacker].
type Writer struct {
	conn   *conn
	head   bool // the request is a HEAD
	header http.Header

	status   int   // 0: not yet said
	length   int64 // of the body, as it was said; -1 is not known
	sent     bool  // the head is in out, or has left
	chunked  bool
	bodyless bool // the status has no body
	written  int64
	pending  []byte // of the body, not yet in out
	last     bool   // the connection ends after this answer
	old      bool   // a request of HTTP/1.0, which knows no chunks
	hijacked bool
	handed   *handed // the rest of the answer, once it was handed over
	err      error
}

func (w *Writer) begin(c *conn, r *http.Request) {
	pending := w.pending[:0]
	if cap(pending) > mostKept {
		pending = nil
	}
	c.giveBack()
	*w = Writer{conn: c, head: r.Method == http.MethodHead, last: r.Close, old: !r.ProtoAtLeast(1, 1), pending: pending}
	w.last = w.last || w.old
}

// Header implements [http.ResponseWriter].
func (w *Writer) Header() http.Header {
	if w.header == nil {
		w.header = http.Header{}
	}
	return w.header
}

// Respond gives status and header at once, in the order in which they are to be sent. length is the body's; -1 is a body
// in chunks. It takes the place of Header and WriteHeader.
func (w *Writer) Respond(status int, header wire.Header, length int) {
	if w.status != 0 || w.hijacked {
		return
	}
	w.say(status, int64(length))
	w.chunked = length < 0
	w.beginHead()
	dated := false
	for _, f := range header {
		dated = dated || f.Name == "Date"
		w.field(f.Name, f.Value)
	}
	w.endHead(dated)
}

// WriteHeader implements [http.ResponseWriter].
func (w *Writer) WriteHeader(status int) {
	if w.status != 0 || w.hijacked || status < 200 {
		return
	}
	w.say(status, -1)
	if n, err := strconv.ParseInt(w.Header().Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		w.length = n
	} else if w.header.Get("Transfer-Encoding") == "chunked" {
		w.chunked = true
	}
	if strings.EqualFold(w.header.Get("Connection"), "close") {
		w.last = true
	}
}

func (w *Writer) say(status int, length int64) {
	w.status, w.length = status, length
	w.bodyless = status == http.StatusNoContent || status == http.StatusNotModified
}

// headFromMap writes the head from what Header holds.
func (w *Writer) headFromMap() {
	w.beginHead()
	for name, values := range w.header {
		switch name {
		case "Content-Length", "Transfer-Encoding", "Connection":
			continue
		}
		for _, v := range values {
			w.field(name, v)
		}
	}
	w.endHead(w.header["Date"] != nil)
}

func (w *Writer) beginHead() {
	if w.conn.out == nil {
		w.conn.out = (*buffers.Get().(*[]byte))[:0]
	}
	out := w.conn.out
	out = append(out, "HTTP/1.1 "...)
	out = strconv.AppendInt(out, int64(w.status), 10)
	out = append(out, ' ')
	out = append(out, http.StatusText(w.status)...)
	out = append(out, "\r\n"...)
	w.conn.out = out
}

func (w *Writer) field(name, value string) {
	out := w.conn.out
	out = append(out, name...)
	out = append(out, ": "...)
	if strings.ContainsAny(value, "\r\n") {
		value = strings.NewReplacer("\r", " ", "\n", " ").Replace(value)
	}
	out = append(out, value...)
	out = append(out, "\r\n"...)
	w.conn.out = out
}

func (w *Writer) endHead(dated bool) {
	w.sent = true
	out := w.conn.out
	if !dated {
		out = append(out, "Date: "...)
		out = time.Now().UTC().AppendFormat(out, http.TimeFormat)
		out = append(out, "\r\n"...)
	}
	switch {
	case w.bodyless:
		w.chunked = false
	case w.chunked && w.old:
		w.chunked = false // the end of the connection is the end of the body
	case w.chunked:
		out = append(out, "Transfer-Encoding: chunked\r\n"...)
	case w.length >= 0:
		out = append(out, "Content-Length: "...)
		out = strconv.AppendInt(out, w.length, 10)
		out = append(out, "\r\n"...)
	}
	if w.last {
		out = append(out, "Connection: close\r\n"...)
	}
	out = append(out, "\r\n"...)
	w.conn.out = out
}

// Write implements [http.ResponseWriter].
func (w *Writer) Write(b []byte) (int, error) {
	if w.hijacked {
		return 0, http.ErrHijacked
	}
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.err != nil {
		return 0, w.err
	}
	if w.bodyless {
		return 0, http.ErrBodyNotAllowed
	}
	if w.length >= 0 && w.written+int64(len(b)) > w.length {
		return 0, http.ErrContentLength
	}
	w.written += int64(len(b))
	if w.head {
		return len(b), nil
	}
	if w.sent {
		w.chunk(b)
		if len(w.conn.out) > mostPending {
			return len(b), w.push()
		}
		return len(b), nil
	}
	w.pending = append(w.pending, b...)
	if len(w.pending) > mostPending && w.length < 0 {
		if err := w.FlushError(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// Flush implements [http.Flusher].
func (w *Writer) Flush() { _ = w.FlushError() }

// FlushError sends what was written.
func (w *Writer) FlushError() error {
	if w.hijacked {
		return http.ErrHijacked
	}
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.sent {
		w.chunked = w.length < 0
		w.headFromMap()
	}
	w.take()
	return w.push()
}

// take moves the pending body to out.
func (w *Writer) take() {
	w.chunk(w.pending)
	w.pending = w.pending[:0]
}

// chunk adds a piece of the body to out.
func (w *Writer) chunk(b []byte) {
	if len(b) == 0 {
		return
	}
	out := w.conn.out
	if w.chunked {
		out = strconv.AppendInt(out, int64(len(b)), 16)
		out = append(out, "\r\n"...)
	}
	out = append(out, b...)
	if w.chunked {
		out = append(out, "\r\n"...)
	}
	w.conn.out = out
}

// push writes out to the connection.
func (w *Writer) push() error {
	if w.err != nil || len(w.conn.out) == 0 {
		return w.err
	}
	_, w.err = w.conn.net.Write(w.conn.out)
	w.conn.giveBack()
	return w.err
}

// finish ends the answer, in one write if nothing of it has left.
func (w *Writer) finish() error {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if !w.sent {
		if w.length < 0 && !w.chunked && !w.head {
			w.length = w.written
		}
		w.headFromMap()
	}
	w.take()
	if w.chunked && !w.head {
		w.conn.out = append(w.conn.out, "0\r\n\r\n"...)
	}
	if w.length > w.written && !w.head && !w.bodyless {
		w.last = true // the client waits for more, which will not come
	}
	return w.push()
}

// Hijack implements [http.Hijacker].
func (w *Writer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if w.hijacked {
		return nil, nil, http.ErrHijacked
	}
	w.conn.now.Load().end()
	w.hijacked = true
	return w.conn.net, bufio.NewReadWriter(w.conn.in, bufio.NewWriter(w.conn.net)), nil
}
