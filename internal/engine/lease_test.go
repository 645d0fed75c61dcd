package engine

import (
	"sync"
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// sequence is a stub of several answers.
func sequence(then stub.Then, times int, texts ...string) *stub.Stub {
	s := textStub("sequence")
	s.Answers, s.Then, s.Times = nil, then, times
	for _, text := range texts {
		s.Answers = append(s.Answers, textAnswer(text))
	}
	return s
}

func TestSequences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		stub *stub.Stub
		want []string // "" is no stub
	}{
		{"one answer", sequence("", 0, "a"), []string{"a", "a", "a"}},
		{"no answer at all is an empty one", &stub.Stub{Kind: wire.Chat, Answers: []stub.Answer{textAnswer("")}, Times: 1}, []string{"", ""}},
		{"the last is repeated", sequence("", 0, "a", "b"), []string{"a", "b", "b", "b"}},
		{"the same by name", sequence(stub.ThenLast, 0, "a", "b"), []string{"a", "b", "b", "b"}},
		{"round again", sequence(stub.ThenCycle, 0, "a", "b"), []string{"a", "b", "a", "b", "a"}},
		{"nothing after the last", sequence(stub.ThenFail, 0, "a", "b"), []string{"a", "b", "", ""}},
		{"nothing after the only one", sequence(stub.ThenFail, 0, "a"), []string{"a", ""}},
		{"times of one answer", sequence("", 2, "a"), []string{"a", "a", ""}},
		{"times of more than there are", sequence("", 3, "a", "b"), []string{"a", "b", "b", ""}},
		{"times of fewer than there are", sequence("", 1, "a", "b"), []string{"a", ""}},
		{"times of a cycle", sequence(stub.ThenCycle, 3, "a", "b"), []string{"a", "b", "a", ""}},
		{"times beyond a failing end", sequence(stub.ThenFail, 5, "a", "b"), []string{"a", "b", ""}},
		{"times before a failing end", sequence(stub.ThenFail, 1, "a", "b"), []string{"a", ""}},
	} {
		s := NewSpace("", 1)
		s.Add(tt.stub)
		for i, want := range tt.want {
			if _, got := ask(s, chatRequest("hello")); got != want {
				t.Errorf("%s: answer %d is %q, want %q", tt.name, i+1, got, want)
			}
		}
	}
}

// TestUsedUp falls through to the next stub, and says so.
func TestUsedUp(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	once := sequence("", 1, "once")
	s.Add(once)
	r := chatRequest("hello")
	ask(s, r)
	near := s.NearMisses(r, 3)
	if len(near) != 1 || near[0].Stub != once || near[0].String() != "sequence: used up" {
		t.Errorf("got %v, want that the stub is used up", near)
	}
	s.Add(textStub("then"))
	if _, got := ask(s, r); got != "then" {
		t.Errorf("got %q, want the next stub", got)
	}
	s.Reset()
	if _, got := ask(s, r); got != "once" {
		t.Errorf("got %q after a reset, want the first stub again", got)
	}
}

// TestOwed gives an answer that did not leave whole to the same request, while others go on.
func TestOwed(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	st := sequence(stub.ThenFail, 0, "a", "b", "c")
	s.Add(st)
	mine, other := chatRequest("mine"), chatRequest("other")
	lease, _ := ask(s, mine)
	lease.Return()
	if got := s.Uses(st); got != 0 {
		t.Errorf("an answer that did not leave counts: %d uses", got)
	}
	for i, step := range []struct {
		r    *wire.Request
		want string
	}{{other, "b"}, {mine, "a"}, {mine, "c"}, {mine, ""}} {
		if _, got := ask(s, step.r); got != step.want {
			t.Errorf("request %d: got %q, want %q", i+1, got, step.want)
		}
	}
	if got := s.Uses(st); got != 3 {
		t.Errorf("got %d uses, want 3", got)
	}
}

