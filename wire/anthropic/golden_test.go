package anthropic_test

import (
	"testing"

	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, anthropic.Provider(), "testdata")
}
