package captures

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"
)

func body(s string) Body { return Body{Data: []byte(s)} }

// sse writes events without names.
func sse(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	t.Parallel()
	const (
		start = `{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}`
		text  = `{"choices":[{"delta":{"content":"a"},"finish_reason":null}]}`
		stop  = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	)
	tests := []struct {
		name string
		a, b Body
		o    Options
		want []string
	}{
		{name: "values do not count", a: body(`{"id":"m1","n":1}`), b: body(`{"id":"m2","n":2.5}`)},
		{name: "order does not count unless asked", a: body(`{"a":1,"b":2}`), b: body(`{"b":2,"a":1}`)},
		{
			name: "keys", a: body(`{"id":"1","usage":{"in":1}}`), b: body(`{"id":"1","model":"m"}`),
			want: []string{
				"key: only in A: $.usage (object)", "key: only in A: $.usage.in (number)", "key: only in B: $.model (string)",
			},
		},
		{
			name: "types", a: body(`{"a":null,"b":[],"c":true}`), b: body(`{"a":"x","b":[1],"c":1}`),
			want: []string{
				"key: only in B: $.b[] (number)", "type: $.a: A null, B string", "type: $.c: A bool, B number",
			},
		},
		{
			name: "elements by their type", a: body(`[{"type":"text","text":"x"},{"type":"call","name":"f"}]`),
			b:    body(`[{"type":"text","text":"x"},{"type":"call","id":"f"}]`),
			want: []string{"key: only in A: $[call].name (string)", "key: only in B: $[call].id (string)"},
		},
		{
			name: "presence", a: body(`[{"a":1},{"a":1,"b":2}]`), b: body(`[{"a":1,"b":2}]`),
			want: []string{"presence: $[].b: sometimes in A, always in B"},
		},
		{
			name: "presence left out", a: body(`[{"a":1},{"a":1,"b":2}]`), b: body(`[{"a":1,"b":2}]`),
			o: Options{NoSometimes: true},
		},
		{name: "keys with dots", a: body(`{"x.y":{"z":1}}`), b: body(`{"x.y":{"z":2}}`)},
		{name: "arguments are free", a: body(`{"input":{"x":1}}`), b: body(`{"input":{"y":"z"}}`)},
		{
			name: "order", a: body(`[{"a":1,"b":2,"c":3},{"a":1,"c":3}]`), b: body(`[{"c":1,"b":2},{"a":0,"b":1}]`),
			o:    Options{Order: true, NoSometimes: true},
			want: []string{"order: $[]: A has b before c, B the reverse"},
		},
		{
			name: "status", a: Body{Data: []byte("{}"), Status: 400}, b: Body{Data: []byte("{}"), Status: 401},
			want: []string{"status: A 400, B 401"},
		},
		{name: "unknown status", a: Body{Data: []byte("{}"), Status: 400}, b: body("{}")},
		{
			name: "forms", a: body(`{"done":true}`), b: body("{\"done\":true}\n{\"done\":true}\n"),
			want: []string{
				"body: A is json, B is ndjson", "framing: only in A: JSON compact",
				"framing: only in B: last line ends with a line end", "framing: only in B: one record per line",
				"key: only in A: $ (object)", "key: only in A: $.done (bool)",
				"key: only in B: record(done) (object)", "key: only in B: record(done).done (bool)",
			},
		},
		{name: "framing of JSON", a: body(`{"a": "b: c"}`), b: body("{\n  \"a\": 1,\n  \"b\": 1}\n"), want: []string{
			"framing: only in A: JSON with spaces", "framing: only in B: JSON indented", "framing: only in B: ends with a line end",
			"key: only in B: $.b (number)", "type: $.a: A string, B number",
		}},
		{name: "no framing", a: body(`{"a": 1}`), b: body(`{"a":1}`), o: Options{NoFraming: true}},
		{
			name: "a colon in a text is no space", a: body(`{"a":"\"b, c: d"}`), b: body(`{"a":""}`),
		},
		{
			name: "how often an event repeats does not count",
			a:    body(sse(start, text, text, text, stop, "[DONE]")), b: body(sse(start, text, stop, "[DONE]")),
		},
		{
			name: "events", a: body(sse(start, text, stop, "[DONE]")), b: body(sse(text, start, stop)),
			want: []string{
				"framing: only in A: [DONE]",
				"events: A: chunk(start) > chunk(text) > chunk(finish)", "events: B: chunk(text) > chunk(start) > chunk(finish)",
			},
		},
		{
			name: "runs of sequences",
			a:    body(strings.Repeat("event: x\ndata: {}\n\nevent: y\ndata: {}\n\n", 3)),
			b:    body("event: x\ndata: {}\n\nevent: y\ndata: {}\n\n"),
			want: []string{"events: A: (x y)*", "events: B: x > y"},
		},
		{
			name: "framing of SSE",
			a:    body("event: a\r\ndata: {\"type\":\"a\"  }\r\n\r\n"),
			b:    body(": ping 17\n\nid: 4\nevent: a\ndata:{\"type\":\ndata:\"b\"}\n\ndata: oops\n\ndata: {}"),
			want: []string{
				"framing: only in A: last event ends with a blank line",
				"framing: only in A: line end CRLF",
				"framing: only in A: spaces before the last brace",
				"framing: only in B: \"data:\" without space",
				"framing: only in B: comment : ping 9",
				"framing: only in B: data that is no JSON",
				"framing: only in B: event name differs from type",
				"framing: only in B: line end LF",
				"framing: only in B: line id:",
				"framing: only in B: no blank line after the last event",
				"framing: only in B: several data: lines in one event",
				"framing: only in B: without event: line",
				"key: only in B: record (object)",
				"events: A: a",
				"events: B: a > record",
			},
		},
		{
			name: "payloads against SSE",
			a:    Body{Data: []byte(text + "\n" + stop + "\n[DONE]\n"), PayloadLines: true}, b: body(sse(text, stop)),
		},
		{
			name: "an array of chunks", a: body(`[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}]`),
			b:    body(sse(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`)),
			o:    Options{NoFraming: true},
			want: []string{"body: A is array, B is sse"},
		},
		{
			name: "text", a: body("upstream error"), b: body(""),
			want: []string{"framing: only in A: text: upstream error", "framing: only in B: text: (empty)"},
		},
		{
			name: "headers",
			a:    Body{Header: Header{{"Content-Type", "text/plain"}, {"X-Request-Id", "1"}}},
			b:    Body{Header: Header{{"content-type", "text/html"}, {"date", "now"}}},
			o:    Options{Headers: true},
			want: []string{
				"header: only in A: x-request-id", "header: only in B: date",
				`header: content-type: A "text/plain", B "text/html"`,
			},
		},
		{
			name: "nothing that can be read", a: body("\x1f\x8bthis is no gzip"), b: body("\x00\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
			want: []string{
				"body: A cannot be read: gzip: invalid header",
				"body: B cannot be read: frame at byte 0: wrong checksum of the lengths",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Diff(tt.a, tt.b, tt.o); !slices.Equal(got, tt.want) {
				t.Errorf("got:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
			}
		})
	}
}

func TestDiffReadsGzip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(`{"a":1}`))
	z.Close()
	if d := Diff(Body{Data: b.Bytes()}, body(`{"a":2}`), Options{}); d != nil {
		t.Errorf("compressed and plain differ: %q", d)
	}
}

func TestEventNames(t *testing.T) {
	t.Parallel()
	tests := []struct{ json, want string }{
		{`{"type":"message_start"}`, "message_start"},
		{`{"event_type":"text-generation"}`, "text-generation"},
		{`{"error":{"message":"x"}}`, "error"},
		{`{"choices":[]}`, "chunk(no choices)"},
		{`{"choices":[{"delta":{"role":"assistant"}}]}`, "chunk(start)"},
		{`{"choices":[{"delta":{"content":"x"}}]}`, "chunk(text)"},
		{`{"choices":[{"text":"x"}]}`, "chunk(text)"},
		{`{"choices":[{"delta":{"reasoning_content":"x"}}]}`, "chunk(reasoning)"},
		{`{"choices":[{"delta":{"tool_calls":[{}]}}]}`, "chunk(tool)"},
		{`{"choices":[{"delta":null,"finish_reason":"stop"}]}`, "chunk(finish)"},
		{`{"choices":["odd"]}`, "chunk(start)"},
		{`{"candidates":[{"content":{"parts":[{"thought":true,"text":"x"},{"text":"y"}]},"finishReason":"STOP"}]}`, "chunk(text+thought, finish)"},
		{`{"candidates":[]}`, "chunk()"},
		{`{"promptFeedback":{}}`, "chunk(blocked)"},
		{`{"done":true}`, "record(done)"},
		{`{"done":false,"response":"x"}`, "record(text)"},
		{`{"done":false,"message":{"tool_calls":[{}]}}`, "record(tool)"},
		{`{"done":0,"message":{"thinking":"x"}}`, "record(thinking)"},
		{`{"status":"pulling"}`, "record"},
		{`[1]`, "array"},
		{`null`, "null"},
	}
	for _, tt := range tests {
		v, err := decode([]byte(tt.json))
		if err != nil {
			t.Errorf("%s: %v", tt.json, err)
			continue
		}
		if got := nameOf(v); got != tt.want {
			t.Errorf("%s is named %q, want %q", tt.json, got, tt.want)
		}
	}
}

func TestLookAtFrames(t *testing.T) {
	t.Parallel()
	e, err := Read("testdata/recordings/acme/tool-stream-01.http")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Look(e.Body())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"messageStart", "chunk", "ping"}; s.Form != EventStream || s.Count != 3 || !slices.Equal(s.Events, want) {
		t.Errorf("got %s, %d events, %v; want %s, 3 events, %v", s.Form, s.Count, s.Events, EventStream, want)
	}
	first := int(e.ResponseBody[3]) // where the second frame begins
	for n := 17; n < len(e.ResponseBody); n++ {
		if s, err := Look(Body{Data: e.ResponseBody[:n]}); (err == nil) != (n == first) {
			t.Errorf("cut after %d bytes: %v, %v", n, s, err)
		}
		flipped := bytes.Clone(e.ResponseBody)
		flipped[n] ^= 1
		if _, err := Look(Body{Data: flipped}); err == nil {
			t.Errorf("byte %d changed, and nobody noticed", n)
		}
	}
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte(`{"a":[{"type":"x","b":null}]}`), false)
	f.Add([]byte("event: a\ndata: {\"type\":\"b\"}\n\n: c 1\n"), false)
	f.Add([]byte(`[{"candidates":[{"content":{"parts":[{}]}}]}]`), false)
	f.Add([]byte("{\"done\":false}\n{\"done\":true}\n"), true)
	if e, err := Read("testdata/recordings/acme/tool-stream-01.http"); err == nil {
		f.Add(e.ResponseBody, false)
	}
	f.Fuzz(func(t *testing.T, b []byte, payloads bool) {
		x := Body{Data: b, PayloadLines: payloads}
		if _, err := Look(x); err != nil {
			return
		}
		if d := Diff(x, x, Options{Order: true, Headers: true}); d != nil {
			t.Errorf("a body differs from itself: %q", d)
		}
	})
}
