package ollama

import (
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// embeddings is the codec of embeddings: of /api/embed, or, where old is set, of /api/embeddings, which embeds one prompt
// and says nothing else.
type embeddings struct{ old bool }

// Decode reads the texts. An empty one is none: it only loads the model.
func (e embeddings) Decode(c *wire.Call) *wire.Failure {
	body, f := parseBody(c, e.form())
	if f != nil {
		return f
	}
	r := c.Request
	r.Native = &native{body: body}
	r.Model = body.Get("model").Str()
	r.UsualDimensions = usualWidth(r.Model)
	input := body.Get("input")
	if e.old {
		input = body.Get("prompt")
	} else if n, ok := body.Get("dimensions").Int(); ok && n > 0 && n <= 1<<16 {
		r.Dimensions = int(n)
	}
	if s := input.Str(); s != "" {
		r.Inputs = []string{s}
	}
	for _, item := range input.Items() {
		r.Inputs = append(r.Inputs, item.Str())
	}
	return nil
}

func (e embeddings) form() *form {
	if e.old {
		return embeddingForm
	}
	return embedForm
}

// Check yields what the server refuses.
func (e embeddings) Check(c *wire.Call) iter.Seq[wire.Violation] {
	rules := embedRules[:]
	if e.old {
		rules = embeddingRules[:]
	}
	return newExam(c, nativeOf(c).body, e.form()).violations(rules)
}

// ruleInput looks at what is neither a text nor a list of texts.
func ruleInput(x *exam) string {
	const said = "invalid input type"
	switch input := x.body.Get("input"); input.Kind() {
	case jsonx.Absent, jsonx.Null, jsonx.String:
		return ""
	case jsonx.Array:
		for _, item := range input.Items() {
			if item.Kind() != jsonx.String {
				return said
			}
		}
		return ""
	}
	return said
}

// Fit keeps the vectors, on the old path the first, and what the prompt counts.
func (e embeddings) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	r = wire.Complete(c, wire.Reply{Vectors: r.Vectors, Usage: r.Usage}, "")
	if r.Vectors == nil {
		r.Vectors = [][]float32{}
	}
	if e.old {
		r.Vectors, r.Usage = r.Vectors[:min(1, len(r.Vectors))], nil
		return r, nil
	}
	r.Usage = &wire.Usage{Input: r.Usage.Input}
	if len(r.Vectors) == 0 {
		r.Usage = nil
	}
	return r, nil
}

// Encode makes the encoder of the vectors. Once they leave, the model is loaded.
func (e embeddings) Encode(c *wire.Call) wire.Encoder {
	now := c.Env.Now().UTC()
	c.Remember = func() { load(c, nativeOf(c).body.Get("keep_alive"), now) }
	return &embedEncoder{c: c, old: e.old}
}

// Refuse is the server's error answer.
func (embeddings) Refuse(c *wire.Call, f *wire.Failure) wire.Response {
	if f.Kind == wire.ContextLength && f.Message == "" {
		g := *f
		g.Message = inputBig
		f = &g
	}
	return refuse(c, f)
}

type embedEncoder struct {
	c       *wire.Call
	old     bool
	vectors [][]float32
	tokens  int
}

// Append takes the vectors.
func (e *embedEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Op == wire.End {
		if ev.Rest != nil {
			e.vectors = ev.Rest.Vectors
		}
		if ev.Usage != nil {
			e.tokens = ev.Usage.Input
		}
	}
	return dst
}

// Head is never needed: embeddings are no stream.
func (e *embedEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, wire.Header{{Name: "Content-Type", Value: jsonType}}, wire.Raw{}
}

