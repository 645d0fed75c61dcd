package gemini

import (
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// embeddings is the codec of the three ways to embed texts.
type embeddings struct{ form embedForm }

type embedForm uint8

const (
	single embedForm = iota
	batch
	predicted // Vertex's :predict
)

// embedsTexts tells an embedding from what else is predicted, by the model's name, or by instances that have a content.
func embedsTexts(p *wire.Probe) bool {
	if strings.Contains(p.Path, "/publishers/") && !strings.Contains(p.Path, "/publishers/google/") {
		return false
	}
	if name := p.Vars["model"]; strings.Contains(name, "embedding") {
		return true
	}
	v, err := jsonx.ParseBytes(p.Body)
	return err == nil && v.At("instances", 0, "content").Exists()
}

const usualDimensions = 3072

// dimensionsOf is the length of a model's vectors where nobody says: ai.google.dev/gemini-api/docs/embeddings and
// docs.cloud.google.com/vertex-ai/generative-ai/docs/embeddings, Aug 2026.
func dimensionsOf(model string) int {
	for _, m := range [...]struct {
		name string
		n    int
	}{
		{"text-embedding-", 768},
		{"text-multilingual-embedding-", 768},
		{"textembedding-gecko", 768},
		{"embedding-001", 768},
		{"multimodalembedding", 1408},
	} {
		if strings.HasPrefix(model, m.name) {
			return m.n
		}
	}
	return usualDimensions
}

// Decode reads the texts. The dimensions of a batch are the body's, or those of the first request that has them.
func (m embeddings) Decode(c *wire.Call) *wire.Failure {
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	r := c.Request
	r.Version = versionOf(c.Probe.Path)
	r.Model = c.Probe.Vars["model"]
	r.UsualDimensions = dimensionsOf(r.Model)
	r.Native = &native{body: body}
	r.Dimensions = dimensionsAsked(body)
	switch m.form {
	case single:
		r.Inputs = []string{textsOf(pick(body, "content"))}
	case batch:
		for _, one := range each(pick(body, "requests")) {
			r.Inputs = append(r.Inputs, textsOf(pick(one, "content")))
			if r.Dimensions == 0 {
				r.Dimensions = dimensionsAsked(one)
			}
		}
	case predicted:
		for _, one := range each(pick(body, "instances")) {
			r.Inputs = append(r.Inputs, pick(one, "content").Str())
		}
		if r.Dimensions == 0 {
			r.Dimensions = dimensionsAsked(pick(body, "parameters"))
		}
	}
	return nil
}

const mostDimensions = 1 << 16

func dimensionsAsked(v jsonx.Value) int {
	n := intOf(pick(v, "outputDimensionality"))
	if n == nil { // as Vertex has it
		n = intOf(pick(pick(v, "embedContentConfig"), "outputDimensionality"))
	}
	if n == nil || *n < 1 || *n > mostDimensions {
		return 0
	}
	return int(*n)
}

// textsOf is the texts of a content, a line each.
func textsOf(content jsonx.Value) string {
	if s, ok := content.Text(); ok {
		return s
	}
	var all []string
	for _, p := range each(pick(content, "parts")) {
		if s, ok := pick(p, "text").Text(); ok {
			all = append(all, s)
		}
	}
	return strings.Join(all, "\n")
}

// Check looks at the body.
func (m embeddings) Check(c *wire.Call) iter.Seq[wire.Violation] {
	x := &exam{call: c, body: nativeOf(c).body, s: surfaceOf(c), message: embedMessages[m.form]}
	switch m.form {
	case single:
		return violations(x, messageRules[:], embedRules[:])
	case batch:
		return violations(x, messageRules[:], batchRules[:])
	}
	return violations(x, messageRules[:], predictRules[:])
}

// Fit leaves the vectors, and the count of tokens where there is one.
func (m embeddings) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	out := wire.Reply{Vectors: r.Vectors}
	if !m.counts(c) {
		return out, nil
	}
	out.Usage = &wire.Usage{}
	if r.Usage != nil {
		out.Usage.Input = r.Usage.Input
	}
	if out.Usage.Input == 0 {
		for _, text := range c.Request.Inputs {
			out.Usage.Input += max(1, wire.Tokens(text))
		}
	}
	return out, nil
}

