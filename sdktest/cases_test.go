package sdktest

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const casesFile = "../e2e/cases.yaml"

func load(t *testing.T) *book {
	t.Helper()
	b, err := loadBook(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	for name := range drivers {
		if b.Endpoints[name] == nil {
			t.Fatalf("%s: nothing is known of %s, which a driver speaks", casesFile, name)
		}
	}
	return b
}

// runs are all cases on all endpoints in both modes.
func (b *book) runs(visit func(c *scenario, r run, why string)) {
	for _, c := range b.Cases {
		for _, name := range slices.Sorted(maps.Keys(drivers)) {
			for _, mode := range []string{whole, stream} {
				r := run{endpoint: name, mode: mode}
				if ok, why := c.takes(r); ok || why != "" {
					visit(c, r, why)
				}
			}
		}
	}
}

// TestCases runs every case on every endpoint that it names, whole and streamed, through the official SDK.
func TestCases(t *testing.T) {
	t.Parallel()
	b := load(t)
	said := &report{}
	came := &results{}
	t.Cleanup(func() {
		said.print(t)
		came.write(t, b)
	})
	b.runs(func(c *scenario, r run, why string) {
		if why != "" {
			said.add(r.endpoint+", the SDK cannot show it", why, c.Name)
			came.add(c, r, "cannot", why)
			return
		}
		t.Run(c.Name+"/"+r.endpoint+"/"+r.mode, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { came.ended(t, c, r) })
			synctest.Test(t, func(t *testing.T) {
				m := play(t, b, c, r)
				entries, _ := m.journal.Entries()
				for _, e := range entries {
					for _, lost := range e.Warnings {
						said.add(r.endpoint+", the wire cannot carry it", lost, c.Name)
					}
				}
			})
		})
	})
}

// play is one run.
func play(t *testing.T, b *book, c *scenario, r run) *mock {
	t.Helper()
	stubs, err := c.stubs()
	if err != nil {
		t.Fatal(err)
	}
	m := newMock(t, stubs)
	e := b.Endpoints[r.endpoint]
	connect := func() driver { return drivers[r.endpoint](b, e, m.client) }
	d := connect()
	for i, turn := range c.Turns {
		w, err := turn.wants(r)
		if err != nil {
			t.Fatalf("turn %d: %v", i+1, err)
		}
		start := time.Now()
		outcomes := putAll(t, d, connect, &turn.Ask, r.mode)
		took := time.Since(start)
		synctest.Wait()
		a := m.arrived()
		wrongs := compareTraffic(e, w, a, took)
		for _, o := range outcomes {
			wrongs = append(wrongs, compare(e, w, o)...)
		}
		for _, wrong := range wrongs {
			t.Errorf("turn %d: %s", i+1, wrong)
		}
		for _, why := range a.refused {
			if w.Error == nil || w.Error.InStream {
				t.Errorf("turn %d: the mock refused %s", i+1, why)
			}
		}
	}
	return m
}

// putAll asks one turn, as often at the same time as it says: then each in a conversation of its own.
func putAll(t *testing.T, d driver, connect func() driver, a *ask, mode string) []outcome {
	t.Helper()
	if a.Concurrent == 0 {
		return []outcome{put(t, d, a, mode)}
	}
	outcomes := make([]outcome, a.Concurrent)
	var all sync.WaitGroup
	for i := range outcomes {
		all.Go(func() { outcomes[i] = put(t, connect(), a, mode) })
	}
	all.Wait()
	return outcomes
}

// put asks one turn, within its deadline.
func put(t *testing.T, d driver, a *ask, mode string) outcome {
	t.Helper()
	ctx := t.Context()
	if a.Deadline != "" {
		limit, err := time.ParseDuration(a.Deadline)
		if err != nil {
			t.Fatal(err)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	if mode == stream && a.Op == "" || a.Op == "retrieve_stream" {
		return d.Stream(ctx, a)
	}
	return d.Do(ctx, a)
}
