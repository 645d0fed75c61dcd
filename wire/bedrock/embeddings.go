package bedrock

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// embeddings is the codec of InvokeModel for models that embed: Titan, Cohere and Nova.
type embeddings struct{}

// embedForm is whose body it is.
type embedForm uint8

const (
	titanEmbed embedForm = iota
	titanEmbedFirst
	titanEmbedImage
	cohereEmbed
	novaEmbed
)

// embedAsked is what a request wants of the form of its answer.
type embedAsked struct {
	body jsonx.Value
	form embedForm
	// types are the kinds of numbers that were asked for, in the request's order; none are plain floats.
	types []string
	// image says that a picture is embedded.
	image bool
}

// claimsEmbeddings tells a body to embed from a chat's: by the model's name, else by what only such a body has.
func claimsEmbeddings(p *wire.Probe) bool {
	if strings.Contains(baseModel(p.Vars["id"]), "embed") {
		return true
	}
	for _, key := range [...]string{`"inputText"`, `"texts"`, `"singleEmbeddingParams"`} {
		if bytes.Contains(p.Body, []byte(key)) {
			v, err := jsonx.ParseBytes(p.Body)
			_, ok := embedFormOf(p.Vars["id"], v)
			return err == nil && ok
		}
	}
	return false
}

// embedFormOf tells the form by the model, else by the body.
func embedFormOf(model string, body jsonx.Value) (embedForm, bool) {
	switch {
	case is(model, "amazon.titan-embed-image"):
		return titanEmbedImage, true
	case is(model, "amazon.titan-embed-text-v1"), is(model, "amazon.titan-embed-g1"):
		return titanEmbedFirst, true
	case is(model, "amazon.titan-embed"):
		return titanEmbed, true
	case is(model, "cohere.embed"):
		return cohereEmbed, true
	case is(model, "amazon.nova") && strings.Contains(model, "embed"):
		return novaEmbed, true
	case body.Get("singleEmbeddingParams").Exists():
		return novaEmbed, true
	case body.Get("texts").Exists():
		return cohereEmbed, true
	case body.Get("inputText").Exists() && !body.Get("textGenerationConfig").Exists() && !is(model, "amazon.titan-t"):
		return titanEmbed, true
	}
	return titanEmbed, false
}

// Decode reads the texts to embed.
func (embeddings) Decode(c *wire.Call) *wire.Failure {
	r := c.Request
	a := &embedAsked{}
	r.Native, r.Model = a, c.Probe.Vars["id"]
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	a.body = body
	a.form, _ = embedFormOf(r.Model, body)
	dimensions := jsonx.Value{}
	switch a.form {
	case cohereEmbed:
		decodeCohere(r, a)
		dimensions = body.Get("output_dimension")
	case novaEmbed:
		params := body.Get("singleEmbeddingParams")
		r.Inputs = []string{params.At("text", "value").Str()}
		a.image = !params.Get("text").Exists()
		dimensions = params.Get("embeddingDimension")
		if !dimensions.Exists() {
			dimensions = body.Get("embeddingDimension")
		}
	case titanEmbedImage:
		r.Inputs = []string{body.Get("inputText").Str()}
		dimensions = body.At("embeddingConfig", "outputEmbeddingLength")
	default:
		r.Inputs = []string{body.Get("inputText").Str()}
		a.types = textsOf(body.Get("embeddingTypes"))
		dimensions = body.Get("dimensions")
	}
	if n, ok := dimensions.Int(); ok && n > 0 && n <= 1<<16 {
		r.Dimensions = int(n)
	}
	r.UsualDimensions = usualDimensions(r.Model)
	return nil
}

// decodeCohere reads texts, images, or what is mixed of both.
func decodeCohere(r *wire.Request, a *embedAsked) {
	r.Inputs = textsOf(a.body.Get("texts"))
	for _, image := range a.body.Get("images").Items() {
		r.Inputs = append(r.Inputs, image.Str())
	}
	for _, input := range a.body.Get("inputs").Items() {
		text := ""
		for _, b := range input.Get("content").Items() {
			text = joinLines(text, b.Get("text").Str())
		}
		r.Inputs = append(r.Inputs, text)
	}
	a.types = textsOf(a.body.Get("embedding_types"))
}

// usualDimensions is how long a model's vectors are where nobody says (docs.aws.amazon.com/bedrock/latest/userguide, Nov
// 2026).
func usualDimensions(model string) int {
	switch {
	case is(model, "amazon.titan-embed-text-v1"), is(model, "amazon.titan-embed-g1"), is(model, "cohere.embed-v4"):
		return 1536
	case is(model, "amazon.nova") && strings.Contains(model, "embed"):
		return 3072
	}
	return 1024
}

// Fit keeps one vector for each input, and the count of the prompt.
func (embeddings) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	r = wire.Complete(c, wire.Reply{Vectors: r.Vectors, Usage: r.Usage}, "")
	r.Usage = &wire.Usage{Input: r.Usage.Input}
	return r, nil
}

// Refuse is the provider's error answer.
func (embeddings) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

// Encode makes the encoder of the vectors.
func (embeddings) Encode(c *wire.Call) wire.Encoder {
	e := &embedEncoder{c: c, asked: &embedAsked{}}
	if a, ok := c.Request.Native.(*embedAsked); ok {
		e.asked = a
	}
	return e
}

type embedEncoder struct {
	c       *wire.Call
	asked   *embedAsked
	vectors [][]float32
	usage   wire.Usage
}