// Fail adds nothing, for the same reason.
func (e *embedEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the answer. The old path has 64-bit numbers, which show what 32 bits leave open; where there is nothing to
// embed there is nothing to measure.
func (e *embedEncoder) Whole() wire.Response {
	size := 256
	for _, v := range e.vectors {
		size += 16 + 24*len(v)
	}
	b := make([]byte, 0, size)
	if e.old {
		b = append(b, `{"embedding":[`...)
		if len(e.vectors) > 0 {
			for i, x := range e.vectors[0] {
				if i > 0 {
					b = append(b, ',')
				}
				b = jsonx.AppendFloat(b, float64(x))
			}
		}
		b = append(b, "]}"...)
	} else {
		b = appendString(append(b, `{"model":`...), e.c.Request.Model)
		b = append(b, `,"embeddings":[`...)
		for i, v := range e.vectors {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendVector(b, v)
		}
		b = append(b, ']')
		if len(e.vectors) > 0 {
			b = embedMetrics(b, e.c, e.tokens)
		}
		b = append(b, '}')
	}
	return wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: jsonType}}, Body: b}
}

func appendVector(b []byte, v []float32) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsonx.AppendFloat32(b, x)
	}
	return append(b, ']')
}

// Read reads the vectors of either path.
func (embeddings) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		v, f := readDocument(h, body)
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		lists := v.Get("embeddings")
		vectors := make([][]float32, 0, lists.Len())
		switch old := v.Get("embedding"); {
		case lists.Kind() == jsonx.Array:
			for _, list := range lists.Items() {
				vectors = append(vectors, readVector(list))
			}
		case old.Kind() == jsonx.Array:
			if old.Len() > 0 {
				vectors = append(vectors, readVector(old))
			}
		default:
			yield(wire.Event{}, unusable("the answer has no embeddings"))
			return
		}
		if yield(wire.Event{Op: wire.Begin, Head: &wire.Head{Model: v.Get("model").Str()}}, nil) {
			yield(wire.Event{Op: wire.End, Usage: usageOf(v), Rest: &wire.Reply{Vectors: vectors}}, nil)
		}
	}
}

func readVector(v jsonx.Value) []float32 {
	out := make([]float32, 0, v.Len())
	for _, item := range v.Items() {
		x, err := strconv.ParseFloat(item.Raw(), 32)
		if err != nil {
			x = 0
		}
		out = append(out, float32(x))
	}
	return out
}

// readDocument reads a whole JSON answer, or the failure that came instead.
func readDocument(h *wire.ResponseHead, body io.Reader) (jsonx.Value, *wire.Failure) {
	if h.Status >= 400 {
		return jsonx.Value{}, readFailure(h, body)
	}
	data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
	if err != nil {
		return jsonx.Value{}, broken(err)
	}
	v, err := jsonx.ParseBytes(data)
	if err != nil {
		return v, unusable("the answer is no JSON: " + err.Error())
	}
	if text, ok := v.Get("error").Text(); ok {
		return v, &wire.Failure{Kind: kindOf(0, text), Message: text, Sent: wire.Completed}
	}
	return v, nil
}

// load notes that a model is in memory, and until when.
func load(c *wire.Call, keepAlive jsonx.Value, now time.Time) {
	n, ok := nameOf(strings.TrimSpace(c.Request.Model))
	if !ok {
		return
	}
	until := keepFor(keepAlive)
	if until == 0 {
		c.Env.Store().Delete(loadedKind, n.key())
		return
	}
	c.Env.Store().Put(loadedKind, n.key(), wire.Object{Body: []byte(n.short()), Due: now.Add(until)})
}

// keepFor is how long a model stays loaded: five minutes where nobody says, for ever where the time is below 0.
func keepFor(v jsonx.Value) time.Duration {
	const forever, usual = 100 * 365 * 24 * time.Hour, 5 * time.Minute
	d := usual
	if seconds, ok := v.Float(); ok {
		d = forever
		if seconds*float64(time.Second) < float64(forever) {
			d = time.Duration(seconds * float64(time.Second))
		}
	} else if text, ok := v.Text(); ok {
		if parsed, err := time.ParseDuration(text); err == nil {
			d = parsed
		}
	}
	if d < 0 || d > forever {
		return forever
	}
	return d
}
