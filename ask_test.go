package mimus_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/sample"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// hosts are where the SDKs send what goes to an endpoint.
var hosts = map[string]string{
	"mimus.scripted": "https://scripted.mimus.invalid", "typesafe.systemone": "https://api.typesafe.ai",
	"openai.chat": "https://api.openai.com", "openai.responses": "https://api.openai.com", "openai.embeddings": "https://api.openai.com",
	"openai.models": "https://api.openai.com", "anthropic.messages": "https://api.anthropic.com",
	"gemini.generate": "https://generativelanguage.googleapis.com", "bedrock.converse": "https://bedrock-runtime.eu-west-1.amazonaws.com",
	"ollama.chat": "http://localhost:11434",
}

// chatEndpoints are those that every kind of answer is tried on.
var chatEndpoints = []string{"openai.chat", "openai.responses", "anthropic.messages", "gemini.generate", "bedrock.converse", "ollama.chat", "mimus.scripted"}

// question is a request that an endpoint's provider accepts; say replaces what the sample asks.
func question(tb testing.TB, endpoint string, stream bool, say string) *http.Request {
	tb.Helper()
	p := sample.Of(endpoint, stream)
	if p == nil || hosts[endpoint] == "" {
		tb.Fatalf("no sample of %s", endpoint)
	}
	path := p.Path
	if len(p.Query) > 0 {
		path += "?" + p.Query.Encode()
	}
	body := p.Body
	if say != "" {
		body = bytes.ReplaceAll(body, []byte(sample.Question), []byte(say))
	}
	r, err := http.NewRequestWithContext(tb.Context(), p.Method, hosts[endpoint]+path, bytes.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	r.Header = p.Header.Clone()
	return r
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // of the call, or of reading the body
}

func do(client *http.Client, r *http.Request) answer {
	resp, err := client.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(body), err}
}

// askChat asks OpenAI's chat, in one piece.
func askChat(tb testing.TB, client *http.Client, say string) answer {
	tb.Helper()
	return do(client, question(tb, "openai.chat", false, say))
}

func askStream(tb testing.TB, client *http.Client, say string) answer {
	tb.Helper()
	return do(client, question(tb, "openai.chat", true, say))
}

// in is r with another context.
func in(ctx context.Context, r *http.Request) *http.Request { return r.WithContext(ctx) }

// fold is what the endpoint's own reader makes of an answer.
func (a answer) fold(endpoint string, stream bool) (wire.Reply, error) {
	body := io.Reader(strings.NewReader(a.body))
	if a.err != nil {
		body = io.MultiReader(body, failing{a.err})
	}
	head := &wire.ResponseHead{Status: a.status, Header: a.header, Request: &wire.Request{Stream: stream, Endpoint: endpoint}}
	return wire.Fold(all.Codecs()[endpoint].Read(head, body))
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// text is the text of an answer of OpenAI's chat.
func (a answer) text(tb testing.TB) string {
	tb.Helper()
	return a.textOf(tb, "openai.chat", strings.Contains(a.header.Get("Content-Type"), "event-stream"))
}

func (a answer) textOf(tb testing.TB, endpoint string, stream bool) string {
	tb.Helper()
	if a.err != nil {
		tb.Fatal(a.err)
	}
	r, err := a.fold(endpoint, stream)
	if err != nil {
		tb.Fatalf("%v\n%s", err, a.body)
	}
	return textIn(r)
}

func textIn(r wire.Reply) string {
	var texts []string
	for _, c := range r.Choices {
		for _, p := range c.Parts {
			if x, ok := p.(wire.Text); ok {
				texts = append(texts, x.Text)
			}
		}
	}
	return strings.Join(texts, "")
}

// frames are the events of an SSE body, without the empty lines.
func frames(body string) []string {
	return slices.DeleteFunc(strings.Split(body, "\n\n"), func(s string) bool { return s == "" })
}

// alwaysStreams says whether an endpoint has no whole answers.
func alwaysStreams(endpoint string) bool { return endpoint == "mimus.scripted" }

// pass lets time pass, inside a bubble of testing/synctest, where that takes none.
func pass(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // see above
