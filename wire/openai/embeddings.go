package openai

import (
	"encoding/base64"
	"encoding/binary"
	"io"
	"iter"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// embeddings is POST /embeddings.
type embeddings struct{}

// claimsEmbeddings leaves Ollama's older path to Ollama.
func claimsEmbeddings(p *wire.Probe) bool { return !strings.HasSuffix(p.Path, "/api/embeddings") }

// embedAsked is what a request wants of the form of its answer.
type embedAsked struct {
	body   jsonx.Value
	base64 bool
}

// Decode reads the inputs: a text, a list of texts, a list of token numbers, which is one input, or a list of such lists.
// Tokens are embedded as the text of their list.
func (embeddings) Decode(c *wire.Call) *wire.Failure {
	a := &embedAsked{}
	c.Request.Native = a
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	r := c.Request
	r.Stream = false
	a.body = body
	a.base64 = body.Get("encoding_format").Str() == "base64"
	r.Inputs = inputTexts(body.Get("input"))
	if n, ok := body.Get("dimensions").Int(); ok && n > 0 && n <= 1<<16 {
		r.Dimensions = int(n)
	}
	r.UsualDimensions = usualDimensions(r.Model)
	return nil
}

func inputTexts(v jsonx.Value) []string {
	switch v.Kind() {
	case jsonx.String:
		return []string{v.Str()}
	case jsonx.Array:
		if v.Index(0).Kind() == jsonx.Number {
			return []string{compactText(v)}
		}
		texts := make([]string, 0, v.Len())
		for _, item := range v.Items() {
			if s, ok := item.Text(); ok {
				texts = append(texts, s)
			} else {
				texts = append(texts, compactText(item))
			}
		}
		return texts
	}
	return nil
}

func compactText(v jsonx.Value) string { return string(jsonx.AppendCompact(nil, v.Raw())) }

// usualDimensions is how long a model's vectors are where nobody says (general knowledge of 2026).
func usualDimensions(model string) int {
	switch model = baseModel(model); {
	case strings.HasPrefix(model, "text-embedding-3-large"):
		return 3072
	case strings.HasPrefix(model, "mistral-embed"), strings.HasPrefix(model, "embed-"), strings.HasPrefix(model, "Cohere-embed"):
		return 1024
	case strings.HasPrefix(model, "voyage-3-lite"):
		return 512
	case strings.HasPrefix(model, "voyage-"):
		return 1024
	case strings.HasPrefix(model, "gemini-embedding"):
		return 3072
	}
	return 1536
}

// Fit keeps one vector for each input, and the count of the prompt.
func (embeddings) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	r = wire.Complete(c, wire.Reply{Vectors: r.Vectors, Usage: r.Usage}, "")
	r.Usage = &wire.Usage{Input: r.Usage.Input}
	return r, nil
}

// Encode makes the encoder of the vectors.
func (embeddings) Encode(c *wire.Call) wire.Encoder {
	e := &embedEncoder{c: c, p: profileOf(c)}
	if a, ok := c.Request.Native.(*embedAsked); ok {
		e.base64 = a.base64
	}
	if e.p.q.EmbeddingsIgnoreEncoding {
		e.base64 = !e.base64
	}
	return e
}

// Refuse is the speaker's error answer.
func (embeddings) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

type embedEncoder struct {
	c       *wire.Call
	p       *profile
	base64  bool
	vectors [][]float32
	usage   *wire.Usage
	at      int
}

// Append takes the vectors.
func (e *embedEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Op == wire.End {
		e.usage = ev.Usage
		if ev.Rest != nil {
			e.vectors = ev.Rest.Vectors
		}
	}
	return dst
}

// Head is never needed: embeddings are no stream.
func (e *embedEncoder) Head() (int, wire.Header, wire.Framing) {
	return http.StatusOK, e.p.bodyHead(e.c), wire.Raw{}
}