// Append takes the vectors.
func (e *embedEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Op == wire.End {
		if ev.Usage != nil {
			e.usage = *ev.Usage
		}
		if ev.Rest != nil {
			e.vectors = ev.Rest.Vectors
		}
	}
	return dst
}

// Head is never needed: embeddings are no stream.
func (e *embedEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, aws.Head(e.c), wire.Raw{}
}

// Fail adds nothing, for the same reason.
func (e *embedEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the answer, in the model's own form.
func (e *embedEncoder) Whole() wire.Response {
	size := 256
	for _, v := range e.vectors {
		size += 64 + len(v)*26
	}
	b := make([]byte, 0, size)
	switch e.asked.form {
	case cohereEmbed:
		b = e.cohere(b)
	case novaEmbed:
		b = e.nova(b)
	default:
		b = e.titan(b)
	}
	return wire.Response{Status: 200, Header: aws.InvokeHead(e.c, e.usage, aws.Counts{NoOutput: true}), Body: b}
}

func (e *embedEncoder) first() []float32 {
	if len(e.vectors) == 0 {
		return nil
	}
	return e.vectors[0]
}

// titan writes one vector; the second generation has it by type as well.
func (e *embedEncoder) titan(b []byte) []byte {
	v := e.first()
	b = append(b, '{')
	types := e.asked.types
	if len(types) == 0 {
		types = []string{"float"}
	}
	second := e.asked.form == titanEmbed
	if !second || slices.Contains(types, "float") {
		b = append(appendFloats(append(b, `"embedding":`...), v), ',')
	}
	if second {
		b = append(b, `"embeddingsByType":{`...)
		for i, t := range types {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(jsonx.AppendString(b, t), ':')
			if t == "binary" {
				b = appendBits(b, v)
			} else {
				b = appendFloats(b, v)
			}
		}
		b = append(b, `},`...)
	}
	b = appendInt(append(b, `"inputTextTokenCount":`...), e.usage.Input)
	if e.asked.form == titanEmbedImage {
		b = append(b, `,"message":null`...)
	}
	return append(b, '}')
}

// cohere writes a list of vectors, or one for each type that was asked for. Recorded 2026: id, texts, embeddings,
// response_type.
func (e *embedEncoder) cohere(b []byte) []byte {
	b = jsonx.AppendString(append(b, `{"id":`...), aws.RequestID(e.c))
	b = append(b, `,"texts":[`...)
	for i, s := range textsOf(e.asked.body.Get("texts")) {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonx.AppendString(b, s)
	}
	b = append(b, `],"embeddings":`...)
	if len(e.asked.types) == 0 {
		b = e.list(b, appendFloats)
		return append(b, `,"response_type":"embeddings_floats"}`...)
	}
	for i, t := range e.asked.types {
		if i == 0 {
			b = append(b, '{')
		} else {
			b = append(b, ',')
		}
		b = append(jsonx.AppendString(b, t), ':')
		b = e.list(b, numbersOf(t))
	}
	return append(b, `},"response_type":"embeddings_by_type"}`...)
}

func (e *embedEncoder) list(b []byte, number func([]byte, []float32) []byte) []byte {
	b = append(b, '[')
	for i, v := range e.vectors {
		if i > 0 {
			b = append(b, ',')
		}
		b = number(b, v)
	}
	return append(b, ']')
}

// nova writes a list of vectors with what was embedded (recorded 2026-08).
func (e *embedEncoder) nova(b []byte) []byte {
	kind := "TEXT"
	if e.asked.image {
		kind = "IMAGE"
	}
	b = append(b, `{"embeddings":[`...)
	for i, v := range e.vectors {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, `{"embeddingType":"`...), kind...), `","embedding":`...)
		b = append(appendFloats(b, v), '}')
	}
	return append(b, `]}`...)
}

// numbersOf is how vectors of a type are written.
func numbersOf(t string) func([]byte, []float32) []byte {
	switch t {
	case "int8":
		return func(b []byte, v []float32) []byte { return appendScaled(b, v, 0) }
	case "uint8":
		return func(b []byte, v []float32) []byte { return appendScaled(b, v, 128) }
	case "binary":
		return func(b []byte, v []float32) []byte { return appendPacked(b, v, 128) }
	case "ubinary":
		return func(b []byte, v []float32) []byte { return appendPacked(b, v, 0) }
	}
	return appendFloats
}

func appendFloats(b []byte, v []float32) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonx.AppendFloat32(b, x)
	}
	return append(b, ']')
}

// appendBits writes 1 where a number is positive.
func appendBits(b []byte, v []float32) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		if x > 0 {
			b = append(b, '1')
		} else {
			b = append(b, '0')
		}
	}
	return append(b, ']')
}

// appendScaled writes numbers from -1 to 1 as -127 to 127, and base more.
func appendScaled(b []byte, v []float32, base int64) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(x*127)+base, 10)
	}
	return append(b, ']')
}

// appendPacked writes eight signs a number, and base less.
func appendPacked(b []byte, v []float32, base int64) []byte {
	b = append(b, '[')
	for i := 0; i < len(v); i += 8 {
		if i > 0 {
			b = append(b, ',')
		}
		var n int64
		for j := i; j < min(i+8, len(v)); j++ {
			if v[j] > 0 {
				n |= 1 << (7 - (j - i))
			}
		}
		b = strconv.AppendInt(b, n-base, 10)
	}
	return append(b, ']')
}
