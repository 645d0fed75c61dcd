package engine

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// model is what a space with one stub for each text must do, said as plainly as possible.
type model struct {
	space  *Space
	stubs  []*modelStub
	owed   map[string][]modelStep
	open   []openLease
	resets int
}

type modelStub struct {
	stub  *stub.Stub
	taken int
	given int
}

type modelStep struct {
	s    *modelStub
	text string
}

type openLease struct {
	lease *Lease
	step  modelStep
	key   string
}

// next is the answer after n were taken, or false.
func (m *modelStub) next() (string, bool) {
	n, all := m.taken, len(m.stub.Answers)
	switch {
	case m.stub.Times > 0 && n >= m.stub.Times:
		return "", false
	case n < all:
	case m.stub.Then == stub.ThenCycle:
		n %= all
	case m.stub.Then == stub.ThenFail:
		return "", false
	default:
		n = all - 1
	}
	return said(&m.stub.Answers[n]), true
}

func (m *model) request(t *rapid.T) (*wire.Request, string) {
	text := rapid.SampledFrom([]string{"red", "red too", "blue", "green"}).Draw(t, "request")
	return chatRequest("say " + text + " please"), text
}

func (m *model) matching(text string) *modelStub {
	i := slices.IndexFunc(m.stubs, func(s *modelStub) bool {
		_, ok := s.next()
		return ok && s.stub.When[0].Match(chatRequest(text))
	})
	if i < 0 {
		return nil
	}
	return m.stubs[i]
}

func (m *model) ask(t *rapid.T) {
	r, text := m.request(t)
	lease, got := ask(m.space, r)
	var step modelStep
	if owed := m.owed[text]; len(owed) > 0 {
		step, m.owed[text] = owed[0], owed[1:]
	} else if s := m.matching(text); s != nil {
		answer, _ := s.next()
		step = modelStep{s, answer}
		s.taken++
	}
	if got != step.text {
		t.Fatalf("%q: got %q, want %q", text, got, step.text)
	}
	if lease != nil {
		step.s.given++
		m.open = append(m.open, openLease{lease, step, text})
	}
}

// finish ends a request that is under way, whole or not.
func (m *model) finish(t *rapid.T) {
	if len(m.open) == 0 {
		t.Skip("nothing is under way")
	}
	i := rapid.IntRange(0, len(m.open)-1).Draw(t, "which")
	o := m.open[i]
	m.open = slices.Delete(m.open, i, i+1)
	if rapid.Bool().Draw(t, "whole") {
		return
	}
	o.lease.Return()
	o.step.s.given--
	if o.lease.Stateful() && slices.Contains(m.stubs, o.step.s) {
		m.owed[o.key] = append(m.owed[o.key], o.step)
	}
}

func (m *model) remove(t *rapid.T) {
	if len(m.stubs) == 0 {
		t.Skip("no stub is left")
	}
	i := rapid.IntRange(0, len(m.stubs)-1).Draw(t, "which")
	gone := m.stubs[i]
	m.space.Remove(gone.stub)
	m.stubs = slices.Delete(m.stubs, i, i+1)
	for key, steps := range m.owed {
		m.owed[key] = slices.DeleteFunc(steps, func(s modelStep) bool { return s.s == gone })
	}
}

func (m *model) add(t *rapid.T) {
	s := textStub("", stub.About(rapid.SampledFrom([]string{"red", "blue", "e"}).Draw(t, "about"))...)
	s.Answers = nil
	for i := range rapid.IntRange(1, 3).Draw(t, "answers") {
		s.Answers = append(s.Answers, textAnswer(strconv.Itoa(m.resets)+"/"+strconv.Itoa(len(m.stubs))+"/"+strconv.Itoa(i)))
	}
	s.Then = rapid.SampledFrom([]stub.Then{"", stub.ThenLast, stub.ThenCycle, stub.ThenFail}).Draw(t, "then")
	s.Times = rapid.SampledFrom([]int{0, 0, 1, 2, 4}).Draw(t, "times")
	m.resets++
	m.space.Add(s)
	m.stubs = append(m.stubs, &modelStub{stub: s})
}

func (m *model) reset(*rapid.T) {
	m.space.Reset()
	for i, s := range m.stubs {
		m.stubs[i] = &modelStub{stub: s.stub}
	}
	m.owed = map[string][]modelStep{}
}

func (m *model) check(t *rapid.T) {
	for _, s := range m.stubs {
		if got := m.space.Uses(s.stub); got != s.given {
			t.Fatalf("a stub was used %d times, want %d", got, s.given)
		}
	}
}

// TestModel runs random histories of requests, failures and changes against the model.
func TestModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{space: NewSpace("", 1), owed: map[string][]modelStep{}}
		t.Repeat(map[string]func(*rapid.T){
			"ask": m.ask, "ask again": m.ask, "finish": m.finish, "add": m.add, "remove": m.remove, "reset": m.reset, "": m.check,
		})
	})
}
