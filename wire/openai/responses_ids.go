package openai

import "github.com/mimus-go/mimus/wire"

// The parts of an id: a prefix, the digits that a response and its items share, and the item's own (recorded since late
// 2025: 50 hexadecimal digits, the first a 0).
const (
	respSharedDigits = 24
	respOwnDigits    = 26
)

// respResponseID is the id of the answer to a call.
func respResponseID(c *wire.Call, lay *respLayout) string {
	if lay.ids == "uuid" {
		return respUUID(c, "", "response")
	}
	return respHexID(c, "resp_", "response")
}

// respItemID is the id of an item; n counts the items and the other ids of one answer.
func respItemID(c *wire.Call, lay *respLayout, prefix string, n int) string {
	label := "item" + itoa(n)
	if lay.ids == "uuid" {
		return respUUID(c, prefix, label)
	}
	return respHexID(c, prefix, label)
}

func respHexID(c *wire.Call, prefix, label string) string {
	shared := c.ID(prefix+"0", wire.Hex, respSharedDigits-1, "responses")
	return c.ID(shared, wire.Hex, respOwnDigits, label)
}

func respUUID(c *wire.Call, prefix, label string) string {
	return prefix + uuid(c.ID("", wire.Hex, 32, label))
}
