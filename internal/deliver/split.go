package deliver

import "github.com/mimus-go/mimus/stub"

// split writes a few bytes at a time, wherever that cuts an event, a line or a character.
var split = fault{
	name:  "split bytes",
	piece: func(f *stub.Fault) int { return f.SplitBytes },
}
