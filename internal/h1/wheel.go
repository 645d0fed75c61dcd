package h1

import (
	"sync"
	"sync/atomic"
	"time"
)

// A wheel turns once a millisecond. Whatever is due later than one round stays in its slot for further rounds.
const (
	tick  = time.Millisecond
	slots = 1024

	mostWheels = 4
)

// wheel writes the streams that were handed over, when they are due: all of them in one goroutine, which begins with the
// first and ends with the last. What has no room in its connection is written by a goroutine of its own.
type wheel struct {
	keeper *Keeper

	mu      sync.Mutex
	coming  []*handed // guarded by mu, as running
	running bool

	wake  chan struct{} // something has come
	begin time.Time     // when slot 0 was first due
	at    int64         // the ticks that were done
	slot  [slots]*handed
	live  atomic.Int64 // streams that have not ended

	// Buffers of one turn.
	body, out []byte
	try       try
}

// add takes a stream that is to go on when it is due.
func (w *wheel) add(s *handed) {
	w.mu.Lock()
	w.coming = append(w.coming, s)
	start := !w.running
	w.running = true
	w.mu.Unlock()
	if start {
		w.keeper.active.Add(1) // whoever adds counts, too, so that nobody has waited to the end yet
		go w.run()
		return
	}
	w.rouse()
}

func (w *wheel) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// left is called when a stream has ended.
func (w *wheel) left() {
	if w.live.Add(-1) == 0 {
		w.rouse()
	}
}

// run turns the wheel until there are no streams.
func (w *wheel) run() {
	defer w.keeper.active.Done()
	w.begin, w.at = time.Now(), -1
	timer := time.NewTimer(0)
	defer timer.Stop()
	for w.take() {
		now := time.Now()
		w.turn(now)
		timer.Reset(w.idle(time.Now()))
		select {
		case <-timer.C:
		case <-w.wake:
		}
	}
}

// take puts what has come into the slots. It is false where there is nothing left to do.
func (w *wheel) take() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.live.Load() == 0 {
		w.running, w.coming, w.slot = false, nil, [slots]*handed{}
		return false
	}
	for i, s := range w.coming {
		w.put(s)
		w.coming[i] = nil
	}
	w.coming = w.coming[:0]
	return true
}

// put files a stream under the first tick that is not too early for it.
func (w *wheel) put(s *handed) {
	at := max(w.tickOf(s.due), w.at+1)
	s.next = w.slot[at%slots]
	w.slot[at%slots] = s
}

func (w *wheel) tickOf(due time.Time) int64 { return int64((due.Sub(w.begin) + tick - 1) / tick) }

// turn lets all go on that are due.
func (w *wheel) turn(now time.Time) {
	to := int64(now.Sub(w.begin) / tick)
	// After a pause of more than a round, every slot is looked at once.
	for at := max(w.at+1, to-slots+1); at <= to; at++ {
		w.at = at
		s := w.slot[at%slots]
		w.slot[at%slots] = nil
		for s != nil {
			next := s.next
			s.next = nil
			w.one(s, now)
			s = next
		}
	}
}

// one lets a stream go on, if this is its round, and files it again.
func (w *wheel) one(s *handed, now time.Time) {
	due, over := s.state()
	if over {
		return
	}
	if !due.After(now) && !s.turn(w, now) {
		return
	}
	w.put(s)
}

// state is when a stream is due, and whether it has ended without the wheel.
func (s *handed) state() (due time.Time, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.due, s.over
}

// idle is how long nothing is to be done.
func (w *wheel) idle(now time.Time) time.Duration {
	for i := int64(1); i < slots; i++ {
		if w.slot[(w.at+i)%slots] != nil {
			return w.begin.Add(time.Duration(w.at+i) * tick).Sub(now)
		}
	}
	return slots * tick
}
