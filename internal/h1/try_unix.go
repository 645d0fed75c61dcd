//go:build unix

package h1

import (
	"errors"
	"syscall"
)

// canTry says whether there are writes that do not wait.
const canTry = true

// try is a write that does not wait. It is kept, so that it needs no memory for each.
type try struct {
	b   []byte
	n   int
	err error
	do  func(fd uintptr) bool
}

// write writes as much as there is room for.
func (t *try) write(raw syscall.RawConn, b []byte) (int, error) {
	if t.do == nil {
		t.do = func(fd uintptr) bool {
			for {
				t.n, t.err = syscall.Write(int(fd), t.b)
				if !errors.Is(t.err, syscall.EINTR) {
					return true
				}
			}
		}
	}
	t.b, t.n, t.err = b, 0, nil
	err := raw.Write(t.do)
	t.b = nil
	switch {
	case err != nil:
		return 0, err
	case errors.Is(t.err, syscall.EAGAIN):
		return 0, nil
	case t.err != nil:
		return 0, t.err
	}
	return t.n, nil
}
