package h1

import (
	"errors"
	"io"
)

// body is a request's, which knows when it has ended: only then can a hang-up be seen.
type body struct {
	conn  *conn
	from  io.ReadCloser
	left  int64 // bytes to come; negative where that is not known
	ended bool
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.left -= int64(n)
	if (b.left == 0 || errors.Is(err, io.EOF)) && !b.ended {
		b.ended = true
		b.conn.now.Load().bodyEnded()
	}
	return n, err
}

// Close implements [io.Closer]. What was not read is read, or not, once the answer is there.
func (b *body) Close() error { return nil }

// drain reads what the handler left. It is false where that is too much, or cannot be had.
func (b *body) drain() bool {
	if b.ended {
		return true
	}
	if e, ok := b.from.(*expecting); ok && !e.asked {
		return false // the client still waits for leave to send it
	}
	_, err := io.CopyN(io.Discard, b.from, maxUnread)
	return errors.Is(err, io.EOF)
}

// expecting is a body that the client sends once it is told to.
type expecting struct {
	conn  *conn
	from  io.ReadCloser
	asked bool
}

// Read implements [io.Reader].
func (e *expecting) Read(p []byte) (int, error) {
	if !e.asked {
		e.asked = true
		if _, err := io.WriteString(e.conn.net, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return 0, err
		}
	}
	return e.from.Read(p)
}

// Close implements [io.Closer].
func (e *expecting) Close() error { return e.from.Close() }
