package scripted_test

import (
	"testing"

	"github.com/mimus-go/mimus/wire/scripted"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, scripted.Provider(), "testdata")
}
