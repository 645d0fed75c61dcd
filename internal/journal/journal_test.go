package journal

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/mimus-go/mimus/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func entry(body int) *Entry { return &Entry{Probe: &wire.Probe{Body: make([]byte, body)}} }

// check holds the ring's book-keeping against a count of what is in it.
func (j *Journal) check(tb interface{ Fatalf(string, ...any) }) {
	j.mu.Lock()
	defer j.mu.Unlock()
	bytes := 0
	for i := range j.count {
		e := j.ring[(j.start+i)%len(j.ring)]
		if e == nil {
			tb.Fatalf("entry %d of %d is nil", i, j.count)
		}
		bytes += e.size
	}
	for i := j.count; i < len(j.ring); i++ {
		if j.ring[(j.start+i)%len(j.ring)] != nil {
			tb.Fatalf("the ring holds on to an evicted entry")
		}
	}
	if bytes != j.bytes || j.count > j.maxEntries || j.bytes > j.maxBytes && j.count > 1 {
		tb.Fatalf("%d entries of %d bytes, counted %d; at most %d and %d", j.count, bytes, j.bytes, j.maxEntries, j.maxBytes)
	}
}

func numbers(entries []Entry) []uint64 {
	out := make([]uint64, len(entries))
	for i, e := range entries {
		out[i] = e.Seq
	}
	return out
}

func TestEntries(t *testing.T) {
	t.Parallel()
	j := New(0, 0)
	if entries, forgotten := j.Entries(); len(entries) != 0 || forgotten {
		t.Errorf("a new journal holds %v, forgotten %t", entries, forgotten)
	}
	e := entry(10)
	e.Stub = "first"
	j.Add(e)
	j.Add(entry(10))
	entries, forgotten := j.Entries()
	if !slices.Equal(numbers(entries), []uint64{1, 2}) || forgotten || entries[0].Outcome != Open {
		t.Errorf("got %v, forgotten %t, outcome %v", numbers(entries), forgotten, entries[0].Outcome)
	}
	j.Update(e, func(e *Entry) { e.Outcome, e.Response = Whole, []byte("answer") })
	if entries[0].Outcome != Open {
		t.Error("a copy changed with the entry")
	}
	if entries, _ = j.Entries(); entries[0].Outcome.String() != "delivered" || string(entries[0].Response) != "answer" {
		t.Errorf("the entry was not changed: %v", entries[0])
	}
	j.check(t)
}

func TestBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		entries, bytes int
		bodies         []int
		want           []uint64
		forgotten      bool
	}{
		{"within", 3, 1 << 20, []int{1, 1, 1}, []uint64{1, 2, 3}, false},
		{"too many", 3, 1 << 20, []int{1, 1, 1, 1, 1}, []uint64{3, 4, 5}, true},
		{"one at a time", 1, 1 << 20, []int{1, 1}, []uint64{2}, true},
		{"too heavy", 10, 3 * overhead, []int{0, 0, 0, 0}, []uint64{2, 3, 4}, true},
		{"a huge one drives the others out, and stays", 10, 3 * overhead, []int{0, 0, 1 << 20}, []uint64{3}, true},
		{"and goes with the next", 10, 3 * overhead, []int{1 << 20, 0}, []uint64{2}, true},
	} {
		j := New(tt.entries, tt.bytes)
		for _, n := range tt.bodies {
			j.Add(entry(n))
			j.check(t)
		}
		entries, forgotten := j.Entries()
		if got := numbers(entries); !slices.Equal(got, tt.want) || forgotten != tt.forgotten {
			t.Errorf("%s: got %v, forgotten %t; want %v, %t", tt.name, got, forgotten, tt.want, tt.forgotten)
		}
	}
}

// TestAnswersCount lets a long answer drive older entries out.
func TestAnswersCount(t *testing.T) {
	t.Parallel()
	j := New(10, 4*overhead)
	first, second := entry(0), entry(0)
	j.Add(first)
	j.Add(second)
	j.Update(second, func(e *Entry) { e.Response = make([]byte, 3*overhead) })
	j.check(t)
	if entries, forgotten := j.Entries(); !slices.Equal(numbers(entries), []uint64{2}) || !forgotten {
		t.Errorf("got %v, forgotten %t", numbers(entries), forgotten)
	}
	j.Update(first, func(e *Entry) { e.Response = make([]byte, 3*overhead) }) // it is long gone
	j.check(t)
}

