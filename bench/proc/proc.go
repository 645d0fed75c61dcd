// Package proc runs servers as processes of their own, so that what they cost
// can be told from what it costs to ask them. It reads /proc, and so works on
// Linux only.
package proc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is a server that runs.
type Server struct {
	URL     string        // as it said itself
	Started time.Duration // from its start to that line

	cmd  *exec.Cmd
	done chan struct{}

	mu   sync.Mutex
	last []string // the last lines of what it printed; guarded by mu
}

var listening = regexp.MustCompile(`listening on (https?://[^\s/"]+)`)

// patience is how long a server may take to listen.
const patience = 20 * time.Second

// Start starts a program and waits until it prints "listening on URL", on
// either output. The process is killed when ctx ends.
func Start(ctx context.Context, name string, args ...string) (*Server, error) {
	s := &Server{done: make(chan struct{}), cmd: exec.CommandContext(ctx, name, args...)}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.cmd.Stdout, s.cmd.Stderr = w, w
	begin := time.Now()
	err = s.cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	url := make(chan string, 1)
	go s.watch(r, url)
	select {
	case s.URL = <-url:
		s.Started = time.Since(begin)
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("%s ended before it listened: %v\n%s", name, s.cmd.ProcessState, s.printed())
	case <-time.After(patience):
		s.Stop()
		return nil, fmt.Errorf("%s did not listen within %v\n%s", name, patience, s.printed())
	case <-ctx.Done():
		s.Stop()
		return nil, ctx.Err()
	}
}

// watch reads what the process prints until it ends, and waits for it.
func (s *Server) watch(r io.ReadCloser, url chan<- string) {
	defer close(s.done)
	defer func() { _ = s.cmd.Wait() }() // how it ended, its state says
	defer r.Close()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		s.mu.Lock()
		s.last = append(s.last, lines.Text())
		s.last = s.last[max(0, len(s.last)-20):]
		s.mu.Unlock()
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			select {
			case url <- m[1]:
			default:
			}
		}
	}
	_, _ = io.Copy(io.Discard, r) // after a line that is too long; no error matters at the end
}

func (s *Server) printed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.last, "\n")
}

// Stop asks the process to end, kills it if it does not within two seconds,
// and waits until it has.
func (s *Server) Stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // fails only where it has ended, as it should
	select {
	case <-s.done:
	case <-time.After(2 * time.Second):
		_ = s.cmd.Process.Kill() // as above
		<-s.done
	}
}

// Err returns an error, with what it printed, if the process has ended.
func (s *Server) Err() error {
	select {
	case <-s.done:
		return errors.New("the server ended: " + s.printed())
	default:
		return nil
	}
}
