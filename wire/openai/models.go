package openai

import (
	"io"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// models is GET /models.
type models struct{}

// claimsModels leaves the lists of Anthropic, Gemini and Vertex, which have the same path, to them: their requests differ
// by headers, a query and what is before it in the path. Gemini's own OpenAI form lies below /openai/.
func claimsModels(p *wire.Probe) bool {
	if p.Header.Get("Anthropic-Version") != "" || strings.Contains(p.Path, "/publishers/") {
		return false
	}
	if strings.Contains(p.Path, "/openai/") {
		return true
	}
	return p.Header.Get("X-Goog-Api-Key") == "" && !p.Query.Has("key") && !strings.Contains(p.Path, "/v1beta/")
}

// UsualModels are the names of a list that nobody gave : a choice of those that OpenAI had in 2026.
func (provider) UsualModels() []string {
	return []string{
		"gpt-5.1", "gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-4o", "gpt-4o-mini",
		"o3", "o4-mini", "text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002",
	}
}

// Decode has nothing to read.
func (models) Decode(c *wire.Call) *wire.Failure {
	c.Request.Version = c.Probe.Query.Get("api-version")
	return nil
}

// Check refuses nothing.
func (models) Check(*wire.Call) iter.Seq[wire.Violation] { return func(func(wire.Violation) bool) {} }

// Fit keeps the names.
func (models) Fit(_ *wire.Call, r wire.Reply) (wire.Reply, []error) {
	names := r.Models
	if names == nil {
		names = []string{}
	}
	return wire.Reply{Models: names}, nil
}

// Encode makes the encoder of a list.
func (models) Encode(c *wire.Call) wire.Encoder { return &modelsEncoder{c: c, p: profileOf(c)} }

// Refuse is the speaker's error answer.
func (models) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

// Read reads the names of a list.
func (models) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		v, f := readBody(h, body)
		if f == nil && v.Get("data").Kind() != jsonx.Array {
			f = unusable("the body is no list of models", nil)
		}
		if f != nil {
			yield(wire.Event{}, f)
			return
		}
		names := []string{}
		for _, m := range v.Get("data").Items() {
			names = append(names, m.Get("id").Str())
		}
		if yield(wire.Event{Op: wire.Begin}, nil) {
			yield(wire.Event{Op: wire.End, Rest: &wire.Reply{Models: names}}, nil)
		}
	}
}

// readBody reads a whole JSON body, or the failure that came instead.
func readBody(h *wire.ResponseHead, body io.Reader) (jsonx.Value, *wire.Failure) {
	if h.Status >= 300 {
		return jsonx.Value{}, readFailure(h, body)
	}
	text, err := io.ReadAll(io.LimitReader(body, maxBody))
	if err != nil {
		return jsonx.Value{}, broken(err, len(text) > 0)
	}
	v, err := jsonx.ParseBytes(text)
	if err != nil {
		return v, unusable("the body is no JSON ("+plainText(string(text))+")", err)
	}
	return v, errorIn(v, text)
}

// modelsEncoder lists models, or describes one.
type modelsEncoder struct {
	c     *wire.Call
	p     *profile
	names []string
	name  string
}

// Append takes the names.
func (e *modelsEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Op == wire.End && ev.Rest != nil {
		e.names = ev.Rest.Models
	}
	return dst
}

// Head is never needed: a list is no stream.
func (e *modelsEncoder) Head() (int, wire.Header, wire.Framing) {
	return http.StatusOK, e.p.stateHead(e.c), wire.Raw{}
}

// Fail adds nothing, for the same reason.
func (e *modelsEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is the list.
func (e *modelsEncoder) Whole() wire.Response {
	return e.response(e.p.l[modelsLayout])
}

func (e *modelsEncoder) response(l *layout) wire.Response {
	body := l.append(make([]byte, 0, 64+128*len(e.names)), e)
	if e.p.q.LineEnd {
		body = append(body, '\n')
	}
	return wire.Response{Status: http.StatusOK, Header: e.p.stateHead(e.c), Body: body}
}

// stateHead is the header of answers that use no tokens, which count no limits.
func (p *profile) stateHead(c *wire.Call) wire.Header {
	return p.head(c, orElse(p.q.BodyType, "application/json"), p.q.ErrorHeaders)
}

// modelCreated is when every model of the list was made, as far as the list says.
const modelCreated = 1715367049

func (e *modelsEncoder) fill(dst []byte, s slot) ([]byte, bool) {
	switch s {
	case slotName:
		return jsonx.AppendString(dst, e.name), true
	case slotCreated:
		return strconv.AppendInt(dst, modelCreated, 10), true
	case slotData:
		return e.p.list(dst, len(e.names), func(dst []byte, i int) []byte {
			e.name = e.names[i]
			return e.p.l[modelLayout].append(dst, e)
		}), true
	}
	return dst, false
}

// list writes the elements of a body's data, indented where the body is.
func (p *profile) list(dst []byte, n int, element func(dst []byte, i int) []byte) []byte {
	line := func(depth int) {
		if p.indent != "" {
			dst = append(append(dst, '\n'), strings.Repeat(p.indent, depth)...)
		}
	}
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		line(2)
		dst = element(dst, i)
	}
	if n > 0 {
		line(1)
	}
	return append(dst, ']')
}

// serveModel is GET /models/{id}.
func serveModel(c *wire.Call) wire.Response {
	name := c.Probe.Vars["id"]
	c.Request.Model = name
	if !slices.Contains(c.Env.Models(), name) {
		return refuse(c, &wire.Failure{Kind: wire.NotFound})
	}
	e := &modelsEncoder{c: c, p: profileOf(c), name: name}
	return e.response(e.p.oneModel)
}

// deleteModel is DELETE /models/{id}, which takes fine-tuned models only.
func deleteModel(c *wire.Call) wire.Response {
	name := c.Probe.Vars["id"]
	c.Request.Model = name
	switch {
	case strings.HasPrefix(name, "ft:"):
		e := &modelsEncoder{c: c, p: profileOf(c), name: name}
		return e.response(e.p.l[deletedLayout])
	case slices.Contains(c.Env.Models(), name):
		return refuse(c, &wire.Failure{Kind: wire.Permission, Rule: "model-not-yours", Message: "You have insufficient permissions for this operation."})
	}
	return refuse(c, &wire.Failure{Kind: wire.NotFound})
}
