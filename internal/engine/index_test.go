package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/stub"
)

// naive is what texts.in must give.
func naive(wanted []string, text string) []int {
	var ranks []int
	for rank, w := range wanted {
		if strings.Contains(text, w) {
			ranks = append(ranks, rank)
		}
	}
	return ranks
}

// FuzzIndex finds the same texts as a look for each of them. The texts are the lines of the first argument.
func FuzzIndex(f *testing.F) {
	for _, seed := range [][2]string{
		{"PX-AI-8102\nPX-AI-8103", "Where is PX-AI-8102?"},
		{"aaaaaaa\naaaaaaaa\naaaa\naa\na", "aaaaaaaaaaaaaaaaaaaaaaaa"},
		{"a\nb\nc\nd\ne\nf\ng\nh\nij\nklm\nnopq\nrstuv\nwxyzab", "ijklmnopqrstuvwxyzab"},
		{"Hauptstraße\nstraß\nß\nße", "in der Hauptstraße 5"},
		{"abcdefg\nbcdefgh\ncdefghi\ndefghij\nabcdefghij", "xabcdefghij"},
		{"1234567\n1234567\n123456", "xx1234567"},
		{strings.Repeat("long text ", 20), strings.Repeat("long text ", 20)},
		{"\x00\x00\x00\x00\x00\x00\x00\n\xff\xfe", "\x00\x00\x00\x00\x00\x00\x00\x00\xff\xfe"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, lines, text string) {
		wanted := slices.DeleteFunc(strings.Split(lines, "\n"), func(s string) bool { return s == "" })
		var x texts
		x.prepare(len(wanted))
		for rank, w := range wanted {
			x.file(rank, w)
		}
		if got, want := x.in(text), naive(wanted, text); !slices.Equal(got, want) {
			t.Errorf("texts %q in %q: got %v, want %v", wanted, text, got, want)
		}
	})
}

// TestManyShortTexts uses the table of short texts, and the look for each of a few.
func TestManyShortTexts(t *testing.T) {
	t.Parallel()
	const text = "the quick brown fox jumps over the lazy dog"
	for _, n := range []int{fewest, fewest + 1, 200} {
		var wanted []string
		for i := range n {
			wanted = append(wanted, fmt.Sprintf("%.*s", 1+i%6, text[i%len(text):]))
		}
		var x texts
		x.prepare(n)
		for rank, w := range wanted {
			x.file(rank, w)
		}
		if got, want := x.in(text), naive(wanted, text); !slices.Equal(got, want) {
			t.Errorf("%d short texts: got %v, want %v", n, got, want)
		}
		if got := x.in(text[:3]); !slices.Equal(got, naive(wanted, text[:3])) {
			t.Errorf("%d short texts in a short text: got %v", n, got)
		}
	}
}

// TestRepeatedText keeps the work bounded where a text stands in a conversation very often.
func TestRepeatedText(t *testing.T) {
	t.Parallel()
	var x texts
	x.prepare(3)
	x.file(0, "aaaaaaa")
	x.file(1, "aaaaaaaa")
	x.file(2, "aa")
	if got := x.in(strings.Repeat("a", 1<<20)); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("got %v, want all three", got)
	}
}

func manyStubs(n int, when func(i int) []stub.Condition) *Space {
	s := NewSpace("", 1)
	for i := range n {
		s.Add(textStub("", when(i)...))
	}
	s.Add(textStub("wanted", stub.About("PX-AI-8102")...))
	return s
}

// benchmarkFind measures what a request costs beside the making of its conversation.
func benchmarkFind(b *testing.B, s *Space, size int) {
	b.Helper()
	r := chatRequest(strings.Repeat("The quick brown fox jumps over the lazy dog. ", size/45) + "Where is PX-AI-8102?")
	r.Conversation()
	x := s.index()
	b.ReportAllocs()
	for b.Loop() {
		if e, _ := x.find(r); e == nil || e.stub.Name != "wanted" {
			b.Fatal("found something else")
		}
	}
}

func BenchmarkFind(b *testing.B) {
	parcel := func(i int) []stub.Condition { return stub.About(fmt.Sprintf("PX-AI-%06d", 100_000+i)) }
	for name, when := range map[string]func(int) []stub.Condition{
		"texts":  parcel,
		"models": func(i int) []stub.Condition { return []stub.Condition{stub.Model(fmt.Sprint("model-", i))} },
	} {
		for _, n := range []int{1, 10_000} {
			for _, size := range []int{128, 2 << 10, 1 << 20} {
				b.Run(fmt.Sprintf("%s/stubs=%d/bytes=%d", name, n, size), func(b *testing.B) {
					benchmarkFind(b, manyStubs(n, when), size)
				})
			}
		}
	}
}

// TestManyStubsAreNoBurden holds the goal loosely, so that a busy machine passes: what ten thousand stubs add to a
// request, by a text or by a label, is a fraction of what a look at each would cost.
func TestManyStubsAreNoBurden(t *testing.T) {
	t.Parallel()
	for name, when := range map[string]func(int) []stub.Condition{
		"texts":  func(i int) []stub.Condition { return stub.About(fmt.Sprintf("PX-AI-%06d", 100_000+i)) },
		"models": func(i int) []stub.Condition { return []stub.Condition{stub.Model(fmt.Sprint("model-", i))} },
		"tools":  func(i int) []stub.Condition { return []stub.Condition{stub.AfterTool(fmt.Sprint("tool-", i))} },
	} {
		s := manyStubs(10_000, when)
		r := chatRequest(strings.Repeat("The quick brown fox. ", 100) + "Where is PX-AI-8102?")
		r.Conversation()
		x := s.index()
		best := time.Hour
		for range 200 {
			begin := time.Now()
			x.find(r)
			best = min(best, time.Since(begin))
		}
		if best > 200*time.Microsecond {
			t.Errorf("%s: a request takes %v at best, want a few microseconds, or ten times that under the race detector", name, best)
		}
	}
}

// TestNearMisses names the nearest stubs first, and says what each lacks.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	s.Add(
		textStub("two wrong", append(stub.About("Berlin"), stub.Model("other"))...),
		textStub("one wrong", append(stub.About("PX-AI-8102"), stub.Model("claude-*"))...),
		textStub("one wrong, none right", stub.Stream(true)),
	)
	near := s.NearMisses(chatRequest("Where is PX-AI-8102?"), 2)
	if len(near) != 2 {
		t.Fatalf("got %d near misses, want 2", len(near))
	}
	if got, want := near[0].String(), `one wrong: model wants "claude-*", got "gpt-4.1-mini"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := near[1].String(), "one wrong, none right: stream wants true, got false"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if near := NewSpace("", 1).NearMisses(chatRequest("hello"), 3); len(near) != 0 {
		t.Errorf("got %v of no stubs", near)
	}
}

// TestNearMissesOfMuch costs little, however long the conversation and however many the stubs.
func TestNearMissesOfMuch(t *testing.T) {
	t.Parallel()
	s := manyStubs(10_000, func(i int) []stub.Condition { return stub.About(fmt.Sprintf("absent %06d", i)) })
	begin := time.Now()
	near := s.NearMisses(chatRequest(strings.Repeat("ab ", 1<<20)), 3)
	if took := time.Since(begin); took > 5*time.Second || len(near) != 3 {
		t.Errorf("%d near misses took %v", len(near), took)
	}
	for _, n := range near {
		if len(n.String()) > 1000 {
			t.Errorf("a near miss is %d bytes long", len(n.String()))
		}
	}
}
