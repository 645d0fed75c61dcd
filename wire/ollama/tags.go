package ollama

import (
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// UsualModels are those that ollama.com/library lists first (Aug 2026), and the usual one for embeddings.
func (provider) UsualModels() []string {
	return []string{"gpt-oss:20b", "qwen3:8b", "gemma4:latest", "gemma3:4b", "llama3.2:latest", "deepseek-r1:8b", "nomic-embed-text:latest"}
}

// tags is the codec of the model list.
type tags struct{}

// Decode has nothing to read.
func (tags) Decode(*wire.Call) *wire.Failure { return nil }

// Check refuses nothing.
func (tags) Check(*wire.Call) iter.Seq[wire.Violation] { return func(func(wire.Violation) bool) {} }

// Fit adds what was pulled, created and copied, and leaves out what was deleted. Every name has its tag.
func (tags) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	return wire.Reply{Models: installed(c.Env.Store(), r.Models)}, nil
}

// Encode makes the encoder of a list.
func (tags) Encode(c *wire.Call) wire.Encoder { return &tagsEncoder{c: c} }

// Refuse is the server's error answer.
func (tags) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

type tagsEncoder struct {
	c     *wire.Call
	names []string
}

// Head is never needed: a list is no stream.
func (e *tagsEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, wire.Header{{Name: "Content-Type", Value: jsonType}}, wire.Raw{}
}

// Append takes the names.
func (e *tagsEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Rest != nil {
		e.names = ev.Rest.Models
	}
	return dst
}

// Fail adds nothing, for the same reason.
func (e *tagsEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the list, that which changed last first.
func (e *tagsEncoder) Whole() wire.Response {
	store := e.c.Env.Store()
	names := make([]name, len(e.names))
	for i, s := range e.names {
		n, ok := nameOf(s)
		if !ok {
			n.model = s
		}
		names[i] = n
	}
	slices.SortStableFunc(names, func(a, b name) int { return changed(store, b).Compare(changed(store, a)) })
	b := append(make([]byte, 0, 64+512*len(names)), `{"models":[`...)
	for i, n := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendModel(b, store, n)
	}
	return document(append(b, "]}"...))
}

func appendModel(b []byte, store wire.Store, n name) []byte {
	made := origin(store, n)
	f := describe(made)
	b = appendName(b, n)
	b = append(changed(store, n).AppendFormat(append(b, `,"modified_at":"`...), time.RFC3339Nano), '"')
	b = strconv.AppendInt(append(b, `,"size":`...), sizeOf(made), 10)
	b = append(append(append(b, `,"digest":"`...), digestOf("manifest", n)...), '"')
	b = appendDetails(append(b, `,"details":`...), made, parentOf(store, n), true)
	b = appendStrings(append(b, `,"capabilities":`...), f.can)
	return append(b, '}')
}

func appendName(b []byte, n name) []byte {
	b = appendString(append(b, `{"name":`...), n.short())
	return appendString(append(b, `,"model":`...), n.short())
}

// parentOf is the model that a model was made of, "" where it was not made here.
func parentOf(store wire.Store, n name) string {
	o, ok := store.Get(addedKind, n.key())
	if !ok {
		return ""
	}
	return modelOf(o).from
}

// appendDetails describes a model in short; lists say how long its context and its vectors are.
func appendDetails(b []byte, n name, parent string, lengths bool) []byte {
	f := describe(n)
	b = appendString(append(b, `{"parent_model":`...), parent)
	b = appendString(append(b, `,"format":"gguf","family":`...), f.arch)
	b = appendStrings(append(b, `,"families":`...), []string{f.arch})
	b = appendString(append(b, `,"parameter_size":`...), parameterSize(parameters(n)))
	b = appendString(append(b, `,"quantization_level":`...), quantization(f))
	if lengths {
		b = appendInt(append(b, `,"context_length":`...), f.context)
		b = appendInt(append(b, `,"embedding_length":`...), f.width)
	}
	return append(b, '}')
}

func quantization(f family) string {
	switch {
	case f.arch == "gptoss":
		return "MXFP4"
	case slices.Contains(f.can, canEmbed):
		return "F16"
	}
	return "Q4_K_M"
}

// Read reads the names of a list.
func (tags) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		v, f := readDocument(h, body)
		if f == nil && v.Get("models").Kind() != jsonx.Array {
			f = unusable("the answer is no list of models")
		}
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		names := []string{}
		for _, m := range v.Get("models").Items() {
			s := m.Get("name").Str()
			if s == "" {
				s = m.Get("model").Str()
			}
			names = append(names, s)
		}
		if yield(wire.Event{Op: wire.Begin}, nil) {
			yield(wire.Event{Op: wire.End, Rest: &wire.Reply{Models: names}}, nil)
		}
	}
}
