package load_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mimus-go/mimus/bench/load"
)

func start(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestAsksSoManyTimes(t *testing.T) {
	t.Parallel()
	var got atomic.Int64
	url := start(t, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || r.URL.RequestURI() != "/v1/x?y=z" || string(b) != "{}" || err != nil ||
			r.Header.Get("Authorization") == "" || r.Header.Get("X-Team") != "parcels" {
			t.Errorf("got %s %s %q %v %v", r.Method, r.URL, b, r.Header, err)
		}
		got.Add(1)
		io.WriteString(w, "answer")
	})
	res, err := load.Run(t.Context(), load.Config{
		URL: url + "/v1/x?y=z", Body: []byte("{}"), Header: []string{"X-Team: parcels"}, Conns: 4, Requests: 101,
	})
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err())
	}
	if res.Requests != 101 || res.Answers != 101 || got.Load() != 101 || res.Total.Count() != 101 || res.Peak > 4 {
		t.Errorf("%d requests, %d answers, %d seen, %d timed, %d connections", res.Requests, res.Answers, got.Load(), res.Total.Count(), res.Peak)
	}
	if res.PerSecond() <= 0 || res.Bytes < 101*int64(len("answer")) {
		t.Errorf("%v a second, %d bytes", res.PerSecond(), res.Bytes)
	}
}

func TestAsksForSoLong(t *testing.T) {
	t.Parallel()
	url := start(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "x") })
	for name, cfg := range map[string]load.Config{
		"closed loop": {Conns: 2, Duration: 50 * time.Millisecond, Warm: 10 * time.Millisecond},
		"open loop":   {Conns: 2, Duration: 50 * time.Millisecond, Rate: 400},
	} {
		cfg.URL = url
		res, err := load.Run(t.Context(), cfg)
		if err != nil || res.Err() != nil || res.Answers == 0 || res.Answers < res.Requests {
			t.Errorf("%s: %d requests, %d answers, %v, %v", name, res.Requests, res.Answers, err, res.Err())
		}
		if cfg.Rate > 0 && res.Requests > 21 {
			t.Errorf("%s: %d requests in 50 ms at 400/s", name, res.Requests)
		}
	}
}

// TestFraming has one server for each way in which a body can end.
func TestFraming(t *testing.T) {
	t.Parallel()
	const body = "event: a\ndata: 1\n\n: data: no\ndata: 2\n\n xdata: no\n\ndata: [DONE]\n\n"
	tests := map[string]http.HandlerFunc{
		"length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			io.WriteString(w, body)
		},
		"chunks of one byte": func(w http.ResponseWriter, _ *http.Request) {
			for _, c := range []byte(body) {
				w.Write([]byte{c})
				w.(http.Flusher).Flush()
			}
		},
		"end of connection": func(w http.ResponseWriter, _ *http.Request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n"+body)
			c.Close()
		},
		"connection: close": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			io.WriteString(w, body)
		},
	}
	for name, h := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := load.Run(t.Context(), load.Config{URL: start(t, h), Conns: 1, Requests: 3, SSE: true, Want: 3})
			if err != nil || res.Err() != nil {
				t.Fatal(err, res.Err())
			}
			if res.Events != 9 || res.Requests != 3 {
				t.Errorf("%d events in %d answers, want 9 in 3", res.Events, res.Requests)
			}
		})
	}
}

