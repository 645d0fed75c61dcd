package mimus_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

func TestEveryHostIsTheMock(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("Hello"))
	for _, base := range []string{"https://api.openai.com", "http://localhost:1234", "https://openrouter.ai/api", m.URL} {
		r := question(t, "openai.chat", false, "")
		there, err := http.NewRequestWithContext(t.Context(), r.Method, base+"/v1/chat/completions", r.Body)
		if err != nil {
			t.Fatal(err)
		}
		there.Header = r.Header
		if got := do(m.Client(), there).text(t); got != "Hello" {
			t.Errorf("%s: got %q", base, got)
		}
	}
	m.Asked().Times(4)
}

func TestTransport(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("Hello"))
	transport := m.Transport()
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetUnencryptedHTTP2(true)
	r := question(t, "openai.chat", false, "")
	r.URL.Scheme = "http"
	resp, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, err := io.ReadAll(resp.Body); err != nil || resp.ProtoMajor != 2 || !strings.Contains(string(body), "Hello") {
		t.Errorf("got %s %s, %v", resp.Proto, body, err)
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.On().Reply(mimus.Text("Hello"))
	server := httptest.NewServer(http.StripPrefix("/llm", m.Handler()))
	defer server.Close()
	ask := func() answer {
		r := question(t, "openai.chat", false, "")
		r.URL.Scheme, r.URL.Host, r.URL.Path = "http", strings.TrimPrefix(server.URL, "http://"), "/llm"+r.URL.Path
		return do(server.Client(), r)
	}
	if got := ask().text(t); got != "Hello" {
		t.Errorf("got %q", got)
	}
	ft.end()
	if got := ask(); got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "the test TestParcels has ended") {
		t.Errorf("after the test: %+v", got)
	}
	ft.wantNone(t)
}

func TestListen(t *testing.T) {
	t.Parallel()
	m := mimus.New(t, mimus.Listen())
	m.On().Reply(mimus.Text("Hello"))
	if !strings.HasPrefix(m.URL, "http://127.0.0.1:") {
		t.Errorf("URL %q", m.URL)
	}
	for name, protocol := range map[string]func(*http.Protocols){
		"HTTP/1.1": func(p *http.Protocols) { p.SetHTTP1(true) },
		"h2c":      func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) },
	} {
		transport := &http.Transport{Protocols: new(http.Protocols)}
		protocol(transport.Protocols)
		defer transport.CloseIdleConnections()
		r := question(t, "openai.chat", false, "")
		r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(m.URL, "http://")
		if got := do(&http.Client{Transport: transport}, r).text(t); got != "Hello" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	m.Asked().Times(2)
}

func TestUnmatched(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.On(mimus.About("weather")).Reply(mimus.Text("Sunny"))
	got := askChat(t, m.Client(), "Where is my parcel?")
	if got.status != http.StatusNotFound || got.header.Get("X-Should-Retry") != "false" || !strings.Contains(got.body, "weather") {
		t.Errorf("got %+v", got)
	}
	ft.wantNone(t) // it is told at the end
	ft.end()
	ft.wantFailure(t, "no stub answers this openai.chat request", `about wants "weather"`, "Where is my parcel?")
}

func TestUnknownPath(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	r := question(t, "openai.chat", false, "")
	r.URL.Path = "/v1/chat/completion"
	if got := do(m.Client(), r); got.status != http.StatusNotFound {
		t.Errorf("got %+v", got)
	}
	ft.end()
	ft.wantFailure(t, "no provider has an endpoint POST api.openai.com/v1/chat/completion")
}

func TestAllowUnmatched(t *testing.T) {
	t.Parallel()
	m := mimus.New(t, mimus.AllowUnmatched())
	if got := askChat(t, m.Client(), ""); got.status != http.StatusNotFound {
		t.Errorf("got %+v", got)
	}
	m.Asked().Times(1) // unmatched requests were asked, too
}

func TestCallAfterTheTest(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.On().Reply(mimus.Text("Hello"))
	clients := map[string]*http.Client{"Client": m.Client(), "Transport": {Transport: m.Transport()}, "unused": m.Client()}
	askChat(t, clients["Client"], "").text(t) // leaves an idle connection
	ft.end()
	for name, c := range clients {
		if got := askChat(t, c, ""); got.err == nil || !strings.Contains(got.err.Error(), "the test TestParcels has ended") {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	ft.wantNone(t)
}

// A bubble does not end before all of its goroutines have: this would fail if the mock left any.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ft := fake(t)
		m := mimus.New(ft)
		s := mimus.Stream()
		m.On(mimus.About("hang")).Reply(mimus.Text("x").HangAfter(0))
		m.On(mimus.About("step")).Reply(s)
		m.On().Reply(mimus.Text("Hello"))
		askChat(t, m.Client(), "").text(t)
		for _, say := range []string{"hang", "step"} {
			go func() {
				if got := askStream(t, m.Client(), say); got.err == nil {
					t.Errorf("%s: got %+v", say, got)
				}
			}()
		}
		synctest.Wait()
		ft.end()
		ft.wantNone(t)
	})
}

// The end of a test does not wait for a function that never returns.
func TestFunctionThatNeverReturns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ft := fake(t)
		m := mimus.New(ft)
		never := make(chan struct{})
		m.On().Reply(mimus.Func(func(*wire.Request) mimus.Replier { <-never; return mimus.Text("") }))
		go askChat(t, m.Client(), "")
		synctest.Wait()
		begin := time.Now()
		ft.end()
		ft.wantFailure(t, "still being answered", "does a function")
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("took %s", took)
		}
		close(never)
	})
}

func TestManyInParallel(t *testing.T) {
	t.Parallel()
	for i := range 1000 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			m := mimus.New(t)
			m.On(mimus.About("parcel")).Reply(mimus.Text(fmt.Sprint("number ", i)))
			if got := askStream(t, m.Client(), "").text(t); got != fmt.Sprint("number ", i) {
				t.Errorf("got %q", got)
			}
			m.Asked().Times(1)
		})
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	ask := func(t *testing.T, opts ...mimus.Option) answer {
		t.Helper()
		m := mimus.New(t, opts...)
		m.On().Reply(mimus.Text("Hello"))
		return askChat(t, m.Client(), "")
	}
	at := mimus.At(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	one, again, two := ask(t, at), ask(t, at), ask(t, at, mimus.Seed(2))
	if one.body != again.body || one.header.Get("Date") != "Mon, 30 Nov 2026 12:00:00 GMT" {
		t.Errorf("not the same bytes:\n%s\n%s", one.body, again.body)
	}
	if one.body == two.body {
		t.Error("another seed gives the same ids")
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ft := &fakeT{TB: b, name: "Benchmark"}
		mimus.New(ft)
		ft.end()
	}
}

// hasty is a request's body as smithy-go has it: once it is closed, what copies it gets an error.
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

// No answer is back before net/http is done with the request's body, however fast a memory is.
func TestNoAnswerOvertakesItsRequest(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").SplitBytes(16))
	client := m.Client()
	for range 300 {
		r := question(t, "openai.chat", true, "")
		body := &hasty{Reader: r.Body}
		r.Body, r.GetBody = body, nil
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

// A body that breaks off is the client's own error; nothing is sent.
func TestBodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	r := question(t, "openai.chat", false, "")
	r.Body, r.GetBody = io.NopCloser(io.MultiReader(strings.NewReader("{"), failing{io.ErrUnexpectedEOF})), nil
	if got := do(m.Client(), r); !errors.Is(got.err, io.ErrUnexpectedEOF) {
		t.Errorf("got %+v", got)
	}
	m.Asked().Times(0)
}
