package stub

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/mimus-go/mimus/wire"
)

// vectors gives one vector for each text to embed.
func vectors(r *wire.Request, a *Answer) [][]float32 {
	out := make([][]float32, len(r.Inputs))
	for i, text := range r.Inputs {
		if a.Embedding != nil {
			out[i] = a.Embedding
			continue
		}
		out[i] = Vector(text, dimensions(r, a))
	}
	return out
}

func dimensions(r *wire.Request, a *Answer) int {
	switch {
	case r.Dimensions > 0:
		return r.Dimensions
	case a.Dimensions > 0:
		return a.Dimensions
	}
	return r.UsualDimensions
}

// Vector is the unit vector of a text: equal for equal texts, and different for others. Component i is taken from block
// k = i/8, the SHA-256 of the text, a NUL byte and k in decimal: the big-endian signed 32-bit integer at byte 4*(i mod
// 8), divided by 2147483647; then all are divided by the Euclidean norm.
func Vector(text string, n int) []float32 {
	raw := make([]float64, n)
	buf := append([]byte(text), 0)
	var block [sha256.Size]byte
	norm := 0.0
	for i := range raw {
		if i%8 == 0 {
			block = sha256.Sum256(strconv.AppendInt(buf, int64(i/8), 10))
		}
		x := float64(int32(binary.BigEndian.Uint32(block[4*(i%8):]))) / math.MaxInt32
		raw[i] = x
		norm += x * x
	}
	norm = math.Sqrt(norm)
	out := make([]float32, n)
	if norm == 0 {
		return out
	}
	for i, x := range raw {
		out[i] = float32(x / norm)
	}
	return out
}