// TestOwedTwice keeps both answers of two equal requests that were under way at once, in their order.
func TestOwedTwice(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	s.Add(sequence(stub.ThenFail, 0, "a", "b"))
	r := chatRequest("hello")
	first, _ := ask(s, r)
	second, _ := ask(s, r)
	first.Return()
	second.Return()
	for _, want := range []string{"a", "b", ""} {
		if _, got := ask(s, r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestOwedByNobody forgets what is owed when its stub goes, before or after the answer fails.
func TestOwedByNobody(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Space, *stub.Stub){
		"removed":  func(s *Space, st *stub.Stub) { s.Remove(st) },
		"replaced": func(s *Space, _ *stub.Stub) { s.Set(stub.File, nil) },
	} {
		s := NewSpace("", 1)
		st := sequence("", 0, "a", "b")
		s.Add(st)
		before, _ := ask(s, chatRequest("hello"))
		after, _ := ask(s, chatRequest("again"))
		before.Return()
		end(s, st)
		after.Return()
		for _, text := range []string{"hello", "again"} {
			if _, got := ask(s, chatRequest(text)); got != "" {
				t.Errorf("%s: got %q from a stub that is gone", name, got)
			}
		}
	}
	s := NewSpace("", 1)
	s.Add(sequence("", 0, "a", "b"))
	lease, _ := ask(s, chatRequest("hello"))
	s.Reset()
	lease.Return()
	for _, want := range []string{"a", "b"} {
		if _, got := ask(s, chatRequest("hello")); got != want {
			t.Errorf("after a reset: got %q, want %q", got, want)
		}
	}
}

// TestOwedIsBounded forgets the oldest of too many steps that nobody came back for.
func TestOwedIsBounded(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	s.Add(sequence("", 0, "a", "b"))
	same := chatRequest("same")
	for range 2 * maxOwed {
		lease, _ := ask(s, same)
		lease2, _ := ask(s, same)
		lease.Return()
		if lease2 != nil {
			lease2.Return()
		}
	}
	if got := len(s.owed.steps.entries); got != 1 || s.owed.steps.weight > maxOwed {
		t.Errorf("%d requests are owed %d steps, want 1 and at most %d", got, s.owed.steps.weight, maxOwed)
	}
	for i := range 2 * maxOwed {
		r := chatRequest(string(rune('a'+i%26)) + string(rune('A'+i/26)))
		lease, _ := ask(s, r)
		lease.Return()
	}
	if s.owed.steps.weight > maxOwed || s.owed.count.Load() != int64(s.owed.steps.weight) {
		t.Errorf("%d steps are owed, %d counted; at most %d", s.owed.steps.weight, s.owed.count.Load(), maxOwed)
	}
}

// TestCommitIsOfWhatWasSeen never gives another step than the one that the gates were asked about.
func TestCommitIsOfWhatWasSeen(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	s.Add(sequence("", 0, "a", "b"))
	r, key := chatRequest("hello"), uint64(1)
	slow, fast := s.Peek(r, key), s.Peek(r, key)
	if l := s.Commit(fast, key); l == nil || said(l.Answer) != "a" {
		t.Fatal("the faster request gets no first answer")
	}
	if l := s.Commit(slow, key); l != nil {
		t.Errorf("the slower request saw a, and gets %q", said(l.Answer))
	}
	if m := s.Peek(r, key); said(m.Next()) != "b" {
		t.Errorf("it sees %q when it looks again, want b", said(m.Next()))
	}
}

// TestParallel gives each step once, whoever returns what.
func TestParallel(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	const steps, askers = 400, 8
	texts := make([]string, steps)
	for i := range texts {
		texts[i] = string(rune(0x4E00 + i))
	}
	s.Add(sequence(stub.ThenFail, 0, texts...))
	var mu sync.Mutex
	given := map[string]int{}
	var all sync.WaitGroup
	for i := range askers {
		all.Go(func() {
			r := chatRequest(string(rune('a' + i)))
			for n := 0; ; n++ {
				lease, text := ask(s, r)
				if lease == nil {
					return
				}
				if n%3 == 0 {
					lease.Return()
					continue
				}
				mu.Lock()
				given[text]++
				mu.Unlock()
			}
		})
		all.Go(func() {
			for range steps {
				s.Stubs()
				s.NearMisses(chatRequest("x"), 1)
			}
		})
	}
	all.Wait()
	for _, text := range texts {
		if given[text] != 1 {
			t.Errorf("step %s was given %d times", text, given[text])
		}
	}
}
