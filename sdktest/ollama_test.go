package sdktest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/ollama/ollama/api"
)

// ollamaStubs answer prompts, embeddings and a list of models.
func ollamaStubs(t *testing.T) []*stub.Stub {
	t.Helper()
	set, err := stubfile.Parse("ollama.json", []byte(`{"stubs":[
		{"when":{"about":"parcel"},"answer":{"reasoning":"Hm.","text":"On its way."}},
		{"when":{"endpoint":"embeddings"},"answer":{}},
		{"when":{"endpoint":"models"},"answer":{"models":["qwen3","nomic-embed-text"]}}]}`), stubfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Stubs
}

// TestOllamaModels uses a machine's models with Ollama's own client, as its command line does.
func TestOllamaModels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { useOllama(t, newMock(t, ollamaStubs(t))) })
}

func useOllama(t *testing.T, m *mock) {
	t.Helper()
	c, ctx := ollamaClient(m.client), t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	must(c.Heartbeat(ctx))
	if v, err := c.Version(ctx); err != nil || v == "" {
		t.Errorf("version %q %v", v, err)
	}
	expectOllama(t, ctx, c, "qwen3:latest nomic-embed-text:latest", "")

	for _, stream := range []bool{true, false} {
		var text, thought string
		var last api.GenerateResponse
		must(c.Generate(ctx, &api.GenerateRequest{Model: "qwen3", Prompt: "Where is my parcel?", Stream: &stream}, func(r api.GenerateResponse) error {
			text, thought, last = text+r.Response, thought+r.Thinking, r
			return nil
		}))
		if text != "On its way." || thought != "Hm." || !last.Done || last.DoneReason != "stop" || len(last.Context) == 0 || last.EvalCount == 0 || last.EvalDuration == 0 {
			t.Errorf("stream %t: %q %q %+v", stream, text, thought, last)
		}
	}
	must(c.Generate(ctx, &api.GenerateRequest{Model: "gemma3", KeepAlive: &api.Duration{Duration: time.Hour}}, func(r api.GenerateResponse) error {
		if r.DoneReason != "load" {
			t.Errorf("%+v", r)
		}
		return nil
	}))
	must(c.Chat(ctx, &api.ChatRequest{Model: "qwen3", KeepAlive: &api.Duration{}}, func(r api.ChatResponse) error {
		if r.DoneReason != "unload" {
			t.Errorf("%+v", r)
		}
		return nil
	}))
	embedOllama(t, ctx, c)
	expectOllama(t, ctx, c, "qwen3:latest nomic-embed-text:latest", "gemma3:latest nomic-embed-text:latest")

	expectProgress(t, "pulling manifest", func(fn api.PullProgressFunc) error {
		return c.Pull(ctx, &api.PullRequest{Model: "llama3.2:1b"}, fn)
	})
	silent := false
	must(c.Pull(ctx, &api.PullRequest{Model: "llama3.2:1b", Stream: &silent}, func(api.ProgressResponse) error { return nil }))
	blob := []byte("GGUF")
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(blob))
	must(c.CreateBlob(ctx, digest, bytes.NewReader(blob)))
	expectProgress(t, "parsing GGUF", func(fn api.PullProgressFunc) error {
		return c.Create(ctx, &api.CreateRequest{Model: "me/parcels", Files: map[string]string{"parcels.gguf": digest}}, api.CreateProgressFunc(fn))
	})
	must(c.Create(ctx, &api.CreateRequest{Model: "me/parcels", From: "llama3.2:1b", Stream: &silent}, func(api.ProgressResponse) error { return nil }))
	must(c.Copy(ctx, &api.CopyRequest{Source: "me/parcels", Destination: "me/copy"}))
	must(c.Delete(ctx, &api.DeleteRequest{Model: "qwen3"}))
	expectProgress(t, "retrieving manifest", func(fn api.PullProgressFunc) error {
		return c.Push(ctx, &api.PushRequest{Model: "me/copy"}, api.PushProgressFunc(fn))
	})
	must(c.Push(ctx, &api.PushRequest{Model: "me/copy", Stream: &silent}, func(api.ProgressResponse) error { return nil }))
	expectOllama(t, ctx, c, "llama3.2:1b me/copy:latest me/parcels:latest nomic-embed-text:latest", "gemma3:latest nomic-embed-text:latest")

	shown, err := c.Show(ctx, &api.ShowRequest{Model: "me/copy"})
	if err != nil || shown.Details.ParameterSize != "1.0B" || shown.Details.ParentModel != "llama3.2:1b" || len(shown.Tensors) == 0 || shown.ModifiedAt.IsZero() {
		t.Errorf("%+v %v", shown, err)
	}
	for _, err := range []error{
		c.Delete(ctx, &api.DeleteRequest{Model: "qwen3"}),
		c.Copy(ctx, &api.CopyRequest{Source: "nothing", Destination: "x"}),
		c.Chat(ctx, &api.ChatRequest{Model: "qwen3", Messages: []api.Message{{Role: "user", Content: "parcel"}}}, nil),
	} {
		if status, ok := errors.AsType[api.StatusError](err); !ok || status.StatusCode != http.StatusNotFound || !strings.Contains(status.ErrorMessage, "not found") {
			t.Errorf("%v", err)
		}
	}
	if err := c.Pull(ctx, &api.PullRequest{Model: "nothing"}, func(api.ProgressResponse) error { return nil }); err == nil || err.Error() != "pull model manifest: file does not exist" {
		t.Errorf("%v", err)
	}
}

