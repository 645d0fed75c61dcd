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

// ScriptError says that a request does not fit the next step of a script, or came after the last.
type ScriptError struct {
	Request *wire.Request
	*engine.Misfit
}

// Error names the step and what is wrong with the request.
func (e *ScriptError) Error() string {
	what := e.Request.Endpoint + " request"
	if e.Request.Model != "" {
		what += " for " + e.Request.Model
	}
	if e.Step > e.Steps {
		return redact.Text(fmt.Sprintf("mimus: one more call than the script has replies: all %d were given before this %s: %q", e.Steps, what, short(e.Request.LastUser())))
	}
	return redact.Text(fmt.Sprintf("mimus: this %s does not fit step %d of %d of the script, which waits for its own:\n- %s", what, e.Step, e.Steps, e.NearMiss))
}

func short(s string) string {
	const most = 300
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// NoEndpointError says that no provider has an endpoint for a request.
type NoEndpointError struct {
	Probe *wire.Probe
	// Methods are those under which the path exists.
	Methods []string
}

// Error names method, host and path.
func (e *NoEndpointError) Error() string {
	text := fmt.Sprintf("mimus: no provider has an endpoint %s %s%s", e.Probe.Method, e.Probe.Host, e.Probe.Path)
	if len(e.Methods) > 0 {
		text += "; its method is " + strings.Join(e.Methods, " or ")
	}
	return redact.Text(text)
}
