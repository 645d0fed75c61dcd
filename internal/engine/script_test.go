package engine

import (
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func step(name string, when ...stub.Condition) *stub.Stub {
	s := textStub(name, when...)
	s.Times = 1
	return s
}

func TestScript(t *testing.T) {
	t.Parallel()
	s := NewSpace("", 1)
	s.Add(textStub("never asked"))
	s.Script(step("one"), step("two", stub.About("parcel")...))
	s.Script(step("three"))
	if s.ScriptBegun() {
		t.Error("it has begun before it did")
	}
	first, got := ask(s, chatRequest("hello"))
	if got != "one" || !s.ScriptBegun() || !first.Stateful() {
		t.Errorf("got %q", got)
	}

	// A request that doesn't fit uses nothing up, and is told what is waited for.
	misfit := chatRequest("the weather")
	if _, got := ask(s, misfit); got != "" {
		t.Errorf("got %q", got)
	}
	why := s.Misfit(misfit)
	if why == nil || why.Step != 2 || why.Steps != 3 || len(why.Failed) != 1 || why.Failed[0].Key != "about" {
		t.Errorf("got %+v", why)
	}
	if left, steps := s.Unasked(); len(left) != 2 || left[0].Name != "two" || steps != 3 {
		t.Errorf("left are %v of %d", left, steps)
	}

	// What was not whole is owed to the same request; others go on.
	first.Return()
	if _, got := ask(s, chatRequest("my parcel")); got != "two" {
		t.Errorf("got %q", got)
	}
	if _, got := ask(s, chatRequest("hello")); got != "one" {
		t.Errorf("got %q", got)
	}
	if _, got := ask(s, chatRequest("hello")); got != "three" {
		t.Errorf("got %q", got)
	}
	if why := s.Misfit(misfit); why == nil || why.Step != 4 {
		t.Errorf("got %+v", why)
	}
}

func TestScriptOfKinds(t *testing.T) {
	t.Parallel()
	request := func(k wire.Kind) *wire.Request {
		r := chatRequest("hello")
		r.Kind = k
		return r
	}
	s := NewSpace("", 1)
	lists := textStub("a list")
	lists.Kind = wire.Models
	s.Add(lists)
	if s.Misfit(request(wire.Chat)) != nil {
		t.Error("a misfit without a script")
	}
	every := step("any")
	every.AnyKind = true
	s.Script(step("chat"), every)
	if _, got := ask(s, request(wire.Embeddings)); got != "" {
		t.Errorf("an embedding got %q", got)
	}
	if _, got := ask(s, request(wire.Models)); got != "a list" || s.Misfit(request(wire.Models)) != nil {
		t.Errorf("a model list got %q", got)
	}
	if _, got := ask(s, request(wire.Chat)); got != "chat" {
		t.Errorf("got %q", got)
	}
	if _, got := ask(s, request(wire.Embeddings)); got != "any" {
		t.Errorf("got %q", got)
	}
}