// counts says whether tokens are counted: by Vertex, and on AI Studio by the models since gemini-embedding-2 (recorded
// 2026-08: gemini-embedding-001 counts none).
func (m embeddings) counts(c *wire.Call) bool {
	if m.form == predicted || c.Probe.Dialect == vertexName {
		return true
	}
	return strings.HasPrefix(c.Request.Model, "gemini-embedding-2")
}

// Refuse is the provider's error answer.
func (embeddings) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

// Encode makes the encoder of an answer.
func (m embeddings) Encode(c *wire.Call) wire.Encoder { return &vectorEncoder{call: c, codec: m} }

type vectorEncoder struct {
	call    *wire.Call
	codec   embeddings
	vectors [][]float32
	usage   wire.Usage
}

// Head is never used: embeddings do not stream.
func (e *vectorEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, answerHeader(e.call, false), wire.Raw{}
}

// Append takes note of the vectors and the usage.
func (e *vectorEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Usage != nil {
		e.usage = *ev.Usage
	}
	if ev.Rest != nil {
		e.vectors = ev.Rest.Vectors
	}
	return dst
}

// Fail adds nothing.
func (e *vectorEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the answer in the form of its method.
func (e *vectorEncoder) Whole() wire.Response {
	size := 256
	for _, v := range e.vectors {
		size += 16 * len(v)
	}
	b := make([]byte, 0, size)
	if e.codec.form == predicted {
		b = e.appendPredictions(b)
	} else {
		b = e.appendEmbeddings(b)
	}
	return wire.Response{Status: 200, Header: answerHeader(e.call, false), Body: pretty(b, plainPrint(e.call))}
}

func (e *vectorEncoder) appendEmbeddings(b []byte) []byte {
	if e.codec.form == single {
		b = append(b, `{"embedding": `...)
		if len(e.vectors) == 0 {
			b = append(b, "{}"...)
		} else {
			b = appendValues(b, e.vectors[0])
		}
	} else {
		b = append(b, `{"embeddings": [`...)
		for i, v := range e.vectors {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValues(b, v)
		}
		b = append(b, ']')
	}
	if e.codec.counts(e.call) {
		// Recorded: AI Studio's details are promptTokenDetails here, without the s of chat.
		details := "promptTokenDetails"
		if e.call.Probe.Dialect == vertexName {
			details = "promptTokensDetails"
		}
		b = appendInt(append(b, `,"usageMetadata": {"promptTokenCount": `...), e.usage.Input)
		b = append(appendModality(appendKey(b, details), e.usage.Input, false), '}')
	}
	return append(b, '}')
}

func appendValues(b []byte, v []float32) []byte {
	b = append(b, `{"values": [`...)
	for i, f := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendGoogleFloat(b, float64(f), 32)
	}
	return append(b, "]}"...)
}

// appendPredictions writes Vertex's older form: snake_case inside, numbers as doubles with all their digits (recorded).
func (e *vectorEncoder) appendPredictions(b []byte) []byte {
	b = append(b, `{"predictions": [`...)
	left, characters := e.usage.Input, 0
	for i, v := range e.vectors {
		if i > 0 {
			b = append(b, ',')
		}
		n := left
		if i < len(e.vectors)-1 && i < len(e.call.Request.Inputs) {
			n = min(left, max(1, wire.Tokens(e.call.Request.Inputs[i])))
		}
		left -= n
		b = append(b, `{"embeddings": {"values": [`...)
		for j, f := range v {
			if j > 0 {
				b = append(b, ',')
			}
			b = appendGoogleFloat(b, float64(f), 64)
		}
		b = appendInt(append(b, `],"statistics": {"token_count": `...), n)
		b = append(b, `,"truncated": false}}}`...)
	}
	for _, text := range e.call.Request.Inputs {
		characters += billableText(text)
	}
	return append(appendInt(append(b, `],"metadata": {"billableCharacterCount": `...), characters), "}}"...)
}
