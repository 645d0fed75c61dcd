package anthropic_test

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
)

// readStream reads hand-written events: one JSON document a line.
func readEvents(t *testing.T, lines ...string) (wire.Reply, error) {
	t.Helper()
	c := open(t, post(messagesPath, askStream))
	body := "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n"
	h := &wire.ResponseHead{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: c.Request}
	return wire.Fold(c.Endpoint.Codec.Read(h, strings.NewReader(body)))
}

const (
	started = `{"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":5,"output_tokens":1}}}`
	text0   = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	hi0     = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}`
	stop0   = `{"type":"content_block_stop","index":0}`
	ended   = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}`
	stopped = `{"type":"message_stop"}`
	ping    = `{"type": "ping"}`
)

func TestReadsTolerantly(t *testing.T) {
	t.Parallel()
	hiThere := wire.Reply{
		Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "Hi"}}, Stop: wire.StopComplete}},
		Usage:   &wire.Usage{Input: 5, Output: 3},
	}
	for name, lines := range map[string][]string{
		"as usual":               {started, text0, hi0, stop0, ended, stopped},
		"pings everywhere":       {ping, started, ping, text0, ping, hi0, ping, stop0, ping, ended, ping, stopped},
		"unknown events":         {`{"type":"vertex_event"}`, started, text0, `{"type":"x"}`, hi0, stop0, `[]`, `3`, ended, stopped},
		"unknown delta":          {started, text0, `{"type":"content_block_delta","index":0,"delta":{"type":"x","text":"no"}}`, hi0, stop0, ended, stopped},
		"a delta of no block":    {started, text0, `{"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"no"}}`, hi0, stop0, ended, stopped},
		"no block stop":          {started, text0, hi0, ended, stopped},
		"text in the start":      {started, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}`, stop0, ended, stopped},
		"no indexes":             {started, `{"type":"content_block_start","content_block":{"type":"text","text":"Hi"}}`, ended, stopped},
		"a second message_start": {started, started, text0, hi0, stop0, ended, stopped},
		"two message_deltas":     {started, text0, hi0, stop0, `{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":2}}`, ended, stopped},
		"usage repeated":         {started, text0, hi0, stop0, strings.Replace(ended, `"usage":{`, `"usage":{"input_tokens":5,`, 1), stopped},
		"more after the end":     {started, text0, hi0, stop0, ended, stopped, `{"type":"error","error":{}}`, `nonsense`},
		"a wrong delta kind":     {started, text0, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}`, hi0, stop0, ended, stopped},
	} {
		got, err := readEvents(t, lines...)
		if err != nil || !reflect.DeepEqual(got, hiThere) {
			t.Errorf("%s: %+v %+v %v", name, got, got.Usage, err)
		}
	}
}

func TestReadsBlocksThatInterleave(t *testing.T) {
	t.Parallel()
	got, err := readEvents(t, started, text0,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}}`, hi0,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":":1}"}}`,
		`{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"page_location","cited_text":"q","start_page_number":2,"end_page_number":3}}}`,
		stop0, ended, stopped)
	want := []wire.Part{
		wire.Text{Text: "Hi"},
		wire.Citation{Kind: "page_location", Text: "q", Start: 2, End: 3, Raw: `{"type":"page_location","cited_text":"q","start_page_number":2,"end_page_number":3}`},
		wire.ToolCall{ID: "t", Name: "f", Arguments: `{"a":1}`},
	}
	if err != nil || !reflect.DeepEqual(got.Choices[0].Parts, want) {
		t.Errorf("%+v %v", got.Choices, err)
	}
}

func TestReadsInputHoweverItComes(t *testing.T) {
	t.Parallel()
	start := func(input string) string {
		return `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":` + input + `}}`
	}
	delta := func(piece string) string {
		return `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"` + piece + `"}}`
	}
	for name, tc := range map[string]struct {
		lines []string
		want  string
	}{
		"no delta":          {[]string{start(`{}`), stop0}, `{}`},
		"only an empty one": {[]string{start(`{}`), delta(``), stop0}, ``},
		"in the start":      {[]string{start(`{"a": 1}`), stop0}, `{"a":1}`},
		"cut":               {[]string{start(`{}`), delta(`{\"city\":\"Par`), stop0}, `{"city":"Par`},
		"no start input":    {[]string{`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f"}}`, delta(`{}`), stop0}, `{}`},
	} {
		lines := append(append([]string{started}, tc.lines...), ended, stopped)
		got, err := readEvents(t, lines...)
		if err != nil || got.Choices[0].Calls()[0].Arguments != tc.want {
			t.Errorf("%s: %+v %v", name, got.Choices, err)
		}
	}
}

func TestReadsToolsOfTheProvider(t *testing.T) {
	t.Parallel()
	got, err := readEvents(t, started,
		`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{},"caller":{"type":"direct"}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\": \"x\"}"}}`,
		stop0, ended, stopped)
	want := []wire.Part{wire.Opaque{Type: "server_tool_use", Raw: `{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"},"caller":{"type":"direct"}}`}}
	if err != nil || !reflect.DeepEqual(got.Choices[0].Parts, want) {
		t.Errorf("%+v %v", got.Choices, err)
	}
}

func TestReadsABrokenConnection(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askStream))
	gone := errors.New("connection reset by peer")
	h := &wire.ResponseHead{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: c.Request}
	body := "data: " + strings.Join([]string{started, text0, hi0}, "\n\ndata: ") + "\n\n"
	_, err := wire.Fold(c.Endpoint.Codec.Read(h, &failing{strings.NewReader(body), gone}))
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Transport || !f.PartialOutput || f.Sent != wire.MaybeSent || f.Usage == nil || f.Usage.Input != 5 {
		t.Errorf("%+v", err)
	}
	h.Header.Set("Content-Type", "application/json")
	_, err = wire.Fold(c.Endpoint.Codec.Read(h, iotest.ErrReader(gone)))
	if !errors.As(err, &f) || f.Kind != wire.Transport || f.PartialOutput {
		t.Errorf("%+v", err)
	}
}

