package pipeline

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// read takes the request in. It gives a failure where the body cannot be had.
func (x *exchange) read(w http.ResponseWriter, r *http.Request) *wire.Failure {
	x.own.probe = wire.Probe{Method: r.Method, Header: r.Header, Target: r.URL.RequestURI(), TLS: r.TLS != nil}
	p := &x.own.probe
	p.Host, p.Port = host(r.Host)
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

// host parts a Host header into the name, in lower case, and the port.
func host(h string) (name, port string) {
	if i := strings.LastIndexByte(h, ':'); i >= 0 && !strings.HasSuffix(h, "]") {
		h, port = h[:i], h[i+1:]
	}
	return strings.ToLower(strings.Trim(h, "[]")), port
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
	errGzip     = errors.New("the request body is not valid gzip")
)

// readBody reads a body of at most limit bytes, and un-gzips it.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	from := io.Reader(r.Body)
	if r.ContentLength < 0 {
		from = http.MaxBytesReader(w, r.Body, limit)
	} else if r.ContentLength > limit {
		// A client that writes before it reads would else lose the answer to a connection reset.
		_, _ = io.CopyN(io.Discard, r.Body, drained)
		return nil, errTooLarge
	}
	body, err := readAll(from, r.ContentLength)
	if err != nil {
		return body, err
	}
	switch encoding := strings.ToLower(r.Header.Get("Content-Encoding")); encoding {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		return gunzip(body, limit)
	default:
		return body, fmt.Errorf("%w %q: send the body as it is, or gzip", errEncoding, encoding)
	}
}

// drained is how much of a body that is too large is read all the same; presized is how much memory is taken for a body
// on the word of its length alone.
const (
	drained  = 64 << 20
	presized = 16 << 20
)

// gunzip gives the body as it came where it is no gzip.
func gunzip(body []byte, limit int64) ([]byte, error) {
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body, fmt.Errorf("%w: %w", errGzip, err)
	}
	plain, err := io.ReadAll(io.LimitReader(zr, limit+1))
	switch {
	case err != nil:
		return body, fmt.Errorf("%w: %w", errGzip, err)
	case int64(len(plain)) > limit:
		return nil, errTooLarge
	}
	return plain, nil
}

// readAll reads so many bytes, or all where length is negative.
func readAll(r io.Reader, length int64) ([]byte, error) {
	if length < 0 {
		return io.ReadAll(r)
	}
	b := make([]byte, min(length, presized))
	for n := 0; ; {
		m, err := io.ReadFull(r, b[n:])
		n += m
		if err != nil || int64(n) == length {
			return b[:n], err
		}
		b = append(b, make([]byte, min(int64(n), length-int64(n)))...)
	}
}

func (x *exchange) bodyFailure(err error) *wire.Failure {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errTooLarge), errors.As(err, &tooLarge):
		return &wire.Failure{Kind: wire.TooLarge, Rule: "too-large"}
	case errors.Is(err, errEncoding), errors.Is(err, errGzip):
		return &wire.Failure{Kind: wire.Invalid, Rule: "content-encoding", Message: err.Error()}
	}
	// Whoever closed only its writing side can still read this.
	x.cutOff = true
	return &wire.Failure{Kind: wire.Invalid, Rule: "cut-off", Message: "the request ended before its body was whole"}
}
