package anthropic

import (
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// UsualModels are models that anthropic-sdk-go v2.15.0 names (Nov 2026), newest first.
func (provider) UsualModels() []string {
	return []string{
		"claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-sonnet-5", "claude-opus-5",
		"claude-opus-4-8", "claude-opus-4-7", "claude-sonnet-4-6", "claude-opus-4-6",
		"claude-opus-4-5-20251101", "claude-haiku-4-5-20251001", "claude-sonnet-4-5-20250929",
	}
}

// models is the codec of the model list, and of one model of it.
type models struct{ one bool }

// Decode has no body to read.
func (m models) Decode(c *wire.Call) *wire.Failure {
	c.Request.Version = versionOf(c, jsonx.Value{})
	if m.one {
		c.Request.Model = c.Probe.Vars["id"]
	}
	return nil
}

const (
	usualPage = 20
	longPage  = 1000
)

// Check looks at the version and at the page that is asked for.
func (m models) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		for v := range headerViolations(c) {
			if !yield(v) {
				return
			}
		}
		text := c.Probe.Query.Get("limit")
		if m.one || text == "" {
			return
		}
		message := ""
		switch n, err := strconv.Atoi(text); {
		case err != nil:
			message = "limit: Input should be a valid integer, unable to parse string as an integer"
		case n < 1:
			message = "limit: Input should be greater than or equal to 1"
		case n > longPage:
			message = "limit: Input should be less than or equal to 1000"
		default:
			return
		}
		f := &wire.Failure{Kind: wire.Invalid, Rule: "anthropic.models.limit", Message: message}
		yield(wire.Violation{Rule: f.Rule, Sure: true, Failure: f})
	}
}

// Fit leaves the names.
func (models) Fit(_ *wire.Call, r wire.Reply) (wire.Reply, []error) {
	return wire.Reply{Models: r.Models}, nil
}

// Encode makes the encoder of a page, or of one model.
func (m models) Encode(c *wire.Call) wire.Encoder { return &modelEncoder{call: c, one: m.one} }

// Refuse is the provider's error answer.
func (models) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

type modelEncoder struct {
	call  *wire.Call
	one   bool
	names []string
}

// Head is never used: a list does not stream.
func (e *modelEncoder) Head() (int, wire.Header, wire.Framing) {
	return 200, plainHeader(e.call), wire.Raw{}
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
	if e.one {
		id, ok := resolve(e.names, e.call.Request.Model)
		if !ok {
			return refuse(e.call, &wire.Failure{Kind: wire.NotFound})
		}
		return wire.Response{Status: 200, Header: plainHeader(e.call), Body: appendModel(nil, id)}
	}
	page, more := e.page()
	b := append(make([]byte, 0, 64+1200*len(page)), `{"data":[`...)
	for i, id := range page {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendModel(b, id)
	}
	first, last := "", ""
	if len(page) > 0 {
		first, last = page[0], page[len(page)-1]
	}
	b = strconv.AppendBool(append(b, `],"has_more":`...), more)
	b = appendStringOrNull(append(b, `,"first_id":`...), first)
	b = appendStringOrNull(append(b, `,"last_id":`...), last)
	return wire.Response{Status: 200, Header: plainHeader(e.call), Body: append(b, '}')}
}

