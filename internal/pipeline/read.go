package pipeline

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// read takes the request in. It gives a failure where the body cannot be had.
func (x *exchange) read(w http.ResponseWriter, r *http.Request) *wire.Failure {
	p := &wire.Probe{Method: r.Method, Host: host(r.Host), Header: r.Header, Target: r.URL.RequestURI(), TLS: r.TLS != nil}
	if r.URL.RawQuery != "" {
		p.Query = r.URL.Query()
	}
	x.probe, x.entry.Probe = p, p
	path, dialect, failure := x.handler.prefix(r.URL.EscapedPath())
	p.Path, p.Dialect = path, dialect
	body, err := readBody(w, r, x.handler.config.MaxBody)
	p.Body = body
	if err != nil && failure == nil {
		failure = x.bodyFailure(err)
	}
	return failure
}

func host(h string) string {
	if name, _, err := net.SplitHostPort(h); err == nil {
		h = name
	}
	return strings.ToLower(h)
}

// prefix cuts /as/NAME off the path.
func (h *Handler) prefix(path string) (rest, dialect string, f *wire.Failure) {
	tail, ok := strings.CutPrefix(path, "/as/")
	if !ok {
		return path, h.config.As, nil
	}
	name, rest, _ := strings.Cut(tail, "/")
	if u, err := url.PathUnescape(name); err == nil {
		name = u
	}
	if !h.dialects[name] {
		return "/" + rest, "", &wire.Failure{
			Kind: wire.NotFound, Rule: "unknown-dialect",
			Message: fmt.Sprintf("mimus: /as/%s: no provider or vendor of that name; there are %s", name, strings.Join(Dialects(h.config.Providers), ", ")),
		}
	}
	return "/" + rest, name, nil
}

var (
	errTooLarge = errors.New("request body too large")
	errEncoding = errors.New("unsupported content encoding")
)

// readBody reads a body of at most limit bytes, and un-gzips it.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	if r.ContentLength > limit {
		return nil, errTooLarge
	}
	body, err := readAll(http.MaxBytesReader(w, r.Body, limit), r.ContentLength)
	if err != nil {
		return body, err
	}
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		zr, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return body, fmt.Errorf("gzip: %w", err)
		}
		plain, err := readAll(io.LimitReader(zr, limit+1), -1)
		switch {
		case err != nil:
			return body, fmt.Errorf("gzip: %w", err)
		case int64(len(plain)) > limit:
			return nil, errTooLarge
		}
		return plain, nil
	default:
		return body, fmt.Errorf("%w %q", errEncoding, encoding)
	}
}

func readAll(r io.Reader, length int64) ([]byte, error) {
	if length < 0 {
		return io.ReadAll(r)
	}
	b := make([]byte, length)
	n, err := io.ReadFull(r, b)
	return b[:n], err
}

func (x *exchange) bodyFailure(err error) *wire.Failure {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errTooLarge), errors.As(err, &tooLarge):
		return &wire.Failure{Kind: wire.TooLarge, Rule: "too-large"}
	case errors.Is(err, errEncoding):
		return &wire.Failure{Kind: wire.Invalid, Rule: "content-encoding", Message: err.Error()}
	case strings.HasPrefix(err.Error(), "gzip: "):
		return &wire.Failure{Kind: wire.Invalid, Rule: "content-encoding", Message: "the request body is not valid " + err.Error()}
	}
	x.gone = true
	return &wire.Failure{Kind: wire.Canceled, Rule: "request cut off"}
}
