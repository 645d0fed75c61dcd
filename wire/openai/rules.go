package openai

import (
	"iter"

	"github.com/mimus-go/mimus/wire"
)

// Check is in the next commit.
func (chat) Check(c *wire.Call) iter.Seq[wire.Violation] { return func(func(wire.Violation) bool) {} }