func TestReset(t *testing.T) {
	t.Parallel()
	j := New(2, 0)
	old := entry(0)
	for range 3 {
		j.Add(entry(0))
	}
	j.Add(old)
	j.Reset()
	j.check(t)
	if entries, forgotten := j.Entries(); len(entries) != 0 || forgotten {
		t.Errorf("after a reset: %d entries, forgotten %t", len(entries), forgotten)
	}
	j.Update(old, func(e *Entry) { e.Response = make([]byte, 100) }) // it ended after the reset
	j.check(t)
	j.Add(entry(0))
	if entries, _ := j.Entries(); len(entries) != 1 || entries[0].Seq != 5 {
		t.Errorf("numbers begin again: %v", numbers(entries))
	}
}

// TestRandom compares with a plain list.
func TestRandom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		j := New(rapid.IntRange(1, 200).Draw(t, "entries"), rapid.IntRange(1, 100*overhead).Draw(t, "bytes"))
		var list []*Entry
		forgotten := false
		evict := func() {
			weight := func() (n int) {
				for _, e := range list {
					n += overhead + 2*len(e.Probe.Body) + len(e.Response)
				}
				return n
			}
			for len(list) > j.maxEntries || len(list) > 1 && weight() > j.maxBytes {
				list, forgotten = list[1:], true
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				e := entry(rapid.IntRange(0, 3*overhead).Draw(t, "body"))
				j.Add(e)
				list = append(list, e)
				evict()
			},
			"answer": func(t *rapid.T) {
				if len(list) == 0 {
					t.Skip()
				}
				e := rapid.SampledFrom(list).Draw(t, "entry")
				n := rapid.IntRange(0, 3*overhead).Draw(t, "answer")
				j.Update(e, func(e *Entry) { e.Response = make([]byte, n) })
				evict()
			},
			"reset": func(*rapid.T) {
				j.Reset()
				list, forgotten = nil, false
			},
			"": func(t *rapid.T) {
				j.check(t)
				entries, gone := j.Entries()
				var want []uint64
				for _, e := range list {
					want = append(want, e.Seq)
				}
				if !slices.Equal(numbers(entries), want) || gone != forgotten {
					t.Fatalf("got %v, forgotten %t; want %v, %t", numbers(entries), gone, want, forgotten)
				}
			},
		})
	})
}

// TestParallel is for the race detector.
func TestParallel(t *testing.T) {
	t.Parallel()
	j := New(50, 0)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 500 {
				e := entry(100)
				j.Add(e)
				j.Update(e, func(e *Entry) { e.Response, e.Outcome = []byte("answer"), Whole })
			}
		})
		all.Go(func() {
			for i := range 200 {
				entries, _ := j.Entries()
				for _, e := range entries {
					if e.Outcome == Whole && len(e.Response) == 0 {
						t.Error("half an entry")
					}
				}
				if i%50 == 0 {
					j.Reset()
				}
			}
		})
	}
	all.Wait()
	j.check(t)
}

func TestIDs(t *testing.T) {
	t.Parallel()
	for _, n := range []uint64{1, 15, 16, 1 << 20, 1<<48 - 1} {
		e := Entry{Seq: n}
		if got := SeqOf(e.ID()); got != n {
			t.Errorf("%s is of entry %d, want %d", e.ID(), got, n)
		}
	}
	if got, want := (&Entry{Seq: 255}).ID(), "00000000-0000-4000-8000-0000000000ff"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, id := range []string{"", "1", "00000000-0000-4000-8000-00000000000g", "10000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-+00000000001"} {
		if got := SeqOf(id); got != 0 {
			t.Errorf("%q is taken for entry %d", id, got)
		}
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	if got := fmt.Sprint(Open, Whole, ClientGone); got != "open delivered client_cancelled" {
		t.Errorf("got %s", got)
	}
}
