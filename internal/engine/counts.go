package engine

import "sync"

const countShards = 16

// counts knows how often each request came, in bounded memory: what was not asked for longest is forgotten in bulk, and
// starts again.
type counts struct{ shards [countShards]countShard }

type countShard struct {
	// mu guards young and old.
	mu         sync.Mutex
	young, old map[uint64]uint64
	_          [40]byte // shards do not share a cache line
}

func (c *counts) reset() {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.young, s.old = map[uint64]uint64{}, map[uint64]uint64{}
		s.mu.Unlock()
	}
}

// next is how often a request came before.
func (c *counts) next(key uint64) uint64 {
	s := &c.shards[key%countShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.young[key]
	if !ok {
		n = s.old[key]
		if len(s.young) >= maxRequests/countShards {
			s.young, s.old = s.old, s.young
			clear(s.young)
		}
	}
	s.young[key] = n + 1
	return n
}
