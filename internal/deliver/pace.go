package deliver

import (
	"math/rand/v2"
	"time"

	"github.com/mimus-go/mimus/stub"
)

// clock says when each frame is due, counted from the headers. Due times are absolute, so a late write delays nothing
// after it.
type clock struct {
	pace    *stub.Pace
	rand    *rand.Rand
	begin   time.Time
	last    time.Duration // when the frame before is due
	next    time.Duration // when the next token may leave
	started bool
}

// due is when a frame of so many tokens is to leave. Frames without tokens leave with the one before them.
func (c *clock) due(tokens int) time.Duration {
	if c.pace == nil || tokens == 0 {
		return c.last
	}
	if !c.started {
		c.started = true
		c.next += c.pace.FirstToken
	}
	c.last = c.next
	c.next += c.gap(tokens)
	return c.last
}

// gap is how long so many tokens take.
func (c *clock) gap(tokens int) time.Duration {
	if c.pace.TokensPerSecond <= 0 {
		return 0
	}
	d := float64(tokens) / c.pace.TokensPerSecond * float64(time.Second)
	if c.pace.Jitter > 0 && c.rand != nil {
		d *= 1 + c.pace.Jitter*(2*c.rand.Float64()-1)
	}
	return time.Duration(d)
}

// shift makes everything from now on later, and gives the time at which the pause ends.
func (c *clock) shift(by time.Duration) time.Duration {
	c.last += by
	c.next += by
	return c.last
}
