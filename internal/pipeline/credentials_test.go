package pipeline_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
)

func TestCredentialsAreNotKept(t *testing.T) {
	t.Parallel()
	j := journal.New(0, 0)
	h := pipeline.New(pipeline.Config{Providers: []wire.Provider{openai.Provider()}, Space: engine.NewSpace("", 1), Journal: j})
	for _, target := range []string{"/v1/chat/completions", "/v1/nowhere?api_key=hush-query"} {
		r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(`{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}`))
		r.Header.Set("Authorization", "Bearer hush-bearer")
		r.Header.Set("Api-Key", "hush-azure")
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	entries, _ := j.Entries()
	if len(entries) != 2 {
		t.Fatalf("%d entries", len(entries))
	}
	for _, e := range entries {
		if e.Request != nil && e.Request.Probe != e.Probe {
			t.Error("the request has a probe of its own")
		}
		if text := fmt.Sprintf("%+v", *e.Probe); strings.Contains(text, "hush") {
			t.Errorf("kept: %s", text)
		}
	}
}