func TestFailuresAreCounted(t *testing.T) {
	t.Parallel()
	raw := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
				io.WriteString(c, answer)
				c.Close()
			}
		}
	}
	tests := []struct {
		want string
		h    http.HandlerFunc
	}{
		{"status 429", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }},
		{"only 1 events", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "data: x\n\n") }},
		{"read: EOF", raw("")},
		{`read: status line "HTTP"`, raw("HTTP\r\n")},
		{`read: status line "HTTP/1.1 abc"`, raw("HTTP/1.1 abc\r\n")},
		{`read: content length "-1"`, raw("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")},
		{"read: unexpected EOF", raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\ncut")},
		{`read: chunk size "zz"`, raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			t.Parallel()
			res, err := load.Run(t.Context(), load.Config{URL: start(t, tt.h), Conns: 1, Once: true, SSE: true, Want: 2})
			if err != nil {
				t.Fatal(err)
			}
			if res.Texts[tt.want] != 1 || res.Errors != 1 || res.Requests != 0 || res.Err() == nil {
				t.Errorf("got %v, want %q once", res.Texts, tt.want)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	res, err := load.Run(t.Context(), load.Config{URL: "http://" + l.Addr().String(), Conns: 2, Once: true})
	if err != nil || res.Errors != 2 {
		t.Errorf("%d errors (%v), %v; want 2", res.Errors, res.Texts, err)
	}
}

func TestContextEndsIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	url := start(t, func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	if _, err := load.Run(ctx, load.Config{URL: url, Conns: 1, Requests: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestWrongConfig(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]load.Config{
		"https":          {URL: "https://127.0.0.1:1", Conns: 1, Once: true},
		"no URL":         {URL: "\x00", Conns: 1, Once: true},
		"no connections": {URL: "http://127.0.0.1:1", Once: true},
		"no end":         {URL: "http://127.0.0.1:1", Conns: 1},
	} {
		if _, err := load.Run(t.Context(), cfg); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func TestChat(t *testing.T) {
	t.Parallel()
	if n := len(load.Chat{Message: "ping"}.Body()); n != 179 {
		t.Errorf("the small request has %d bytes, want 179", n)
	}
	for _, size := range []int{2 << 10, 16 << 10, 1 << 20, 10 << 20} {
		b := load.Chat{Message: "last words", Bytes: size, Stream: true}.Body()
		if len(b) > size || len(b) < size-size/3 {
			t.Errorf("asked for %d bytes, got %d", size, len(b))
		}
		var got struct {
			Model    string
			Stream   bool
			Messages []struct{ Role, Content string }
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		n := len(got.Messages)
		if got.Model != load.Model || !got.Stream || n < 3 || n > 2048 || got.Messages[n-1].Content != "last words" {
			t.Errorf("%d bytes: model %q, stream %v, %d messages", size, got.Model, got.Stream, n)
		}
	}
}

func TestHist(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var h, odd, even load.Hist
	var all []time.Duration
	for i := range 20_000 {
		d := time.Duration(rng.ExpFloat64() * float64(time.Millisecond))
		all = append(all, d)
		h.Add(d)
		if i%2 == 0 {
			even.Add(d)
		} else {
			odd.Add(d)
		}
	}
	even.Merge(&odd)
	slices.Sort(all)
	for _, p := range []float64{0, 0.01, 0.5, 0.99, 0.999} {
		want := all[int(p*float64(len(all)))]
		if got := h.Quantile(p); got > want || float64(got) < 0.984*float64(want) {
			t.Errorf("quantile %v is %v, want %v or little less", p, got, want)
		}
		if h.Quantile(p) != even.Quantile(p) {
			t.Errorf("quantile %v differs after Merge", p)
		}
	}
	if h.Max() != all[len(all)-1] || h.Quantile(1) != h.Max() || even.Max() != h.Max() || h.Count() != 20_000 {
		t.Errorf("max %v, quantile 1 %v, count %d", h.Max(), h.Quantile(1), h.Count())
	}
	var edge load.Hist
	edge.Add(-5)
	edge.Add(1<<63 - 1)
	if edge.Quantile(0) != 0 || edge.Max() != 1<<63-1 {
		t.Errorf("edges: %v and %v", edge.Quantile(0), edge.Max())
	}
}

func TestGapsAreMeasured(t *testing.T) {
	t.Parallel()
	url := start(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, strings.Repeat("data: x\n\n", 10))
	})
	res, err := load.Run(t.Context(), load.Config{URL: url, Conns: 3, Once: true, Ramp: time.Millisecond, SSE: true, Gap: time.Hour, Skip: 2, Tail: 1})
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err())
	}
	// Ten events came at once where an hour should lie between any two. Gaps
	// end at events 2 to 8.
	if n := res.GapError.Count(); n != 3*7 || res.Gap.Max() > time.Minute || res.GapError.Quantile(0) < 50*time.Minute {
		t.Errorf("%d gaps, longest %v, smallest error %v", n, res.Gap.Max(), res.GapError.Quantile(0))
	}
}
