package mimus

import (
	"context"
	"sync"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Stream is a reply that a test steps by hand: what [Steps.Send] is given leaves at once, and nothing more until the next
// step. Every request that gets the reply gets all of it, from its beginning. A request that doesn't stream waits for
// [Steps.End].
func Stream() *Steps { return &Steps{change: make(chan struct{})} }

// Steps is the reply of [Stream]. Its methods never block, and may be called on any goroutine.
type Steps struct {
	// mu guards what follows.
	mu     sync.Mutex
	steps  []wire.Growth
	ended  bool
	change chan struct{} // closed, and made anew, by each step
}

func (s *Steps) reply() given { return s.Reply().reply() }

// Reply is the stream as a value to change: m.On().Reply(s.Reply().Header("X-Team", "parcels").Usage(12, 3)).
func (s *Steps) Reply() Reply { return Reply{a: stub.Answer{Growing: growing{s}}} }

// Send says a piece of text, as one event of the wire. What is sent after the end is lost.
func (s *Steps) Send(text string) { s.step(wire.Growth{Part: wire.Text{Text: text}}) }

// Reasoning says a piece of what the model thinks, as one event where the wire sends it.
func (s *Steps) Reasoning(text string) { s.step(wire.Growth{Part: wire.Reasoning{Text: text}}) }

// CallTool calls a tool.
func (s *Steps) CallTool(name, arguments string) {
	s.step(wire.Growth{Part: wire.ToolCall{Name: name, Arguments: arguments}})
}

// Fail ends the stream with a failure inside it, as [Reply.ErrorAfter] does. A request that doesn't stream gets the error
// response.
func (s *Steps) Fail(f Failure) { s.step(wire.Growth{Failure: f.a.Error.Failure()}) }

// End ends the answer.
func (s *Steps) End() { s.Stop(wire.StopUnset) }

// Stop ends the answer, and says why it ended.
func (s *Steps) Stop(why wire.Stop) { s.step(wire.Growth{End: true, Stop: why}) }

func (s *Steps) step(g wire.Growth) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = g.End || g.Failure != nil
	s.steps = append(s.steps, g)
	close(s.change)
	s.change = make(chan struct{})
}

// growing is the stream as the wire reads it.
type growing struct{ s *Steps }

// Next implements [wire.Growing].
func (g growing) Next(ctx context.Context, n int) (wire.Growth, bool) {
	s := g.s
	for {
		s.mu.Lock()
		if n < len(s.steps) {
			defer s.mu.Unlock()
			return s.steps[n], true
		}
		change := s.change
		s.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return wire.Growth{}, false
		}
	}
}
