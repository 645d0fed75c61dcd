package deliver

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestFaults plays every fault of transport before the head, inside, at the end of and beyond an answer.
func TestFaults(t *testing.T) {
	t.Parallel()
	array := lines("a b")
	array.Framing = wire.JSONArray{}
	for _, tt := range []struct {
		name   string
		resp   wire.Response
		fault  stub.Fault
		status int // 0: no answer at all
		body   string
		broken bool // the client sees an error
		frames int
		struck bool
	}{
		{"no fault, stream", lines("a b c"), stub.Fault{}, 200, "a\nb\nc\n", false, 3, false},
		{"no fault, whole", whole("abcd"), stub.Fault{}, 200, "abcd", false, 0, false},
		{"an empty stream", lines(""), stub.Fault{}, 200, "", false, 0, false},
		{"an empty body", whole(""), stub.Fault{}, 200, "", false, 0, false},
		{"an array", array, stub.Fault{}, 200, "[a,b]", false, 2, false},

		{"drop before the head", lines("a b c"), stub.Fault{DropAfter: new(0)}, 0, "", true, 0, true},
		{"drop inside", lines("a b c"), stub.Fault{DropAfter: new(2)}, 200, "a\nb\n", true, 2, true},
		{"drop after all frames", lines("a b c"), stub.Fault{DropAfter: new(3)}, 200, "a\nb\nc\n", true, 3, true},
		{"drop beyond them", lines("a b c"), stub.Fault{DropAfter: new(9)}, 200, "a\nb\nc\n", true, 3, true},
		{"drop an empty stream", lines(""), stub.Fault{DropAfter: new(1)}, 200, "", true, 0, true},
		{"a dropped array is not closed", array, stub.Fault{DropAfter: new(2)}, 200, "[a,b", true, 2, true},
		{"drop a whole answer before the head", whole("abcd"), stub.Fault{DropAfter: new(0)}, 0, "", true, 0, true},
		{"drop a whole answer half way", whole("abcd"), stub.Fault{DropAfter: new(1)}, 200, "ab", true, 0, true},
		{"drop a whole answer, however many events", whole("abcd"), stub.Fault{DropAfter: new(7)}, 200, "ab", true, 0, true},

		{"reset before the head", lines("a b c"), stub.Fault{DropAfter: new(0), Reset: true}, 0, "", true, 0, true},
		{"reset inside", lines("a b c"), stub.Fault{DropAfter: new(1), Reset: true}, 200, "a\n", true, 1, true},
		{"reset beyond", lines("a b c"), stub.Fault{DropAfter: new(9), Reset: true}, 200, "a\nb\nc\n", true, 3, true},
		{"reset a whole answer", whole("abcd"), stub.Fault{DropAfter: new(1), Reset: true}, 200, "ab", true, 0, true},
		{"reset alone is none", lines("a"), stub.Fault{Reset: true}, 200, "a\n", false, 1, false},

		{"stall before the head", lines("a b c"), stub.Fault{StallAfter: new(0), StallFor: time.Millisecond}, 200, "a\nb\nc\n", false, 3, true},
		{"stall inside", lines("a b c"), stub.Fault{StallAfter: new(1), StallFor: time.Millisecond}, 200, "a\nb\nc\n", false, 3, true},
		{"stall beyond", array, stub.Fault{StallAfter: new(9), StallFor: time.Millisecond}, 200, "[a,b]", false, 2, true},
		{"stall a whole answer", whole("abcd"), stub.Fault{StallAfter: new(3), StallFor: time.Millisecond}, 200, "abcd", false, 0, true},
		{
			"stall, then drop", lines("a b c"),
			stub.Fault{StallAfter: new(1), StallFor: time.Millisecond, DropAfter: new(1)},
			200, "a\n", true, 1, true,
		},

		{"split a stream", lines("ü b"), stub.Fault{SplitBytes: 1}, 200, "ü\nb\n", false, 2, false},
		{"split a whole answer", whole("abcd"), stub.Fault{SplitBytes: 3}, 200, "abcd", false, 0, false},
		{"split and drop", lines("a b c"), stub.Fault{SplitBytes: 1, DropAfter: new(1)}, 200, "a\n", true, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			on(t, func(t *testing.T, g ground) {
				s := serve(t, g, tt.resp, Plan{Fault: tt.fault})
				got := s.get(t.Context(), t)
				if got.status != tt.status || got.body != tt.body || (got.err != nil) != tt.broken {
					t.Errorf("the client sees %d %q, error %v; want %d %q, an error: %t", got.status, got.body, got.err, tt.status, tt.body, tt.broken)
				}
				r := got.result
				if r.Gone || r.Broken != tt.broken || r.Struck != tt.struck || r.Frames != tt.frames || string(r.Body) != tt.body {
					t.Errorf("the server says %d frames, %q, gone %t, broken %t, struck %t; want %d, %q, false, %t, %t",
						r.Frames, r.Body, r.Gone, r.Broken, r.Struck, tt.frames, tt.body, tt.broken, tt.struck)
				}
				if tt.fault.Reset && tt.broken && !g.http2 && !errors.Is(got.err, syscall.ECONNRESET) {
					t.Errorf("the client sees %v, want a reset", got.err)
				}
				if !tt.fault.Reset && tt.broken && tt.status != 0 && !g.http2 && !errors.Is(got.err, io.ErrUnexpectedEOF) {
					t.Errorf("the client sees %v, want an unexpected end", got.err)
				}
			})
		})
	}
}

