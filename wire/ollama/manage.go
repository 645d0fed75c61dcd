package ollama

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// done is the answer to what has nothing to say.
func done() wire.Response { return wire.Response{Status: http.StatusOK} }

// serveCopy gives a model a second name.
func serveCopy(c *wire.Call) wire.Response {
	body, source, f := named(c, copyForm, "source")
	if f != nil {
		return refuse(c, f)
	}
	from, ok := nameOf(source)
	if !ok {
		return refuse(c, invalid("source", "source "+strconv.Quote(source)+" is invalid"))
	}
	destination := body.Get("destination").Str()
	to, ok := nameOf(destination)
	if !ok {
		return refuse(c, invalid("destination", "destination "+strconv.Quote(destination)+" is invalid"))
	}
	if !has(c, from) {
		return refuse(c, &wire.Failure{Kind: wire.NotFound, Rule: "ollama.gone", Message: "model " + strconv.Quote(source) + " not found"})
	}
	add(c, to, origin(c.Env.Store(), from).short())
	return done()
}

// serveDelete takes a model off the machine.
func serveDelete(c *wire.Call) wire.Response {
	_, sent, f := named(c, deleteForm, "model", "name")
	if f != nil {
		return refuse(c, f)
	}
	n, ok := nameOf(sent)
	switch {
	case strings.TrimSpace(sent) == "":
		return refuse(c, invalid("model", "model is required"))
	case !ok:
		return refuse(c, invalid("name", "name "+strconv.Quote(sent)+" is invalid"))
	case !has(c, n):
		return refuse(c, &wire.Failure{Kind: wire.NotFound, Rule: "ollama.gone"})
	}
	remove(c, n)
	return done()
}

const badDigest = "invalid digest format"

// isDigest says whether a text is "sha256:" or "sha256-" and 64 hex digits.
func isDigest(s string) bool {
	hexed, ok := strings.CutPrefix(s, "sha256")
	if !ok || len(hexed) != 65 || hexed[0] != ':' && hexed[0] != '-' {
		return false
	}
	_, err := hex.DecodeString(hexed[1:])
	return err == nil
}

// blobID is a digest as the store names it.
func blobID(digest string) string { return strings.ToLower(strings.Replace(digest, "-", ":", 1)) }

// serveHasBlob says whether the machine has a blob.
func serveHasBlob(c *wire.Call) wire.Response {
	digest := c.Probe.Vars["digest"]
	if !isDigest(digest) {
		return refuse(c, invalid("digest", badDigest))
	}
	if _, ok := c.Env.Store().Get(blobKind, blobID(digest)); !ok {
		return refuse(c, &wire.Failure{Kind: wire.NotFound, Rule: "ollama.blob", Message: "blob " + strconv.Quote(digest) + " not found"})
	}
	return done()
}

// serveBlob takes a blob whose digest is right. Only the digest is kept.
func serveBlob(c *wire.Call) wire.Response {
	digest := c.Probe.Vars["digest"]
	if !isDigest(digest) {
		return refuse(c, invalid("digest", badDigest))
	}
	if _, ok := c.Env.Store().Get(blobKind, blobID(digest)); ok {
		return done()
	}
	sum := sha256.Sum256(c.Probe.Body)
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != digest {
		return refuse(c, invalid("digest", "digest mismatch, expected "+strconv.Quote(digest)+", got "+strconv.Quote(got)))
	}
	c.Env.Store().Put(blobKind, digest, wire.Object{})
	return wire.Response{Status: http.StatusCreated}
}

// version is the newest release whose Go module the tests use.
const version = "0.17.4"

func serveVersion(*wire.Call) wire.Response { return document([]byte(`{"version":"` + version + `"}`)) }

func serveStatus(*wire.Call) wire.Response {
	return document([]byte(`{"cloud":{"disabled":false,"source":"none"}}`))
}

// serveRoot answers the question whether anybody is there.
func serveRoot(*wire.Call) wire.Response {
	return wire.Response{
		Status: http.StatusOK, Header: wire.Header{{Name: "Content-Type", Value: "text/plain; charset=utf-8"}}, Body: []byte("Ollama is running"),
	}
}
