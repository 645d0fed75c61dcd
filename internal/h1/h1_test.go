package h1

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mimus-go/mimus/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves a handler, and gives its keeper.
func start(t *testing.T, h http.HandlerFunc) (*httptest.Server, *Keeper) {
	t.Helper()
	k := &Keeper{Handler: h, HeaderTimeout: time.Minute}
	s := httptest.NewUnstartedServer(k)
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.Start()
	t.Cleanup(func() {
		k.Close()
		s.Close()
	})
	return s, k
}

// echo says what was asked, and by whose writer the answer leaves.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	_, ours := w.(*Writer)
	w.Header().Set("X-Ours", strconv.FormatBool(ours))
	fmt.Fprintf(w, "%s %s %s %q %v", r.Method, r.URL.Path, r.Host, body, err)
}

// talk sends bytes on one connection, and gives the answers to the requests in them.
func talk(t *testing.T, s *httptest.Server, send string, methods ...string) (answers []string, rest string) {
	t.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String()) //nolint:noctx // of this machine
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, send); err != nil {
		t.Fatal(err)
	}
	br := bufio.NewReader(c)
	for _, method := range methods {
		req, err := http.NewRequestWithContext(t.Context(), method, "/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(br, req)
		if err != nil {
			t.Fatalf("after %d answers: %v", len(answers), err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		answers = append(answers, fmt.Sprintf("%d %s%s", resp.StatusCode, body, errText(err)))
	}
	_ = c.(*net.TCPConn).CloseWrite()
	left, _ := io.ReadAll(br)
	return answers, string(left)
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return " " + err.Error()
}

const get = "GET /first HTTP/1.1\r\nHost: a.test\r\n\r\n"

func TestRequests(t *testing.T) {
	t.Parallel()
	s, _ := start(t, echo)
	long := strings.Repeat("x", 300<<10)
	for _, tt := range []struct {
		name, send string
		methods    []string
		want       []string
		rest       string
	}{
		{"one", get, []string{"GET"}, []string{`200 GET /first a.test "" <nil>`}, ""},
		{"several", get + get, []string{"GET", "GET"}, []string{`200 GET /first a.test "" <nil>`, `200 GET /first a.test "" <nil>`}, ""},
		{
			"bodies", "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" +
				"POST /b HTTP/1.1\r\nHost: b\r\nContent-Length: 2\r\n\r\nde" + get,
			[]string{"POST", "POST", "GET"},
			[]string{`200 POST /a a "abc" <nil>`, `200 POST /b b "de" <nil>`, `200 GET /first a.test "" <nil>`},
			"",
		},
		{
			"a body in chunks", get + "POST /c HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n" + get,
			[]string{"GET", "POST", "GET"},
			[]string{`200 GET /first a.test "" <nil>`, `200 POST /c c "abc" <nil>`, `200 GET /first a.test "" <nil>`},
			"",
		},
		{
			"leave to send a body", get + "POST /e HTTP/1.1\r\nHost: e\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
			[]string{"GET", "POST", "POST"},
			[]string{`200 GET /first a.test "" <nil>`, `100 `, `200 POST /e e "ok" <nil>`},
			"",
		},
		{"another expectation", get + "POST /e HTTP/1.1\r\nHost: e\r\nExpect: more\r\nContent-Length: 2\r\n\r\nok", []string{"GET", "POST"}, []string{
			`200 GET /first a.test "" <nil>`, `417 417 Expectation Failed`,
		}, ""},
		{"a HEAD", get + "HEAD /h HTTP/1.1\r\nHost: h\r\n\r\n" + get, []string{"GET", "HEAD", "GET"}, []string{
			`200 GET /first a.test "" <nil>`, `200 `, `200 GET /first a.test "" <nil>`,
		}, ""},
		{"close", get + "GET /c HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n" + get, []string{"GET", "GET"}, []string{
			`200 GET /first a.test "" <nil>`, `200 GET /c c "" <nil>`,
		}, ""},
		{"HTTP/1.0", get + "GET /o HTTP/1.0\r\n\r\n" + get, []string{"GET", "GET"}, []string{`200 GET /first a.test "" <nil>`, `200 GET /o  "" <nil>`}, ""},
		{"no host", get + "GET /n HTTP/1.1\r\n\r\n" + get, []string{"GET", "GET"}, []string{`200 GET /first a.test "" <nil>`, `400 400 Bad Request`}, ""},
		{"nonsense", get + "nonsense\r\n\r\n", []string{"GET", "GET"}, []string{`200 GET /first a.test "" <nil>`, `400 400 Bad Request`}, ""},
		{"HTTP/2 in the middle", get + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []string{"GET", "GET"}, []string{`200 GET /first a.test "" <nil>`, `400 400 Bad Request`}, ""},
		{"half a request", get + "GET /half", []string{"GET"}, []string{`200 GET /first a.test "" <nil>`}, "400 Bad Request"},
		{
			"half a body", get + "POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
			[]string{"GET"},
			[]string{`200 GET /first a.test "" <nil>`},
			"unexpected EOF",
		},
		{
			"a long header", get + "GET /l HTTP/1.1\r\nHost: a\r\nX-Long: " + strings.Repeat("x", 2*maxHeader) + "\r\n\r\n",
			[]string{"GET", "GET"},
			[]string{`200 GET /first a.test "" <nil>`, `431 431 Request Header Fields Too Large`},
			"",
		},
		{
			"a long body", get + "POST /l HTTP/1.1\r\nHost: a\r\nContent-Length: " + strconv.Itoa(len(long)) + "\r\n\r\n" + long + get,
			[]string{"GET", "POST", "GET"},
			[]string{`200 GET /first a.test "" <nil>`, `200 POST /l a "` + long + `" <nil>`, `200 GET /first a.test "" <nil>`},
			"",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, rest := talk(t, s, tt.send, tt.methods...)
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got  %.300q\nwant %.300q", got, tt.want)
			}
			if !strings.Contains(rest, tt.rest) || tt.rest == "" && rest != "" {
				t.Errorf("and then %.300q, want %q", rest, tt.rest)
			}
		})
	}
}

