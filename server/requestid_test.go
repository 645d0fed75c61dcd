package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/wire/all"
)

// requestIDs are the headers in which providers send an id for each request, by the beginnings of their endpoints' names,
// the most particular first. Vertex, Gemini's API and Ollama send none.
func requestIDs() [][2]string {
	return [][2]string{
		{"openai.", "X-Request-Id"}, {"anthropic.vertex", ""}, {"anthropic.bedrock", "X-Amzn-Requestid"}, {"anthropic.", "Request-Id"}, {"bedrock.", "X-Amzn-Requestid"},
	}
}

// TestRequestIDs sends every sample as it is, and spoiled: answers and refusals have the provider's request id, and no two
// the same.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	stubs := writeStubs(t, "stubs:\n  - answer: {text: Hello}\n  - {when: {endpoint: embeddings}, answer: {}}\n")
	s := run(t, server.Config{Paths: []string{stubs}})
	seen := map[string]string{}
	for _, p := range all.Providers() {
		for _, e := range p.Endpoints() {
			for _, row := range requestIDs() {
				if !strings.HasPrefix(e.Name, row[0]) {
					continue
				}
				good := sampleOf(e)
				if row[1] == "" || good == nil {
					break
				}
				refused := copyOf(good)
				refused.Header = http.Header{"Anthropic-Version": good.Header["Anthropic-Version"]}
				for what, ask := range map[string]*answer{"an answer": s.send(t, good), "a refusal": s.send(t, refused)} {
					id := ask.header.Get(row[1])
					if before, ok := seen[id]; ok || id == "" {
						t.Errorf("%s %s: %s has the id %q in %s, which was that of %q", e.Name, e.Suffix, what, id, row[1], before)
					}
					seen[id] = e.Name
				}
				break
			}
		}
	}
	if len(seen) < 2*10 {
		t.Errorf("only %d ids were looked at", len(seen))
	}
}
