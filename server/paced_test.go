package server_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/wire"
)

// unpadded leaves a stream's random padding out, which only real providers' clients skip.
const unpadded = `,"stream":true,"stream_options":{"include_obfuscation":false}`

// TestPacedStreams holds what the journal says of streams with a pace on real connections, and that nothing of them is
// lost: with many at once, and one after the other on one connection.
func TestPacedStreams(t *testing.T) {
	t.Parallel()
	s := run(t, server.Config{Paths: []string{writeStubs(t, `stubs:
  - when: {about: slowly}
    answer: {text: one two three four five six}
    pace: {tokensPerSecond: 100, firstToken: 20ms}
`)}})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range 3 {
				got := s.send(t, chat("Say it slowly", `,"stream":true`))
				if got.status != 200 || !strings.Contains(string(got.body), "five") || !strings.HasSuffix(string(got.body), "data: [DONE]\n\n") {
					t.Errorf("got %d %s", got.status, got.body)
				}
			}
		})
	}
	all.Wait()
	got := s.send(t, chat("Say it slowly", `,"stream":true`))
	var list entries
	s.admin(t, http.MethodGet, "/__admin/requests", &list)
	if len(list.Requests) != 31 {
		t.Fatalf("%d entries in the journal, want 31", len(list.Requests))
	}
	same := 0
	for _, e := range list.Requests {
		if e.Outcome != "delivered" || e.Response.Status != 200 || e.Model != "gpt-4.1-mini" || e.Events != strings.Count(e.Response.Body, "data: ") {
			t.Errorf("the journal says %+v", e)
		}
		if e.Response.Body == string(got.body) {
			same++
		}
	}
	if same != 1 {
		t.Errorf("%d entries have the last answer, want 1", same)
	}
}

// TestPacedStreamHangUp notes that the client is gone, and gives the answer to the same request when it comes again.
func TestPacedStreamHangUp(t *testing.T) {
	t.Parallel()
	s := run(t, server.Config{Paths: []string{writeStubs(t, `stubs:
  - when: {about: slowly}
    answers: [{text: one two three}, {text: four five six}]
    pace: {tokensPerSecond: 0.001}
`)}})
	first := s.begin(t, chat("Say it slowly", unpadded))
	list := s.waitFor(t, func(e *entry) bool { return e.Outcome != "open" })
	if e := list[0]; len(list) != 1 || e.Outcome != "client_cancelled" || e.Response.Body != first || e.Events != strings.Count(first, "data: ") {
		t.Errorf("the journal says %+v after %q", list, first)
	}
	again := s.begin(t, chat("Say it slowly", unpadded))
	if !strings.Contains(first, `"one "`) || !strings.Contains(again, `"one "`) {
		t.Errorf("first the client sees %q, then %q", first, again)
	}
}

// begin reads the beginning of a stream, as long as it comes at once, and hangs up.
func (s *running) begin(t *testing.T, p *wire.Probe) string {
	t.Helper()
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	req, err := http.NewRequestWithContext(ctx, p.Method, s.url+p.URL(), bytes.NewReader(p.Body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = p.Header
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body []byte
	for b := make([]byte, 4096); !strings.Contains(string(body), `"one "`); {
		n, err := resp.Body.Read(b)
		if body = append(body, b[:n]...); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	return string(body)
}

// waitFor asks for the journal until all of its entries are as they should be.
func (s *running) waitFor(t *testing.T, good func(*entry) bool) []entry {
	t.Helper()
	for t.Context().Err() == nil {
		var list entries
		s.admin(t, http.MethodGet, "/__admin/requests", &list)
		all := len(list.Requests) > 0
		for i := range list.Requests {
			all = all && good(&list.Requests[i])
		}
		if all {
			return list.Requests
		}
	}
	t.Fatal("the journal never says so")
	return nil
}
