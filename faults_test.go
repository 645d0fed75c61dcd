package mimus_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// The counts are what the wire sends: OpenAI's chat sends "Out for delivery." as a chunk with the role, three with words,
// one that ends, one with the usage, and [DONE].
const chatFrames = 7

func TestCutAfter(t *testing.T) {
	t.Parallel()
	for n := range chatFrames + 2 {
		m := mimus.New(t)
		m.On().Reply(mimus.Text("Out for delivery.").CutAfter(n))
		a := askStream(t, m.Client(), "")
		if got := len(frames(a.body)); a.err != nil || a.status != 200 || got != min(n, chatFrames) {
			t.Errorf("cut after %d: got %d frames, %v\n%s", n, got, a.err, a.body)
		}
		if done := strings.HasSuffix(a.body, "[DONE]\n\n"); done != (n >= chatFrames) {
			t.Errorf("cut after %d: [DONE] is there: %t", n, done)
		}
	}
}

func TestErrorAfter(t *testing.T) {
	t.Parallel()
	for n := range chatFrames + 2 {
		m := mimus.New(t)
		m.On().Reply(mimus.Text("Out for delivery.").ErrorAfter(n, mimus.Overloaded().Message("busy").Code("slow_down")))
		a := askStream(t, m.Client(), "")
		events := frames(a.body)
		if a.err != nil || a.status != 200 || len(events) != min(n, chatFrames)+1 {
			t.Fatalf("error after %d: got %d frames, %v", n, len(events), a.err)
		}
		if last := events[len(events)-1]; !strings.Contains(last, `"busy"`) || !strings.Contains(last, `"slow_down"`) {
			t.Errorf("error after %d: the last event is %s", n, last)
		}
		whole := askChat(t, m.Client(), "")
		if whole.status != http.StatusServiceUnavailable || !strings.Contains(whole.body, "busy") {
			t.Errorf("whole: %+v", whole)
		}
	}
}

func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	text := mimus.Text("Out for delivery.")
	cases := []struct {
		name   string
		reply  mimus.Reply
		frames int    // of a stream
		last   string // in the last of them
	}{
		{"dropped after two", text.DropAfter(2), 2, "Out"},
		{"reset after three", text.ResetAfter(3), 3, "for"},
		{"interrupted", text.Interrupted(), 4, "delivery."},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := mimus.New(t)
			m.On().Reply(c.reply)
			a := askStream(t, m.Client(), "")
			events := frames(a.body)
			if a.err == nil || a.status != 200 || len(events) != c.frames || !strings.Contains(events[len(events)-1], c.last) {
				t.Errorf("got %d frames, %v\n%s", len(events), a.err, a.body)
			}
			_, err := a.fold("openai.chat", true)
			var f *wire.Failure
			if !errors.As(err, &f) || f.Kind != wire.Transport || f.Sent != wire.MaybeSent || !f.PartialOutput {
				t.Errorf("the reader says %+v", err)
			}
			whole := askChat(t, m.Client(), "")
			if whole.err == nil || whole.status != 200 || whole.body == "" || strings.HasSuffix(whole.body, "}") {
				t.Errorf("whole: %+v", whole)
			}
		})
	}
	t.Run("before the status line", func(t *testing.T) {
		t.Parallel()
		m := mimus.New(t)
		m.On().Reply(text.DropAfter(0))
		for range 2 {
			if a := askStream(t, m.Client(), ""); a.err == nil || a.status != 0 {
				t.Errorf("got %+v", a)
			}
		}
	})
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").Malformed())
	a := askStream(t, m.Client(), "")
	events := frames(a.body)
	if len(events) != chatFrames || strings.HasSuffix(events[1], "}") || !strings.HasSuffix(events[2], "}") {
		t.Errorf("got %q", events)
	}
	if whole := askChat(t, m.Client(), ""); whole.err != nil || strings.HasSuffix(strings.TrimSpace(whole.body), "}") {
		t.Errorf("whole: %+v", whole)
	}
}

// times reads a stream, and gives when each of its events came, from the call on.
func times(t *testing.T, client *http.Client, say string) []time.Duration {
	t.Helper()
	begin := time.Now()
	resp, err := client.Do(question(t, "openai.chat", true, say))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var came []time.Duration
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if lines.Text() != "" {
			came = append(came, time.Since(begin))
		}
	}
	return came
}

