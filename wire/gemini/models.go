package gemini

import (
	"encoding/base64"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// models is the codec of the model list, and of one model of it.
type models struct{ one bool }

// Decode has no body to read.
func (m models) Decode(c *wire.Call) *wire.Failure {
	c.Request.Version = versionOf(c.Probe.Path)
	if m.one {
		c.Request.Model = c.Probe.Vars["id"]
	}
	return nil
}

const (
	usualPage = 50
	longPage  = 1000
)

// Check looks at the page that is asked for.
func (m models) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		text := c.Probe.Query.Get("pageSize")
		if m.one || text == "" {
			return
		}
		if _, err := strconv.ParseInt(text, 10, 32); err != nil {
			f := &wire.Failure{
				Kind: wire.Invalid, Rule: "gemini.models.page_size", Param: "page_size",
				Message: "Invalid value at 'page_size' (TYPE_INT32), " + string(appendString(nil, text)),
			}
			yield(wire.Violation{Rule: f.Rule, Sure: true, Failure: f})
		}
	}
}

// Fit leaves the names.
func (models) Fit(_ *wire.Call, r wire.Reply) (wire.Reply, []error) {
	names := make([]string, len(r.Models))
	for i, name := range r.Models {
		names[i] = bareModel(name)
	}
	return wire.Reply{Models: names}, nil
}

// bareModel is a model's name without the resource it belongs to.
func bareModel(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// Refuse is the provider's error answer.
func (models) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

// Encode makes the encoder of a page, or of one model.
func (m models) Encode(c *wire.Call) wire.Encoder { return &modelEncoder{call: c, one: m.one} }

type modelEncoder struct {
	call  *wire.Call
	one   bool
	names []string
}

// Head is never used: a list does not stream.
func (e *modelEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, answerHeader(e.call, false), wire.Raw{}
}

// Append takes note of the names.
func (e *modelEncoder) Append(dst []wire.Frame, ev wire.Event) []wire.Frame {
	if ev.Rest != nil {
		e.names = ev.Rest.Models
	}
	return dst
}

// Fail adds nothing.
func (e *modelEncoder) Fail(dst []wire.Frame, _ *wire.Failure, _ int) []wire.Frame { return dst }

// Whole is a page or a model; a model that is not there is the provider's 404.
func (e *modelEncoder) Whole() wire.Response {
	ofGoogle := strings.Contains(e.call.Probe.Path, garden)
	list, write := "models", appendModel
	if ofGoogle {
		list, write = "publisherModels", appendPublisherModel
	}
	if e.one {
		for _, name := range e.names {
			if name == e.call.Request.Model {
				return e.whole(write(nil, describe(name)))
			}
		}
		return refuse(e.call, &wire.Failure{Kind: wire.NotFound})
	}
	names, next := e.names, ""
	if e.call.Probe.Dialect == vertexName && !ofGoogle {
		// The models of a project are those that it tuned itself.
		names = nil
	}
	names, next = e.page(names)
	b := append(make([]byte, 0, 64+600*len(names)), '{')
	for i, name := range names {
		if i == 0 {
			b = append(appendKey(b, list), '[')
		} else {
			b = append(b, ',')
		}
		b = write(b, describe(name))
	}
	if len(names) > 0 {
		b = append(b, ']')
	}
	if next != "" {
		b = appendString(appendKey(b, "nextPageToken"), next)
	}
	return e.whole(append(b, '}'))
}

func (e *modelEncoder) whole(body []byte) wire.Response {
	return wire.Response{Status: 200, Header: answerHeader(e.call, false), Body: pretty(body, plainPrint(e.call))}
}

// page is what pageSize and pageToken ask for, and the token of the next one, "" for none. A token that is none of ours
// begins at the start.
func (e *modelEncoder) page(names []string) (page []string, next string) {
	size, err := strconv.Atoi(e.call.Probe.Query.Get("pageSize"))
	if err != nil || size < 1 {
		size = usualPage
	}
	size = min(size, longPage)
	last := nameIn(e.call.Probe.Query.Get("pageToken"))
	for i, name := range names {
		if name == last {
			names = names[i+1:]
			break
		}
	}
	if len(names) > size {
		return names[:size], tokenOf(names[size-1])
	}
	return names, ""
}

// tokenOf is a page token as recorded: the base64 form of a protocol buffer whose first field is the last name.
func tokenOf(name string) string {
	name = "models/" + name
	return base64.StdEncoding.EncodeToString(append([]byte{1<<3 | 2, byte(len(name))}, name...))
}

func nameIn(token string) string {
	b, err := base64.StdEncoding.DecodeString(token)
	if err != nil || len(b) < 2 {
		return ""
	}
	return strings.TrimPrefix(string(b[2:]), "models/")
}

// Read reads a page or a model back.
func (models) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
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
		names := []string{}
		if name, ok := v.Get("name").Text(); ok {
			names = append(names, bareModel(name))
		}
		for _, key := range [...]string{"models", "publisherModels"} {
			for _, m := range v.Get(key).Items() {
				names = append(names, bareModel(m.Get("name").Str()))
			}
		}
		if yield(wire.Event{Op: wire.Begin}, nil) {
			yield(wire.Event{Op: wire.End, Rest: &wire.Reply{Models: names}}, nil)
		}
	}
}
