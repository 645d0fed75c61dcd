package sdktest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/memnet"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire/all"
)

// mock is a mimus in memory: every host of the internet is it.
type mock struct {
	journal *journal.Journal
	handler *pipeline.Handler
	client  *http.Client
	// seen is what of the journal was already told.
	seen int
}

// newMock serves the stubs until the test ends.
func newMock(t *testing.T, stubs []*stub.Stub) *mock {
	t.Helper()
	m := &mock{journal: journal.New(0, 0)}
	space := engine.NewSpace("", 1)
	space.Add(stubs...)
	m.handler = pipeline.New(pipeline.Config{Providers: all.Providers(), Space: space, Journal: m.journal})
	network := memnet.New()
	server := &http.Server{Handler: m.handler, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(network.Listen())
	}()
	transport := network.Transport()
	m.client = &http.Client{Transport: transport}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		_ = network.Close()
		<-done
	})
	return m
}

// arrived tells of the requests since it was last asked.
func (m *mock) arrived() arrivals {
	entries, _ := m.journal.Entries()
	var a arrivals
	for _, e := range entries[m.seen:] {
		a.times = append(a.times, e.Time)
		a.hungUp = e.HungUp
		if !e.Matched {
			a.refused = append(a.refused, fmt.Sprintf("%s %s: %d, %s %q %s", e.Probe.Method, e.Probe.Path, e.Status, e.Reason, e.Near, e.Body()))
		}
	}
	m.seen = len(entries)
	return a
}

// stubs are the stubs of a case; one that only has an answer gives it to every request.
func (c *scenario) stubs() ([]*stub.Stub, error) {
	text := string(c.Stubs)
	if c.Stubs == nil {
		answer := string(c.Answer)
		if answer == "" {
			return nil, nil
		}
		text = `[{"answer":` + answer + `}]`
	}
	set, err := stubfile.Parse("case "+c.Name+".json", []byte(`{"stubs":`+text+`}`), stubfile.Options{})
	if err != nil {
		return nil, err
	}
	out := make([]*stub.Stub, len(set.Stubs))
	copy(out, set.Stubs)
	return out, nil
}
