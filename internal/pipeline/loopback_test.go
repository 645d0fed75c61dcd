package pipeline_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/mimus-go/mimus/internal/h1"
)

// BenchmarkLoopback is BenchmarkServe over a connection: a request at a time, by a client that costs little.
func BenchmarkLoopback(b *testing.B) {
	for name, body := range map[string][]byte{"179B": chatBody(0, false), "2KB": chatBody(2<<10, false)} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/v1/chat/completions", bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer sk-test")
		benchHandler().ServeHTTP(w, r)
		b.Run(name+"/mimus", func(b *testing.B) { benchLoopback(b, benchHandler(), body, false) })
		b.Run(name+"/mimus taken over", func(b *testing.B) { benchLoopback(b, benchHandler(), body, true) })
		b.Run(name+"/limit", func(b *testing.B) {
			benchLoopback(b, limitHandler(w.Body.Bytes(), http.Header{"Content-Type": {"application/json"}}), body, false)
		})
	}
}

func benchLoopback(b *testing.B, h http.Handler, body []byte, take bool) {
	b.Helper()
	keeper := &h1.Keeper{Handler: h}
	if take {
		h = keeper
	}
	s := httptest.NewServer(h)
	defer keeper.Close()
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String()) //nolint:noctx // of this machine
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	request := fmt.Appendf(nil, "POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Authorization: Bearer sk-test\r\nContent-Length: %d\r\n\r\n%s", c.RemoteAddr(), len(body), body)
	br := bufio.NewReader(c)
	read := func() int {
		length := 0
		for {
			line, err := br.ReadSlice('\n')
			if err != nil {
				b.Fatal(err)
			}
			if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
			}
			if len(line) == 2 {
				_, _ = io.CopyN(io.Discard, br, int64(length))
				return length
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Write(request); err != nil {
			b.Fatal(err)
		}
		if read() == 0 {
			b.Fatal("no answer")
		}
	}
}
