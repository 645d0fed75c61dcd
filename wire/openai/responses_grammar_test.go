package openai_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// responsesProbe is a request to an endpoint of the Responses API that the provider would take.
func responsesProbe(method, target, body string) *wire.Probe {
	path, query, _ := strings.Cut(target, "?")
	q, _ := url.ParseQuery(query)
	return &wire.Probe{
		Method: method, Host: "api.openai.com", Path: path, Query: q, Body: []byte(body),
		Header: http.Header{"Authorization": {"Bearer sk-test"}, "Content-Type": {"application/json"}},
	}
}

func responsesCall(t *testing.T, body string) *wire.Call {
	t.Helper()
	c, f, err := wiretest.Call(openai.Provider(), responsesProbe(http.MethodPost, "/v1/responses", body))
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Fatalf("decode %s: %v", body, f)
	}
	return c
}

// responsesRequests are requests that change the form of the answer.
func responsesRequests() map[string]string {
	return map[string]string{
		"unary":             `{"model":"gpt-4o","input":"Hi"}`,
		"stream":            `{"model":"gpt-4o","input":"Hi","stream":true}`,
		"encrypted":         `{"model":"gpt-5","input":"Hi","include":["reasoning.encrypted_content"]}`,
		"encrypted stream":  `{"model":"gpt-5.4","input":"Hi","stream":true,"include":["reasoning.encrypted_content"]}`,
		"logprobs stream":   `{"model":"gpt-4o","input":"Hi","stream":true,"include":["message.output_text.logprobs"],"top_logprobs":2}`,
		"logprobs":          `{"model":"gpt-4o","input":"Hi","include":["message.output_text.logprobs"]}`,
		"background stream": `{"model":"gpt-4o","input":"Hi","stream":true,"background":true}`,
		"custom stream":     `{"model":"gpt-4o","input":"Hi","stream":true,"tools":[{"type":"custom","name":"f"}]}`,
	}
}

func moreResponsesReplies() []wiretest.Named {
	one := func(stop wire.Stop, parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts, Stop: stop}}}
	}
	search := wire.Opaque{Type: "web_search_call", Raw: `{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"parcel"}}`}
	cited := wire.Citation{Kind: "url_citation", URL: "https://example.com", Title: "E", Start: 0, End: 3}
	return append(wiretest.Replies(), []wiretest.Named{
		{Name: "custom call", Reply: one("", wire.ToolCall{Name: "sql", Arguments: "SELECT 1;\n", Custom: true})},
		{Name: "search and citation", Reply: one("", search, wire.Text{Text: "Köln, it says."}, cited, cited)},
		{Name: "citation alone", Reply: one("", cited)},
		{Name: "text and refusal", Reply: one("", wire.Text{Text: "Well,"}, wire.Refusal{Text: "no."})},
		{Name: "thoughts alone", Reply: one(wire.StopLength, wire.Reasoning{Text: "hm"})},
		{Name: "two thoughts", Reply: one("", wire.Reasoning{Text: "hm"}, wire.Text{Text: "a"}, wire.Reasoning{Text: "again"}, wire.Text{Text: "b"})},
		{Name: "hidden thought", Reply: one("", wire.Reasoning{}, wire.Text{Text: "a"})},
		{Name: "no item", Reply: one("", wire.Opaque{Type: "x", Raw: "{}"}, wire.Media{Kind: "image", URL: "https://example.com/a.png"})},
		{Name: "blank text and call", Reply: one("", wire.Text{}, wire.ToolCall{Name: "f", Arguments: "{}"})},
	}...)
}

// TestResponsesRoundTrip reads back what was rendered, in each layout and for each form of request.
func TestResponsesRoundTrip(t *testing.T) {
	t.Parallel()
	for _, layout := range []string{"openai", "azure", "xai", "copilot", "mantle", "deepseek", "lmstudio"} {
		for name, body := range responsesRequests() {
			for _, r := range moreResponsesReplies() {
				t.Run(layout+"/"+name+"/"+r.Name, func(t *testing.T) {
					t.Parallel()
					c := responsesCall(t, body)
					c.Quirks = []byte(`{"responsesLayout":"` + layout + `"}`)
					wiretest.RoundTrip(t, c, r.Reply)
				})
			}
		}
	}
}