// page is what limit, after_id and before_id ask for; more says that there is more in that direction. An id that is not
// in the list leaves the list whole.
func (e *modelEncoder) page() (page []string, more bool) {
	q := e.call.Probe.Query
	limit, err := strconv.Atoi(q.Get("limit"))
	if err != nil || limit < 1 {
		limit = usualPage
	}
	names := e.names
	if before := q.Get("before_id"); before != "" {
		if i := indexOf(names, before); i >= 0 {
			names = names[:i]
		}
		start := max(0, len(names)-limit)
		return names[start:], start > 0
	}
	if i := indexOf(names, q.Get("after_id")); i >= 0 {
		names = names[i+1:]
	}
	n := min(limit, len(names))
	return names[:n], n < len(names)
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// resolve finds a model by its id, or by its alias: the id without its date, or with -latest in the date's place.
func resolve(names []string, id string) (string, bool) {
	if indexOf(names, id) >= 0 {
		return id, true
	}
	alias := strings.TrimSuffix(id, "-latest")
	for _, n := range names {
		if base, _ := cutDate(n); base == alias {
			return n, true
		}
	}
	return "", false
}

// cutDate parts "claude-haiku-4-5-20251001" from its date.
func cutDate(id string) (base, date string) {
	i := strings.LastIndexByte(id, '-')
	if i < 0 || len(id)-i != 9 {
		return id, ""
	}
	for _, c := range id[i+1:] {
		if c < '0' || c > '9' {
			return id, ""
		}
	}
	return id[:i], id[i+1:]
}

// appendModel writes one model, with the keys of ModelInfo in anthropic-sdk-go v2.15.0. A model without a date in its
// name has the first day of 2025.
func appendModel(b []byte, id string) []byte {
	base, date := cutDate(id)
	created := "2025-01-01"
	if date != "" {
		created = date[:4] + "-" + date[4:6] + "-" + date[6:]
	}
	b = jsonx.AppendString(append(b, `{"type":"model","id":`...), id)
	b = jsonx.AppendString(append(b, `,"display_name":`...), displayName(base))
	b = jsonx.AppendString(append(b, `,"created_at":`...), created+"T00:00:00Z")
	b = append(b, `,"lifecycle":"active","deprecated_at":null,"retires_at":null,"line":`...)
	b = appendStringOrNull(b, line(base))
	b = appendInt(append(b, `,"max_input_tokens":`...), contextWindow(id))
	b = appendInt(append(b, `,"max_tokens":`...), longestAnswer(id))
	b = append(b, `,"capabilities":`...)
	b = append(b, capabilities...)
	return append(b, '}')
}

const (
	yes          = `{"supported":true}`
	capabilities = `{"batch":` + yes + `,"citations":` + yes + `,"code_execution":` + yes +
		`,"context_management":{"clear_thinking_20251015":` + yes + `,"clear_tool_uses_20250919":` + yes + `,"compact_20260112":` + yes + `,"supported":true}` +
		`,"effort":{"high":` + yes + `,"low":` + yes + `,"max":` + yes + `,"medium":` + yes + `,"supported":true,"xhigh":` + yes + `}` +
		`,"image_input":` + yes + `,"pdf_input":` + yes +
		`,"server_tools":{"code_execution":` + yes + `,"supported":true,"web_search":` + yes + `}` +
		`,"structured_outputs":` + yes +
		`,"thinking":{"supported":true,"types":{"adaptive":` + yes + `,"between_tools":` + yes + `,"disabled":` + yes + `,"enabled":` + yes + `}}}`
)

var lines = [...]string{"haiku", "sonnet", "opus", "fable", "mythos"}

// line is the family of a model, "" where it has none.
func line(base string) string {
	for _, l := range lines {
		if strings.Contains(base, l) {
			return l
		}
	}
	return ""
}

// displayName is "Claude Haiku 4.5" for claude-haiku-4-5: words in capitals, numbers that follow each other with a point.
func displayName(base string) string {
	var b strings.Builder
	number := false
	for word := range strings.SplitSeq(base, "-") {
		digit := word != "" && word[0] >= '0' && word[0] <= '9'
		switch {
		case b.Len() == 0:
		case digit && number:
			b.WriteByte('.')
		default:
			b.WriteByte(' ')
		}
		number = digit
		if word != "" && word[0] >= 'a' && word[0] <= 'z' {
			word = string(word[0]-'a'+'A') + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// Read reads a page or a model back.
func (models) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		data, err := io.ReadAll(io.LimitReader(body, wire.MaxLine))
		if err != nil {
			yield(wire.Event{}, broken(err, false, nil))
			return
		}
		if h.Status >= 400 {
			yield(wire.Event{}, readFailure(h, data))
			return
		}
		v, err := jsonx.ParseBytes(data)
		if err != nil {
			yield(wire.Event{}, unusable("anthropic: the answer is no JSON: "+err.Error(), false, nil))
			return
		}
		var names []string
		if id, ok := v.Get("id").Text(); ok {
			names = append(names, id)
		}
		for _, m := range v.Get("data").Items() {
			names = append(names, m.Get("id").Str())
		}
		if yield(wire.Event{Op: wire.Begin}, nil) {
			yield(wire.Event{Op: wire.End, Rest: &wire.Reply{Models: names}}, nil)
		}
	}
}
