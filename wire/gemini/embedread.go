package gemini

import (
	"io"
	"iter"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Read reads the vectors back, from any of the three forms.
func (embeddings) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		if h.Status >= 400 {
			readError(h, body, yield)
			return
		}
		v, f := readObject(body)
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		reply, f := vectorsOf(v)
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		if yield(wire.Event{Op: wire.Begin}, nil) {
			yield(wire.Event{Op: wire.End, Usage: reply.Usage, Rest: &reply}, nil)
		}
	}
}

// readObject reads a body that is one JSON object.
func readObject(body io.Reader) (jsonx.Value, *wire.Failure) {
	data, err := io.ReadAll(body)
	if err != nil {
		return jsonx.Value{}, broken(err, false, nil)
	}
	v, err := jsonx.ParseBytes(data)
	if err != nil {
		return v, unusable("the answer is no JSON: "+err.Error(), false, nil)
	}
	if v.Kind() != jsonx.Object {
		return v, unusable("want an object as the answer, got "+v.Kind().String(), false, nil)
	}
	return v, nil
}

func vectorsOf(v jsonx.Value) (wire.Reply, *wire.Failure) {
	var reply wire.Reply
	add := func(values jsonx.Value) {
		vector := make([]float32, 0, values.Len())
		for _, item := range values.Items() {
			f, _ := item.Float()
			vector = append(vector, float32(f))
		}
		reply.Vectors = append(reply.Vectors, vector)
	}
	if one := v.Get("embedding"); one.Exists() {
		add(one.Get("values"))
	}
	for _, one := range v.Get("embeddings").Items() {
		add(one.Get("values"))
	}
	usage := wire.Usage{}
	for _, one := range v.Get("predictions").Items() {
		add(one.At("embeddings", "values"))
		if n := intOf(one.At("embeddings", "statistics", "token_count")); n != nil {
			usage.Input += int(*n)
			reply.Usage = &usage
		}
	}
	if n := intOf(v.At("usageMetadata", "promptTokenCount")); n != nil {
		usage.Input = int(*n)
		reply.Usage = &usage
	}
	if reply.Vectors == nil && !v.Get("embeddings").Exists() && !v.Get("predictions").Exists() {
		return reply, unusable("the answer has no embedding", false, nil)
	}
	return reply, nil
}
