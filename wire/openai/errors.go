package openai

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Rules that name a kind of refusal of their own in the table of errors.
const (
	noStub      = "no-stub"
	unknownURL  = "unknown-path"
	wrongMethod = "wrong-method"
	missingKey  = "missing-key"
)

// errorWords is how one kind of failure looks: a row of a speaker's table.
type errorWords struct {
	// what is a kind ("rate_limit"), a kind on one family of endpoints ("context_length@responses"), or a rule.
	what                       string
	status                     int
	kind, code, param, message string
	// plain is the message of speakers that extend this one and have no words of their own.
	plain string
	// layout replaces the speaker's error layout.
	layout *layout
	// indent is the number of spaces, -1 the speaker's.
	indent      int
	lineEnd     bool
	contentType string
	// bare errors come from a layer that sends fewer headers.
	bare    bool
	headers []headerLine
}

func setErrors(q *Quirks, v jsonx.Value) error {
	list := slices.Clip(q.Errors)
	for what, row := range v.Members() {
		w := errorWords{what: what, indent: -1}
		if old := findWords(list, what); old != nil {
			w = *old
		}
		for key, value := range row.Members() {
			n, _ := value.Int()
			flag, _ := value.Bool()
			switch key {
			case "status":
				w.status = int(n)
			case "type":
				w.kind = value.Str()
			case "code":
				w.code = value.Str()
			case "param":
				w.param = value.Str()
			case "message":
				w.message = value.Str()
			case "plain":
				w.plain = value.Str()
			case "indent":
				w.indent = int(n)
			case "lineEnd":
				w.lineEnd = flag
			case "contentType":
				w.contentType = value.Str()
			case "bare":
				w.bare = flag
			case "headers":
				var other Quirks
				if err := headers("errors", func(q *Quirks) *[]headerLine { return &q.Headers }).set(&other, value); err != nil {
					return err
				}
				w.headers = other.Headers
			case "layout":
				l, err := compile(value, strings.Repeat(" ", max(0, w.indent)), 0)
				if err != nil {
					return err
				}
				w.layout = l
			default:
				return fmt.Errorf("errors: %s: there is no field %q", what, key)
			}
		}
		list = append(list, w)
	}
	q.Errors = list
	return nil
}

// findWords gives the last row of a name, so that a speaker's own rows win over those that it extends.
func findWords(list []errorWords, what string) *errorWords {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].what == what {
			return &list[i]
		}
	}
	return nil
}

// words gives the row for a failure, with the failure's own fields put in.
func (p *profile) words(c *wire.Call, f *wire.Failure) errorWords {
	kind := f.Kind
	if kind == "" {
		kind = wire.KindOfStatus(f.Status)
	}
	row := findWords(p.q.Errors, f.Rule)
	if row == nil && kind == wire.Auth && c.Probe != nil && credential(c.Probe) == "" {
		row = findWords(p.q.Errors, missingKey)
	}
	if row == nil && c.Endpoint != nil {
		_, family, _ := strings.Cut(c.Endpoint.Name, ".")
		row = findWords(p.q.Errors, string(kind)+"@"+family)
	}
	if row == nil {
		row = findWords(p.q.Errors, string(kind))
	}
	w := errorWords{status: http.StatusInternalServerError, indent: -1}
	if row != nil {
		w = *row
	}
	w.message = expandMessage(w.message, c, f)
	if f.Status != 0 {
		if f.Kind == "" && f.Status != w.status && f.Code == "" && f.Rule == "" {
			w.code = "" // the usual code says something of another status
		}
		w.status = f.Status
	}
	// A failure that says what it is has no code or param but its own.
	if f.Rule != "" && f.Message != "" {
		w.code, w.param = f.Code, f.Param
	}
	w.kind = orElse(f.Type, w.kind)
	w.code = orElse(f.Code, w.code)
	if kind != wire.ContentFilter {
		// A blocked prompt is told as the speaker tells it: OpenAI names no parameter, Azure the prompt.
		w.param = orElse(f.Param, w.param)
	}
	w.message = orElse(f.Message, w.message)
	return w
}

