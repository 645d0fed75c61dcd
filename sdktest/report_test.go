package sdktest

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// report collects what wires cannot carry and SDKs cannot show, and prints it when all cases have run.
type report struct {
	mu sync.Mutex
	// of is, by endpoint and by what is lost, the names of the cases.
	of map[string]map[string][]string
}

func (r *report) add(where, what, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]map[string][]string{}
	}
	if r.of[where] == nil {
		r.of[where] = map[string][]string{}
	}
	if !slices.Contains(r.of[where][what], name) {
		r.of[where][what] = append(r.of[where][what], name)
	}
}

func (r *report) print(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, where := range slices.Sorted(maps.Keys(r.of)) {
		for _, what := range slices.Sorted(maps.Keys(r.of[where])) {
			names := r.of[where][what]
			slices.Sort(names)
			t.Logf("%s: %s (%s)", where, what, strings.Join(names, ", "))
		}
	}
}
