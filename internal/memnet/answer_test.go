package memnet_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mimus-go/mimus/internal/memnet"
)

// hasty is a request's body as smithy-go wraps it: once it is closed, what copies it gets io.EOF for an error.
type hasty struct {
	io.Reader
	closed atomic.Bool
}

func (h *hasty) WriteTo(w io.Writer) (int64, error) {
	if h.closed.Load() {
		return 0, io.EOF
	}
	return io.Copy(w, h.Reader)
}

func (h *hasty) Close() error {
	h.closed.Store(true)
	return nil
}

// TestNoAnswerOvertakesItsRequest closes each request's body as soon as the answer's header is there, as smithy-go does.
// Had the request's own goroutine not yet seen the body's end, it would break the connection.
func TestNoAnswerOvertakesItsRequest(t *testing.T) {
	t.Parallel()
	network := memnet.New()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for range 50 {
			_, _ = io.WriteString(w, "some words ")
			_ = http.NewResponseController(w).Flush()
		}
	})}
	go func() { _ = server.Serve(network.Listen()) }()
	t.Cleanup(func() {
		_ = server.Close()
		_ = network.Close()
	})
	client := &http.Client{Transport: network.Transport()}
	for range 500 {
		body := &hasty{Reader: strings.NewReader(`{"messages":[]}`)}
		r, err := http.NewRequest(http.MethodPost, "https://model.test/", body)
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = 15
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
}