// expandMessage fills in what a usual message says of the request.
func expandMessage(text string, c *wire.Call, f *wire.Failure) string {
	if !strings.Contains(text, "{") {
		return text
	}
	model, method, path, key, version := "", "", "", "", ""
	if c.Request != nil {
		model, version = c.Request.Model, c.Request.Version
	}
	if c.Probe != nil {
		method, path, key = c.Probe.Method, c.Probe.Path, maskKey(credential(c.Probe))
	}
	seconds := int64(1)
	if f.RetryAfter > 0 {
		seconds = wholeSeconds(f.RetryAfter)
	}
	return strings.NewReplacer("{model}", model, "{method}", method, "{path}", path, "{key}", key, "{version}", version,
		"{seconds}", strconv.FormatInt(seconds, 10)).Replace(text)
}

// credential is the key that a request brought, in either of the two usual headers.
func credential(p *wire.Probe) string {
	if key := p.Header.Get("Api-Key"); key != "" {
		return key
	}
	scheme, key, _ := strings.Cut(p.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

// maskKey hides a key as OpenAI's 401 does: the first 8 and the last 4 characters stay, and a key of up to 12 is said
// whole (recorded 2026; "test-context-key" becomes "test-con****-key").
func maskKey(key string) string {
	const first, last = 8, 4
	if len(key) <= first+last {
		return key
	}
	return key[:first] + strings.Repeat("*", len(key)-first-last) + key[len(key)-last:]
}

func wholeSeconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// errorFiller gives the values of an error layout.
type errorFiller struct {
	c *wire.Call
	w errorWords
}

func (e *errorFiller) fill(dst []byte, s slot) ([]byte, bool) {
	text := ""
	switch s {
	case slotMessageText:
		return jsonx.AppendString(dst, e.w.message), true
	case slotStatus:
		return strconv.AppendInt(dst, int64(e.w.status), 10), true
	case slotType:
		text = e.w.kind
	case slotParam:
		text = e.w.param
	case slotCode:
		text = e.w.code
	case slotStatusText:
		text = strconv.Itoa(e.w.status)
	case slotRequestID:
		text = requestID(e.c)
	case slotUUID, slotHexID:
		text = traceID(e.c, s)
	}
	if text == "" {
		return dst, false
	}
	return jsonx.AppendString(dst, text), true
}

// refuse is the speaker's error answer. Zero fields of f take the usual values for its kind; a status alone will do.
func refuse(c *wire.Call, f *wire.Failure) wire.Response {
	p := profileOf(c)
	w := p.words(c, f)
	indent := w.indent
	if indent < 0 {
		indent = p.q.Indent
	}
	l := w.layout
	if l == nil {
		l = p.errors[min(indent/2, len(p.errors)-1)]
	}
	body := l.append(make([]byte, 0, 256+len(w.message)), &errorFiller{c, w})
	if w.lineEnd {
		body = append(body, '\n')
	}
	status := w.status
	if p.q.ErrorOK {
		status = http.StatusOK
	}
	return wire.Response{Status: status, Header: p.errorHead(c, w, f), Body: body}
}

// errorShapeNames are the words of the errorShape quirk.
func errorShapeNames() []string {
	names := []string{""}
	for _, s := range errorShapes() {
		names = append(names, s.from)
	}
	return names
}

// errorShapes are layouts of errors that compatible servers send.
func errorShapes() []wordPair {
	return []wordPair{
		{"openai", `{"error":{"message":"$errorMessage","type":"$errorType","param":"$errorParam","code":"$errorCode"}}`},
		{"flat", `{"object":"error","message":"$errorMessage","type":"$errorType","param":"$errorParam","code":"$status"}`},
		{"array", `[{"error":{"code":"$status","message":"$errorMessage","status":"$errorType"}}]`},
		{"detail", `{"detail":[{"type":"$errorType","loc":["body"],"msg":"$errorMessage"}]}`},
		{"detailText", `{"detail":"$errorMessage"}`},
		{"intCode", `{"error":{"message":"$errorMessage","type":"$errorType","param":"$errorParam","code":"$status"}}`},
		{"text", `{"code":"$errorCode","error":"$errorMessage"}`},
		{"missingKeys", `{"error":{"message":"$errorMessage","type":"$errorType"}}`},
	}
}

func applyErrorShape(q *Quirks) {
	for _, s := range errorShapes() {
		if s.from != q.ErrorShape {
			continue
		}
		if v, err := jsonx.Parse(s.to); err == nil {
			q.Layouts[errorLayout] = v
			if q.ErrorShape != "openai" {
				rows := make([]errorWords, len(q.Errors))
				for i, row := range q.Errors {
					row.layout = nil
					rows[i] = row
				}
				q.Errors = rows
			}
		}
	}
}
