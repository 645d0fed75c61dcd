package h1

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// counting is a stream of numbers, one a gap, each padded to a length.
type counting struct {
	from  time.Time
	gap   time.Duration
	count int
	pad   int
	exact bool
	abort bool

	next, wrote int
	wroteAll    atomic.Int64
	ended       chan bool // whether the client is gone
}

func newCounting(gap time.Duration, count int) *counting {
	return &counting{from: time.Now(), gap: gap, count: count, ended: make(chan bool, 1)}
}

func (c *counting) Next(dst []byte, now time.Time) (all []byte, next time.Time, more bool) {
	for c.next < c.count && !c.due().After(now) {
		if c.next++; c.pad > 0 && len(dst) > 0 {
			c.next--
			return dst, now, true // no more at once, so that a slow machine needs no more memory
		}
		dst = fmt.Appendf(dst, "%d%s\n", c.next, strings.Repeat(" ", c.pad))
	}
	return dst, c.due(), c.next < c.count
}

func (c *counting) due() time.Time { return c.from.Add(time.Duration(c.next+1) * c.gap) }
func (c *counting) Wrote()         { c.wrote = c.next; c.wroteAll.Store(int64(c.next)) }
func (c *counting) Exact() bool    { return c.exact }

func (c *counting) Ended(gone bool) bool {
	c.ended <- gone
	return !c.abort
}

// handing is a handler that answers with a stream, and to /other with a text.
func handing(t *testing.T, stream func() *counting) http.HandlerFunc {
	t.Helper()
	if !canTry {
		t.Skip("no stream is handed over on this system")
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/other" {
			_, _ = io.WriteString(w, "other")
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		ours := w.(*Writer)
		ours.Respond(200, wire.Header{{Name: "Content-Type", Value: "text/plain"}}, -1)
		_, _ = io.WriteString(w, "0\n")
		if err := ours.FlushError(); err != nil {
			t.Error(err)
		}
		c := stream()
		if !ours.Hand(c, c.due()) {
			t.Error("the stream was not taken")
		}
		if ours.Hand(c, c.due()) {
			t.Error("a second one was")
		}
	}
}

const other = "GET /other HTTP/1.1\r\nHost: a.test\r\n\r\n"

// TestHand has streams that end as they should, on connections that go on, or not.
func TestHand(t *testing.T) {
	t.Parallel()
	const whole = "200 0\n1\n2\n3\n"
	for _, tt := range []struct {
		name, send   string
		exact, abort bool
		methods      []string
		want         []string
	}{
		{"one", get, false, false, []string{"GET"}, []string{whole}},
		{"known to have left", get, true, false, []string{"GET"}, []string{whole}},
		{
			"then another request, which came early", get + other + get + other, false, false,
			[]string{"GET", "GET", "GET", "GET"},
			[]string{whole, "200 other", whole, "200 other"},
		},
		{"not the first", other + get + other, false, false, []string{"GET", "GET", "GET"}, []string{"200 other", whole, "200 other"}},
		{"with a body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + other, false, false, []string{"POST", "GET"}, []string{whole, "200 other"}},
		{"the last answer", other + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", true, false, []string{"GET", "GET"}, []string{"200 other", whole}},
		{"broken", get, false, true, []string{"GET"}, nil}, // after as much as had left
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan bool, 10)
			s, _ := start(t, handing(t, func() *counting {
				c := newCounting(10*time.Millisecond, 3)
				c.exact, c.abort, c.ended = tt.exact, tt.abort, ended
				return c
			}))
			got, rest := talk(t, s, tt.send, tt.methods...)
			if tt.abort {
				if !strings.HasPrefix(got[0], "200 0\n") || !strings.HasSuffix(got[0], " unexpected EOF") || strings.Contains(got[0], "3") {
					t.Errorf("got %q, then %q", got, rest)
				}
			} else if fmt.Sprint(got) != fmt.Sprint(tt.want) || rest != "" {
				t.Errorf("got  %q, then %q\nwant %q", got, rest, tt.want)
			}
			if gone := <-ended; gone {
				t.Error("the client is said to be gone")
			}
		})
	}
}

// ask asks on a connection of its own.
func ask(t *testing.T, addr, send string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", addr) //nolint:noctx // of this machine
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, send); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// TestHandKeepsAlive asks again once the stream has ended, as a client does, many times on one connection.
func TestHandKeepsAlive(t *testing.T) {
	t.Parallel()
	s, _ := start(t, handing(t, func() *counting { return newCounting(time.Millisecond, 3) }))
	c, br := ask(t, s.Listener.Addr().String(), "")
	for i := range 30 {
		send := get
		if i%3 == 2 {
			send = other
		}
		if _, err := io.WriteString(c, send); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(br, nil) //nolint:bodyclose // of a bare connection, which is closed instead
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || string(body) != "0\n1\n2\n3\n" && string(body) != "other" {
			t.Fatalf("request %d: %q, %v", i, body, err)
		}
	}
}

