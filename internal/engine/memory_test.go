package engine

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func turn(before *wire.Turn, size int) *wire.Turn {
	body := []byte(strings.Repeat("x", size))
	return &wire.Turn{Before: before, Request: &wire.Request{Probe: &wire.Probe{Body: body}}, Answer: &wire.Answer{}}
}

func ids(s wire.Store, kind string) []string {
	var out []string
	for id := range s.List(kind) {
		out = append(out, id)
	}
	return out
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1).Store()
	if _, ok := s.Get("response", "a"); ok || s.Delete("response", "a") {
		t.Error("an empty store holds something")
	}
	s.Put("response", "a", wire.Object{Body: []byte("1")})
	s.Put("response", "b", wire.Object{Body: []byte("2")})
	s.Put("file", "a", wire.Object{Body: []byte("3")})
	s.Put("response", "a", wire.Object{Body: []byte("4")})
	if o, ok := s.Get("response", "a"); !ok || string(o.Body) != "4" {
		t.Errorf("got %q, want what was put last", o.Body)
	}
	if got := ids(s, "response"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %v, want the most recently used first", got)
	}
	if !s.Delete("response", "a") || s.Delete("response", "a") {
		t.Error("an object can be deleted once")
	}
	if got := ids(s, "file"); !slices.Equal(got, []string{"a"}) {
		t.Errorf("another kind lost its objects: %v", got)
	}
	for range s.List("response") {
		s.Put("response", "new", wire.Object{}) // the list is as it was
		break
	}
}

func TestStoreIsBounded(t *testing.T) {
	t.Parallel()
	s := newStore()
	for i := range maxObjects + 100 {
		s.Put("file", strconv.Itoa(i), wire.Object{})
	}
	if _, ok := s.Get("file", "99"); ok || len(s.objects.entries) != maxObjects {
		t.Errorf("%d objects are kept, want %d", len(s.objects.entries), maxObjects)
	}
	s.reset()
	body := make([]byte, maxObjectBytes/4)
	for i := range 10 {
		s.Put("file", strconv.Itoa(i), wire.Object{Body: body})
	}
	if s.objects.weight > maxObjectBytes || len(s.objects.entries) != 3 {
		t.Errorf("%d objects of a quarter of the bound are kept, %d bytes", len(s.objects.entries), s.objects.weight)
	}
	s.Put("file", "huge", wire.Object{Body: make([]byte, maxObjectBytes+1)})
	if _, ok := s.Get("file", "huge"); ok || s.objects.weight > maxObjectBytes {
		t.Error("an object over the bound is kept")
	}
}

// TestTurnsAreWeighedOnce counts what a chain of turns holds, once, for as long as anything leads to it.
func TestTurnsAreWeighedOnce(t *testing.T) {
	t.Parallel()
	s := newStore()
	var last *wire.Turn
	for i := range 100 {
		last = turn(last, 1000)
		s.Put("response", strconv.Itoa(i), wire.Object{Turn: last})
	}
	chain := s.objects.weight
	if chain < 100*2000 || chain > 100*10_000 {
		t.Errorf("a hundred turns weigh %d", chain)
	}
	for i := range 99 {
		s.Delete("response", strconv.Itoa(i))
	}
	if len(s.turns) != 100 || s.objects.weight < 100*2000 {
		t.Errorf("the last answer leads to 100 turns, %d are held and weigh %d", len(s.turns), s.objects.weight)
	}
	branch := turn(last, 1000)
	s.Put("response", "branch", wire.Object{Turn: branch})
	s.Put("conversation", "same", wire.Object{Turn: branch})
	s.Delete("response", "99")
	s.Delete("response", "branch")
	if len(s.turns) != 101 {
		t.Errorf("%d turns are held, want 101", len(s.turns))
	}
	s.Delete("conversation", "same")
	if len(s.turns) != 0 || s.objects.weight != 0 {
		t.Errorf("an empty store holds %d turns and weighs %d", len(s.turns), s.objects.weight)
	}
}

