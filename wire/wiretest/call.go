package wiretest

import (
	"fmt"

	"github.com/mimus-go/mimus/wire"
)

// Call makes the call of a request as a server would: it finds who speaks and the endpoint, decodes, and names results.
// A failure is the codec's own refusal, which the response then holds.
func Call(p wire.Provider, probe *wire.Probe) (*wire.Call, *wire.Failure, error) {
	if d, ok := p.(wire.Dialecter); ok && probe.Dialect == "" {
		probe.Dialect = d.Dialect(probe)
	}
	_, e, _, _ := wire.NewRouter(p).Route(probe)
	if e == nil {
		return nil, nil, fmt.Errorf("no endpoint of %s claims %s %s", p.Name(), probe.Method, probe.URL())
	}
	c := &wire.Call{Probe: probe, Endpoint: e, Env: &Env{}, Seed: 1}
	c.Request = c.NewRequest(p)
	if e.Codec == nil {
		return c, nil, nil
	}
	if f := e.Codec.Decode(c); f != nil {
		return c, f, nil
	}
	c.Request.NameResults(nil)
	return c, nil, nil
}
