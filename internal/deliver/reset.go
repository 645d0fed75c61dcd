package deliver

import "github.com/mimus-go/mimus/stub"

// reset is a drop that ends in a TCP reset, where there is a TCP connection; on HTTP/2 both are RST_STREAM.
var reset = fault{
	name: "reset",
	after: func(f *stub.Fault) *int {
		if !f.Reset {
			return nil
		}
		return f.DropAfter
	},
	strike: func(d *delivery, at point) error { return breakOff(d, at, true) },
}