// TestTakenOver shows that all this is about connections that really were taken over, and which stay with net/http.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	s, _ := start(t, echo)
	for send, want := range map[string]string{
		get: "X-Ours: true",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na":                         "X-Ours: true",
		"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n":        "X-Ours: false",
		"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na": "X-Ours: false",
		"GET / HTTP/1.0\r\n\r\n": "X-Ours: false",
	} {
		if _, rest := talk(t, s, send); !strings.Contains(rest, want) {
			t.Errorf("%q: got %q, want %s", send, rest, want)
		}
	}
}

// TestAnswers has handlers, and what must come of them on a connection that goes on, or not.
func TestAnswers(t *testing.T) {
	t.Parallel()
	header := wire.Header{{Name: "X-B", Value: "1\r\nX-Evil: yes"}, {Name: "X-A", Value: "2"}, {Name: "X-B", Value: "3"}}
	respond := func(w http.ResponseWriter, length int, pieces ...string) {
		w.(*Writer).Respond(200, header, length)
		for _, p := range pieces {
			_, _ = io.WriteString(w, p)
		}
	}
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    string // without the date
		goesOn  bool
	}{
		{"nothing", func(http.ResponseWriter, *http.Request) {}, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true},
		{"a status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", true},
		{"no content", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			if _, err := io.WriteString(w, "x"); !errors.Is(err, http.ErrBodyNotAllowed) {
				t.Errorf("a body without content: %v", err)
			}
		}, "HTTP/1.1 204 No Content\r\n\r\n", true},
		{"a short text gets its length", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "ab")
			_, _ = io.WriteString(w, "c")
		}, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", true},
		{"a flushed one has none", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "ab")
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, "c")
		}, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", true},
		{"chunks that were asked for", func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Transfer-Encoding"] = []string{"chunked"}
			_, _ = io.WriteString(w, "ab")
		}, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", true},
		{
			"a header in order, no line of it forged", func(w http.ResponseWriter, _ *http.Request) { respond(w, 2, "ab") },
			"HTTP/1.1 200 OK\r\nX-B: 1  X-Evil: yes\r\nX-A: 2\r\nX-B: 3\r\nContent-Length: 2\r\n\r\nab", true,
		},
		{
			"a stream, a chunk a write", func(w http.ResponseWriter, _ *http.Request) { respond(w, -1, "a", "b") },
			"HTTP/1.1 200 OK\r\nX-B: 1  X-Evil: yes\r\nX-A: 2\r\nX-B: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n", true,
		},
		{
			"an empty stream", func(w http.ResponseWriter, _ *http.Request) { respond(w, -1) },
			"HTTP/1.1 200 OK\r\nX-B: 1  X-Evil: yes\r\nX-A: 2\r\nX-B: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true,
		},
		{
			"less than was said", func(w http.ResponseWriter, _ *http.Request) { respond(w, 9, "ab") },
			"HTTP/1.1 200 OK\r\nX-B: 1  X-Evil: yes\r\nX-A: 2\r\nX-B: 3\r\nContent-Length: 9\r\n\r\nab", false,
		},
		{"more than was said", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1")
			if _, err := io.WriteString(w, "ab"); !errors.Is(err, http.ErrContentLength) {
				t.Errorf("a body that is too long: %v", err)
			}
		}, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", false},
		{
			"the last answer", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close") },
			"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false,
		},
		{"a panic that ends the connection", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "", false},
		{"a panic after a part", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "ab")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", false},
		{"a connection for the handler", func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := w.Write([]byte("x")); !errors.Is(err, http.ErrHijacked) {
				t.Errorf("a write after it was given away: %v", err)
			}
			_, _ = io.WriteString(c, "mine")
			_ = c.Close()
		}, "mine", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			s, _ := start(t, func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) == 2 {
					tt.handler(w, r)
					return
				}
				w.Header()["Date"] = []string{"now"}
			})
			_, rest := talk(t, s, get+get+get, "GET")
			const next = "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\n\r\n"
			got, goesOn := strings.CutSuffix(rest, next)
			if got = withoutDate(got); got != tt.want || goesOn != tt.goesOn {
				t.Errorf("got  %q, then more: %t\nwant %q, then more: %t", got, goesOn, tt.want, tt.goesOn)
			}
		})
	}
}

