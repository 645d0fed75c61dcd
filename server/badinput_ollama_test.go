package server_test

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// asOllama is what a case becomes on Ollama's own API, which takes much that others refuse: it asks for no key, its
// decoder reads the first document and mends what is no UTF-8, what is missing is empty, and an empty chat or prompt only
// loads the model (github.com/ollama/ollama server/routes.go, Aug 2026).
func (c badInput) asOllama(e wire.Endpoint) badInput {
	endpoint, ok := strings.CutPrefix(e.Name, "ollama.")
	if !ok {
		return c
	}
	taken := func(names ...string) bool {
		for _, name := range names {
			if c.name == name {
				return true
			}
		}
		return false
	}
	noModel := taken("null", "without model", "model is null")
	switch {
	case taken("no credentials") && endpoint == "blob.head":
		c.status, c.kind = []int{http.StatusNotFound}, ""
	case endpoint == "blob" && c.kind == wire.Invalid:
		// Any bytes are a blob; only their digest is looked at, and not even that once the blob is there.
		c.status = []int{http.StatusBadRequest, http.StatusOK}
	case taken("no credentials") && endpoint == "blob":
		c.status, c.kind = []int{http.StatusOK, http.StatusCreated}, ""
	case taken("no credentials", "two documents", "not UTF-8") && endpoint == "delete":
		// What one case deleted, the next does not find.
		c.status, c.kind = []int{http.StatusOK, http.StatusNotFound}, ""
	case taken("no credentials", "two documents", "not UTF-8"):
		c.status, c.kind = []int{http.StatusOK}, ""
	case noModel && (strings.HasPrefix(endpoint, "generate") || endpoint == "embed"):
		c.status, c.kind = []int{http.StatusNotFound}, wire.NotFound
	case taken("without messages", "messages is null", "without prompt", "prompt is null", "without input", "input is null"):
		c.status, c.kind = []int{http.StatusOK}, ""
	}
	return c
}

// speakerOf is whose envelope a stray request near an endpoint gets: what is near the root could be anybody's.
func speakerOf(e wire.Endpoint) string {
	if strings.HasPrefix(e.Name, "ollama.root") {
		return "openai.stray"
	}
	if e.Name == "anthropic.bedrock" {
		return "bedrock.invoke" // AWS's envelope, whoever's body it is
	}
	return e.Name
}

// isGinText says whether an answer is the plain text of the router beneath Ollama, which knows no such path or method.
func isGinText(got *answer) bool {
	text := string(got.body)
	return got.header.Get("Content-Type") == "text/plain" &&
		(got.status == http.StatusNotFound && text == "404 page not found" || got.status == http.StatusMethodNotAllowed && text == "405 method not allowed")
}
