package deliver

import "github.com/mimus-go/mimus/stub"

// stall waits, then goes on. What comes after it is late by as much as it was asked to last, and no more.
var stall = fault{
	name:  "stall",
	after: func(f *stub.Fault) *int { return f.StallAfter },
	strike: func(d *delivery, at point) error {
		if at == inStream {
			return d.waitUntil(d.clock.shift(d.plan.Fault.StallFor))
		}
		return d.sleep(d.plan.Fault.StallFor)
	},
}
