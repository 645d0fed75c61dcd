package wiretest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/textproto"
	"net/url"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/wire"
)

// parseRequest reads the request.http section.
func parseRequest(text string) (*wire.Probe, error) {
	head, body, _ := strings.Cut(text, "\n\n")
	first, headers, _ := strings.Cut(head, "\n")
	method, target, ok := strings.Cut(strings.TrimSpace(first), " ")
	if !ok {
		return nil, fmt.Errorf("request.http: want METHOD TARGET, got %q", first)
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil, fmt.Errorf("request.http: %w", err)
	}
	p := &wire.Probe{Method: method, Path: u.EscapedPath(), Query: u.Query(), Header: http.Header{}, Body: []byte(strings.TrimSuffix(body, "\n"))}
	for line := range strings.Lines(headers) {
		name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if !ok {
			return nil, fmt.Errorf("request.http: header line %q has no colon", line)
		}
		if name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)); name == "Host" {
			p.Host = strings.TrimSpace(value)
			continue
		}
		p.Header.Add(name, strings.TrimSpace(value))
	}
	return p, nil
}

// formatResponse writes a response in the form of the response.http section.
func formatResponse(r wire.Response) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", r.Status)
	lines := make([]string, len(r.Header))
	for i, f := range r.Header {
		lines[i] = f.Name + ": " + f.Value
	}
	sort.Strings(lines)
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	b.WriteString("\n")
	body := r.Bytes()
	if r.Header.Get("Content-Type") == awsstream.ContentType {
		if text, err := formatFrames(body); err == nil {
			b.WriteString(text)
			return b.String()
		}
	}
	if !utf8.Valid(body) {
		fmt.Fprintf(&b, "base64:%s\n", base64.StdEncoding.EncodeToString(body))
		return b.String()
	}
	b.Write(body)
	if len(body) > 0 && body[len(body)-1] != '\n' {
		b.WriteString("\\ no line end\n")
	}
	return b.String()
}
