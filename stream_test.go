package mimus_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// reading is a stream that is read as it comes.
type reading struct {
	// mu guards what follows.
	mu   sync.Mutex
	got  answer
	done bool
}

// read starts to read the answer to a request.
func read(client *http.Client, r *http.Request) *reading {
	g := &reading{}
	go func() {
		resp, err := client.Do(r)
		g.mu.Lock()
		g.got.err, g.done = err, err != nil
		g.mu.Unlock()
		if err != nil {
			return
		}
		defer func() { _ = resp.Body.Close() }()
		g.mu.Lock()
		g.got.status, g.got.header = resp.StatusCode, resp.Header
		g.mu.Unlock()
		buf := make([]byte, 4096)
		for body := bufio.NewReader(resp.Body); ; {
			n, err := body.Read(buf)
			g.mu.Lock()
			g.got.body += string(buf[:n])
			if err != nil {
				g.done = true
				if err != io.EOF {
					g.got.err = err
				}
				g.mu.Unlock()
				return
			}
			g.mu.Unlock()
		}
	}()
	return g
}

// now is what has come once everybody waits.
func (g *reading) now() (a answer, done bool) {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.got, g.done
}

// TestStreamByHand steps a stream on every wire: each step arrives before the next is made.
func TestStreamByHand(t *testing.T) {
	t.Parallel()
	for _, endpoint := range chatEndpoints {
		t.Run(endpoint, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := mimus.New(t)
				s := mimus.Stream()
				m.On().Reply(s)
				g := read(m.Client(), question(t, endpoint, true, ""))
				if a, done := g.now(); a.status != 200 || done || strings.Contains(a.body, "Hel") {
					t.Fatalf("before the first step: %+v", a)
				}
				for _, piece := range []string{"Hel", "lo, ", "you"} {
					pass(30 * time.Second)
					s.Send(piece)
					if a, done := g.now(); done || !strings.Contains(a.body, `"`+piece+`"`) {
						t.Fatalf("after %q: %+v", piece, a)
					}
				}
				s.CallTool("track", `{"reference":"PX-AI-8102"}`)
				s.End()
				a, done := g.now()
				if !done {
					t.Fatal("the stream has not ended")
				}
				got, err := a.fold(endpoint, true)
				if err != nil || textIn(got) != "Hello, you" {
					t.Fatalf("got %+v, %v\n%s", got, err, a.body)
				}
				compareParts(t, got.Choices[0].Parts, []wire.Part{wire.ToolCall{Name: "track", Arguments: `{"reference":"PX-AI-8102"}`}})
				if got.Choices[0].Stop != wire.StopTools {
					t.Errorf("got the stop %q", got.Choices[0].Stop)
				}
				s.Send("lost")
				s.End()

				// A further request gets all of it; one that doesn't stream, in one piece.
				for _, stream := range []bool{true, false} {
					if text := do(m.Client(), question(t, endpoint, stream, "")).textOf(t, endpoint, stream); text != "Hello, you" {
						t.Errorf("again, stream %t: %q", stream, text)
					}
				}
			})
		})
	}
}

func TestStreamFails(t *testing.T) {
	t.Parallel()
	for _, endpoint := range chatEndpoints {
		t.Run(endpoint, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := mimus.New(t)
				s := mimus.Stream()
				m.On().Reply(s)
				if alwaysStreams(endpoint) {
					t.Skip("it always streams")
				}
				stream, whole := read(m.Client(), question(t, endpoint, true, "")), read(m.Client(), question(t, endpoint, false, ""))
				s.Send("Hel")
				if a, done := whole.now(); done || a.status != 0 {
					t.Errorf("a whole answer before the end: %+v", a)
				}
				s.Fail(mimus.Overloaded())
				a, done := stream.now()
				got, err := a.fold(endpoint, true)
				var f *wire.Failure
				if !done || textIn(got) != "Hel" || !errors.As(err, &f) || f.Kind != wire.Overloaded || !f.PartialOutput {
					t.Errorf("got %+v, %v\n%s", got, err, a.body)
				}
				if a, done := whole.now(); !done || a.status < 500 {
					t.Errorf("whole: %+v", a)
				}
			})
		})
	}
}

