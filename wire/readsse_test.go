package wire_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mimus-go/mimus/wire"
)

func readSSE(t *testing.T, r io.Reader) []wire.SSEEvent {
	t.Helper()
	var events []wire.SSEEvent
	for e, err := range wire.ReadSSE(r) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func TestReadSSE(t *testing.T) {
	t.Parallel()
	two := []wire.SSEEvent{{"a", `{"x":1}`}, {"", "[DONE]"}}
	for name, tt := range map[string]struct {
		in   string
		want []wire.SSEEvent
	}{
		"LF":                       {"event: a\ndata: {\"x\":1}\n\ndata: [DONE]\n\n", two},
		"CRLF":                     {"event: a\r\ndata: {\"x\":1}\r\n\r\ndata: [DONE]\r\n\r\n", two},
		"CR":                       {"event: a\rdata: {\"x\":1}\r\rdata: [DONE]\r\r", two},
		"no space after the colon": {"event:a\ndata:{\"x\":1}\n\ndata:[DONE]\n\n", two},
		"no final blank line":      {"event: a\ndata: {\"x\":1}\n\ndata: [DONE]", two},
		"byte order mark":          {"\uFEFFevent: a\ndata: {\"x\":1}\n\ndata: [DONE]\n\n", two},
		"comments, ids and blanks": {": hello\n\n\nid: 7\nretry: 3\n\nevent: a\n: ping\ndata: {\"x\":1}\n\n: end\n\ndata: [DONE]\n\n", two},
		"several data lines":       {"data: one\ndata: two\ndata:\n\n", []wire.SSEEvent{{"", "one\ntwo\n"}}},
		"name without data":        {"event: a\n\ndata: x\n\n", []wire.SSEEvent{{"", "x"}}},
		"empty data":               {"data:\n\n", []wire.SSEEvent{{"", ""}}},
		"nothing":                  {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readSSE(t, strings.NewReader(tt.in)); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("whole: got %q, want %q", got, tt.want)
			}
			if got := readSSE(t, iotest.OneByteReader(strings.NewReader(tt.in))); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("byte by byte: got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReadSSELongLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3<<20)
	got := readSSE(t, strings.NewReader("data: "+long+"\n\ndata: y\n\n"))
	if len(got) != 2 || got[0].Data != long || got[1].Data != "y" {
		t.Errorf("got %d events", len(got))
	}
}

func TestReadSSEError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var events []wire.SSEEvent
	var last error
	for e, err := range wire.ReadSSE(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken))) {
		if last = err; err == nil {
			events = append(events, e)
		}
	}
	if len(events) != 2 || !errors.Is(last, broken) {
		t.Errorf("got %q and %v", events, last)
	}
}

func TestReadNDJSON(t *testing.T) {
	t.Parallel()
	in := "{\"a\":1}\r\n\n  {\"b\":2}\n{\"c\":\"" + strings.Repeat("z", 2<<20) + "\"}"
	var got []string
	for line, err := range wire.ReadNDJSON(iotest.HalfReader(strings.NewReader(in))) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, line)
	}
	if len(got) != 3 || got[0] != `{"a":1}` || got[1] != `{"b":2}` || len(got[2]) != 2<<20+8 {
		t.Errorf("got %d lines", len(got))
	}
}

// FuzzReadSSE holds that fragmentation never matters, and that what a framing writes is read back.
func FuzzReadSSE(f *testing.F) {
	f.Add("event: a\ndata: b\n\n", "name", "data\nmore")
	f.Add("data: x\r\n\r\n:\r\r", "", "[DONE]")
	f.Fuzz(func(t *testing.T, raw, name, data string) {
		whole := readSSE(t, strings.NewReader(raw))
		if pieces := readSSE(t, iotest.OneByteReader(strings.NewReader(raw))); !reflect.DeepEqual(whole, pieces) {
			t.Errorf("whole %q, in pieces %q", whole, pieces)
		}
		if strings.ContainsAny(name+data, "\r") || strings.Contains(name, "\n") || strings.HasPrefix(name, " ") {
			return
		}
		for _, framing := range []wire.SSE{{}, {EOL: "\r\n"}, {NoFinalBlank: true}} {
			frames := []wire.Frame{{Name: name, Data: []byte(data)}, {Data: []byte("end")}}
			r := wire.Response{Framing: framing, Frames: frames}
			got := readSSE(t, strings.NewReader(string(r.Bytes())))
			if want := []wire.SSEEvent{{name, data}, {"", "end"}}; !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: got %q, want %q", framing, got, want)
			}
		}
	})
}