func TestTimes(t *testing.T) {
	t.Parallel()
	text := mimus.Text("Out for delivery.")
	const s = time.Second
	cases := []struct {
		name  string
		reply mimus.Reply
		want  []time.Duration
	}{
		{"at once", text, []time.Duration{0, 0, 0, 0, 0, 0, 0}},
		{"delay", text.Delay(90 * s), []time.Duration{90 * s, 90 * s, 90 * s, 90 * s, 90 * s, 90 * s, 90 * s}},
		{"stall", text.StallAfter(3, 10*time.Minute), []time.Duration{0, 0, 0, 600 * s, 600 * s, 600 * s, 600 * s}},
		{"stall before the status line", text.StallAfter(0, 30*s), []time.Duration{30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s}},
		{"stall before [DONE]", text.StallAfter(6, 30*s), []time.Duration{0, 0, 0, 0, 0, 0, 30 * s}},
		{"pace", mimus.Text("Out for all.").Pace(mimus.Pace{FirstToken: 2 * s, TokensPerSecond: 1}), []time.Duration{0, 2 * s, 3 * s, 4 * s, 4 * s, 4 * s, 4 * s}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := mimus.New(t)
				m.On().Reply(c.reply)
				if got := times(t, m.Client(), ""); fmt.Sprint(got) != fmt.Sprint(c.want) {
					t.Errorf("got %v, want %v", got, c.want)
				}
			})
		})
	}
}

// Hang sends all but the end of a stream, and nothing at all of a whole answer.
func TestHang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.On().Reply(mimus.Text("Out for delivery.").Hang())
		for _, stream := range []bool{true, false} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			begin := time.Now()
			a := do(m.Client(), in(ctx, question(t, "openai.chat", stream, "")))
			cancel()
			if !errors.Is(a.err, context.DeadlineExceeded) || time.Since(begin) != time.Hour {
				t.Errorf("stream %t: %v after %s", stream, a.err, time.Since(begin))
			}
			switch got := frames(a.body); {
			case stream && (len(got) != 4 || !strings.Contains(got[3], "delivery.")):
				t.Errorf("got %q", got)
			case !stream && a.status != 0:
				t.Errorf("got %+v", a)
			}
		}
		m.Asked().HungUp()
	})
}

func TestHangAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.On().Reply(mimus.Text("Out for delivery.").HangAfter(2))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if a := do(m.Client(), in(ctx, question(t, "openai.chat", true, ""))); len(frames(a.body)) != 2 || a.err == nil {
			t.Errorf("got %+v", a)
		}
	})
}

// byteReader tells how many bytes came in each read of a body.
func TestSplitBytes(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("Köln 🚚").SplitBytes(3))
	resp, err := m.Client().Do(question(t, "openai.chat", true, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	buf := make([]byte, 4096)
	for {
		n, err := resp.Body.Read(buf)
		if n > 3 {
			t.Fatalf("%d bytes at once: %q", n, buf[:n])
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestStreamError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		endpoint string
		reply    mimus.Reply
		code     string
		kind     wire.FailureKind
		frames   string // words in the frames, one after the other
	}{
		{"openai.chat", mimus.StreamError(mimus.Text("Hi"), "server_error", "broken"), "server_error", wire.ServerError, `"Hi" "broken"`},
		{"openai.responses", mimus.StreamError(mimus.Text("Hi"), "rate_limit_exceeded", "broken"), "rate_limit_exceeded", wire.RateLimit, `response.output_item.done "type":"error" response.failed`},
		{"openai.responses", mimus.ResponseFailed(mimus.Text("Hi"), "rate_limit_exceeded", "broken"), "rate_limit_exceeded", wire.RateLimit, `response.output_item.done response.failed "broken"`},
		{"anthropic.messages", mimus.StreamError(mimus.Text("Hi"), "overloaded_error", "broken"), "overloaded_error", wire.Overloaded, `content_block_stop event: error "overloaded_error" "broken"`},
		{"gemini.generate", mimus.StreamError(mimus.Text("Hi"), "UNAVAILABLE", "broken"), "UNAVAILABLE", wire.Overloaded, `"Hi" "error" 503 "broken" "UNAVAILABLE"`},
	} {
		t.Run(c.endpoint+"/"+c.code, func(t *testing.T) {
			t.Parallel()
			m := mimus.New(t)
			m.On().Reply(c.reply)
			a := do(m.Client(), question(t, c.endpoint, true, ""))
			rest := a.body
			for word := range strings.FieldsSeq(c.frames) {
				_, after, ok := strings.Cut(rest, word)
				if !ok {
					t.Fatalf("no %s in %s", word, rest)
				}
				rest = after
			}
			got, err := a.fold(c.endpoint, true)
			var f *wire.Failure
			if !errors.As(err, &f) || f.Kind != c.kind || f.Code != c.code && f.Type != c.code || f.Message != "broken" || f.Sent != wire.Completed || !f.PartialOutput {
				t.Errorf("the reader says %+v, %#v", err, f)
			}
			if textIn(got) != "Hi" {
				t.Errorf("before it came %+v", got)
			}
			if whole := do(m.Client(), question(t, c.endpoint, false, "")); whole.status < 400 || !strings.Contains(whole.body, "broken") {
				t.Errorf("whole: %+v", whole)
			}
		})
	}
}
