package memnet_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus/internal/memnet"
)

// serve runs h on a new network until the test ends.
func serve(t *testing.T, h http.HandlerFunc) (*memnet.Net, *http.Client) {
	t.Helper()
	n := memnet.New()
	done := make(chan error, 1)
	go func() { done <- http.Serve(n.Listen(), h) }()
	t.Cleanup(func() {
		n.Close()
		if err := <-done; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Serve ended with %v, want net.ErrClosed", err)
		}
	})
	return n, &http.Client{Transport: n.Transport()}
}

func get(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestEveryHostReachesTheListener(t *testing.T) {
	t.Parallel()
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		a, ok := memnet.Dialed(r.Context())
		fmt.Fprint(w, r.Host, " ", a, " ", a.TLS, " ", ok)
	})
	tests := []struct{ url, want string }{
		{"https://api.openai.com/v1/models", "api.openai.com api.openai.com:443 true true"},
		{"http://localhost:11434/api/chat", "localhost:11434 localhost:11434 false true"},
		{"http://example.com/", "example.com example.com:80 false true"},
		{"https://[::1]:8443/", "[::1]:8443 [::1]:8443 true true"},
	}
	for _, tt := range tests {
		if got := get(t, client, tt.url); got != tt.want {
			t.Errorf("%s reached the server as %q, want %q", tt.url, got, tt.want)
		}
	}
}

func TestClientsHaveAddressesOfTheirOwn(t *testing.T) {
	t.Parallel()
	n, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RemoteAddr) })
	seen := map[string]bool{}
	for range 3 {
		got := get(t, &http.Client{Transport: n.Transport()}, "http://a.example/")
		if host, _, err := net.SplitHostPort(got); err != nil || net.ParseIP(host) == nil {
			t.Errorf("RemoteAddr is %q, want IP:port", got)
		}
		seen[got] = true
	}
	if len(seen) != 3 {
		t.Errorf("three connections came from %d addresses", len(seen))
	}
}

func TestDialedOnAnotherNetwork(t *testing.T) {
	t.Parallel()
	if a, ok := memnet.Dialed(t.Context()); ok {
		t.Errorf("Dialed found %v in a bare context", a)
	}
}

func TestLargeBodiesBothWays(t *testing.T) {
	t.Parallel()
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	sent := strings.Repeat("0123456789abcdef", 1<<16)
	resp, err := client.Post("https://a.example/", "text/plain", strings.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil || string(got) != sent {
		t.Errorf("%d bytes came back (%v), want the %d that were sent", len(got), err, len(sent))
	}
}

// HTTP/2 writes on both sides at once, which a connection without a buffer
// must survive.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		defer n.Close()
		srv := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, r.Proto+" ")
			http.NewResponseController(w).Flush()
			<-time.After(10 * time.Minute)
			io.Copy(w, r.Body)
		})}
		srv.Protocols.SetUnencryptedHTTP2(true)
		go srv.Serve(n.Listen())
		defer srv.Close()
		tr := n.Transport()
		tr.Protocols = new(http.Protocols)
		tr.Protocols.SetUnencryptedHTTP2(true)
		defer tr.CloseIdleConnections()
		sent := strings.Repeat("0123456789abcdef", 1<<12)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				resp, err := (&http.Client{Transport: tr}).Post("http://a.example/", "text/plain", strings.NewReader(sent))
				if err != nil {
					t.Error(err)
					return
				}
				defer resp.Body.Close()
				if got, err := io.ReadAll(resp.Body); err != nil || string(got) != "HTTP/2.0 "+sent {
					t.Errorf("%d bytes came back, %v: %.20q", len(got), err, got)
				}
			})
		}
		wg.Wait()
	})
}

func TestManyClientsAtOnce(t *testing.T) {
	t.Parallel()
	_, client := serve(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			want := fmt.Sprint("request ", i)
			resp, err := client.Post("https://a.example/", "text/plain", strings.NewReader(want))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if got, err := io.ReadAll(resp.Body); err != nil || string(got) != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		})
	}
	wg.Wait()
}

func TestTenMinutesOfSilenceCostNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "one\n")
			http.NewResponseController(w).Flush()
			select {
			case <-time.After(10 * time.Minute):
			case <-r.Context().Done():
			}
			io.WriteString(w, "two\n")
		})
		start := time.Now()
		resp, err := client.Get("https://a.example/")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for i, want := range []string{"one", "two"} {
			if !lines.Scan() || lines.Text() != want {
				t.Fatalf("line %d is %q (%v), want %q", i, lines.Text(), lines.Err(), want)
			}
			if got, want := time.Since(start), time.Duration(i)*10*time.Minute; got != want {
				t.Errorf("line %d came after %v, want %v", i, got, want)
			}
		}
	})
}

func TestServerSeesTheClientHangUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		rest func(w http.ResponseWriter, r *http.Request)
	}{
		{"while it waits", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"while it writes", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := io.WriteString(w, strings.Repeat("more ", 1000)); err != nil {
					return
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var cancelled error
				_, client := serve(t, func(w http.ResponseWriter, r *http.Request) {
					io.WriteString(w, "first\n")
					http.NewResponseController(w).Flush()
					tt.rest(w, r)
					cancelled = r.Context().Err()
				})
				resp, err := client.Get("https://a.example/")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				synctest.Wait()
				if !errors.Is(cancelled, context.Canceled) {
					t.Errorf("the request's context says %v, want context.Canceled", cancelled)
				}
			})
		})
	}
}

func TestClientDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var cancelledAfter time.Duration
		start := time.Now()
		_, client := serve(t, func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // net/http watches the connection only from here on
			<-r.Context().Done()
			cancelledAfter = time.Since(start)
		})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "https://a.example/", strings.NewReader("{}"))
		if _, err := client.Do(req); !errors.Is(err, context.DeadlineExceeded) { //nolint:bodyclose // there is none
			t.Errorf("the client got %v, want context.DeadlineExceeded", err)
		}
		synctest.Wait()
		if cancelledAfter != 30*time.Second {
			t.Errorf("the server saw it after %v, want 30s", cancelledAfter)
		}
	})
}

// A bubble ends only when all its goroutines have ended, and panics if they
// never do: so this test needs no count of goroutines.
func TestCloseLeavesNoGoroutine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		released := make(chan struct{})
		go http.Serve(n.Listen(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/hang" {
				<-r.Context().Done()
				close(released)
			}
		}))
		client := &http.Client{Transport: n.Transport()}
		get(t, client, "https://idle.example/")
		go func() {
			if resp, err := client.Get("http://busy.example/hang"); err == nil {
				resp.Body.Close()
				t.Error("a request survived Close")
			}
		}()
		synctest.Wait()
		n.Close()
		n.Close()
		<-released
		if _, err := n.DialContext(t.Context(), "tcp", "late.example:80"); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("dialling after Close gives %v, want ECONNREFUSED", err)
		}
	})
}

func TestShutdownWaitsForOpenRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		defer n.Close()
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			<-time.After(time.Minute)
			io.WriteString(w, "whole")
		})}
		go srv.Serve(n.Listen())
		client := &http.Client{Transport: n.Transport()}
		got := make(chan string, 1)
		go func() { got <- get(t, client, "http://a.example/") }()
		synctest.Wait()
		if err := srv.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := <-got; s != "whole" {
			t.Errorf("the open request got %q, want %q", s, "whole")
		}
	})
}

func TestDialWaitsForAccept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := memnet.New()
		defer n.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := n.DialContext(ctx, "tcp", "a.example:80"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("dialling without Accept gives %v, want context.DeadlineExceeded", err)
		}
		if _, err := n.DialContext(ctx, "tcp", "a.example:80"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("dialling with an ended context gives %v, want context.DeadlineExceeded", err)
		}
		waiting := make(chan error, 1)
		go func() {
			_, err := n.DialContext(t.Context(), "tcp", "a.example:80")
			waiting <- err
		}()
		synctest.Wait()
		n.Listen().Close()
		if err := <-waiting; !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("closing the listener gives a waiting dial %v, want ECONNREFUSED", err)
		}
		if _, err := n.Listen().Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept after Close gives %v, want net.ErrClosed", err)
		}
	})
}

// pair returns the two ends of one connection.
func pair(t *testing.T) (client, server net.Conn) {
	t.Helper()
	n := memnet.New()
	t.Cleanup(func() { n.Close() })
	accepted := make(chan net.Conn)
	go func() {
		c, err := n.Listen().Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	client, err := n.DialContext(t.Context(), "tcp", "a.example:80")
	if err != nil {
		t.Fatal(err)
	}
	return client, <-accepted
}

func TestWhatTheOtherSideSees(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		reset       bool
		read, write error
	}{
		{"close", false, io.EOF, syscall.EPIPE},
		{"reset", true, syscall.ECONNRESET, syscall.ECONNRESET},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client, server := pair(t)
			if tt.reset {
				if err := server.(interface{ SetLinger(int) error }).SetLinger(0); err != nil {
					t.Fatal(err)
				}
			}
			reading := make(chan error)
			go func() {
				_, err := client.Read(make([]byte, 1))
				reading <- err
			}()
			server.Close()
			if err := <-reading; !errors.Is(err, tt.read) {
				t.Errorf("a pending Read gives %v, want %v", err, tt.read)
			}
			if _, err := client.Write([]byte("x")); !errors.Is(err, tt.write) {
				t.Errorf("Write gives %v, want %v", err, tt.write)
			}
			if _, err := server.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
				t.Errorf("Read on the closed end gives %v, want net.ErrClosed", err)
			}
			if _, err := server.Write([]byte("x")); !errors.Is(err, net.ErrClosed) {
				t.Errorf("Write on the closed end gives %v, want net.ErrClosed", err)
			}
		})
	}
}

func TestResetReachesAnHTTPClient(t *testing.T) {
	t.Parallel()
	_, client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "some")
		rc := http.NewResponseController(w)
		rc.Flush()
		c, _, err := rc.Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		if err := c.(interface{ SetLinger(int) error }).SetLinger(0); err != nil {
			t.Error(err)
		}
		c.Close()
	})
	resp, err := client.Get("https://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); string(b) != "some" || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client read %q, %v; want %q and ECONNRESET", b, err, "some")
	}
}

func TestEmptyReadsAndWritesDoNotWait(t *testing.T) {
	t.Parallel()
	client, server := pair(t)
	if n, err := client.Write(nil); n != 0 || err != nil {
		t.Errorf("Write(nil) = %d, %v", n, err)
	}
	if n, err := server.Read(nil); n != 0 || err != nil {
		t.Errorf("Read(nil) = %d, %v", n, err)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, server := pair(t)
		server.SetWriteDeadline(time.Now().Add(time.Second))
		_, err := server.Write([]byte("nobody reads this"))
		if ne, ok := errors.AsType[net.Error](err); !ok || !ne.Timeout() {
			t.Errorf("Write gives %v, want a timeout", err)
		}
		client.SetReadDeadline(time.Now().Add(time.Second))
		_, err = client.Read(make([]byte, 1))
		if ne, ok := errors.AsType[net.Error](err); !ok || !ne.Timeout() {
			t.Errorf("Read gives %v, want a timeout", err)
		}
	})
}