// embedOllama embeds on both paths, which must agree.
func embedOllama(t *testing.T, ctx context.Context, c *api.Client) {
	t.Helper()
	got, err := c.Embed(ctx, &api.EmbedRequest{Model: "nomic-embed-text", Input: []string{"a", "b"}})
	if err != nil {
		t.Error(err)
		return
	}
	old, err := c.Embeddings(ctx, &api.EmbeddingRequest{Model: "nomic-embed-text", Prompt: "b"})
	if err != nil {
		t.Error(err)
		return
	}
	if len(got.Embeddings) != 2 || len(old.Embedding) != 768 || got.PromptEvalCount == 0 || got.TotalDuration == 0 {
		t.Fatalf("%d vectors, %d numbers", len(got.Embeddings), len(old.Embedding))
	}
	for i, x := range old.Embedding {
		if float32(x) != got.Embeddings[1][i] {
			t.Fatalf("number %d is %v on one path and %v on the other", i, x, got.Embeddings[1][i])
		}
	}
}

// expectOllama looks at the models that are there, and at those in memory.
func expectOllama(t *testing.T, ctx context.Context, c *api.Client, there, loaded string) {
	t.Helper()
	list, err := c.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range list.Models {
		names = append(names, m.Name)
		if m.Size <= 0 || len(m.Digest) != 64 || m.Details.Family == "" || m.ModifiedAt.IsZero() {
			t.Errorf("%+v", m)
		}
	}
	wanted := strings.Fields(there)
	slices.Sort(names)
	slices.Sort(wanted)
	if !slices.Equal(names, wanted) {
		t.Errorf("the machine has %q, want %q", names, wanted)
	}
	ps, err := c.ListRunning(ctx)
	if err != nil {
		t.Fatal(err)
	}
	names = nil
	for _, m := range ps.Models {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != loaded {
		t.Errorf("in memory are %q, want %q", got, loaded)
	}
}

// expectProgress runs something that reports, and looks at the first and the last line, and at the counts between.
func expectProgress(t *testing.T, first string, do func(api.PullProgressFunc) error) {
	t.Helper()
	var seen []api.ProgressResponse
	if err := do(func(r api.ProgressResponse) error {
		seen = append(seen, r)
		return nil
	}); err != nil {
		t.Error(err)
		return
	}
	if len(seen) < 2 || seen[0].Status != first || seen[len(seen)-1].Status != "success" {
		t.Errorf("%+v", seen)
	}
	for _, r := range seen {
		if r.Completed > r.Total || r.Digest != "" && r.Total == 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestOllamaTimes: what an answer says of its times is what the client waits, to the nanosecond.
func TestOllamaTimes(t *testing.T) {
	t.Parallel()
	set, err := stubfile.Parse("times.json", []byte(`{"stubs":[{"answer":{"text":"one two three","usage":{"inputTokens":9,"outputTokens":30}},
		"delay":"3s","pace":{"firstToken":"500ms","tokensPerSecond":10}}]}`), stubfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMock(t, set.Stubs)
		start := time.Now()
		var last api.ChatResponse
		err := ollamaClient(m.client).Chat(t.Context(), &api.ChatRequest{Model: "qwen3", Messages: []api.Message{{Role: "user", Content: "Count."}}}, func(r api.ChatResponse) error {
			if since := time.Since(start); r.CreatedAt.Sub(start) != since {
				t.Errorf("a record of %v came after %v", r.CreatedAt.Sub(start), since)
			}
			last = r
			return nil
		})
		if err != nil || last.LoadDuration != 3*time.Second || last.PromptEvalDuration != 500*time.Millisecond || last.EvalDuration != 3*time.Second {
			t.Errorf("%+v %v", last.Metrics, err)
		}
	})
}
