package ollama_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func machine() *wiretest.Env { return &wiretest.Env{Names: []string{"llama3.2", "nomic-embed-text"}} }

// names are those that a list shows.
func names(t *testing.T, env *wiretest.Env, path string) string {
	t.Helper()
	var out []string
	for _, m := range parse(t, string(serve(t, env, get(path)).Body)).Get("models").Items() {
		if m.Get("name").Str() != m.Get("model").Str() {
			t.Errorf("name and model differ in %s", m.Raw())
		}
		out = append(out, m.Get("name").Str())
	}
	return strings.Join(out, " ")
}

func expect(t *testing.T, r wire.Response, status int, body string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Bytes()), body) {
		t.Errorf("%d %s, want %d and %s", r.Status, r.Bytes(), status, body)
	}
}

func remove(body string) *wire.Probe {
	p := post("/api/delete", body)
	p.Method = "DELETE"
	return p
}

// TestMachine copies, deletes, pulls and creates, and looks at what is there.
func TestMachine(t *testing.T) {
	t.Parallel()
	env := machine()
	check := func(want string) {
		t.Helper()
		if got := names(t, env, "/api/tags"); got != want {
			t.Errorf("the machine has %q, want %q", got, want)
		}
	}
	check("llama3.2:latest nomic-embed-text:latest")

	expect(t, serve(t, env, post("/api/copy", `{"source":"llama3.2","destination":"me/backup:1"}`)), 200, "")
	check("me/backup:1 llama3.2:latest nomic-embed-text:latest")
	expect(t, serve(t, env, post("/api/copy", `{"source":"nothing","destination":"x"}`)), 404, `{"error":"model \"nothing\" not found"}`)
	expect(t, serve(t, env, post("/api/copy", `{"source":"a b","destination":"x"}`)), 400, `source \"a b\" is invalid`)
	expect(t, serve(t, env, post("/api/copy", `{"source":"llama3.2","destination":""}`)), 400, `destination \"\" is invalid`)

	expect(t, serve(t, env, remove(`{"model":"Llama3.2:LATEST"}`)), 200, "")
	check("me/backup:1 nomic-embed-text:latest")
	expect(t, serve(t, env, remove(`{"name":"llama3.2"}`)), 404, `{"error":"model 'llama3.2' not found"}`)
	expect(t, serve(t, env, remove(`{}`)), 400, "model is required")
	expect(t, serve(t, env, remove(`{"model":"/"}`)), 400, `name \"/\" is invalid`)
	expect(t, serve(t, env, post(chatPath, askChat)), 404, `model 'llama3.2' not found`)
	expect(t, serve(t, env, post("/api/embed", `{"model":"llama3.2","input":"a"}`)), 404, `model 'llama3.2' not found`)
	expect(t, serve(t, env, post("/api/show", `{"model":"llama3.2"}`)), 404, `model 'llama3.2:latest' not found`)

	r := serve(t, env, post("/api/pull", `{"model":"llama3.2","stream":false}`))
	expect(t, r, 200, `{"status":"success"}`)
	if r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", r.Header)
	}
	check("llama3.2:latest me/backup:1 nomic-embed-text:latest")
	expect(t, serve(t, env, post(chatPath, askWhole)), 200, `"content":"Hi"`)
	expect(t, serve(t, env, post("/api/pull", `{"model":"nothing","stream":false}`)), 500, `{"error":"pull model manifest: file does not exist"}`)
	expect(t, serve(t, env, post("/api/pull", `{"model":"hf.co/me/it:Q4_0"}`)), 200, `{"status":"success"}`)
	expect(t, serve(t, env, post("/api/pull", `{"model":""}`)), 400, "invalid model name")
	check("hf.co/me/it:Q4_0 llama3.2:latest me/backup:1 nomic-embed-text:latest")

	r = serve(t, env, post("/api/create", `{"model":"parcels","from":"qwen3:0.6b","system":"Be brief."}`))
	expect(t, r, 200, `{"status":"pulling manifest"}`)
	expect(t, r, 200, `{"status":"using existing layer sha256:`)
	expect(t, r, 200, `{"status":"creating new layer sha256:`)
	expect(t, r, 200, "{\"status\":\"writing manifest\"}\n{\"status\":\"success\"}\n")
	expect(t, serve(t, env, post("/api/show", `{"name":"parcels"}`)), 200, `"details":{"parent_model":"qwen3:0.6b","format":"gguf","family":"qwen3"`)
	expect(t, serve(t, env, post("/api/show", `{"model":"parcels"}`)), 200, `"capabilities":["completion","tools","thinking"]`)
	expect(t, serve(t, env, post("/api/create", `{"model":"x"}`)), 400, `neither 'from' or 'files' was specified`)
	expect(t, serve(t, env, post("/api/create", `{"model":"x","files":{}}`)), 400, `no files provided to convert`)
	expect(t, serve(t, env, post("/api/create", `{"model":"","from":"llama3.2"}`)), 400, `invalid model name`)
	expect(t, serve(t, env, post("/api/create", `{"model":"x","from":"nothing","stream":false}`)), 500, `pull model manifest`)

	expect(t, serve(t, env, post("/api/push", `{"model":"me/backup:1"}`)), 200, "{\"status\":\"pushing manifest\"}\n{\"status\":\"success\"}\n")
	expect(t, serve(t, env, post("/api/push", `{"model":"nothing"}`)), 200, "{\"status\":\"couldn't retrieve manifest\"}\n{\"error\":\"open ")
	expect(t, serve(t, env, post("/api/push", `{}`)), 400, "model is required")
	expect(t, serve(t, env, post("/api/show", `{}`)), 400, "model is required")
	expect(t, serve(t, env, post("/api/show", `{"model":3}`)), 400, "into Go struct field ShowRequest.model of type string")
}

