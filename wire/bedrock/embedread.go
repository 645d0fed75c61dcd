package bedrock

import (
	"io"
	"iter"
	"strconv"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads the vectors, in whichever form they come.
func (embeddings) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		v, f := readBody(h, body)
		var vectors [][]float32
		if f == nil {
			vectors, f = readVectors(v)
		}
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		u := aws.ReadCounts(h)
		if n, ok := v.Get("inputTextTokenCount").Int(); ok && n >= 0 && n < 1<<40 {
			u = &wire.Usage{Input: int(n)}
		}
		if u != nil {
			u.Output = 0
		}
		if yield(wire.Event{Op: wire.Begin, Head: headOf(h)}, nil) {
			yield(wire.Event{Op: wire.End, Usage: u, Rest: &wire.Reply{Vectors: vectors}}, nil)
		}
	}
}

// readVectors finds the vectors: Titan's one, Cohere's list, by type or not, or Nova's with their kinds.
func readVectors(v jsonx.Value) ([][]float32, *wire.Failure) {
	if message, ok := v.Get("message").Text(); ok && message != "" {
		// Titan's image model says in a 200 answer that it failed.
		return nil, &wire.Failure{Kind: wire.Invalid, Status: 200, Message: message, Sent: wire.Completed}
	}
	if one := v.Get("embedding"); one.Kind() == jsonx.Array {
		return readList([]jsonx.Value{one})
	}
	if types := v.Get("embeddingsByType"); types.Kind() == jsonx.Object {
		for _, one := range types.Members() {
			return readList([]jsonx.Value{one})
		}
	}
	list := v.Get("embeddings")
	if list.Kind() == jsonx.Object {
		byType := list
		if list = byType.Get("float"); !list.Exists() {
			for _, first := range byType.Members() {
				list = first
				break
			}
		}
	}
	if list.Kind() != jsonx.Array {
		return nil, unusable("the answer has no embeddings", false, nil)
	}
	all := make([]jsonx.Value, 0, list.Len())
	for _, item := range list.Items() {
		if item.Kind() == jsonx.Object {
			item = item.Get("embedding")
		}
		all = append(all, item)
	}
	return readList(all)
}

func readList(list []jsonx.Value) ([][]float32, *wire.Failure) {
	vectors := make([][]float32, len(list))
	for i, v := range list {
		vectors[i] = make([]float32, 0, v.Len())
		for _, item := range v.Items() {
			x, err := strconv.ParseFloat(item.Raw(), 32)
			if err != nil {
				return nil, unusable("embedding "+strconv.Itoa(i)+" has "+item.Raw()+" among its numbers", false, nil)
			}
			vectors[i] = append(vectors[i], float32(x))
		}
	}
	return vectors, nil
}