func TestStreamWithReasoning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		s := mimus.Stream()
		m.On().Reply(s.Reply().Header("X-Team", "parcels").Usage(120, 30))
		g := read(m.Client(), question(t, "anthropic.messages", true, ""))
		s.Reasoning("Let me ")
		s.Reasoning("think.")
		s.Send("Done.")
		s.Stop(wire.StopLength)
		a, _ := g.now()
		got, err := a.fold("anthropic.messages", true)
		if err != nil || textIn(got) != "Done." || got.Choices[0].Stop != wire.StopLength || *got.Usage != (wire.Usage{Input: 120, Output: 30}) || a.header.Get("X-Team") != "parcels" {
			t.Errorf("got %+v %+v, %v\n%s", got, got.Usage, err, a.body)
		}
		compareParts(t, got.Choices[0].Parts, []wire.Part{wire.Reasoning{Text: "Let me think."}})
	})
}

// A stepped stream takes the modifiers of every reply, and counts as every reply does.
func TestStreamWithFaults(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		change func(mimus.Reply) mimus.Reply
		frames int
		broken bool
		last   string
	}{
		{"cut", func(r mimus.Reply) mimus.Reply { return r.CutAfter(2) }, 2, false, "one"},
		{"cut at once", func(r mimus.Reply) mimus.Reply { return r.CutAfter(0) }, 0, false, ""},
		{"dropped", func(r mimus.Reply) mimus.Reply { return r.DropAfter(2) }, 2, true, "one"},
		{"interrupted", func(r mimus.Reply) mimus.Reply { return r.Interrupted() }, 4, true, "three"},
		{"an error inside", func(r mimus.Reply) mimus.Reply { return r.ErrorAfter(2, mimus.ServerError().Message("broken")) }, 3, false, "broken"},
		{"an error at the end", func(r mimus.Reply) mimus.Reply { return mimus.StreamError(r, "server_error", "broken") }, 5, false, "broken"},
		{"malformed", func(r mimus.Reply) mimus.Reply { return r.Malformed() }, 7, false, "[DONE]"},
		{"nothing", func(r mimus.Reply) mimus.Reply { return r }, 7, false, "[DONE]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := mimus.New(t)
				s := mimus.Stream()
				m.On().Reply(c.change(s.Reply()))
				g := read(m.Client(), question(t, "openai.chat", true, ""))
				for _, piece := range []string{"one", "two", "three"} {
					s.Send(piece)
					synctest.Wait()
				}
				s.End()
				a, done := g.now()
				events := frames(a.body)
				if !done || len(events) != c.frames || (a.err != nil) != c.broken {
					t.Fatalf("got %d frames, done %t, %v\n%s", len(events), done, a.err, a.body)
				}
				if len(events) > 0 && !strings.Contains(events[len(events)-1], c.last) {
					t.Errorf("the last event is %s", events[len(events)-1])
				}
			})
		})
	}
}

// Whoever hangs up on a stream is seen to do so, and is owed the step of a script.
func TestStreamAndHangingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		s := mimus.Stream()
		m.Script(s, mimus.Text("second"))
		ctx, cancel := context.WithCancel(t.Context())
		g := read(m.Client(), in(ctx, question(t, "openai.chat", true, "")))
		s.Send("Hel")
		g.now()
		cancel()
		if a, done := g.now(); !done || !errors.Is(a.err, context.Canceled) {
			t.Errorf("got %+v", a)
		}
		m.Asked().HungUp()
		s.Send("lo")
		s.End()
		if got := askStream(t, m.Client(), "another").text(t); got != "second" {
			t.Errorf("another request got %q", got)
		}
		if got := askStream(t, m.Client(), "").text(t); got != "Hello" {
			t.Errorf("the same request got %q", got)
		}
	})
}
