package ref_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/bench/ref"
)

// ask gives the status, the body and the media type of an answer.
func ask(t *testing.T, h http.Handler, body string) (status int, text, mediaType string) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	resp, err := http.Post(s.URL, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b), resp.Header.Get("Content-Type")
}

func TestHandler(t *testing.T) {
	t.Parallel()
	whole, stream := ref.Text("Hello"), ref.Stream("one two three")
	flushed, paced := stream, stream
	flushed.Flush = true
	paced.Gap = time.Millisecond
	tests := []struct {
		name      string
		a         ref.Answer
		body      string
		status    int
		mediaType string
	}{
		{"whole", whole, `{"model":"m"}`, 200, "application/json"},
		{"stream", stream, `{"model":"m","stream":true}`, 200, "text/event-stream"},
		{"stream, flushed", flushed, `{"model":"m","stream":true}`, 200, "text/event-stream"},
		{"stream, paced", paced, `{"model":"m","stream":true}`, 200, "text/event-stream"},
		{"stream not asked for", stream, `{"model":"m"}`, 400, "text/plain; charset=utf-8"},
		{"no JSON", whole, `{"model"`, 400, "text/plain; charset=utf-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, got, mediaType := ask(t, ref.Handler(tt.a), tt.body)
			if status != tt.status || mediaType != tt.mediaType {
				t.Errorf("got %d %q", status, mediaType)
			}
			if status == 200 && got != string(tt.a.Body) {
				t.Errorf("got %q, want %q", got, tt.a.Body)
			}
		})
	}
}

func TestPacedStreamsKeepTheirPace(t *testing.T) {
	t.Parallel()
	a := ref.Stream("a b c")
	a.Gap = 10 * time.Millisecond
	begin := time.Now()
	ask(t, ref.Handler(a), `{"stream":true}`)
	if got, least := time.Since(begin), 5*a.Gap; got < least {
		t.Errorf("six events took %v, want at least %v", got, least)
	}
}

func TestStandIn(t *testing.T) {
	t.Parallel()
	h := ref.StandIn(map[string]ref.Answer{"ping": ref.Text("pong"), "recite": ref.Stream("a poem")})
	status, got, _ := ask(t, h, `{"messages":[{"content":"recite"},{"content":"now ping"}]}`)
	if status != 200 || got != string(ref.Text("pong").Body) {
		t.Errorf("got %d %q", status, got)
	}
	status, got, _ = ask(t, h, `{"stream":true,"messages":[{"content":"recite"}]}`)
	if status != 200 || strings.Count(got, "data: ") != 5 || !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Errorf("got %d %q", status, got)
	}
	for body, want := range map[string]int{`{"messages":[{"content":"what?"}]}`: 404, `{}`: 404, `[`: 400} {
		if status, _, _ := ask(t, h, body); status != want {
			t.Errorf("%s gets %d, want %d", body, status, want)
		}
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	got := ref.Events([]byte("data: 1\n\ndata: 2\n\ndata: cut"))
	if len(got) != 3 || string(got[0]) != "data: 1\n\n" || string(got[2]) != "data: cut" {
		t.Errorf("got %q", got)
	}
	if got := ref.Events(nil); got != nil {
		t.Errorf("nothing has events: %q", got)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- ref.Serve(ctx, "127.0.0.1:0", "ref", ref.Handler(ref.Text("x")), w) }()
	line := make([]byte, 200)
	n, err := r.Read(line)
	if err != nil || !regexp.MustCompile(`^ref: listening on http://127\.0\.0\.1:\d+\n$`).Match(line[:n]) {
		t.Errorf("it says %q, %v", line[:n], err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if err := ref.Serve(t.Context(), "256.0.0.1:0", "ref", nil, &bytes.Buffer{}); err == nil {
		t.Error("an impossible address is no error")
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		framing, body string
		want          []string
	}{
		{"", "data: a\n\ndata: b\n\n", []string{"data: a\n\n", "data: b\n\n"}},
		{"sse", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"data: a\r\n\r\n", "data: b\r\n\r\n"}},
		{"sse", "data: a\n\n", []string{"data: a\n\n"}},
		{"ndjson", "{}\n{}\n", []string{"{}\n", "{}\n"}},
		{"aws", "\x00\x00\x00\x05a\x00\x00\x00\x06bc", []string{"\x00\x00\x00\x05a", "\x00\x00\x00\x06bc"}},
		{"aws", "\x00\x00\x00\x00\x00\x00\x00\x09a", []string{"\x00\x00\x00\x00", "\x00\x00\x00\x09a"}},
		{"aws", "", nil},
	} {
		var got []string
		for _, e := range ref.Split(tt.framing, []byte(tt.body)) {
			got = append(got, string(e))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s of %q: got %q, want %q", tt.framing, tt.body, got, tt.want)
		}
	}
}
