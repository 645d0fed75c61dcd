package ollama

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// What a machine keeps in its store: models that were added, each with the model that it is made of; models that were
// deleted; models in memory, with the time at which they leave it; blobs.
const (
	addedKind  = "ollama.added"
	goneKind   = "ollama.gone"
	loadedKind = "ollama.loaded"
	blobKind   = "ollama.blob"
)

// installed are the models of the machine: those that were added, newest first, then those that the list has, without
// those that were deleted.
func installed(store wire.Store, listed []string) []string {
	out := make([]string, 0, len(listed))
	seen := map[string]bool{}
	add := func(s string) {
		if key := keyOf(s); !seen[key] {
			seen[key] = true
			out = append(out, shown(s))
		}
	}
	var added []string
	for _, o := range store.List(addedKind) {
		added = append(added, modelOf(o).name)
	}
	slices.Sort(added)
	for _, s := range added {
		add(s)
	}
	for _, s := range listed {
		if _, gone := store.Get(goneKind, keyOf(s)); !gone {
			add(s)
		}
	}
	return out
}

// has says whether the machine has a model.
func has(c *wire.Call, n name) bool {
	if _, ok := c.Env.Store().Get(addedKind, n.key()); ok {
		return true
	}
	return slices.ContainsFunc(c.Env.Models(), func(s string) bool { return keyOf(s) == n.key() }) && !isGone(c.Env.Store(), n)
}

// isGone says whether a model was deleted, and did not come back.
func isGone(store wire.Store, n name) bool {
	_, gone := store.Get(goneKind, n.key())
	return gone
}

// model is one that was added: its name, and the model that it is made of, or "".
type model struct{ name, from string }

func modelOf(o wire.Object) model {
	name, from, _ := strings.Cut(string(o.Body), "\n")
	return model{name, from}
}

// add puts a model on the machine.
func add(c *wire.Call, n name, from string) {
	store := c.Env.Store()
	store.Delete(goneKind, n.key())
	store.Put(addedKind, n.key(), wire.Object{Body: []byte(n.short() + "\n" + from), Due: c.Env.Now().UTC()})
}

// remove deletes a model, from memory too.
func remove(c *wire.Call, n name) {
	store := c.Env.Store()
	store.Delete(addedKind, n.key())
	store.Delete(loadedKind, n.key())
	store.Put(goneKind, n.key(), wire.Object{})
}

// origin is the name whose weights a model has: its own, or that of the model that it was made of.
func origin(store wire.Store, n name) name {
	for range 8 {
		o, ok := store.Get(addedKind, n.key())
		if !ok {
			break
		}
		from, ok := nameOf(modelOf(o).from)
		if !ok {
			break
		}
		n = from
	}
	return n
}

// changed is when a model came to the machine. Those that were there from the start came at the start of 2026.
func changed(store wire.Store, n name) time.Time {
	if o, ok := store.Get(addedKind, n.key()); ok && !o.Due.IsZero() {
		return o.Due
	}
	return time.Date(2026, time.January, 2, 9, 0, 0, 0, time.UTC)
}

// digestOf is the digest of something made up, in 64 hex digits.
func digestOf(what string, n name) string {
	sum := sha256.Sum256([]byte("mimus " + what + " " + n.key()))
	return hex.EncodeToString(sum[:])
}

// sizeOf is how many bytes a model has: about five bits a parameter.
func sizeOf(n name) int64 { return int64(parameters(n) * 0.63e9) }
