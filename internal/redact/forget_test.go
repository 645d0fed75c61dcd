package redact_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/redact"
)

func TestKeyed(t *testing.T) {
	t.Parallel()
	k := redact.NewKeyed()
	h := http.Header{"Authorization": {"Bearer hush-hush"}, "X-Api-Key": {"other"}, "X-Team": {"parcels"}}
	got := k.Headers(h)
	if text := fmt.Sprint(got); strings.Contains(text, "hush") || strings.Contains(text, "other") || !strings.Contains(text, "parcels") {
		t.Errorf("kept %s", text)
	}
	if h.Get("Authorization") != "Bearer hush-hush" {
		t.Error("the client's header was changed")
	}
	if got.Get("Authorization") != k.Hash("Bearer hush-hush") || got.Get("Authorization") == got.Get("X-Api-Key") {
		t.Errorf("equal credentials must be told to be equal, and others not: %v", got)
	}
	if redact.NewKeyed().Hash("other") == k.Hash("other") {
		t.Error("two keys give the same hash")
	}
	if q := k.Values(url.Values{"key": {"hush"}, "alt": {"sse"}}); q.Get("key") != k.Hash("hush") || q.Get("alt") != "sse" {
		t.Errorf("query %v", q)
	}
}
