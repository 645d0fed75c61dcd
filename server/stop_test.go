package server_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus/internal/memnet"
	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestStop runs under a fake clock, over a network in memory: what happens to answers that are on their way.
func TestStop(t *testing.T) {
	t.Parallel()
	zero := 0
	pace := func(tokensPerSecond float64) *stub.Pace { return &stub.Pace{TokensPerSecond: tokensPerSecond} }
	text := []wire.Answer{{Parts: []wire.Part{wire.Text{Text: strings.Repeat("word ", 8)}}}}
	cases := []struct {
		name   string
		stub   *stub.Stub
		stream bool
		took   time.Duration // from the signal to the end of Serve
		whole  bool          // the client got all of it
	}{
		{"a hang is cut at once", &stub.Stub{Answers: []stub.Answer{{Fault: stub.Fault{HangAfter: &zero}}}}, true, 0, false},
		{"a short stream ends", &stub.Stub{Answers: []stub.Answer{{Choices: text}}, Pace: pace(8)}, true, 750 * time.Millisecond, true},
		{"a long stream is cut", &stub.Stub{Answers: []stub.Answer{{Choices: text}}, Pace: pace(1)}, true, 5 * time.Second, false},
		{"a late answer is waited for", &stub.Stub{Answers: []stub.Answer{{Choices: text}}, Delay: 3 * time.Second}, false, 2 * time.Second, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c.stub.Priority = stub.DefaultPriority
				s, err := server.New(server.Config{Stubs: []*stub.Stub{c.stub}})
				if err != nil {
					t.Fatal(err)
				}
				n := memnet.New()
				ctx, signal := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- s.Serve(ctx, n.Listen()) }()
				got := make(chan error, 1)
				transport := n.Transport()
				go func() { got <- askAndRead(t, &http.Client{Transport: transport}, c.stream) }()
				synctest.Wait()
				<-time.After(time.Second)
				signal()
				begin := time.Now()
				if err := <-ended; err != nil {
					t.Errorf("Serve: %v", err)
				}
				// Shutdown looks every now and then whether all is done.
				if took := time.Since(begin); took < c.took || took > c.took+time.Second {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				if err := <-got; (err == nil) != c.whole {
					t.Errorf("the client got %v, want all of it: %t", err, c.whole)
				}
				transport.CloseIdleConnections()
				_ = n.Close()
			})
		})
	}
}

// askAndRead gives an error where the answer did not come whole.
func askAndRead(t *testing.T, client *http.Client, stream bool) error {
	t.Helper()
	p := chat("Hello")
	if stream {
		p = chat("Hello", `,"stream":true`)
	}
	req, err := http.NewRequestWithContext(context.Background(), p.Method, "http://mimus.test"+p.Path, strings.NewReader(string(p.Body)))
	if err != nil {
		return err
	}
	req.Header = p.Header
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && stream && !strings.HasSuffix(string(b), "data: [DONE]\n\n") {
		err = errors.New("the stream is not whole")
	}
	return err
}

func TestServeSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	s, err := server.New(server.Config{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if err := s.Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "use of closed network connection") {
		t.Errorf("Serve on a closed listener: %v", err)
	}
}
