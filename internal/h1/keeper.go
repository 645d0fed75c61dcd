package h1

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Keeper is a handler that takes over the HTTP/1.1 connections of the requests that come to it. Its fields must not be
// changed once it is in use.
type Keeper struct {
	// Handler answers the requests.
	Handler http.Handler
	// HeaderTimeout is how long the header of a request may take once it has begun; 0 is without end.
	HeaderTimeout time.Duration

	closing atomic.Bool
	active  sync.WaitGroup // of connections, and of the goroutines that write streams

	make   sync.Once
	wheels []*wheel
	turn   atomic.Uint32

	// mu guards conns.
	mu    sync.Mutex
	conns map[*conn]struct{}
}

// mostHeld is the longest body of a first request that is read ahead, so that its connection can be taken over.
const mostHeld = 1 << 20

// ServeHTTP answers a request, and those that follow on its connection.
func (k *Keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !k.takes(r) {
		k.Handler.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
		k.Handler.ServeHTTP(w, r)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	nc, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		k.Handler.ServeHTTP(w, r)
		return
	}
	c := newConn(k, nc, r)
	if n := rw.Reader.Buffered(); n > 0 {
		ahead, _ := rw.Peek(n)
		c.from.ahead = append([]byte(nil), ahead...)
	}
	if !k.add(c) {
		_ = nc.Close()
		return
	}
	handed := false
	defer func() {
		if !handed {
			k.remove(c)
		}
	}()
	handed = c.run(r)
}

// takes says whether the connection of a request is one to take over.
func (k *Keeper) takes(r *http.Request) bool {
	if r.ProtoMajor != 1 || r.ProtoMinor < 1 || r.Close || r.TLS != nil || r.ContentLength < 0 || r.ContentLength > mostHeld {
		return false
	}
	if r.Header["Expect"] != nil || r.Header["Upgrade"] != nil || k.closing.Load() {
		return false
	}
	_, tcp := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return tcp
}

// failing is a reader that has failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func (k *Keeper) add(c *conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closing.Load() {
		return false
	}
	if k.conns == nil {
		k.conns = map[*conn]struct{}{}
	}
	k.conns[c] = struct{}{}
	k.active.Add(1)
	return true
}

func (k *Keeper) remove(c *conn) {
	k.mu.Lock()
	delete(k.conns, c)
	k.mu.Unlock()
	k.active.Done()
}

// Shutdown closes the connections on which nothing is asked, lets the others finish their answer, and waits for them. If
// ctx ends first, it closes all and returns the context's error.
func (k *Keeper) Shutdown(ctx context.Context) error {
	k.each(func(c *conn) {
		if c.state.CompareAndSwap(idle, closed) {
			_ = c.net.Close()
		}
	})
	done := make(chan struct{})
	go func() {
		k.active.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		k.Close()
		<-done
		return ctx.Err()
	}
}

// Close closes all connections at once. Handlers learn of it by their contexts.
func (k *Keeper) Close() {
	k.each(func(c *conn) {
		c.state.Store(closed)
		c.shut()
		_ = c.net.Close()
	})
}

// wheel chooses who writes the next stream.
func (k *Keeper) wheel() *wheel {
	k.make.Do(func() {
		for range max(1, min(runtime.GOMAXPROCS(0)/2, mostWheels)) {
			k.wheels = append(k.wheels, &wheel{keeper: k, wake: make(chan struct{}, 1)})
		}
	})
	return k.wheels[k.turn.Add(1)%uint32(len(k.wheels))]
}

func (k *Keeper) each(do func(*conn)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closing.Store(true)
	for c := range k.conns {
		do(c)
	}
}
