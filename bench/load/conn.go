package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// conn is one connection, and what it knows of the answer that it reads.
type conn struct {
	net.Conn
	unwatch func() bool // forgets the context that would close it
	br      *bufio.Reader
	events  eventCounter
	sse     bool
	stamps  bool // note when each event came

	asked     time.Time
	firstByte time.Duration
	bytes     int64
	count     int
	times     []time.Duration // of the events, since asked
}

func newConn(c net.Conn, size int, cfg Config) *conn {
	k := &conn{Conn: c, br: bufio.NewReaderSize(c, size), sse: cfg.SSE, stamps: cfg.Gap > 0}
	k.events.found = func() {
		k.count++
		if k.stamps {
			k.times = append(k.times, time.Since(k.asked))
		}
	}
	return k
}

// head is what matters of an answer's header.
type head struct {
	status  int
	length  int64 // -1: not given
	chunked bool
	last    bool // the connection ends after this answer
}

// answer reads one answer.
func (k *conn) answer() (head, error) {
	k.bytes, k.count, k.times = 0, 0, k.times[:0]
	k.events.col, k.events.off = 0, false
	h, err := k.head()
	if err != nil {
		return h, err
	}
	switch {
	case h.chunked:
		return h, k.chunks()
	case h.length >= 0:
		return h, k.take(h.length, true)
	}
	h.last = true
	for {
		if _, err := k.br.Peek(1); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return h, err
		}
		if err := k.take(int64(k.br.Buffered()), true); err != nil {
			return h, err
		}
	}
}

func (k *conn) line() ([]byte, error) {
	line, err := k.br.ReadSlice('\n')
	k.bytes += int64(len(line))
	return bytes.TrimRight(line, "\r\n"), err
}

func (k *conn) head() (head, error) {
	h := head{length: -1}
	line, err := k.line()
	if err != nil {
		return h, err
	}
	k.firstByte = time.Since(k.asked)
	if len(line) < len("HTTP/1.1 200") {
		return h, fmt.Errorf("status line %q", line)
	}
	if h.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return h, fmt.Errorf("status line %q", line)
	}
	for {
		if line, err = k.line(); err != nil || len(line) == 0 {
			return h, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case is(name, "content-length"):
			if h.length, err = strconv.ParseInt(string(value), 10, 64); err != nil || h.length < 0 {
				return h, fmt.Errorf("content length %q", value)
			}
		case is(name, "transfer-encoding"):
			h.chunked = is(value, "chunked")
		case is(name, "connection"):
			h.last = is(value, "close")
		}
	}
}

func is(b []byte, s string) bool { return len(b) == len(s) && bytes.EqualFold(b, []byte(s)) }

func (k *conn) chunks() error {
	for {
		line, err := k.line()
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(line), 16, 64)
		if err != nil || size < 0 {
			return fmt.Errorf("chunk size %q", line)
		}
		if err := k.take(size, true); err != nil {
			return err
		}
		if err := k.take(int64(len("\r\n")), false); err != nil {
			return err
		}
		if size == 0 {
			return nil
		}
	}
}

// take reads n bytes, of the body or around it.
func (k *conn) take(n int64, body bool) error {
	k.bytes += n
	for n > 0 {
		if k.br.Buffered() == 0 {
			if _, err := k.br.Peek(1); err != nil {
				return noEOF(err)
			}
		}
		b, err := k.br.Peek(int(min(n, int64(k.br.Buffered()))))
		if err != nil {
			return noEOF(err)
		}
		if body && k.sse {
			k.events.feed(b)
		}
		_, _ = k.br.Discard(len(b)) // they are there
		n -= int64(len(b))
	}
	return nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
