package openai

import (
	"testing"

	"github.com/mimus-go/mimus/wire/wiretest"
)

// TestGoldens plays the transcripts in testdata: those that name a source were recorded or documented, the others show
// what a reader of this package may want to see.
func TestGoldens(t *testing.T) {
	wiretest.Run(t, Provider(), "testdata")
}
