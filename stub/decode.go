package stub

import "github.com/mimus-go/mimus/internal/jsonx"

// DecodeAnswer reads the `answer` of a stub file.
func DecodeAnswer(v jsonx.Value) (Answer, Problems) {
	var a Answer
	if v.Get("text").Exists() {
		return a, nil
	}
	return a, nil
}
