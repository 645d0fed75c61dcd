package deliver

import (
	"math"
	"strings"

	"github.com/mimus-go/mimus/stub"
)

// table lists the faults of transport. Where several are planned for the same moment, they happen in this order.
var table = [...]fault{reject, stall, hang, reset, drop, split}

// fault is one thing that can go wrong on the connection. It has after and strike, or piece, or all three.
type fault struct {
	name string
	// after is the number of frames after which it is to happen, as the stub says it; nil where the stub doesn't.
	after func(*stub.Fault) *int
	// strike lets it happen. What it returns ends the delivery: nil goes on.
	strike func(*delivery, point) error
	// piece is how many bytes a write may have; 0 is no bound.
	piece func(*stub.Fault) int
}

// point is where in an answer a fault happens.
type point uint8

const (
	beforeHead point = iota // nothing has left: after 0 frames
	inStream                // between two frames, or at the end of a stream where it has fewer frames than the stub says
	inBody                  // in a whole body, of which nothing has left; after 1 or more, which are all the same there
)

// never is after more frames than there are.
const never = math.MaxInt

func (f *fault) planned(p *stub.Fault) bool {
	return f.after != nil && f.after(p) != nil || f.piece != nil && f.piece(p) > 0
}

// planned are the faults of a table that a stub asks for.
func planned(faults []fault, p *stub.Fault) []fault {
	var out []fault
	for i := range faults {
		if faults[i].planned(p) {
			out = append(out, faults[i])
		}
	}
	return out
}

// Planned names the faults of transport that a stub asks for: "stall, drop"; "" is none.
func Planned(p *stub.Fault) string {
	var names []string
	for _, f := range planned(table[:], p) {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}
