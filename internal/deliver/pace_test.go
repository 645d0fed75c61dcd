package deliver

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestTimes holds the times at which everything arrives, to the nanosecond, where the clock is fake.
func TestTimes(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		name string
		resp wire.Response
		plan Plan
		head time.Duration
		want []piece
	}{
		{"at once", lines("ROLE a b END"), Plan{}, 0, []piece{{0, "ROLE\na\nb\nEND\n"}}},
		{"a delay comes before the head", lines("a b"), Plan{Delay: 2 * s}, 2 * s, []piece{{2 * s, "a\nb\n"}}},
		{"a delay of a whole answer", whole("abcd"), Plan{Delay: 2 * s, Pace: second}, 2 * s, []piece{{2 * s, "abcd"}}},
		{"frames without tokens leave with the one before", lines("ROLE a b END"), Plan{Pace: second}, 0, []piece{{0, "ROLE\na\n"}, {s, "b\nEND\n"}}},
		{
			"the first token comes after the head", lines("ROLE a b END"),
			Plan{Delay: s, Pace: &stub.Pace{FirstToken: 3 * s, TokensPerSecond: 1}},
			s,
			[]piece{{s, "ROLE\n"}, {4 * s, "a\n"}, {5 * s, "b\nEND\n"}},
		},
		{
			"only a first token", lines("ROLE a b"),
			Plan{Pace: &stub.Pace{FirstToken: 3 * s}},
			0,
			[]piece{{0, "ROLE\n"}, {3 * s, "a\nb\n"}},
		},
		{
			"a stall delays what follows, once", lines("a b c d"),
			Plan{Pace: second, Fault: stub.Fault{StallAfter: new(2), StallFor: 10 * s}},
			0,
			[]piece{{0, "a\n"}, {s, "b\n"}, {12 * s, "c\n"}, {13 * s, "d\n"}},
		},
		{
			"a stall before the first token", lines("ROLE a b"),
			Plan{Pace: &stub.Pace{FirstToken: s, TokensPerSecond: 1}, Fault: stub.Fault{StallAfter: new(1), StallFor: 10 * s}},
			0,
			[]piece{{0, "ROLE\n"}, {11 * s, "a\n"}, {12 * s, "b\n"}},
		},
		{
			"a stall without a pace", lines("a b c"),
			Plan{Fault: stub.Fault{StallAfter: new(1), StallFor: 600 * s}},
			0,
			[]piece{{0, "a\n"}, {600 * s, "b\nc\n"}},
		},
		{
			"a stall before the head", lines("a b"),
			Plan{Pace: second, Fault: stub.Fault{StallAfter: new(0), StallFor: 10 * s}},
			10 * s,
			[]piece{{10 * s, "a\n"}, {11 * s, "b\n"}},
		},
		{
			"a stall of a whole answer", whole("abcd"),
			Plan{Fault: stub.Fault{StallAfter: new(1), StallFor: 10 * s}},
			10 * s,
			[]piece{{10 * s, "abcd"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			on(t, func(t *testing.T, g ground) {
				if !g.memory {
					t.Skip("only the fake clock is exact")
				}
				got := serve(t, g, tt.resp, tt.plan).get(t.Context(), t)
				if got.head != tt.head || !slices.Equal(got.pieces, tt.want) {
					t.Errorf("head after %v, then %v; want %v, %v", got.head, got.pieces, tt.head, tt.want)
				}
			})
		})
	}
}

// TestPaceOnTCP holds a pace on a real connection from below: nothing comes before its time.
func TestPaceOnTCP(t *testing.T) {
	t.Parallel()
	pace := &stub.Pace{FirstToken: 20 * time.Millisecond, TokensPerSecond: 100}
	on(t, func(t *testing.T, g ground) {
		s := serve(t, g, lines("ROLE a b c d END"), Plan{Pace: pace})
		got := s.get(t.Context(), t)
		if handed := s.handed.Load() == 1; handed != g.wheel && runtime.GOOS != "windows" {
			t.Errorf("handed over: %t", handed)
		}
		if got.body != "ROLE\na\nb\nc\nd\nEND\n" {
			t.Fatalf("got %q", got.body)
		}
		seen := 0
		for _, p := range got.pieces {
			if seen += strings.Count(p.text, "\n"); seen > 1 {
				if due := pace.FirstToken + time.Duration(min(seen, 5)-2)*10*time.Millisecond; p.at < due {
					t.Errorf("%d frames after %v, due after %v", seen, p.at, due)
				}
			}
		}
	})
}

