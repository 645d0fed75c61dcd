package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/server"
)

// writeStubs makes a stub file.
func writeStubs(t *testing.T, yaml string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stubs.yaml")
	if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBothVersionsOfHTTPOnOnePort(t *testing.T) {
	t.Parallel()
	s := run(t, server.Config{})
	for _, version := range []int{1, 2} {
		t.Run(fmt.Sprintf("HTTP/%d", version), func(t *testing.T) {
			t.Parallel()
			var p http.Protocols
			p.SetHTTP1(version == 1)
			p.SetUnencryptedHTTP2(version == 2)
			transport := &http.Transport{Protocols: &p}
			defer transport.CloseIdleConnections()
			ask := chat("Hello")
			req, err := http.NewRequestWithContext(t.Context(), ask.Method, s.url+ask.Path, strings.NewReader(string(ask.Body)))
			if err != nil {
				t.Fatal(err)
			}
			req.Header = ask.Header
			resp, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if resp.ProtoMajor != version || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "I heard: Hello") {
				t.Errorf("got %s %s\n%s", resp.Proto, resp.Status, body)
			}
		})
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	s := run(t, server.Config{Time: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)})
	got := s.send(t, chat("Hello"))
	if date := got.header.Get("Date"); date != "Mon, 30 Nov 2026 12:00:00 GMT" {
		t.Errorf("Date: %s", date)
	}
	if !strings.Contains(string(got.body), `"created": 1796040000`) {
		t.Errorf("the answer is of another time:\n%s", got.begin())
	}
	var list entries
	s.admin(t, http.MethodGet, "/__admin/requests?since=2026-11-30T12:00:01Z&limit=1", &list)
	if now := time.Now(); now.Year() > 2026 && len(list.Requests) != 1 {
		t.Error("the journal keeps another time than the real one")
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	bodies := map[string]uint64{}
	for _, seed := range []uint64{0, 1, 2} {
		s := run(t, server.Config{Seed: seed, Time: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)})
		for _, path := range []string{"", "/v2"} {
			p := chat("Hello")
			p.Path = path + p.Path
			bodies[string(s.send(t, p).body)] = seed
		}
	}
	// 0 is 1, so there are two seeds and two paths.
	if len(bodies) != 4 {
		t.Errorf("%d different answers, want 4", len(bodies))
	}
}

func TestAs(t *testing.T) {
	t.Parallel()
	if _, err := server.New(server.Config{As: "anthropik"}); err == nil || !strings.Contains(err.Error(), `did you mean "anthropic"?`) {
		t.Errorf("As: anthropik: %v", err)
	}
	if _, err := server.New(server.Config{As: "nobody at all"}); err == nil || !strings.Contains(err.Error(), "there are openai, ") {
		t.Errorf("As: nobody at all: %v", err)
	}
	if _, err := server.New(server.Config{As: "openai"}); err != nil {
		t.Errorf("As: openai: %v", err)
	}
}

func TestWrongStubFiles(t *testing.T) {
	t.Parallel()
	path := writeStubs(t, "stubs:\n  - anser: {text: Hello}\n")
	_, err := server.New(server.Config{Paths: []string{path}})
	if err == nil || !strings.Contains(err.Error(), path+`:2:5: unknown key "anser" (did you mean "answer"?)`) {
		t.Errorf("got %v", err)
	}
}

// TestCutRequest hangs up in the middle of a body: no answer is due, and the journal says so.
func TestCutRequest(t *testing.T) {
	t.Parallel()
	s := run(t, server.Config{})
	var d net.Dialer
	conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: mimus.test\r\nAuthorization: Bearer test-key\r\nContent-Length: 100\r\n\r\n{\"model\":")
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(conn); len(b) > 0 {
		t.Errorf("got an answer: %q, %v", b, err)
	}
	var list entries
	s.admin(t, http.MethodGet, "/__admin/requests", &list)
	if len(list.Requests) != 1 || list.Requests[0].Outcome != "client_cancelled" || list.Requests[0].Request.Body != `{"model":` {
		t.Errorf("the journal says %+v", list.Requests)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	path := writeStubs(t, "stubs:\n  - answer: {text: the first}\n")
	s := run(t, server.Config{Paths: []string{path}, Watch: true})
	if got := s.send(t, chat("Hello")); !strings.Contains(string(got.body), "the first") {
		t.Fatalf("before: %s", got.begin())
	}
	// As an editor does it: another file takes the name.
	next := filepath.Join(t.TempDir(), "next.yaml")
	if err := os.WriteFile(next, []byte("stubs:\n  - answer: {text: the second}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !strings.Contains(string(s.send(t, chat("Hello")).body), "the second") {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the change was not seen")
		}
	}
}
