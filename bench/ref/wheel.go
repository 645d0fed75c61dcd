package ref

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// wheel sends streams an event at a time. One goroutine serves all of them: it
// wakes every millisecond and writes what is due on the bare connections,
// which is the cheapest that can be done with net/http.
//
// A write that blocks would hold up all other streams. That is right here: the
// whole of an answer fits into the buffers of a connection.
type wheel struct {
	chunks [][]byte
	gap    time.Duration

	mu      sync.Mutex
	streams []*paced // guarded by mu
	running bool     // guarded by mu
}

// paced is one stream: begun at start, its next chunk due at start + next*gap.
type paced struct {
	conn  net.Conn
	start time.Time
	next  int
}

func newWheel(chunks [][]byte, gap time.Duration) *wheel { return &wheel{chunks: chunks, gap: gap} }

const pacedHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" +
	"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"

// chunked puts each event into an HTTP chunk, and the end after the last.
func chunked(events [][]byte) [][]byte {
	out := make([][]byte, len(events))
	for i, e := range events {
		out[i] = fmt.Appendf(nil, "%x\r\n%s\r\n", len(e), e)
	}
	if len(out) == 0 {
		return nil
	}
	out[len(out)-1] = append(out[len(out)-1], "0\r\n\r\n"...)
	return out
}

// take takes the connection of a request away from net/http.
func (w *wheel) take(rw http.ResponseWriter) {
	c, _, err := http.NewResponseController(rw).Hijack()
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = c.SetDeadline(time.Time{}) // fails only where the write below does
	if _, err := c.Write([]byte(pacedHead)); err != nil || len(w.chunks) == 0 {
		c.Close()
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.streams = append(w.streams, &paced{conn: c, start: time.Now()})
	if !w.running {
		w.running = true
		go w.run()
	}
}

// run turns the wheel until there is no stream left.
func (w *wheel) run() {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	var streams []*paced
	for {
		w.mu.Lock()
		streams = append(streams, w.streams...)
		w.streams = w.streams[:0]
		if len(streams) == 0 {
			w.running = false
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		now := time.Now()
		kept := streams[:0]
		for _, s := range streams {
			if w.send(s, now) {
				kept = append(kept, s)
			}
		}
		clear(streams[len(kept):])
		streams = kept
		<-tick.C
	}
}

// send writes what is due, and tells whether there is more to come.
func (w *wheel) send(s *paced, now time.Time) bool {
	for now.Sub(s.start) >= time.Duration(s.next)*w.gap {
		_, err := s.conn.Write(w.chunks[s.next])
		if s.next++; err != nil || s.next == len(w.chunks) {
			s.conn.Close()
			return false
		}
	}
	return true
}
