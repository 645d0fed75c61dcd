package stubfile

import (
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// The names of WireMock's folders, and of the extension that answers as a model.
const (
	mappingsFolder = "mappings"
	filesFolder    = "__files"
	modelMatcher   = "model-request"
	modelAnswer    = "model-answer"
)

// mappings reads a folder of mapping files, as WireMock does: whatever is below it.
func (l *loader) mappings(path string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		l.wrong(path, reason(err))
		return
	}
	for _, e := range entries {
		below := filepath.Join(path, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			l.mappings(below)
		case isStubFile(below):
			l.read(below, l.mapping)
		}
	}
}

// mappingsAbove is the nearest folder mappings that a file lies below, or "".
func mappingsAbove(path string) string {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == mappingsFolder {
			return dir
		}
	}
	return ""
}

// mapping reads a mapping file: one stub, or a list under mappings.
func (l *loader) mapping(name string, data []byte) {
	l.documents(name, data, func(d *document) {
		list := d.value.Get("mappings")
		switch list.Kind() {
		case jsonx.Absent:
			l.modelStub(d, d.value)
		case jsonx.Array:
			for _, item := range list.Items() {
				l.modelStub(d, item)
			}
		default:
			l.at(d.at(list), "mappings: want a list of stubs")
		}
	})
}

// mapping is one stub of WireMock's that is being read.
type mapping struct {
	l    *loader
	d    *document
	v    jsonx.Value
	name string
}

// wrong says what is wrong with a value; with one that is missing, at the start of the stub.
func (m mapping) wrong(v jsonx.Value, format string, args ...any) {
	where := m.d.first(m.v)
	if v.Exists() {
		where = m.d.at(v)
	}
	m.l.errs = append(m.l.errs, Error{Source: where, Stub: m.name, Message: fmt.Sprintf(format, args...)})
}

func (m mapping) wrongKey(v jsonx.Value, format string, args ...any) {
	m.l.errs = append(m.l.errs, Error{Source: m.d.atKey(v), Stub: m.name, Message: fmt.Sprintf(format, args...)})
}

// problems places what package stub found below a value of the mapping. In place says where the value stands, for
// messages.
func (m mapping) problems(from jsonx.Value, inPlace string, problems stub.Problems) {
	for _, p := range problems {
		e := place(m.d, from, m.name, p)
		switch {
		case p.Key:
		case len(p.Path) == 0:
			e.Message = inPlace + ": " + e.Message
		default:
			e.Message = inPlace + "." + e.Message
		}
		m.l.errs = append(m.l.errs, e)
	}
}

// keys refuses the keys of an object that are not known, and those that are but cannot be served.
func (m mapping) keys(v jsonx.Value, where string, known []string) {
	if v.Kind() != jsonx.Object {
		m.wrong(v, "%s: want an object", where)
		return
	}
	for key, value := range v.Members() {
		if slices.Contains(known, key) {
			continue
		}
		hint := ""
		if near := stub.Nearest(key, known); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		m.wrongKey(value, "%s: %q is not supported in a model's stub%s", where, key, hint)
	}
}

// modelStub reads a stub that matches with model-request and answers with model-answer.
func (l *loader) modelStub(d *document, v jsonx.Value) {
	if v.Kind() != jsonx.Object {
		l.at(d.at(v), "want a WireMock stub, an object with request and response")
		return
	}
	m := mapping{l, d, v, v.Get("name").Str()}
	request, response := v.Get("request"), v.Get("response")
	matches := request.At("customMatcher", "name").Str() == modelMatcher
	answers := false
	for _, t := range response.Get("transformers").Items() {
		answers = answers || t.Str() == modelAnswer
	}
	switch {
	case !matches && !answers:
		l.errs = append(l.errs, Error{Source: d.first(v), Stub: m.name, Message: "plain stubs are not supported yet, only those with the matcher " +
			modelMatcher + " and the transformer " + modelAnswer})
		return
	case !matches:
		m.wrong(request, "request: the transformer %s needs the customMatcher %s", modelAnswer, modelMatcher)
		return
	case !answers:
		m.wrong(response, "response: the customMatcher %s needs the transformer %s", modelMatcher, modelAnswer)
		return
	}
	m.keys(v, "stub", []string{"id", "uuid", "name", "priority", "persistent", "metadata", "insertionIndex", "request", "response"})
	s := &stub.Stub{
		Name: m.name, Origin: stub.WireMock, Source: d.first(v),
		Then: stub.ThenLast, Priority: stub.DefaultPriority,
	}
	if p := v.Get("priority"); p.Exists() {
		n, ok := p.Int()
		if !ok || n < math.MinInt32 || n > math.MaxInt32 {
			m.wrong(p, "priority: want a whole number")
		}
		s.Priority = int(n)
	}
	s.Kind, s.When = m.request(request)
	answer := m.response(response, s)
	s.Answers = []stub.Answer{answer}
	l.set.Stubs = append(l.set.Stubs, s)
}

