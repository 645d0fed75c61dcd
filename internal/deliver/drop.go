package deliver

import "github.com/mimus-go/mimus/stub"

// drop breaks the connection: half way through a whole body. A JSON array gets no closing bracket, and no chunk says
// that the body has ended.
var drop = fault{
	name: "drop",
	after: func(f *stub.Fault) *int {
		if f.Reset {
			return nil
		}
		return f.DropAfter
	},
	strike: func(d *delivery, at point) error { return breakOff(d, at, false) },
}

// breakOff sends what is there, then breaks the connection.
func breakOff(d *delivery, at point, reset bool) error {
	if at == inBody {
		d.buf = d.buf[:len(d.buf)/2]
	}
	if at != beforeHead {
		if err := d.flush(); err != nil {
			return err
		}
	}
	d.sink.Break(reset)
	return errBroken
}
