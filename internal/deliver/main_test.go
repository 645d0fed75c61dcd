package deliver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/mimus-go/mimus/internal/h1"
	"github.com/mimus-go/mimus/internal/memnet"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ground is where the suite is played.
type ground struct {
	name   string
	memory bool // in memory and under the fake clock, so that times are exact
	http2  bool
	keep   bool // connections are taken over from net/http
	wheel  bool // and can be written to without waiting, so that streams with a pace are handed over
}

var grounds = []ground{
	{name: "HTTP/1.1 on TCP"},
	{name: "HTTP/1.1 on TCP taken over", keep: true},
	{name: "HTTP/1.1 on TCP handed over", keep: true, wheel: true},
	{name: "HTTP/2 on TCP", http2: true},
	{name: "HTTP/1.1 in memory", memory: true},
	{name: "HTTP/2 in memory", memory: true, http2: true},
}

// on plays a test on every ground.
func on(t *testing.T, play func(t *testing.T, g ground)) {
	t.Helper()
	for _, g := range grounds {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			if g.memory {
				synctest.Test(t, func(t *testing.T) { play(t, g) })
				return
			}
			play(t, g)
		})
	}
}

// server answers every request with one response, by one plan.
type server struct {
	url     string
	client  *http.Client
	results chan Result
	begun   chan struct{} // a request has come
	writes  atomic.Int64  // on connections, by the server
	handed  atomic.Int64  // streams that were handed over
	stop    chan struct{}
}

func serve(t *testing.T, g ground, resp wire.Response, plan Plan) *server {
	t.Helper()
	s := &server{results: make(chan Result, 10), begun: make(chan struct{}, 10), stop: make(chan struct{})}
	plan.Stop = s.stop
	var protocols http.Protocols
	protocols.SetHTTP1(!g.http2)
	protocols.SetUnencryptedHTTP2(g.http2)
	h := &http.Server{Protocols: &protocols, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.begun <- struct{}{}
		if _, err := io.Copy(io.Discard, r.Body); err != nil { // net/http notices a hang-up only after the body
			t.Error(err)
		}
		plan := plan
		plan.Later = func(result Result) bool {
			s.handed.Add(1)
			return s.end(t, resp, result)
		}
		result := deliver(r.Context(), NewHTTP(w, r), resp, plan, table[:])
		if !result.HandedOver && s.end(t, resp, result) {
			panic(http.ErrAbortHandler)
		}
	})}
	keeper := &h1.Keeper{Handler: h.Handler}
	if g.keep {
		h.Handler = keeper
	}
	transport := &http.Transport{}
	var l net.Listener
	if g.memory {
		n := memnet.New()
		t.Cleanup(func() { n.Close() })
		transport, l = n.Transport(), n.Listen()
		s.url = "http://mimus.test/"
	} else {
		var err error
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		s.url = "http://" + l.Addr().String() + "/"
	}
	transport.Protocols = &protocols
	s.client = &http.Client{Transport: transport}
	var done sync.WaitGroup
	done.Go(func() { _ = h.Serve(counted{l, &s.writes, g.wheel}) })
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		h.Close()
		keeper.Close()
		done.Wait()
	})
	return s
}

// end checks a result, and says whether the connection is to be broken.
func (s *server) end(t *testing.T, resp wire.Response, result Result) bool {
	t.Helper()
	if result.Body == nil && resp.Framing != nil {
		result.Body = resp.Bytes()[:result.Left]
	}
	if len(result.Body) != result.Left {
		t.Errorf("%d bytes left, which are %q", result.Left, result.Body)
	}
	s.results <- result
	return result.Broken
}

// counted counts what is written to the connections of a listener.
type counted struct {
	net.Listener
	writes *atomic.Int64
	raw    bool // the connections can be written to without waiting
}

func (l counted) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if l.raw && err == nil {
		return countedRaw{&countedConn{c, l.writes}}, nil
	}
	return &countedConn{c, l.writes}, err
}

type countedRaw struct{ *countedConn }

func (c countedRaw) SyscallConn() (syscall.RawConn, error) {
	raw, err := c.Conn.(syscall.Conn).SyscallConn()
	return countedTries{raw, c.writes}, err
}

type countedTries struct {
	syscall.RawConn
	writes *atomic.Int64
}

func (c countedTries) Write(f func(fd uintptr) bool) error {
	c.writes.Add(1)
	return c.RawConn.Write(f)
}

type countedConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c *countedConn) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

func (c *countedConn) SetLinger(sec int) error {
	return c.Conn.(interface{ SetLinger(sec int) error }).SetLinger(sec)
}

// got is what a client saw.
type got struct {
	status  int // 0: there was no answer
	header  http.Header
	chunked bool
	length  int64
	err     error // of the request or of the body
	body    string
	head    time.Duration
	pieces  []piece
	result  Result
}

// piece is what came at one time.
type piece struct {
	at   time.Duration
	text string
}

// impatient is a client that gives up: in memory after a time, else once the server has begun and all that it expects of
// the body is there, however long that takes on a busy machine.
func (s *server) impatient(t *testing.T, g ground, patience time.Duration, body string) got {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	if !g.memory {
		ctx, cancel = context.WithCancel(t.Context())
		if body == "" {
			go func() {
				<-s.begun
				time.AfterFunc(20*time.Millisecond, cancel)
			}()
		}
	}
	defer cancel()
	return s.read(ctx, t, func(sofar string) {
		if !g.memory && body != "" && sofar == body {
			cancel()
		}
	})
}

func (s *server) get(ctx context.Context, t *testing.T) got {
	t.Helper()
	return s.read(ctx, t, func(string) {})
}

// read asks, and reads the answer; seen is called with all of the body so far.
func (s *server) read(ctx context.Context, t *testing.T, seen func(string)) got {
	t.Helper()
	begin := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	var g got
	resp, err := s.client.Do(req)
	if err != nil {
		g.err = err
	} else {
		g.head = time.Since(begin)
		g.status, g.header, g.length = resp.StatusCode, resp.Header, resp.ContentLength
		g.chunked = len(resp.TransferEncoding) > 0
		g.readBody(resp.Body, begin, seen)
		resp.Body.Close()
	}
	g.result = <-s.results
	return g
}

func (g *got) readBody(body io.Reader, begin time.Time, seen func(string)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := body.Read(buf)
		text, at := string(buf[:n]), time.Since(begin)
		g.body += text
		seen(g.body)
		if last := len(g.pieces) - 1; n > 0 && last >= 0 && g.pieces[last].at == at {
			g.pieces[last].text += text
		} else if n > 0 {
			g.pieces = append(g.pieces, piece{at, text})
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				g.err = err
			}
			return
		}
	}
}

// lines is a stream of NDJSON: each word of a text is a frame, with one token unless it is in capitals.
func lines(text string) wire.Response {
	resp := wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: "application/x-ndjson"}}, Framing: wire.NDJSON{}}
	for word := range strings.FieldsSeq(text) {
		f := wire.Frame{Data: []byte(word)}
		if word != strings.ToUpper(word) {
			f.Tokens = 1
		}
		resp.Frames = append(resp.Frames, f)
	}
	return resp
}

func whole(body string) wire.Response {
	return wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: "application/json"}}, Body: []byte(body)}
}

// second is a pace of one token a second.
var second = &stub.Pace{TokensPerSecond: 1}
