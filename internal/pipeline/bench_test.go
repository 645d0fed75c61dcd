package pipeline_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
)

// sentence is what the conversations of the benchmarks are made of.
const sentence = "The quick brown fox jumps over the lazy dog; \\\"quoted\\\" text\\nand a new line. "

// chatBody is a chat completion request of about so many bytes.
func chatBody(size int, stream bool) []byte {
	var b strings.Builder
	b.WriteString(`{"max_tokens":999,"messages":[{"role":"system","content":"You are a helpful assistant."}`)
	for b.Len()+12*len(sentence) < size {
		b.WriteString(`,{"role":"user","content":"` + strings.Repeat(sentence, 12) + `"},{"role":"assistant","content":"Well."}`)
	}
	b.WriteString(`,{"role":"user","content":"say hello"}],"model":"gpt-4.1-mini","stream":` + strconv.FormatBool(stream) + `,"temperature":0.7}`)
	return []byte(b.String())
}

func benchHandler() http.Handler {
	space := engine.NewSpace("", 1)
	for about, text := range map[string]string{"say hello": "Hello!", "say much": strings.Repeat("word ", 200)} {
		space.Add(&stub.Stub{
			Name: about, Priority: stub.DefaultPriority, Origin: stub.File, When: stub.About(about),
			Answers: []stub.Answer{{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: text}}}}}},
		})
	}
	return pipeline.New(pipeline.Config{Providers: []wire.Provider{openai.Provider()}, Space: space, Journal: journal.New(0, 0)})
}

// limitHandler is the least that a server must do: decode the request into a struct, and write what was ready before.
func limitHandler(answer []byte, header http.Header) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Model  string `json:"model"`
			Stream bool   `json:"stream"`
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &request)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		maps.Copy(w.Header(), header)
		_, _ = w.Write(answer)
	})
}

// nowhere is a ResponseWriter that forgets.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) WriteHeader(int)             {}
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) FlushError() error           { return nil }

func benchServe(b *testing.B, h http.Handler, body []byte) {
	b.Helper()
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "http://127.0.0.1:8080/v1/chat/completions", bytes.NewReader(body))
		r.Header["Content-Type"] = []string{"application/json"}
		r.Header["Authorization"] = []string{"Bearer sk-test"}
		h.ServeHTTP(&nowhere{http.Header{}}, r)
	}
}

// BenchmarkServe compares the whole path of a request with the least that a server must do. What making the request
// costs is in both.
func BenchmarkServe(b *testing.B) {
	for name, body := range map[string][]byte{
		"179B": chatBody(0, false), "2KB": chatBody(2<<10, false), "1MB": chatBody(1<<20, false),
		"stream200": bytes.Replace(chatBody(0, true), []byte("say hello"), []byte("say much"), 1),
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "http://127.0.0.1:8080/v1/chat/completions", bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer sk-test")
		benchHandler().ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
		b.Run(name+"/mimus", func(b *testing.B) { benchServe(b, benchHandler(), body) })
		b.Run(name+"/limit", func(b *testing.B) { benchServe(b, limitHandler(w.Body.Bytes(), w.Header()), body) })
	}
}
