package engine

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// mix folds a text into a 64-bit hash: fast, and the same on every machine and in every run, which is what ids made of
// it need. It is not meant to withstand an attacker.
func mix(h uint64, s string) uint64 {
	const k0, k1 = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	h ^= uint64(len(b)) * k0
	for len(b) >= 16 {
		hi, lo := bits.Mul64(binary.LittleEndian.Uint64(b)^k0^h, binary.LittleEndian.Uint64(b[8:])^k1)
		h = hi ^ lo
		b = b[16:]
	}
	var tail [16]byte
	copy(tail[:], b)
	hi, lo := bits.Mul64(binary.LittleEndian.Uint64(tail[:])^k0^h, binary.LittleEndian.Uint64(tail[8:])^k1)
	hi, lo = bits.Mul64(hi^k1, lo^k0)
	return hi ^ lo
}

func mixBytes(h uint64, b []byte) uint64 { return mix(h, unsafe.String(unsafe.SliceData(b), len(b))) }

func mixInt(h, n uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9E3779B97F4A7C15, n^0xD6E8FEB86659FD93)
	return hi ^ lo ^ n
}