// TestResponsesGrammar holds each stream to the grammar of the API: numbers without gaps, items and parts that are
// added before they are done, and done once; in streams that are cut or that fail, as far as they go.
func TestResponsesGrammar(t *testing.T) {
	t.Parallel()
	for name, body := range responsesRequests() {
		if !strings.Contains(body, `"stream":true`) {
			continue
		}
		for _, r := range moreResponsesReplies() {
			if r.Name == "long text" {
				continue // the same grammar, a thousand times
			}
			t.Run(name+"/"+r.Name, func(t *testing.T) {
				t.Parallel()
				whole := renderResponses(t, body, r.Reply, wire.NoCut())
				grammar(t, whole, "")
				for n := range min(len(whole), 12) {
					cut := wire.NoCut()
					cut.After = n
					grammar(t, renderResponses(t, body, r.Reply, cut), "cut")
					fail := wire.NoCut()
					fail.FailAfter, fail.Failure = n, &wire.Failure{Kind: wire.ServerError}
					frames := renderResponses(t, body, r.Reply, fail)
					if len(frames) != n+2 {
						t.Fatalf("failed after %d: %d events, want an error and response.failed", n, len(frames))
					}
					grammar(t, frames, "failed")
				}
			})
		}
	}
}

func renderResponses(t *testing.T, body string, r wire.Reply, cut wire.Cut) []wire.Frame {
	t.Helper()
	c := responsesCall(t, body)
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, cut)
	return resp.Frames
}

// grammar checks one stream. end is "" for a whole one.
func grammar(t *testing.T, frames []wire.Frame, end string) {
	t.Helper()
	items, parts := map[int64]string{}, map[string]string{}
	terminal := ""
	step := func(open map[string]string, key, name string) {
		want := ""
		if name == "done" {
			want = "added"
		}
		if open[key] != want {
			t.Errorf("%s is %s, and was %q before", key, name, open[key])
		}
		open[key] = name
	}
	for i, f := range frames {
		v, err := jsonx.ParseBytes(f.Data)
		if err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
		typ := v.Get("type").Str()
		if typ != f.Name {
			t.Errorf("event %d is called %q, and says %q", i, f.Name, typ)
		}
		if seq, ok := v.Get("sequence_number").Int(); !ok || seq != int64(i) {
			t.Errorf("event %d has number %s", i, v.Get("sequence_number").Raw())
		}
		if terminal != "" {
			t.Errorf("%s comes after %s", typ, terminal)
		}
		output, _ := v.Get("output_index").Int()
		item := fmt.Sprint("item ", output)
		part := fmt.Sprint(item, " part ", v.Get("content_index").Raw(), v.Get("summary_index").Raw())
		name := strings.TrimPrefix(typ, "response.")
		switch {
		case name == "output_item.added", name == "output_item.done":
			m := map[string]string{item: items[output]}
			step(m, item, strings.TrimPrefix(name, "output_item."))
			items[output] = m[item]
			if name == "output_item.added" && output != int64(len(items)-1) {
				t.Errorf("output item %d is added as number %d", output, len(items)-1)
			}
		case strings.HasSuffix(name, "_part.added"), strings.HasSuffix(name, "_part.done"):
			step(parts, part, name[strings.LastIndexByte(name, '.')+1:])
		case strings.Contains(name, "_text.d"), strings.Contains(name, "refusal.d"), strings.Contains(name, "annotation"):
			if parts[part] != "added" || items[output] != "added" {
				t.Errorf("%s comes while its part is %q and its item %q", typ, parts[part], items[output])
			}
		case strings.Contains(name, "arguments"), strings.Contains(name, "input."):
			if items[output] != "added" {
				t.Errorf("%s comes while its item is %q", typ, items[output])
			}
		case name == "completed", name == "incomplete", name == "failed":
			terminal = typ
		}
	}
	if end == "cut" {
		return
	}
	if terminal == "" || (end == "failed") != (terminal == "response.failed") {
		t.Errorf("the stream ends with %q", terminal)
	}
	if end != "" {
		return
	}
	for key, state := range parts {
		if state != "done" {
			t.Errorf("%s is never done", key)
		}
	}
	for key, state := range items {
		if state != "done" {
			t.Errorf("item %d is never done", key)
		}
	}
}