// TestBlobs: a blob is there once it came with its own digest, and a model can be made of it.
func TestBlobs(t *testing.T) {
	t.Parallel()
	env := machine()
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("GGUF")))
	path := "/api/blobs/" + digest
	head := func() *wire.Probe {
		p := get(path)
		p.Method = "HEAD"
		return p
	}
	create := `{"model":"x","files":{"x.gguf":"` + digest + `"}}`
	expect(t, serve(t, env, head()), 404, "not found")
	expect(t, serve(t, env, post("/api/create", create)), 500, "no such file or directory")
	expect(t, serve(t, env, post(path, "else")), 400, "digest mismatch, expected \\\""+digest)
	expect(t, serve(t, env, post(path, "GGUF")), 201, "")
	expect(t, serve(t, env, post(path, "GGUF")), 200, "")
	expect(t, serve(t, env, head()), 200, "")
	expect(t, serve(t, env, post("/api/blobs/md5:0", "GGUF")), 400, "invalid digest format")
	expect(t, serve(t, env, post("/api/create", create)), 200, "{\"status\":\"using existing layer "+digest+"\"}\n{\"status\":\"writing manifest\"}\n")
	expect(t, serve(t, env, post("/api/create", `{"model":"x","files":{"x":""}}`)), 400, "invalid digest format")
}

// TestLoaded: what was asked is in memory until its time is over, or until it is unloaded.
func TestLoaded(t *testing.T) {
	t.Parallel()
	env := machine()
	noon := env.Now()
	check := func(after time.Duration, want string) {
		t.Helper()
		env.Time = noon.Add(after)
		if got := names(t, env, "/api/ps"); got != want {
			t.Errorf("after %v in memory: %q, want %q", after, got, want)
		}
		env.Time = noon
	}
	check(0, "")
	serve(t, env, post(chatPath, askChat))
	serve(t, env, post("/api/embed", `{"model":"nomic-embed-text","input":"a","keep_alive":60}`))
	serve(t, env, post(promptPath, `{"model":"qwen3:8b","keep_alive":"-1m"}`))
	check(0, "qwen3:8b llama3.2:latest nomic-embed-text:latest")
	check(61*time.Second, "qwen3:8b llama3.2:latest")
	check(301*time.Second, "qwen3:8b")
	serve(t, env, post(chatPath, `{"model":"qwen3:8b","keep_alive":0}`))
	check(0, "llama3.2:latest nomic-embed-text:latest")
	ps := parse(t, string(serve(t, env, get("/api/ps")).Body)).At("models", 0)
	if at, want := ps.Get("expires_at").Str(), noon.Add(5*time.Minute).Format(time.RFC3339Nano); at != want {
		t.Errorf("expires at %s, want %s", at, want)
	}
	serve(t, env, remove(`{"model":"llama3.2"}`))
	check(0, "nomic-embed-text:latest")
}

// TestWidths: usual lengths of vectors, by the model where it is known, else 768.
func TestWidths(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]int{
		"nomic-embed-text": 768, "mxbai-embed-large:335m": 1024, "all-minilm": 384, "bge-m3:latest": 1024, "anything": 768, "llama3.2": 768, "me/bge-m3": 768,
	} {
		for _, path := range []string{"/api/embed", "/api/embeddings"} {
			c := open(t, post(path, `{"model":"`+model+`","input":"a","prompt":"a"}`))
			if got := c.Request.UsualDimensions; got != want || len(c.Request.Inputs) != 1 {
				t.Errorf("%s %s: %d numbers for %q, want %d", path, model, got, c.Request.Inputs, want)
			}
		}
	}
}

// TestDescriptionsAreOfOneMind: a model is the same size and family wherever it is shown.
func TestDescriptionsAreOfOneMind(t *testing.T) {
	t.Parallel()
	env := &wiretest.Env{Names: []string{"qwen3:0.6b", "all-minilm:22m", "me/unknown"}}
	list := parse(t, string(serve(t, env, get("/api/tags")).Body)).Get("models")
	for i, want := range []string{"0.6B", "22M", "8.0B"} {
		if want == "0.6B" {
			want = "600M"
		}
		m := list.Index(i)
		if got := m.At("details", "parameter_size").Str(); got != want {
			t.Errorf("%s has %s, want %s", m.Get("name").Str(), got, want)
		}
		shown := parse(t, string(serve(t, env, post("/api/show", `{"model":"`+m.Get("name").Str()+`"}`)).Body))
		for _, key := range []string{"family", "parameter_size", "quantization_level"} {
			if a, b := m.At("details", key).Str(), shown.At("details", key).Str(); a != b || a == "" {
				t.Errorf("%s: %s is %q in the list and %q where it is shown", m.Get("name").Str(), key, a, b)
			}
		}
		arch := shown.At("model_info", "general.architecture").Str()
		if n, ok := shown.At("model_info", arch+".context_length").Int(); !ok || n <= 0 {
			t.Errorf("no length of context: %s", shown.Get("model_info").Raw())
		}
		if v := shown.At("model_info", "tokenizer.ggml.tokens"); v.Kind() != jsonx.Null {
			t.Errorf("the vocabulary is told without being asked for: %s", v.Raw())
		}
	}
	verbose := parse(t, string(serve(t, env, post("/api/show", `{"model":"qwen3:0.6b","verbose":true}`)).Body))
	if verbose.At("model_info", "tokenizer.ggml.tokens").Len() == 0 {
		t.Error("the vocabulary is not told")
	}
}