// TestHang ends with the client's patience, or with the server.
func TestHang(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		resp   wire.Response
		after  int
		status int
		body   string
	}{
		{"before the head", lines("a b c"), 0, 0, ""},
		{"inside", lines("a b c"), 2, 200, "a\nb\n"},
		{"after all frames", lines("a b c"), 3, 200, "a\nb\nc\n"},
		{"beyond them", lines("a b c"), 8, 200, "a\nb\nc\n"},
		{"a whole answer, before the head", whole("abcd"), 0, 0, ""},
		{"a whole answer, later", whole("abcd"), 2, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			on(t, func(t *testing.T, g ground) {
				s := serve(t, g, tt.resp, Plan{Fault: stub.Fault{HangAfter: &tt.after}})
				got := s.impatient(t, g, time.Hour, tt.body)
				if got.status != tt.status || got.body != tt.body || !errors.Is(got.err, context.DeadlineExceeded) && !errors.Is(got.err, context.Canceled) {
					t.Errorf("the client sees %d %q, error %v; want %d %q and its own time-out", got.status, got.body, got.err, tt.status, tt.body)
				}
				if r := got.result; !r.Gone || r.Broken || !r.Struck || string(r.Body) != tt.body {
					t.Errorf("the server says %q, gone %t, broken %t, struck %t", r.Body, r.Gone, r.Broken, r.Struck)
				}

				time.AfterFunc(20*time.Millisecond, func() { close(s.stop) })
				got = s.get(t.Context(), t)
				if got.status != tt.status || got.body != tt.body || got.err == nil || !got.result.Broken {
					t.Errorf("when the server stops, the client sees %d %q, error %v", got.status, got.body, got.err)
				}
			})
		})
	}
}

