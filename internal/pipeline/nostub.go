package pipeline

import (
	"fmt"
	"strings"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/redact"
	"github.com/mimus-go/mimus/wire"
)

// NoStubError says that no stub answers a request, and which came nearest.
type NoStubError struct {
	Request *wire.Request
	Near    []engine.NearMiss
}

// Error names the request and a reason for each near stub.
func (e *NoStubError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "mimus: no stub answers this %s request", e.Request.Endpoint)
	if e.Request.Model != "" {
		fmt.Fprintf(&b, " for %s", e.Request.Model)
	}
	if len(e.Near) == 0 {
		b.WriteString("; there are no stubs")
		return b.String()
	}
	b.WriteString("; the nearest:")
	for _, n := range e.Near {
		b.WriteString("\n- " + redact.Text(n.String()))
	}
	return b.String()
}
