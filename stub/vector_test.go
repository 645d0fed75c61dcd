package stub_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mimus-go/mimus/stub"
)

// TestVector holds the rule's golden values, and that every vector has unit length and is its text's own.
func TestVector(t *testing.T) {
	t.Parallel()
	golden := []float32{-0.27837992, -0.2702196, 0.5262461, 0.035414863, -0.10606424, -0.5542636, -0.44410887, 0.23581019}
	if got := stub.Vector("Lindenweg 14, 04109 Leipzig", 8); !slices.Equal(got, golden) {
		t.Errorf("got %v, want %v", got, golden)
	}
	var before []float32
	for _, text := range []string{"", "a", "a\x00", "Köln 🚚"} {
		for _, n := range []int{1, 7, 8, 9, 1536} {
			v := stub.Vector(text, n)
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if len(v) != n || math.Abs(sum-1) > 1e-5 {
				t.Errorf("%q, %d: %d numbers, the square of the length is %v", text, n, len(v), sum)
			}
			if again := stub.Vector(text, n); !slices.Equal(v, again) {
				t.Errorf("%q, %d: another vector the second time", text, n)
			}
			if slices.Equal(v, before) {
				t.Errorf("%q, %d: the vector of another text", text, n)
			}
			before = v
		}
	}
	if v := stub.Vector("a", 0); len(v) != 0 {
		t.Errorf("got %v, want nothing", v)
	}
}
