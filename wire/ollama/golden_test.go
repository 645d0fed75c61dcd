package ollama_test

import (
	"testing"

	"github.com/mimus-go/mimus/wire/ollama"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, ollama.Provider(), "testdata")
}
