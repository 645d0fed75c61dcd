package wire

import (
	"context"
	"net/http"
)

// Field is one header line. Its name is in Go's canonical form: "X-Request-Id".
type Field struct{ Name, Value string }

// Header is header lines in their order; a name may come several times.
type Header []Field

// Get is the first value of a name in canonical form, or "".
func (h Header) Get(name string) string {
	for _, f := range h {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Set replaces every line of the name by one.
func (h Header) Set(name, value string) Header {
	out := h[:0:0]
	for _, f := range h {
		if f.Name != name {
			out = append(out, f)
		}
	}
	return append(out, Field{name, value})
}

// WriteTo adds the lines to an HTTP header, replacing what is there under the same name.
func (h Header) WriteTo(dst http.Header) {
	values := make([]string, len(h))
	for i, f := range h {
		if old, ok := dst[f.Name]; ok && h[:i].Get(f.Name) != "" {
			dst[f.Name] = append(old, f.Value)
			continue
		}
		values[i] = f.Value
		dst[f.Name] = values[i : i+1 : i+1]
	}
}

// Response is a rendered answer: a whole body, or a head and the frames to come.
type Response struct {
	Status int
	Header Header
	// Body is all of it where Framing is nil.
	Body    []byte
	Framing Framing
	Frames  []Frame
	// More, where it is set, waits for the frames that come after those before. There are no more where it gives none; it
	// is false where ctx ended first.
	More func(ctx context.Context) ([]Frame, bool)
}

// Bytes is what a clean delivery writes of what is there.
func (r Response) Bytes() []byte {
	if r.Framing == nil {
		return r.Body
	}
	b := r.Framing.Open(nil)
	for i, f := range r.Frames {
		b = r.Framing.Append(b, f, i)
	}
	return r.Framing.Close(b)
}