func (m mapping) request(v jsonx.Value) (wire.Kind, []stub.Condition) {
	m.keys(v, "request", []string{"customMatcher", "method"})
	if method := v.Get("method"); method.Exists() && method.Str() != "ANY" && method.Str() != "POST" {
		m.wrong(method, "request.method: a model's stub is for POST or ANY")
	}
	matcher := v.Get("customMatcher")
	m.keys(matcher, "request.customMatcher", []string{"name", "parameters"})
	parameters := matcher.Get("parameters")
	if !parameters.Exists() {
		return wire.Chat, nil
	}
	kind, conditions, problems := stub.DecodeWhen(parameters, stub.DecodeOptions{Wires: m.l.o.Wires})
	m.problems(parameters, "request.customMatcher.parameters", problems)
	return kind, conditions
}

// response reads the answer and the delay. The status is the provider's, whatever the mapping says.
func (m mapping) response(v jsonx.Value, s *stub.Stub) stub.Answer {
	m.keys(v, "response", []string{"status", "statusMessage", "headers", "transformers", "jsonBody", "body", "base64Body", "bodyFileName", "fixedDelayMilliseconds"})
	if d := v.Get("fixedDelayMilliseconds"); d.Exists() {
		n, ok := d.Int()
		if !ok || n < 0 || n > math.MaxInt32 {
			m.wrong(d, "response.fixedDelayMilliseconds: want a whole number, 0 or more")
		}
		s.Delay = time.Duration(n) * time.Millisecond
	}
	a := m.body(v)
	if h := v.Get("headers"); h.Exists() {
		m.headers(h, &a)
	}
	return a
}

// headers are those of the mapping that the answer does not decide itself.
func (m mapping) headers(v jsonx.Value, a *stub.Answer) {
	wrapped, err := jsonx.Parse(`{"headers":` + v.Raw() + `}`)
	if err != nil {
		m.wrong(v, "response.headers: %v", err)
		return
	}
	given, problems := stub.DecodeAnswer(wrapped)
	for i := range problems {
		problems[i].Path = problems[i].Path[1:]
	}
	m.problems(v, "response.headers", problems)
	for _, f := range given.Headers {
		switch f.Name {
		case "Content-Type", "Content-Length", "Transfer-Encoding":
		default:
			a.Headers = append(a.Headers, f)
		}
	}
}

// body reads the answer from whichever key holds it. A blank one is an empty answer.
func (m mapping) body(v jsonx.Value) stub.Answer {
	if body := v.Get("jsonBody"); body.Exists() && !body.IsNull() {
		a, problems := stub.DecodeAnswer(body)
		m.problems(body, "response.jsonBody", problems)
		return a
	}
	if name := v.Get("bodyFileName"); name.Exists() {
		return m.bodyFile(name)
	}
	body, key, text := v.Get("body"), "body", v.Get("body").Str()
	if encoded := v.Get("base64Body"); encoded.Exists() {
		data, err := base64.StdEncoding.DecodeString(encoded.Str())
		if err != nil {
			m.wrong(encoded, "response.base64Body: %v", err)
			return stub.Answer{}
		}
		body, key, text = encoded, "base64Body", string(data)
	}
	if strings.TrimSpace(text) == "" {
		return stub.Answer{}
	}
	tree, err := jsonx.Parse(text)
	if err != nil {
		m.wrong(body, "response.%s: %v", key, err)
		return stub.Answer{}
	}
	a, problems := stub.DecodeAnswer(tree)
	for _, p := range problems {
		m.wrong(body, "response.%s: %s", key, p)
	}
	return a
}

// bodyFile reads the answer from a file below __files, which lies beside mappings.
func (m mapping) bodyFile(name jsonx.Value) stub.Answer {
	files := filepath.Join(filepath.Dir(mappingsAbove(m.d.file)), filesFolder)
	if name.Str() == "" || !filepath.IsLocal(name.Str()) {
		m.wrong(name, "response.bodyFileName: want the name of a file below %s", filesFolder)
		return stub.Answer{}
	}
	path := filepath.Join(files, name.Str())
	data, err := os.ReadFile(path)
	if err != nil {
		m.wrong(name, "response.bodyFileName: %s: %s", path, reason(err))
		return stub.Answer{}
	}
	if !slices.Contains(m.l.set.Files, path) {
		m.l.set.Files = append(m.l.set.Files, path)
	}
	docs, errs := parseJSON(path, string(data))
	m.l.errs = append(m.l.errs, errs...)
	if len(docs) == 0 {
		return stub.Answer{}
	}
	a, problems := stub.DecodeAnswer(docs[0].value)
	for _, p := range problems {
		m.l.errs = append(m.l.errs, place(docs[0], docs[0].value, m.name, p))
	}
	return a
}
