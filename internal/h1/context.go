package h1

import (
	"context"
	"sync"
	"time"
)

// request is the context of a request. It ends with the answer, or when the client hangs up; the connection is watched
// for that only while somebody waits for it.
type request struct {
	context.Context // of the connection, for its values
	conn            *conn

	// mu guards what follows.
	mu      sync.Mutex
	done    chan struct{}
	err     error
	ready   bool          // the body has ended, so that the connection can be watched
	watcher chan struct{} // closed when the watching has ended; nil: nobody watches
	over    bool
}

// Deadline implements [context.Context]: there is none.
func (r *request) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done implements [context.Context].
func (r *request) Done() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == nil {
		r.done = make(chan struct{})
		if r.err != nil {
			close(r.done)
		}
		r.watch()
	}
	return r.done
}

// Err implements [context.Context].
func (r *request) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// bodyEnded is called by the one who reads the body.
func (r *request) bodyEnded() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ready = true
	r.watch()
}

// watch waits for the client to hang up, where that is wanted and possible. The caller holds mu.
func (r *request) watch() {
	if r.done == nil || !r.ready || r.watcher != nil || r.err != nil || r.over {
		return
	}
	ended := make(chan struct{})
	r.watcher = ended
	go func() {
		defer close(ended)
		if _, err := r.conn.in.Peek(1); err == nil {
			return // the next request came early
		}
		r.mu.Lock()
		over := r.over
		r.mu.Unlock()
		if !over {
			r.cancel()
		}
	}()
}

// cancel ends the context.
func (r *request) cancel() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	r.err = context.Canceled
	if r.done != nil {
		close(r.done)
	}
}

// end stops the watching, so that the next request can be read, and ends the context.
func (r *request) end() {
	r.mu.Lock()
	r.over = true
	watcher := r.watcher
	r.mu.Unlock()
	if watcher != nil {
		_ = r.conn.net.SetReadDeadline(time.Unix(1, 0))
		<-watcher
		_ = r.conn.net.SetReadDeadline(time.Time{})
	}
	r.cancel()
}
