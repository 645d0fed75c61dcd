package captures

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parse reads a recording. The declared sizes must be exact.
func parse(b []byte) (*Exchange, error) {
	p := parser{rest: b}
	e := &Exchange{Meta: p.meta()}
	if len(e.Meta) == 0 {
		return nil, errors.New("no recording: it does not begin with lines of \"# key: value\"")
	}
	e.Wire, e.Kind, e.Model = e.first("wire"), e.first("kind"), e.first("model")
	e.Streamed = e.first("streamed") == "yes"
	if e.Wire == "" || e.Kind == "" {
		return nil, errors.New("the wire or the kind is missing")
	}
	e.readNotes()

	line, header, err := p.head('>')
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	if !strings.HasPrefix(line, "unknown") {
		var ok bool
		if e.Method, e.URL, ok = strings.Cut(line, " "); !ok {
			return nil, fmt.Errorf("request: %q is no method and path", line)
		}
	}
	e.RequestHeader = header
	if e.RequestBody, err = p.requestBody(e.first("request-body-bytes")); err != nil {
		return nil, fmt.Errorf("request body: %w", err)
	}

	line, e.ResponseHeader, err = p.head('<')
	if err != nil {
		return nil, fmt.Errorf("response: %w", err)
	}
	if !strings.HasPrefix(line, "unknown") {
		if e.Status, err = strconv.Atoi(line); err != nil || e.Status < 100 || e.Status > 999 {
			return nil, fmt.Errorf("response: %q is no status", line)
		}
	}
	if e.ResponseBody, err = responseBody(p.rest, e.first("response-body-bytes")); err != nil {
		return nil, fmt.Errorf("response body: %w", err)
	}
	return e, nil
}

func (e *Exchange) first(key string) string {
	if v := e.Meta[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// readNotes finds out what the recorder changed.
func (e *Exchange) readNotes() {
	notes := strings.Join(e.Meta["note"], "\n")
	has := func(s string) bool { return strings.Contains(notes, s) }
	e.PayloadLines = has("one event payload")
	e.KeyOrder = !has("key order")
	e.Spacing = e.KeyOrder && !has("white space") && !e.PayloadLines
}

type parser struct{ rest []byte }

// line takes the next line, without its line feed, if it begins with mark.
func (p *parser) line(mark byte) (string, bool) {
	if len(p.rest) == 0 || p.rest[0] != mark {
		return "", false
	}
	line, rest, ok := bytes.Cut(p.rest[1:], []byte("\n"))
	if !ok {
		return "", false
	}
	p.rest = rest
	return strings.TrimPrefix(string(line), " "), true
}

func (p *parser) meta() map[string][]string {
	m := map[string][]string{}
	for {
		line, ok := p.line('#')
		if !ok {
			return m
		}
		if k, v, ok := strings.Cut(line, ": "); ok {
			m[k] = append(m[k], v)
		}
	}
}

// head takes a first line, header lines, and the line that ends them.
func (p *parser) head(mark byte) (first string, h Header, err error) {
	first, ok := p.line(mark)
	if !ok || first == "" {
		return "", nil, fmt.Errorf("no line beginning with %q", mark)
	}
	for {
		line, ok := p.line(mark)
		if !ok {
			return "", nil, fmt.Errorf("no line with %q alone after the header", mark)
		}
		if line == "" {
			return first, h, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return "", nil, fmt.Errorf("%q is no header line", line)
		}
		h = append(h, Field{Name: name, Value: strings.TrimPrefix(value, " ")})
	}
}

func (p *parser) requestBody(declared string) ([]byte, error) {
	n, err := strconv.Atoi(declared)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%q is no size", declared)
	}
	if n == 0 {
		return nil, nil
	}
	if len(p.rest) <= n || p.rest[n] != '\n' {
		return nil, fmt.Errorf("no line feed after the declared %d bytes", n)
	}
	body := p.rest[:n:n]
	p.rest = p.rest[n+1:]
	return body, nil
}

// responseBody checks the declared size, which is "700", or
// "2105 (base64 text; 1561 bytes decoded)".
func responseBody(b []byte, declared string) ([]byte, error) {
	size, note, _ := strings.Cut(declared, " ")
	n, err := strconv.Atoi(size)
	if err != nil {
		return nil, fmt.Errorf("%q is no size", declared)
	}
	if len(b) != n {
		return nil, fmt.Errorf("%d bytes, where %d are declared", len(b), n)
	}
	if !strings.HasPrefix(note, "(base64") {
		return b, nil
	}
	raw, err := base64.StdEncoding.DecodeString(string(b))
	if err != nil {
		return nil, err
	}
	if !strings.Contains(note, fmt.Sprintf(" %d bytes decoded", len(raw))) {
		return nil, fmt.Errorf("%d bytes decoded, where %q is declared", len(raw), note)
	}
	return raw, nil
}