// Fail adds nothing, for the same reason.
func (e *embedEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the answer. OpenAI has two layouts: numbers come on one line with the index last, base64 comes indented with
// the index before the embedding (recorded 2025-2026).
func (e *embedEncoder) Whole() wire.Response {
	size := 256
	for _, v := range e.vectors {
		size += 64 + len(v)*12
	}
	l := e.p.l[embeddingsLayout]
	if e.base64 {
		l = e.p.l[embeddings64Layout]
	}
	body := l.append(make([]byte, 0, size), e)
	if e.base64 && e.p.q.LineEnd {
		body = append(body, '\n')
	}
	return wire.Response{Status: http.StatusOK, Header: e.p.bodyHead(e.c), Body: body}
}

func (e *embedEncoder) fill(dst []byte, s slot) ([]byte, bool) {
	switch s {
	case slotID:
		return jsonx.AppendString(dst, e.p.responseID(e.c, 0)), true
	case slotModel:
		return jsonx.AppendString(dst, e.c.Request.Model), true
	case slotUsage:
		l := e.p.l[embeddingsUsageLayout]
		if e.base64 {
			l = e.p.l[embeddings64UsageLayout]
		}
		u := wire.Usage{}
		if e.usage != nil {
			u = *e.usage
		}
		return l.append(dst, &usageFiller{u: &u}), true
	case slotData:
		return e.data(dst), true
	case slotVectorIndex:
		return appendInt(dst, e.at), true
	case slotVector:
		if e.base64 {
			return appendBase64(dst, e.vectors[e.at]), true
		}
		return appendFloats(dst, e.vectors[e.at]), true
	}
	return dst, false
}

func (e *embedEncoder) data(dst []byte) []byte {
	element := func(dst []byte, i int) []byte {
		e.at = i
		if e.p.q.EmbeddingsShuffle {
			e.at = len(e.vectors) - 1 - i
		}
		if e.base64 {
			return e.p.l[embedding64Layout].append(dst, e)
		}
		return e.p.l[embeddingLayout].append(dst, e)
	}
	if e.base64 {
		return e.p.list(dst, len(e.vectors), element)
	}
	return (&profile{}).list(dst, len(e.vectors), element)
}

func appendFloats(dst []byte, v []float32) []byte {
	dst = append(dst, '[')
	for i, x := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendFloat32(dst, x)
	}
	return append(dst, ']')
}

// appendBase64 writes the little-endian bytes of the numbers.
func appendBase64(dst []byte, v []float32) []byte {
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), raw), '"')
}

// Read reads the vectors in the order of their indexes, whichever way they are written.
func (embeddings) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		v, f := readBody(h, body)
		if f == nil && v.Get("data").Kind() != jsonx.Array {
			f = unusable("the body has no embeddings", nil)
		}
		var vectors [][]float32
		if f == nil {
			vectors, f = readVectors(v.Get("data"))
		}
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		usage := usageOf(v)
		if usage != nil {
			total, _ := v.At("usage", "total_tokens").Int()
			usage = &wire.Usage{Input: max(usage.Input, int(min(max(total, 0), math.MaxInt32)))}
		}
		if yield(wire.Event{Op: wire.Begin, Head: &wire.Head{ID: v.Get("id").Str(), Model: v.Get("model").Str()}}, nil) {
			yield(wire.Event{Op: wire.End, Usage: usage, Rest: &wire.Reply{Vectors: vectors}}, nil)
		}
	}
}

func readVectors(data jsonx.Value) ([][]float32, *wire.Failure) {
	vectors := make([][]float32, data.Len())
	for i, item := range data.Items() {
		at := i
		if n, ok := item.Get("index").Int(); ok && n >= 0 && n < int64(len(vectors)) {
			at = int(n)
		}
		vector, err := readVector(item.Get("embedding"))
		if err != nil {
			return nil, unusable("embedding "+strconv.Itoa(i), err)
		}
		vectors[at] = vector
	}
	return vectors, nil
}

func readVector(v jsonx.Value) ([]float32, error) {
	if text, ok := v.Text(); ok {
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, err
		}
		vector := make([]float32, len(raw)/4)
		for i := range vector {
			vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		return vector, nil
	}
	vector := make([]float32, 0, v.Len())
	for _, item := range v.Items() {
		x, err := strconv.ParseFloat(item.Raw(), 32)
		if err != nil {
			return nil, err
		}
		vector = append(vector, float32(x))
	}
	return vector, nil
}
