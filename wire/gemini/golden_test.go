package gemini

import (
	"testing"

	"github.com/mimus-go/mimus/wire/wiretest"
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, Provider(), "testdata")
}