// withoutDate leaves the line of the date out.
func withoutDate(s string) string {
	before, after, ok := strings.Cut(s, "Date: ")
	if !ok {
		return s
	}
	_, after, _ = strings.Cut(after, "\r\n")
	return before + after
}

// TestHangUp ends the context of a request whose client goes, also where the body came late; and not otherwise.
func TestHangUp(t *testing.T) {
	t.Parallel()
	waiting, ended := make(chan struct{}), make(chan error)
	s, _ := start(t, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/first" {
			return
		}
		done := r.Context().Done() // before the body has ended
		_, _ = io.Copy(io.Discard, r.Body)
		waiting <- struct{}{}
		<-done
		ended <- r.Context().Err()
	})
	for _, send := range []string{
		"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n",
		"POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
		get + "POST /wait HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
	} {
		c, err := net.Dial("tcp", s.Listener.Addr().String()) //nolint:noctx // of this machine
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, send); err != nil {
			t.Fatal(err)
		}
		<-waiting
		c.Close()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%q: got %v, want that the context is cancelled", send, err)
		}
	}
}

// TestWatchedAndGoesOn answers on a connection that was watched for a hang-up as if it had not been.
func TestWatchedAndGoesOn(t *testing.T) {
	t.Parallel()
	var contexts []context.Context
	s, _ := start(t, func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		if ctx.Err() != nil {
			t.Errorf("request %d begins cancelled", len(contexts)+1)
		}
		contexts = append(contexts, r.Context())
		echo(w, r)
	})
	c, err := net.Dial("tcp", s.Listener.Addr().String()) //nolint:noctx // of this machine
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	br := bufio.NewReader(c)
	for range 50 {
		if _, err := io.WriteString(c, get); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(br, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !bytes.Contains(body, []byte("/first")) {
			t.Fatalf("got %q", body)
		}
	}
	for _, ctx := range contexts {
		<-ctx.Done()
		if ctx.Value(http.LocalAddrContextKey) == nil {
			t.Error("the context knows no address")
		}
	}
}

func TestShutdown(t *testing.T) {
	t.Parallel()
	inside, leave := make(chan struct{}), make(chan struct{})
	s, k := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(inside)
			<-leave
		}
		echo(w, r)
	})
	dial := func(send string) *bufio.Reader {
		c, err := net.Dial("tcp", s.Listener.Addr().String()) //nolint:noctx // of this machine
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := io.WriteString(c, send); err != nil {
			t.Fatal(err)
		}
		return bufio.NewReader(c)
	}
	quiet := dial(get)
	resp, err := http.ReadResponse(quiet, nil)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	busy := dial("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
	<-inside
	ended := make(chan error)
	go func() { ended <- k.Shutdown(t.Context()) }()
	if _, err := io.ReadAll(quiet); err != nil {
		t.Errorf("the quiet connection: %v", err)
	}
	select {
	case err := <-ended:
		t.Errorf("the shutdown did not wait: %v", err)
	default:
	}
	close(leave)
	answer, err := http.ReadResponse(busy, nil)
	if err != nil {
		t.Fatalf("the busy connection got no answer: %v", err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || !bytes.Contains(body, []byte("/slow")) {
		t.Errorf("the busy connection got %q, %v", body, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the shutdown: %v", err)
	}
	if _, rest := talk(t, s, get); !strings.Contains(rest, "X-Ours: false") {
		t.Errorf("after it, connections are still taken over: %q", rest)
	}
}

// TestShutdownInTime cuts what does not end in time; handlers learn of it.
func TestShutdownInTime(t *testing.T) {
	t.Parallel()
	inside := make(chan struct{})
	s, k := start(t, func(_ http.ResponseWriter, r *http.Request) {
		close(inside)
		<-r.Context().Done()
	})
	c, err := net.Dial("tcp", s.Listener.Addr().String()) //nolint:noctx // of this machine
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, get); err != nil {
		t.Fatal(err)
	}
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := k.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := io.ReadAll(c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the client sees %v", err)
	}
}
