//go:build !unix

package h1

import (
	"errors"
	"syscall"
)

// canTry says whether there are writes that do not wait: not here, so no stream is handed over.
const canTry = false

type try struct{}

func (*try) write(syscall.RawConn, []byte) (int, error) { return 0, errors.ErrUnsupported }
