package aws

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// ChunkEvent is the event type of every event of InvokeModelWithResponseStream.
const ChunkEvent = "chunk"

// padding is what events are made longer with, so that their lengths tell nothing of the text in them. Recorded since
// 2025: a beginning of this alphabet, 2 to 61 characters, evenly spread, in every event.
const (
	padding    = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	padLeast   = 2
	padLengths = 60
)

// Padder makes the padding of a call's events. The zero value makes none.
type Padder struct{ rand *rand.Rand }

// NewPadder makes the padder of a call.
func NewPadder(c *wire.Call) Padder { return Padder{c.Rand("aws.padding")} }

// Next is the next event's padding, or "".
func (p Padder) Next() string {
	if p.rand == nil {
		return ""
	}
	return padding[:padLeast+p.rand.IntN(padLengths)]
}

// AppendChunk writes the payload of a chunk: the event of a model in base64, and padding where there is some.
func AppendChunk(dst, event []byte, pad string) []byte {
	dst = append(dst, `{"bytes":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, event)
	if pad != "" {
		dst = append(append(dst, `","p":"`...), pad...)
	}
	return append(dst, `"}`...)
}

// ReadChunk is the event of a model in the payload of a chunk.
func ReadChunk(payload []byte) (jsonx.Value, error) {
	v, err := jsonx.ParseBytes(payload)
	if err != nil {
		return v, fmt.Errorf("the payload of a chunk is no JSON: %w", err)
	}
	coded, ok := v.Get("bytes").Text()
	if !ok {
		return jsonx.Value{}, nil
	}
	raw, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return jsonx.Value{}, fmt.Errorf("the bytes of a chunk are no base64: %w", err)
	}
	if v, err = jsonx.ParseBytes(raw); err != nil {
		return v, fmt.Errorf("an event in a chunk is no JSON: %w", err)
	}
	return v, nil
}
