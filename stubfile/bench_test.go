package stubfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/stubfile"
)

// BenchmarkParse reads 10,000 stubs of one file.
func BenchmarkParse(b *testing.B) {
	const stubs = 10_000
	var yaml, json strings.Builder
	yaml.WriteString("stubs:\n")
	json.WriteString(`{"stubs":[`)
	for i := range stubs {
		fmt.Fprintf(&yaml, "  - name: Stub %d\n    when: {about: PX-%d, afterTool: track_parcel}\n    answer: {text: Parcel PX-%d is out for delivery.}\n", i, i, i)
		if i > 0 {
			json.WriteString(",\n")
		}
		fmt.Fprintf(&json, `{"name":"Stub %d","when":{"about":"PX-%d","afterTool":"track_parcel"},"answer":{"text":"Parcel PX-%d is out for delivery."}}`, i, i, i)
	}
	json.WriteString("]}")
	for name, text := range map[string]string{"a.yaml": yaml.String(), "a.json": json.String()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				set, err := stubfile.Parse(name, []byte(text), stubfile.Options{})
				if err != nil || len(set.Stubs) != stubs {
					b.Fatal(len(set.Stubs), err)
				}
			}
		})
	}
}
