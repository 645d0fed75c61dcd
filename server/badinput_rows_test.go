package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// speaker is how one provider refuses: a row of what differs between them.
type speaker struct {
	// endpoints is how the names of its endpoints begin.
	endpoints string
	// keys are the keys of an error's body, and of the object in its "error".
	keys []string
	// message is where in the body the words are.
	message []any
	// plain says that an error is its message, as plain text.
	plain bool
	// stray is what is said of an unknown path or method, by status, where that is no error in the usual form.
	stray map[int]stray
	// keyless says that nobody asks for credentials: the samples have none.
	keyless bool
}

// stray is the type of an answer and how it begins.
type stray struct{ kind, begin string }

// speakers are all of them, the most particular first.
func speakers() []speaker {
	inError, atTop := []any{"error", "message"}, []any{"message"}
	const google, googleMore = "[error] [code message status]", "[error] [code message status details]"
	page := stray{"text/html", "<!DOCTYPE html>"} // of Google's front end
	return []speaker{
		{endpoints: "openai.", keys: []string{"[error] [message type param code]"}, message: inError},
		{endpoints: "anthropic.vertex", keys: []string{"[type error request_id] [type message]", google}, message: inError},
		{endpoints: "anthropic.bedrock", keys: []string{"[message] []"}, message: atTop},
		{endpoints: "anthropic.", keys: []string{"[type error request_id] [type message]", "[type error request_id] [type message details]"}, message: inError},
		{endpoints: "gemini.", keys: []string{google, googleMore}, message: inError, stray: map[int]stray{404: page}},
		{endpoints: "bedrock.", keys: []string{"[message] []"}, message: atTop},
		{endpoints: "typesafe.", keys: []string{"[error] [message]"}, message: inError},
		{endpoints: "mimus.scripted", plain: true, keyless: true}, // the neutral dialect
		// What is near the root of a host could be anybody's, and is answered in OpenAI's words.
		{endpoints: "ollama.root", keys: []string{"[error] [message type param code]"}, message: inError, keyless: true},
		{endpoints: "ollama.", keys: []string{"[error] []"}, message: []any{"error"}, keyless: true, stray: map[int]stray{
			404: {"text/plain", "404 page not found"}, 405: {"text/plain", "405 method not allowed"},
		}},
	}
}

func speakerOf(t *testing.T, endpoint string) speaker {
	t.Helper()
	for _, s := range speakers() {
		if strings.HasPrefix(endpoint, s.endpoints) {
			return s
		}
	}
	t.Fatalf("nobody is known to speak for %s: speakers() wants a row", endpoint)
	return speaker{}
}

// expectEnvelope looks at the keys of an error, which each provider has its own of.
func (s speaker) expectEnvelope(t *testing.T, got *answer) {
	t.Helper()
	kind := got.header.Get("Content-Type")
	if x, ok := s.stray[got.status]; ok && strings.HasPrefix(kind, x.kind) && strings.HasPrefix(string(got.body), x.begin) {
		return
	}
	if s.plain {
		if !strings.HasPrefix(kind, "text/plain") || len(got.body) == 0 {
			t.Errorf("%s %q, want the message as plain text", kind, got.begin())
		}
		return
	}
	if !strings.HasPrefix(kind, "application/json") {
		t.Errorf("content type %q, want JSON", kind)
	}
	doc, err := jsonx.ParseBytes(got.body)
	if err != nil {
		t.Fatalf("the answer is no JSON: %v\n%s", err, got.begin())
	}
	if doc.Kind() == jsonx.Array {
		doc = doc.Index(0) // Google's layer, where a stream was asked for
	}
	keys := keysOf(doc) + " " + keysOf(doc.Get("error"))
	if !slices.Contains(s.keys, keys) {
		t.Errorf("the keys are %s, want %q\n%s", keys, s.keys, got.begin())
	}
	if doc.At(s.message...).Str() == "" {
		t.Errorf("the error has no message\n%s", got.begin())
	}
}

func keysOf(v jsonx.Value) string {
	var keys []string
	for name := range v.Members() {
		keys = append(keys, name)
	}
	return "[" + strings.Join(keys, " ") + "]"
}

// other is what a case becomes on endpoints that take it, or refuse it in another way. Fields are written as in the names
// of the cases.
type other struct {
	endpoints []string // their names; one that ends in "." stands for all that begin so
	cases     []string
	status    []int
	kind      wire.FailureKind
}

func others() []other {
	const ok, created, bad, missing = http.StatusOK, http.StatusCreated, http.StatusBadRequest, http.StatusNotFound
	loads := []string{"ollama.generate", "ollama.generate.load", "ollama.embed"}
	return []other{
		// Nothing is required of a token count (OpenAI's OpenAPI document, Aug 2026), and null is as good as nothing.
		{endpoints: []string{"openai.responses.tokens"}, status: []int{ok}, cases: []string{"without model", "model is null", "without input", "input is null"}},
		{endpoints: []string{"mimus.scripted"}, status: []int{ok}, cases: []string{"output is null"}},
		// Of Ollama's API: github.com/ollama/ollama server/routes.go, Aug 2026. Any bytes are a blob; only their digest is
		// looked at, and not even that once the blob is there.
		{endpoints: []string{"ollama.blob.head"}, status: []int{missing}, cases: []string{sampleIsFine}},
		{
			endpoints: []string{"ollama.blob"}, status: []int{bad, ok}, kind: wire.Invalid,
			cases: []string{"empty", "not JSON", "null", "a list", "a text", "a number", "cut", "two documents", "nested too deep"},
		},
		{endpoints: []string{"ollama.blob"}, status: []int{ok, created}, cases: []string{"gzip is read", sampleIsFine}},
		// What one case deleted, the next does not find.
		{endpoints: []string{"ollama.delete"}, status: []int{ok, missing}, cases: []string{"two documents", "gzip is read", sampleIsFine}},
		// Its decoder reads the first document and mends what is no UTF-8.
		{endpoints: []string{"ollama."}, status: []int{ok}, cases: []string{"two documents", "not UTF-8"}},
		// Without a name no model is found, before anything else is looked at.
		{endpoints: loads, status: []int{missing}, kind: wire.NotFound, cases: []string{"null", "without model", "model is null"}},
		// An empty chat or prompt only loads the model; an empty text has no vector.
		{endpoints: []string{"ollama."}, status: []int{ok}, cases: []string{
			"without messages", "messages is null", "without prompt", "prompt is null", "without input", "input is null",
		}},
	}
}

// on is the case as the endpoint has it.
func (c badInput) on(endpoint string) badInput {
	for _, o := range others() {
		of := slices.ContainsFunc(o.endpoints, func(name string) bool {
			return name == endpoint || strings.HasSuffix(name, ".") && strings.HasPrefix(endpoint, name)
		})
		if of && slices.Contains(o.cases, c.name) {
			c.status, c.kind = o.status, o.kind
			return c
		}
	}
	return c
}
