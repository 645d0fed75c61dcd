package mimus

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// connections knows which goroutines of a server still run.
type connections struct {
	// mu guards what follows.
	mu     sync.Mutex
	open   map[net.Conn]bool
	serves int
	change chan struct{} // closed when one ends; nil while nobody waits
}

// serve runs a server on a listener.
func (c *connections) serve(s *http.Server, l net.Listener) {
	c.mu.Lock()
	c.serves++
	c.mu.Unlock()
	go func() {
		_ = s.Serve(l)
		c.ends(func() { c.serves-- })
	}()
}

// state is a server's ConnState hook.
func (c *connections) state(conn net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open == nil {
			c.open = map[net.Conn]bool{}
		}
		c.open[conn] = true
	case http.StateClosed, http.StateHijacked:
		c.ends(func() { delete(c.open, conn) })
	case http.StateActive, http.StateIdle:
	}
}

func (c *connections) ends(note func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	note()
	if c.change != nil {
		close(c.change)
		c.change = nil
	}
}

// wait waits until all have ended; it is false where that takes too long.
func (c *connections) wait(most time.Duration) bool {
	t := time.NewTimer(most)
	defer t.Stop()
	for {
		c.mu.Lock()
		if len(c.open) == 0 && c.serves == 0 {
			c.mu.Unlock()
			return true
		}
		if c.change == nil {
			c.change = make(chan struct{})
		}
		change := c.change
		c.mu.Unlock()
		select {
		case <-change:
		case <-t.C:
			return false
		}
	}
}
