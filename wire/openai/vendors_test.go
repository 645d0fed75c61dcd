package openai

import "testing"

func TestVendorFiles(t *testing.T) {
	t.Parallel()
	if _, err := readSpeakers(); err != nil {
		t.Fatal(err)
	}
}
