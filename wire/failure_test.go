package wire_test

import (
	"slices"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// TestFailureKindsAreAClosedSet pins the names, which stub files, logs and tests of users hold, and what statuses and codes
// that nobody knows become.
func TestFailureKindsAreAClosedSet(t *testing.T) {
	t.Parallel()
	sent := []wire.FailureKind{
		"rate_limit", "quota", "overloaded", "context_length", "auth", "permission", "not_found", "invalid_request", "too_large",
		"content_filter", "timeout", "server",
	}
	if got := wire.FailureKinds(); !slices.Equal(got, sent) {
		t.Errorf("a provider can send the kinds %q, want %q", got, sent)
	}
	clients := []wire.FailureKind{"transport", "unusable_response", "canceled"}
	if got := []wire.FailureKind{wire.Transport, wire.Unusable, wire.Canceled}; !slices.Equal(got, clients) {
		t.Errorf("a client finds the kinds %q by itself, want %q", got, clients)
	}
	every := append(slices.Clone(sent), clients...)
	for status := range 1000 {
		if kind := wire.KindOfStatus(status); !slices.Contains(every, kind) {
			t.Errorf("status %d is of the kind %q, which nobody knows", status, kind)
		}
	}
	for _, code := range []string{"", "something_new", "rate_limit_exceeded"} {
		if kind := wire.KindOfCode(code); kind != "" && !slices.Contains(every, kind) {
			t.Errorf("the code %q is of the kind %q, which nobody knows", code, kind)
		}
	}
}
