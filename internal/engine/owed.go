package engine

import (
	"slices"
	"sync/atomic"
)

// owed holds the steps that requests did not get whole, by request, oldest first. Space.mu guards steps; count is how
// many there are, to be looked at without it.
type owed struct {
	steps *lru[uint64, []owedStep]
	count atomic.Int64
}

type owedStep struct {
	entry *entry
	step  int
}

func (o *owed) reset() {
	o.steps = newLRU[uint64, []owedStep](maxOwed, maxOwed)
	o.count.Store(0)
}

func (o *owed) set(key uint64, steps []owedStep) {
	if len(steps) == 0 {
		o.steps.delete(key)
	} else {
		o.steps.put(key, steps, len(steps))
	}
	o.count.Store(int64(o.steps.weight))
}

// owing is what a request is owed.
func (s *Space) owing(key uint64) (owedStep, bool) {
	if s.owed.count.Load() == 0 {
		return owedStep{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	steps, ok := s.owed.steps.get(key)
	if !ok {
		return owedStep{}, false
	}
	return steps[0], true
}

// owe writes down that a request did not get its step whole.
func (s *Space) owe(key uint64, step owedStep) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if step.entry.gone {
		return
	}
	steps, _ := s.owed.steps.get(key)
	if len(steps) == maxOwed {
		steps = steps[1:]
	}
	s.owed.set(key, append(slices.Clone(steps), step))
}

// pay takes away what a request was owed. It is false where that is no longer so.
func (s *Space) pay(m *Match, key uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	steps, _ := s.owed.steps.get(key)
	if len(steps) == 0 || steps[0] != (owedStep{m.entry, m.step}) {
		return false
	}
	s.owed.set(key, steps[1:])
	return true
}

// dropOwed forgets what removed stubs owe. The caller holds s.mu.
func (s *Space) dropOwed() {
	for key, e := range s.owed.steps.entries {
		steps := e.Value.(*lruEntry[uint64, []owedStep]).value
		left := slices.DeleteFunc(slices.Clone(steps), func(o owedStep) bool { return o.entry.gone })
		if len(left) < len(steps) {
			s.owed.set(key, left)
		}
	}
}