// TestDeadlinesAreAbsolute lets a slow client delay nothing but what it does not read.
func TestDeadlinesAreAbsolute(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, g ground) {
		if !g.memory || g.http2 {
			t.Skip("writes wait for the reader only in memory, and not behind HTTP/2's window")
		}
		s := serve(t, g, lines("a b c d e"), Plan{Pace: second})
		resp, err := s.client.Post(s.url, "application/json", strings.NewReader("{}")) //nolint:noctx // it is closed below
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		time.Sleep(2500 * time.Millisecond) //nolint:forbidigo // the clock is fake: the client does not read
		var g2 got
		g2.readBody(resp.Body, time.Now(), func(string) {})
		var last time.Duration
		for _, p := range g2.pieces {
			last = p.at
		}
		if last != 1500*time.Millisecond || g2.body != "a\nb\nc\nd\ne\n" {
			t.Errorf("the last frame came %v after the client began to read, want 1.5s: %v", last, g2.pieces)
		}
		<-s.results
	})
}

// TestJitter is bounded, and the same for the same seed.
func TestJitter(t *testing.T) {
	t.Parallel()
	play := func(seed uint64) (gaps []time.Duration) {
		c := clock{pace: &stub.Pace{TokensPerSecond: 10, Jitter: 0.5}, rand: rand.New(rand.NewPCG(seed, 0))}
		last := c.due(1)
		for range 200 {
			due := c.due(1)
			gaps = append(gaps, due-last)
			last = due
		}
		return gaps
	}
	one, again, other := play(1), play(1), play(2)
	if !slices.Equal(one, again) {
		t.Error("the same seed gives other gaps")
	}
	if slices.Equal(one, other) {
		t.Error("another seed gives the same gaps")
	}
	if low, high := slices.Min(one), slices.Max(one); low < 50*time.Millisecond || high > 150*time.Millisecond || high-low < 50*time.Millisecond {
		t.Errorf("gaps of 100ms ± a half lie between %v and %v", low, high)
	}
}

// TestWrites counts what it costs to send an answer.
func TestWrites(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("word ", 10_000)
	for _, tt := range []struct {
		name string
		resp wire.Response
		plan Plan
		most int64
		min  int64
	}{
		{"a whole answer", whole("abcd"), Plan{}, 1, 1},
		{"a whole answer that must be known to have left", whole("abcd"), Plan{Exact: true}, 1, 1},
		{"a large whole answer", whole(big), Plan{}, 2, 1},
		{"a stream", lines("a b c d"), Plan{}, 1, 1},
		{"a stream that must be known to have left", lines("a b c d"), Plan{Exact: true}, 2, 1},
		{"a large stream", lines(big), Plan{}, 3, 1},
		{"each frame by itself", lines("a b c d"), Plan{EachFrame: true}, 5, 4},
		{"a stream at once, but for a first token", lines("a b c d"), Plan{Pace: &stub.Pace{FirstToken: time.Millisecond}}, 2, 2},
		{"split", lines("aa bb"), Plan{Fault: stub.Fault{SplitBytes: 1}}, 7, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			on(t, func(t *testing.T, g ground) {
				if g.http2 {
					t.Skip("HTTP/2 has frames of its own")
				}
				s := serve(t, g, tt.resp, tt.plan)
				if got := s.get(t.Context(), t); got.err != nil {
					t.Fatal(got.err)
				}
				if n := s.writes.Load(); n > tt.most || n < tt.min {
					t.Errorf("%d writes, want %d to %d", n, tt.min, tt.most)
				}
			})
		})
	}
}

// TestFraming of the message: a whole body has its length, a stream has none, however short.
func TestFraming(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, g ground) {
		got := serve(t, g, whole("abcd"), Plan{}).get(t.Context(), t)
		if got.length != 4 || got.chunked {
			t.Errorf("a whole body: length %d, chunked %t", got.length, got.chunked)
		}
		got = serve(t, g, lines("a"), Plan{}).get(t.Context(), t)
		if got.length != -1 || got.chunked != !g.http2 || got.header.Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("a short stream: length %d, chunked %t, %v", got.length, got.chunked, got.header)
		}
		got = serve(t, g, wire.Response{Status: 204, Framing: wire.Raw{}}, Plan{}).get(t.Context(), t)
		if got.status != 204 || got.err != nil || got.result.Gone {
			t.Errorf("no content: %d, %v, gone %t", got.status, got.err, got.result.Gone)
		}
	})
}
