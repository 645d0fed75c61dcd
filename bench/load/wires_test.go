package load

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestQueries(t *testing.T) {
	t.Parallel()
	for _, wire := range Wires() {
		for _, size := range []int{0, 2048, 1 << 20} {
			for _, stream := range []bool{false, true} {
				q, err := Chat{Message: "where is it?", Bytes: size, Stream: stream}.Query(wire)
				if err != nil {
					t.Fatal(err)
				}
				if !json.Valid(q.Body) || strings.Count(string(q.Body), "where is it?") != 1 {
					t.Errorf("%s: %.300s", wire, q.Body)
				}
				if n := len(q.Body); size > 0 && (n < size*6/10 || n > size*11/10) {
					t.Errorf("%s: %d bytes, want about %d", wire, n, size)
				}
				if asks := strings.Contains(q.Path, "tream") || strings.Contains(string(q.Body), `"stream":true`); asks != stream {
					t.Errorf("%s: asks for a stream: %v, want %v", wire, asks, stream)
				}
			}
		}
	}
	if _, err := (Chat{}).Query("morse"); err == nil || !strings.Contains(err.Error(), "openai, anthropic") {
		t.Errorf("an unknown wire: %v", err)
	}
}
