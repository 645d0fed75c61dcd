package deliver

import "github.com/mimus-go/mimus/stub"

// hang never goes on; of a whole body it sends nothing at all.
var hang = fault{
	name:  "hang",
	after: func(f *stub.Fault) *int { return f.HangAfter },
	strike: func(d *delivery, at point) error {
		if at == inStream {
			if err := d.flush(); err != nil {
				return err
			}
		}
		select {
		case <-d.ctx.Done():
			return errGone
		case <-d.plan.Stop:
			return errBroken
		}
	},
}
