package bedrock_test

import (
	"testing"

	"github.com/mimus-go/mimus/wire/bedrock"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, bedrock.Provider(), "testdata")
}