// failing gives an error in the place of the end.
type failing struct {
	r   *strings.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	if f.r.Len() == 0 {
		return 0, f.err
	}
	return f.r.Read(p)
}

func TestReadsWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	for body, kind := range map[string]wire.FailureKind{
		``:     wire.Unusable,
		`{"a`:  wire.Unusable,
		`{}`:   wire.Unusable,
		`null`: wire.Unusable,
		`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`: wire.Overloaded,
		`{"type":"error"}`: wire.ServerError,
	} {
		h := &wire.ResponseHead{Status: 200, Header: http.Header{}, Request: c.Request}
		_, err := wire.Fold(c.Endpoint.Codec.Read(h, strings.NewReader(body)))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Kind != kind {
			t.Errorf("%s: %+v", body, err)
		}
	}
}

func TestReadStopsWhenAsked(t *testing.T) {
	t.Parallel()
	for _, body := range []string{askWhole, askStream} {
		c := open(t, post(messagesPath, body))
		resp := render(c, one(wire.Text{Text: "one two"}, wire.Text{Text: "three"}), "", wire.NoCut())
		h := &wire.ResponseHead{Status: 200, Header: http.Header{}, Request: c.Request}
		for limit := range 8 {
			n := 0
			for _, err := range c.Endpoint.Codec.Read(h, strings.NewReader(string(resp.Bytes()))) {
				if err != nil {
					t.Error(err)
				}
				if n++; n > limit {
					break
				}
			}
			if n != limit+1 {
				t.Errorf("%d events before %d", n, limit+1)
			}
		}
	}
}

func TestQuirkNames(t *testing.T) {
	t.Parallel()
	names := anthropic.QuirkNames()
	q := reflect.TypeFor[anthropic.Quirks]()
	if len(names) != q.NumField() {
		t.Errorf("%d names for %d fields", len(names), q.NumField())
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		found := false
		for f := range q.Fields() {
			found = found || strings.EqualFold(f.Name, name)
		}
		if !found {
			t.Errorf("no field for %s", name)
		}
	}
	// What is of a wrong kind, of another provider, or no JSON changes nothing.
	usual := string(stream(t, hello, "").Bytes())
	for _, quirks := range []string{`{"noPadding":1,"ping":true,"startInputTokens":-1,"signatureLength":1e9}`, `{"roleOnEvery":true}`, `[]`, `{`} {
		if got := string(stream(t, hello, quirks).Bytes()); got != usual {
			t.Errorf("%s changes the answer", quirks)
		}
	}
}

func TestFitSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	c := open(t, post(messagesPath, askWhole))
	for name, r := range map[string]wire.Reply{
		"a refusal part":          one(wire.Refusal{Text: "no"}),
		"two choices":             {Choices: []wire.Answer{{}, {}}},
		"a citation of no text":   one(wire.Citation{Kind: "char_location", Text: "q"}),
		"an image":                one(wire.Media{Kind: "image"}),
		"a result":                one(wire.ToolResult{ID: "x"}),
		"a custom call":           one(wire.ToolCall{Name: "f", Arguments: "{}", Custom: true}),
		"a block that is no JSON": one(wire.Opaque{Type: "x", Raw: "{"}),
		"a block without type":    one(wire.Opaque{Raw: "{}"}),
		"redacted text":           one(wire.Reasoning{Text: "x", Redacted: true}),
		"vectors":                 {Vectors: [][]float32{{1}}},
		"blocked":                 {Blocked: "prompt"},
	} {
		fitted, lost := c.Endpoint.Codec.Fit(c, r)
		if len(lost) != 1 || !errors.Is(lost[0], wire.ErrNotOnWire) {
			t.Errorf("%s: lost %v", name, lost)
		}
		again, more := c.Endpoint.Codec.Fit(c, fitted)
		if len(more) != 0 || !reflect.DeepEqual(again, fitted) {
			t.Errorf("%s: Fit is not idempotent: %v\n%+v\n%+v", name, more, fitted, again)
		}
	}
	if _, lost := c.Endpoint.Codec.Fit(c, wire.Reply{Choices: []wire.Answer{{Stop: wire.StopSafety}}}); len(lost) != 0 {
		t.Errorf("safety: lost %v", lost)
	}
}

func TestCitationsOfEveryKind(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"char_location", "page_location", "content_block_location", "web_search_result_location", "search_result_location", "", "url_citation"} {
		c := wire.Citation{Kind: kind, URL: "https://example.com", Title: "T", Text: "q", Start: 1, End: 2}
		if strings.HasPrefix(kind, "char") || strings.HasPrefix(kind, "page") || strings.HasPrefix(kind, "content") {
			c.URL = ""
		}
		for _, body := range []string{askWhole, askStream} {
			call := open(t, post(messagesPath, body))
			r := render(call, one(wire.Text{Text: "said"}, c, c), "", wire.NoCut())
			got, err := readBack(t, call, r)
			if err != nil || len(got.Choices[0].Parts) != 3 {
				t.Fatalf("%s: %+v %v", kind, got, err)
			}
			read := got.Choices[0].Parts[1].(wire.Citation)
			if read.Text != "q" || read.Title != "T" || read.URL != c.URL || read.Raw == "" {
				t.Errorf("%s: %+v", kind, read)
			}
		}
	}
}