// TestHandIsNotTaken where the keeper could not go on with the answer.
func TestHandIsNotTaken(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		send    string
		handler func(*Writer)
	}{
		"a length":             {get, func(w *Writer) { w.Respond(200, nil, 3); _ = w.FlushError() }},
		"nothing was said":     {get, func(*Writer) {}},
		"nothing was flushed":  {get, func(w *Writer) { w.Respond(200, nil, -1); _, _ = w.Write([]byte("a")) }},
		"no content":           {get, func(w *Writer) { w.Respond(204, nil, -1); _ = w.FlushError() }},
		"a HEAD":               {"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", func(w *Writer) { w.Respond(200, nil, -1); _ = w.FlushError() }},
		"the body is not read": {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na", func(w *Writer) { w.Respond(200, nil, -1); _ = w.FlushError() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done := make(chan struct{})
			s, _ := start(t, func(w http.ResponseWriter, _ *http.Request) {
				defer close(done)
				tt.handler(w.(*Writer))
				if c := newCounting(time.Hour, 1); w.(*Writer).Hand(c, c.due()) {
					t.Error("the stream was taken")
				}
			})
			ask(t, s.Listener.Addr().String(), tt.send)
			<-done
		})
	}
}

// TestHandHangUp notices a client that goes, long before anything is due, or while nothing has room.
func TestHandHangUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*counting{
		"waiting": newCounting(time.Hour, 3),
		"blocked": {from: time.Now(), gap: time.Millisecond, count: 400, pad: 256 << 10, ended: make(chan bool, 1)},
		"at last": {from: time.Now(), gap: time.Millisecond, count: 1, pad: 20 << 20, exact: true, ended: make(chan bool, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := start(t, handing(t, func() *counting { return c }))
			conn, br := ask(t, s.Listener.Addr().String(), get)
			if _, err := http.ReadResponse(br, nil); err != nil { //nolint:bodyclose // of a bare connection, which is closed instead
				t.Fatal(err)
			}
			conn.Close()
			if gone := <-c.ended; !gone || c.wrote == c.count {
				t.Errorf("gone %t, after %d of %d", gone, c.wrote, c.count)
			}
		})
	}
}

// TestHandBlocks lets a client read late: everything comes, and others have not waited.
func TestHandBlocks(t *testing.T) {
	t.Parallel()
	slow := &counting{from: time.Now(), gap: time.Millisecond, count: 20, pad: 1 << 20, ended: make(chan bool, 1)}
	forSlow := handing(t, func() *counting { return slow })
	forQuick := handing(t, func() *counting { return newCounting(time.Millisecond, 50) })
	s, _ := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/quick" {
			forQuick(w, r)
			return
		}
		forSlow(w, r)
	})
	_, late := ask(t, s.Listener.Addr().String(), get)
	resp, err := http.ReadResponse(late, nil) //nolint:bodyclose // of a bare connection, which is closed instead
	if err != nil {
		t.Fatal(err)
	}
	_, br := ask(t, s.Listener.Addr().String(), "GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")
	other, err := http.ReadResponse(br, nil) //nolint:bodyclose // of a bare connection, which is closed instead
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(other.Body); err != nil || strings.Count(string(body), "\n") != 51 {
		t.Errorf("the other stream: %.300q, %v", body, err)
	}
	if n := slow.wroteAll.Load(); n == 20 {
		t.Error("20 MiB had room: nothing was blocked")
	}
	if n, err := io.Copy(io.Discard, resp.Body); err != nil || n < 20<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if gone := <-slow.ended; gone || slow.wrote != 20 {
		t.Errorf("gone %t, after %d", gone, slow.wrote)
	}
}

// TestHandShutdown lets streams end, and closes their connections then; what does not end in time is cut.
func TestHandShutdown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*counting{"ends": newCounting(50*time.Millisecond, 3), "is cut": newCounting(time.Hour, 3)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.from = time.Now()
			s, k := start(t, handing(t, func() *counting { return c }))
			_, br := ask(t, s.Listener.Addr().String(), get)
			resp, err := http.ReadResponse(br, nil) //nolint:bodyclose // of a bare connection, which is closed instead
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cut := name == "is cut"
			if cut {
				cancel()
			}
			if err := k.Shutdown(ctx); cut != errors.Is(err, context.Canceled) {
				t.Errorf("Shutdown: %v", err)
			}
			if gone := <-c.ended; gone != cut {
				t.Errorf("gone %t, want %t", gone, cut)
			}
			body, err := io.ReadAll(resp.Body)
			if whole := string(body) == "0\n1\n2\n3\n" && err == nil; whole == cut {
				t.Errorf("got %q, %v", body, err)
			}
			if _, err := br.ReadByte(); err == nil {
				t.Error("the connection is open")
			}
			for _, w := range k.wheels {
				if w.running {
					t.Error("the wheel still turns")
				}
			}
		})
	}
}

// TestWheelIsOnTime holds, from below, when things are written, and that a round of the wheel changes nothing.
func TestWheelIsOnTime(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	c := newCounting(1500*time.Millisecond, 1)
	s, _ := start(t, handing(t, func() *counting { return c }))
	if got, _ := talk(t, s, get, "GET"); fmt.Sprint(got) != "[200 0\n1\n]" {
		t.Errorf("got %q", got)
	}
	if took := time.Since(begin); took < 1500*time.Millisecond {
		t.Errorf("it took %v", took)
	}
}

// TestPanicAfterHand ends the connection of a handler that panics later, as net/http would.
func TestPanicAfterHand(t *testing.T) {
	t.Parallel()
	first := true
	hand := handing(t, func() *counting { return newCounting(time.Millisecond, 3) })
	s, _ := start(t, func(w http.ResponseWriter, r *http.Request) {
		if first {
			first = false
			hand(w, r)
			return
		}
		panic("no")
	})
	if got, rest := talk(t, s, get+get, "GET"); fmt.Sprint(got) != "[200 0\n1\n2\n3\n]" || rest != "" {
		t.Errorf("got %q, then %q", got, rest)
	}
}
