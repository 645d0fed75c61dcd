package mimus_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mimus-go/mimus"
)

// The tests of Guard change the process, and so don't run in parallel with others.

func TestGuard(t *testing.T) {
	ft := fake(t)
	before := http.DefaultTransport
	mimus.Guard(ft)
	clone := http.DefaultTransport.(*http.Transport).Clone() // as SDKs make one
	for _, client := range []*http.Client{http.DefaultClient, {}, {Transport: clone}} {
		resp, err := client.Get("https://api.openai.com/v1/models")
		if resp != nil {
			_ = resp.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "mimus.Guard forbids") {
			t.Errorf("got %v", err)
		}
	}
	local := httptest.NewServer(http.NotFoundHandler())
	defer local.Close()
	if resp, err := http.Get(local.URL); err != nil {
		t.Errorf("other hosts: %v", err)
	} else {
		_ = resp.Body.Close()
	}
	ft.wantNone(t)
	ft.end()
	said := ft.said()
	if len(said) != 3 || !strings.Contains(said[0], "TestParcels asked a real provider, GET https://api.openai.com/v1/models") || !strings.Contains(said[0], "m.Client()") {
		t.Errorf("got %q", said)
	}
	if http.DefaultTransport != before {
		t.Error("the default transport is not what it was")
	}
	ft.failures = nil
}

// Every provider is guarded, and so is every vendor, whether or not there is a proxy.
func TestGuardedHosts(t *testing.T) {
	for _, host := range []string{
		"api.openai.com", "my-resource.openai.azure.com", "api.anthropic.com", "generativelanguage.googleapis.com",
		"us-central1-aiplatform.googleapis.com", "aiplatform.googleapis.com", "bedrock-runtime.eu-west-1.amazonaws.com",
		"openrouter.ai", "api.deepseek.com",
	} {
		ft := fake(t)
		mimus.Guard(ft)
		guarded := http.DefaultTransport.(*http.Transport)
		_, dialled := guarded.DialContext(t.Context(), "tcp", host+":443")
		request, err := http.NewRequest(http.MethodGet, "https://"+host+"/", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if _, proxied := guarded.Proxy(request); dialled == nil || proxied == nil {
			t.Errorf("%s: %v, %v", host, dialled, proxied)
		}
		if said := ft.end(); len(said) != 2 {
			t.Errorf("%s: got %q", host, said)
		}
		ft.failures = nil
	}
}

func TestGuardInParallel(t *testing.T) {
	t.Run("inner", func(t *testing.T) {
		t.Parallel()
		defer func() {
			if recover() == nil {
				t.Error("no panic in a parallel test")
			}
		}()
		mimus.Guard(t)
	})
}

func TestGuardWithoutATransport(t *testing.T) {
	before := http.DefaultTransport
	defer func() { http.DefaultTransport = before }()
	http.DefaultTransport = http.NewFileTransport(http.Dir("."))
	ft := fake(t)
	mimus.Guard(ft)
	ft.wantFailure(t, "Guard", "not an *http.Transport")
}
