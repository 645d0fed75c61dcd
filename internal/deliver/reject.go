package deliver

import "github.com/mimus-go/mimus/stub"

// reject fails the call before any response, as a dial or a lost connection would.
var reject = fault{
	name: "reject",
	after: func(f *stub.Fault) *int {
		if f.Reject == nil {
			return nil
		}
		return new(int)
	},
	strike: func(d *delivery, _ point) error {
		if s, ok := d.sink.(Rejecter); ok {
			s.Reject(d.plan.Fault.Reject)
		}
		return errBroken
	},
}
