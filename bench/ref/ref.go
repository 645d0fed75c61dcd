// Package ref has the servers that others are measured against: they do what
// every server of LLM answers must do, and nothing else.
//
// A reference server decodes as much of the request as it takes to know the
// model and whether to stream, and writes an answer that was ready before: in
// one Write, with a flush after each event, or an event at a time from a
// timing wheel. It is the limit of what net/http allows.
package ref

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Answer is what a reference server sends.
type Answer struct {
	Body []byte
	SSE  bool
	// Framing is that of an SSE answer, if it is another: "ndjson" or "aws". Such an
	// answer goes to every request, as its wire may ask for a stream by the path.
	Framing string
	// Flush flushes after each event of an SSE answer.
	Flush bool
	// Gap sends an event of an SSE answer every so often, the first at once.
	Gap time.Duration
}

// request is the minimal decode.
type request struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Content string `json:"content"`
	} `json:"messages"`
}

// brief is a request without its messages, which are then skipped.
type brief struct {
	Model  string `json:"model"`
	Stream bool   `json:"stream"`
}

// Handler answers every request with a.
func Handler(a Answer) http.Handler {
	send := a.sender()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q brief
		if decode(w, r, &q) {
			send(w, q.Stream)
		}
	})
}

// decode reads a request into v, or refuses it.
func decode(w http.ResponseWriter, r *http.Request, v any) bool {
	var buf bytes.Buffer
	if r.ContentLength > 0 {
		buf.Grow(int(min(r.ContentLength, 16<<20)) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(r.Body)
	if err == nil {
		err = json.Unmarshal(buf.Bytes(), v)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

// sender returns what writes a, with all that can be done beforehand done.
func (a Answer) sender() func(w http.ResponseWriter, stream bool) {
	if !a.SSE {
		length := strconv.Itoa(len(a.Body))
		return func(w http.ResponseWriter, _ bool) {
			w.Header()["Content-Type"] = []string{"application/json"}
			w.Header()["Content-Length"] = []string{length}
			_, _ = w.Write(a.Body) // a client that is gone misses it, here and below
		}
	}
	events := Split(a.Framing, a.Body)
	contentType := map[string]string{"ndjson": "application/x-ndjson", "aws": "application/vnd.amazon.eventstream"}[a.Framing]
	if contentType == "" {
		contentType = "text/event-stream"
	}
	var wheel *wheel
	if a.Gap > 0 {
		wheel = newWheel(chunked(events), a.Gap)
	}
	return func(w http.ResponseWriter, stream bool) {
		if !stream && a.Framing == "" {
			http.Error(w, "this server only streams", http.StatusBadRequest)
			return
		}
		if wheel != nil {
			wheel.take(w)
			return
		}
		w.Header()["Content-Type"] = []string{contentType}
		if !a.Flush {
			w.Header()["Transfer-Encoding"] = []string{"chunked"}
			_, _ = w.Write(a.Body)
			return
		}
		f := w.(http.Flusher)
		for _, e := range events {
			_, _ = w.Write(e)
			f.Flush()
		}
	}
}

// Events splits the body of an event stream after each event.
func Events(body []byte) [][]byte {
	var events [][]byte
	for len(body) > 0 {
		n := len(body)
		for _, end := range []string{"\n\n", "\r\n\r\n"} { // the second is Google's
			if i := bytes.Index(body[:n], []byte(end)); i >= 0 {
				n = i + len(end)
			}
		}
		events = append(events, body[:n:n])
		body = body[n:]
	}
	return events
}

// Split takes the body of a stream in any framing apart after each event.
func Split(framing string, body []byte) [][]byte {
	var events [][]byte
	switch framing {
	case "ndjson":
		return slices.Collect(bytes.Lines(body))
	case "aws":
		// A frame begins with its length.
		for len(body) >= 4 {
			n := min(len(body), max(4, int(binary.BigEndian.Uint32(body))))
			events = append(events, body[:n:n])
			body = body[n:]
		}
		return events
	}
	return Events(body)
}

// Serve listens on addr, says so on out, and serves until ctx ends.
func Serve(ctx context.Context, addr, name string, h http.Handler, out io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: listening on http://%s\n", name, l.Addr())
	srv := &http.Server{Handler: h}
	defer context.AfterFunc(ctx, func() { srv.Close() })()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
