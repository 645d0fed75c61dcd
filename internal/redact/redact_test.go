package redact_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/redact"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{
		"sk-proj-abcdefghijklmnop1234", "sk-ant-api03-abcdefghijklmnop", "AIzaSyA1234567890abcdefghijklmnopqrstuvw",
		"AKIAIOSFODNN7EXAMPLE", "gsk_abcdefghijklmnopqrstuv", "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
		"Bearer abcdefghijklmnopqrst", "BEARER abcdefghijklmnopqrst",
	} {
		got := redact.Text(`{"note":"my key is ` + secret + `!"}`)
		if strings.Contains(got, secret) || !strings.Contains(got, redact.Mark) {
			t.Errorf("%s is still there: %s", secret, got)
		}
	}
	for _, plain := range []string{"ask-me", "Where is PX-AI-8102?", "the bearer of news", "sk-test"} {
		if got := redact.Text(plain); got != plain {
			t.Errorf("Text(%q) = %q", plain, got)
		}
	}
}

func TestQuery(t *testing.T) {
	t.Parallel()
	got := redact.URL("/v1beta/models?alt=sse&key=AIza123&x=%20")
	if want := "/v1beta/models?alt=sse&key=REDACTED&x=%20"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
