package ollama

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// progress is a running report: lines of a stream, of which an answer in one piece has the last.
type progress struct {
	stream bool
	frames []wire.Frame
}

func (p *progress) say(status string) {
	p.frames = append(p.frames, wire.Frame{Data: append(appendString([]byte(`{"status":`), status), '}')})
}

// move reports how much of a layer has come or gone; nothing is left out, as every zero is.
func (p *progress) move(verb, digest string, total, completed int64) {
	b := appendString([]byte(`{"status":`), verb+" "+digest[:12])
	b = appendString(append(b, `,"digest":`...), "sha256:"+digest)
	b = strconv.AppendInt(append(b, `,"total":`...), total, 10)
	if completed > 0 {
		b = strconv.AppendInt(append(b, `,"completed":`...), completed, 10)
	}
	p.frames = append(p.frames, wire.Frame{Data: append(b, '}')})
}

// end is the answer. A failure ends a stream that has begun with a line; before that, and in one piece, it is an error
// with a status, 500 where it has none of its own.
func (p *progress) end(c *wire.Call, f *wire.Failure) wire.Response {
	plain := wire.Header{{Name: "Content-Type", Value: plainJSON}}
	switch {
	case f != nil && (!p.stream || len(p.frames) == 0):
		if f.Status == 0 {
			f.Status = 500
		}
		r := refuse(c, f)
		r.Header = plain
		return r
	case f != nil:
		p.frames = append(p.frames, wire.Frame{Data: appendError(nil, refusal{message: f.Message})})
	case !p.stream:
		return wire.Response{Status: 200, Header: plain, Body: p.frames[len(p.frames)-1].Data}
	}
	return wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: linesType}}, Framing: wire.NDJSON{}, Frames: p.frames}
}

// layer is a part of a model: its digest and size.
type layer struct {
	digest string
	size   int64
}

func layersOf(n name) []layer {
	return []layer{
		{digestOf("model", n), sizeOf(n)},
		{digestOf("template", n), 1429},
		{digestOf("license", n), 7712},
		{digestOf("params", n), 96},
		{digestOf("config", n), 561},
	}
}

// servePull downloads a model that the registry has.
func servePull(c *wire.Call) wire.Response {
	body, sent, f := named(c, pullForm, "model", "name")
	if f != nil {
		return refuse(c, f)
	}
	n, ok := nameOf(strings.TrimSpace(sent))
	if !ok {
		return refuse(c, invalid("name", "invalid model name"))
	}
	p := &progress{stream: streams(body)}
	if f := p.pull(c, n); f != nil {
		return p.end(c, f)
	}
	p.say("success")
	return p.end(c, nil)
}

// pull reports the download of a model, up to its success. The weights come in three steps, all else at once; what is
// there already is only told.
func (p *progress) pull(c *wire.Call, n name) *wire.Failure {
	p.say("pulling manifest")
	if !inRegistry(c, n) {
		return &wire.Failure{Kind: wire.ServerError, Rule: "ollama.pull", Message: "pull model manifest: file does not exist"}
	}
	there := has(c, n)
	for i, l := range layersOf(n) {
		if i == 0 && !there {
			p.move("pulling", l.digest, l.size, 0)
			p.move("pulling", l.digest, l.size, l.size/2)
		}
		p.move("pulling", l.digest, l.size, l.size)
	}
	p.say("verifying sha256 digest")
	p.say("writing manifest")
	add(c, n, "")
	return nil
}

// inRegistry says whether a name can be pulled: one that the machine lists, or a known family's, or one with a namespace.
func inRegistry(c *wire.Call, n name) bool {
	if n.host != registry || n.namespace != library {
		return true
	}
	if _, ok := familyOf(n); ok {
		return true
	}
	return slices.ContainsFunc(c.Env.Models(), func(s string) bool {
		listed, ok := nameOf(s)
		return ok && strings.EqualFold(listed.model, n.model)
	})
}

// servePush uploads a model that the machine has.
func servePush(c *wire.Call) wire.Response {
	body, sent, f := named(c, pushForm, "model", "name")
	if f != nil {
		return refuse(c, f)
	}
	if sent == "" {
		return refuse(c, invalid("model", "model is required"))
	}
	p := &progress{stream: streams(body)}
	p.say("retrieving manifest")
	n, ok := nameOf(sent)
	if !ok || !has(c, n) {
		p.say("couldn't retrieve manifest")
		path := strings.ReplaceAll(n.full(), ":", "/")
		return p.end(c, &wire.Failure{Kind: wire.ServerError, Rule: "ollama.gone", Message: "open /root/.ollama/models/manifests/" + path + ": no such file or directory"})
	}
	for _, l := range layersOf(origin(c.Env.Store(), n)) {
		p.move("pushing", l.digest, l.size, l.size)
	}
	p.say("pushing manifest")
	p.say("success")
	return p.end(c, nil)
}

// serveCreate makes a model of another one, or of files.
func serveCreate(c *wire.Call) wire.Response {
	body, sent, f := named(c, createForm, "model", "name")
	if f != nil {
		return refuse(c, f)
	}
	for _, key := range [...]string{"files", "adapters"} {
		for _, digest := range body.Get(key).Members() {
			if digest.Str() == "" {
				return refuse(c, invalid("digest", badDigest))
			}
		}
	}
	n, ok := nameOf(sent)
	if !ok {
		return refuse(c, invalid("name", "invalid model name"))
	}
	p := &progress{stream: streams(body)}
	from, f := p.base(c, body)
	if f != nil {
		return p.end(c, f)
	}
	for _, key := range [...]string{"template", "system", "license", "parameters", "messages"} {
		if v := body.Get(key); !missing(v) && (v.Str() != "" || v.Len() > 0 || v.Kind() == jsonx.Object) {
			p.say("creating new layer sha256:" + digestOf(key+" "+v.Raw(), n))
		}
	}
	p.say("writing manifest")
	add(c, n, from)
	p.say("success")
	return p.end(c, nil)
}

// base reports the layers that a model is made of, and gives the name of the model that they are of.
func (p *progress) base(c *wire.Call, body jsonx.Value) (from string, f *wire.Failure) {
	if sent := body.Get("from").Str(); sent != "" {
		n, ok := nameOf(sent)
		if !ok {
			return "", badRequest("name", "invalid model name")
		}
		if !has(c, n) {
			if f := p.pull(c, n); f != nil {
				return "", f
			}
		}
		for _, l := range layersOf(origin(c.Env.Store(), n))[:3] {
			p.say("using existing layer sha256:" + l.digest)
		}
		return n.short(), nil
	}
	files := body.Get("files")
	switch {
	case missing(files):
		return "", badRequest("from", "neither 'from' or 'files' was specified")
	case files.Len() == 0:
		return "", badRequest("files", "no files provided to convert")
	}
	for _, digest := range files.Members() {
		id := digest.Str()
		if !isDigest(id) {
			return "", &wire.Failure{Kind: wire.ServerError, Rule: "ollama.digest", Message: badDigest}
		}
		if _, ok := c.Env.Store().Get(blobKind, blobID(id)); !ok {
			path := strings.Replace(blobID(id), ":", "-", 1)
			return "", &wire.Failure{Kind: wire.ServerError, Rule: "ollama.blob", Message: "open /root/.ollama/models/blobs/" + path + ": no such file or directory"}
		}
		p.say("parsing GGUF")
		p.say("using existing layer " + blobID(id))
	}
	return "", nil
}

func badRequest(rule, message string) *wire.Failure {
	f := invalid(rule, message)
	f.Status = 400
	return f
}