// TestAnEndlessConversation cannot grow beyond the bound: the newest answer leads to all turns, so in the end it is the
// one that is not kept.
func TestAnEndlessConversation(t *testing.T) {
	t.Parallel()
	s := newStore()
	var last *wire.Turn
	for i := range 200 {
		last = turn(last, maxObjectBytes/100)
		s.Put("response", strconv.Itoa(i), wire.Object{Turn: last})
		if s.objects.weight > maxObjectBytes {
			t.Fatalf("after %d turns the store weighs %d", i+1, s.objects.weight)
		}
	}
	if len(s.turns) != 0 {
		t.Errorf("%d turns of a conversation that is too long are held", len(s.turns))
	}
}

// TestSeeds are the same in every run, and differ by server seed, namespace, request and how often it came.
func TestSeeds(t *testing.T) {
	t.Parallel()
	p := &wire.Probe{Method: "POST", Path: "/v1/chat/completions", Body: []byte(`{"model":"gpt-4.1-mini"}`)}
	s := NewSpace("", 1)
	first := s.CallSeed(s.Key(p))
	const golden = 0xc068fa9f883aae47
	if first != golden {
		t.Errorf("the ids of every recorded test change: got seed %#x, want %#x", first, uint64(golden))
	}
	seen := map[uint64]string{first: "the first"}
	add := func(what string, seed uint64) {
		if before, ok := seen[seed]; ok {
			t.Errorf("%s has the seed of %s", what, before)
		}
		seen[seed] = what
	}
	add("the second", s.CallSeed(s.Key(p)))
	again := NewSpace("", 1)
	if again.CallSeed(again.Key(p)) != first {
		t.Error("another space of the same seed and name differs")
	}
	s.Reset()
	if s.CallSeed(s.Key(p)) != first {
		t.Error("a reset does not begin again")
	}
	other := NewSpace("", 2)
	add("another seed", other.CallSeed(other.Key(p)))
	other = NewSpace("team", 1)
	add("another namespace", other.CallSeed(other.Key(p)))
	for i := range 40 {
		q := *p
		q.Body = []byte(strings.Repeat("y", i))
		add("a body of length "+strconv.Itoa(i), s.CallSeed(s.Key(&q)))
	}
	q := *p
	q.Path, q.Method = "/v1/chat", "POST"
	add("another path", s.CallSeed(s.Key(&q)))
	q.Method = "GET"
	add("another method", s.CallSeed(s.Key(&q)))
}

// TestCounts counts in parallel, in bounded memory.
func TestCounts(t *testing.T) {
	t.Parallel()
	var c counts
	c.reset()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range uint64(20_000) {
				c.next(7)
				c.next(i * 0x9E3779B97F4A7C15)
			}
		})
	}
	all.Wait()
	if n := c.next(7); n != 80_000 {
		t.Errorf("counted %d, want 80,000", n)
	}
	total := 0
	for i := range c.shards {
		total += len(c.shards[i].young) + len(c.shards[i].old)
	}
	if total > 2*maxRequests+2*countShards {
		t.Errorf("%d requests are remembered, want at most about %d", total, 2*maxRequests)
	}
}

func TestCallsAreRemembered(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	call := func(id, name string) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.ToolCall{ID: id, Name: name}}}}}
	}
	s.RememberCalls(call("call_1", "track"))
	s.RememberCalls(call("", "nameless"))
	if name, ok := s.ToolOf("call_1"); !ok || name != "track" {
		t.Errorf("got %q", name)
	}
	if _, ok := s.ToolOf(""); ok {
		t.Error("a call without an id is remembered")
	}
	for i := range maxCalls {
		s.RememberCalls(call("later_"+strconv.Itoa(i), "x"))
	}
	if _, ok := s.ToolOf("call_1"); ok {
		t.Error("the oldest call is not forgotten")
	}
	s.Reset()
	if _, ok := s.ToolOf("later_5"); ok {
		t.Error("a reset keeps calls")
	}
}