// TestHangUp notices a client that gives up, wherever the answer is.
func TestHangUp(t *testing.T) {
	t.Parallel()
	slow := &stub.Pace{FirstToken: time.Hour, TokensPerSecond: 1.0 / 3600}
	for _, tt := range []struct {
		name   string
		resp   wire.Response
		plan   Plan
		frames int
		body   string
		struck bool
	}{
		{"while the answer is delayed", whole("abcd"), Plan{Delay: time.Hour}, 0, "", false},
		{"while a stream is delayed", lines("a b"), Plan{Delay: time.Hour}, 0, "", false},
		{"before the first token", lines("ROLE a b"), Plan{Pace: slow}, 1, "ROLE\n", false},
		{"between tokens", lines("a b"), Plan{Pace: &stub.Pace{TokensPerSecond: 1.0 / 3600}}, 1, "a\n", false},
		{"in a stall before the head", whole("abcd"), Plan{Fault: stub.Fault{StallAfter: new(0), StallFor: time.Hour}}, 0, "", true},
		{"in a stall", lines("a b"), Plan{Fault: stub.Fault{StallAfter: new(1), StallFor: time.Hour}}, 1, "a\n", true},
		{"in a stall at the end", lines("a b"), Plan{Fault: stub.Fault{StallAfter: new(2), StallFor: time.Hour}}, 2, "a\nb\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			on(t, func(t *testing.T, g ground) {
				s := serve(t, g, tt.resp, tt.plan)
				r := s.impatient(t, g, 30*time.Millisecond, tt.body).result
				if !r.Gone || r.Broken || r.Frames != tt.frames || string(r.Body) != tt.body || r.Struck != tt.struck {
					t.Errorf("the server says %d frames, %q, gone %t, broken %t, struck %t; want %d, %q, gone, struck %t",
						r.Frames, r.Body, r.Gone, r.Broken, r.Struck, tt.frames, tt.body, tt.struck)
				}
			})
		})
	}
}

// TestHangUpOfAWrite notices a client that goes while much is being written, in memory exactly.
func TestHangUpOfAWrite(t *testing.T) {
	t.Parallel()
	for name, resp := range map[string]wire.Response{
		"whole":  whole(strings.Repeat("x", 16<<20)),
		"stream": lines(strings.Repeat("x", 16<<20) + " END"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on(t, func(t *testing.T, g ground) {
				s := serve(t, g, resp, Plan{Exact: true})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				resp, err := s.client.Post(s.url, "application/json", strings.NewReader("{}")) //nolint:noctx // it is closed below
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(resp.Body, make([]byte, 100)); err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if r := <-s.results; !r.Gone {
					t.Errorf("16 MiB left whole, although the client read 100 bytes: %d bytes, ctx %v", len(r.Body), ctx.Err())
				}
			})
		})
	}
}

// TestLateHangUp takes an answer for whole that the client has read to its end before it closes the connection.
func TestLateHangUp(t *testing.T) {
	t.Parallel()
	for name, resp := range map[string]wire.Response{"whole": whole("abcd"), "stream": lines("a b")} {
		ctx, cancel := context.WithCancel(t.Context())
		s := &closing{end: cancel}
		if r := Deliver(ctx, s, resp, Plan{Exact: true}); r.Gone {
			t.Errorf("%s: a client that closes once it has everything is taken for gone", name)
		}
		if r := Deliver(ctx, s, resp, Plan{}); !r.Gone {
			t.Errorf("%s: a client that closed before anything left is not taken for gone", name)
		}
	}
}

// closing is a client that closes the connection as soon as something comes.
type closing struct{ end func() }

func (*closing) Head(int, wire.Header, int) {}
func (*closing) Write([]byte) error         { return nil }
func (c *closing) Flush() error             { c.end(); return nil }
func (*closing) Break(bool)                 {}

func TestPlanned(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault stub.Fault
		want  string
	}{
		{stub.Fault{}, ""},
		{stub.Fault{DropAfter: new(0)}, "drop"},
		{stub.Fault{DropAfter: new(1), Reset: true}, "reset"},
		{stub.Fault{HangAfter: new(1)}, "hang"},
		{stub.Fault{StallAfter: new(1), DropAfter: new(2)}, "stall, drop"},
		{stub.Fault{SplitBytes: 3}, "split bytes"},
		{stub.Fault{CutOffAfter: new(1), Malformed: true}, ""},
	} {
		if got := Planned(&tt.fault); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
