package gemini

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// probe is a request that the provider would take: of AI Studio with a key, of Vertex with a token.
func probe(target, body string) *wire.Probe {
	u, err := url.Parse("https://" + target)
	if err != nil {
		panic(err)
	}
	p := &wire.Probe{
		Method: http.MethodPost, Host: u.Host, Path: u.EscapedPath(), Query: u.Query(), Body: []byte(body),
		Header: http.Header{"Content-Type": {"application/json"}},
	}
	if body == "" {
		p.Method = http.MethodGet
	}
	if u.Host == studioHost {
		p.Header.Set(keyHeader, "AIza-test")
	} else {
		p.Header.Set("Authorization", "Bearer ya29.test")
	}
	return p
}

const (
	studio = studioHost + "/v1beta/models/"
	vertex = "us-central1-aiplatform.googleapis.com/v1beta1/projects/example/locations/us-central1/publishers/google/models/"
	hello  = `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}`
)

func newCall(t *testing.T, target, body string) *wire.Call {
	t.Helper()
	c, f, err := wiretest.Call(Provider(), probe(target, body))
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		t.Fatal(f)
	}
	return c
}

// TestRoundTrip reads back what was rendered, for each surface, generation and form.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	two := `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":{"candidateCount":2}}`
	pieces := `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO","streamFunctionCallArguments":true}}}`
	for name, r := range map[string][2]string{
		"unary":              {studio + "gemini-2.5-flash:generateContent", hello},
		"unary 3":            {studio + "gemini-3.6-flash:generateContent", hello},
		"unary 2.0":          {studio + "gemini-2.0-flash:generateContent", hello},
		"numbers":            {studio + "gemini-2.0-flash:generateContent?%24alt=json%3Benum-encoding%3Dint", hello},
		"plain":              {studio + "gemini-2.5-flash:generateContent?prettyPrint=false", hello},
		"events":             {studio + "gemini-2.5-flash:streamGenerateContent?alt=sse", hello},
		"events pro":         {studio + "gemini-2.5-pro:streamGenerateContent?alt=sse", hello},
		"events 3":           {studio + "gemini-3.6-flash:streamGenerateContent?alt=sse", hello},
		"array":              {studio + "gemini-2.5-flash:streamGenerateContent", hello},
		"array 3":            {studio + "gemini-flash-latest:streamGenerateContent", hello},
		"array plain":        {studio + "gemini-3.6-flash:streamGenerateContent?prettyPrint=false", hello},
		"two":                {studio + "gemini-2.5-flash:generateContent", two},
		"two streamed":       {studio + "gemini-2.5-flash:streamGenerateContent?alt=sse", two},
		"two in an array":    {studio + "gemini-3.6-flash:streamGenerateContent", two},
		"vertex":             {vertex + "gemini-2.5-flash:generateContent", hello},
		"vertex 3":           {vertex + "gemini-3-flash-preview:generateContent", hello},
		"vertex events":      {vertex + "gemini-2.5-flash:streamGenerateContent?alt=sse", hello},
		"vertex events 3":    {vertex + "gemini-3-flash-preview:streamGenerateContent?alt=sse", hello},
		"vertex array":       {vertex + "gemini-3-flash-preview:streamGenerateContent", hello},
		"vertex two":         {vertex + "gemini-2.5-flash:generateContent", two},
		"vertex pieces":      {vertex + "gemini-3.1-pro-preview:streamGenerateContent?alt=sse", pieces},
		"vertex piece array": {vertex + "gemini-3.1-pro-preview:streamGenerateContent", pieces},
	} {
		for _, reply := range append(wiretest.Replies(), moreReplies()...) {
			t.Run(name+"/"+reply.Name, func(t *testing.T) {
				t.Parallel()
				wiretest.RoundTrip(t, newCall(t, r[0], r[1]), reply.Reply)
			})
		}
	}
}

// moreReplies are answers that are hard on this wire.
func moreReplies() []wiretest.Named {
	one := func(parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
	}
	stopped := func(stop wire.Stop, parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts, Stop: stop}}}
	}
	text, thought := wire.Text{Text: "Hello <there>."}, wire.Reasoning{Text: "hm hm"}
	hidden := func(s string) wire.Part { return wire.Reasoning{Signature: s, Redacted: true} }
	call := wire.ToolCall{Name: "f", Arguments: `{"a":{"b":[{"c":"long text that is cut into pieces, for it has more than sixty-four characters: <ü>"},{"c":2}],"d 'e'":null},"t":true,"x":""}`}
	code := wire.Opaque{Type: "executableCode", Raw: `{"executableCode":{"language":"PYTHON","code":"print(1)"}}`}
	return []wiretest.Named{
		{Name: "blocked prompt", Reply: wire.Reply{Blocked: "prompt"}},
		{Name: "blocked by model armor", Reply: wire.Reply{Blocked: modelArmor, Usage: &wire.Usage{Input: 4, Output: 9}}},
		{Name: "recitation", Reply: stopped("RECITATION", text)},
		{Name: "malformed call", Reply: stopped("MALFORMED_FUNCTION_CALL")},
		{Name: "signature alone", Reply: one(hidden("c2ln"))},
		{Name: "hidden, then text", Reply: one(hidden("c2ln"), text, wire.Text{Text: "More."})},
		{Name: "text, hidden, call", Reply: one(text, hidden("c2ln"), call)},
		{Name: "thought, text, call, thought, call", Reply: one(thought, text, call, thought, call)},
		{Name: "thought, call, hidden, call", Reply: one(thought, call, hidden("c2ln"), call)},
		{Name: "thoughts", Reply: one(wire.Reasoning{Text: "a", Signature: "YQ=="}, wire.Reasoning{Text: "b", Signature: "Yg=="}, text)},
		{Name: "thought, text, hidden", Reply: one(thought, text, hidden("c2ln"))},
		{Name: "two signatures", Reply: one(text, hidden("YQ=="), hidden("Yg=="))},
		{Name: "empty thought", Reply: one(wire.Reasoning{}, text)},
		{Name: "thought alone", Reply: one(thought)},
		{Name: "text between thoughts", Reply: one(thought, text, thought, text)},
		{Name: "code", Reply: one(code, wire.Opaque{Type: "codeExecutionResult", Raw: `{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\n"}}`}, text)},
		{Name: "thought, code", Reply: one(wire.Reasoning{Text: "a", Signature: "YQ=="}, code, text)},
		{Name: "block of a stub file", Reply: one(wire.Opaque{Type: "executableCode", Raw: `{"type":"executableCode","executableCode":{"code":"1"}}`})},
		{Name: "text as a block", Reply: one(wire.Opaque{Type: "text", Raw: `{"text":"a","thoughtSignature":"YQ=="}`})},
		{Name: "call as a block", Reply: one(wire.Opaque{Type: "x", Raw: `{"functionCall":{"name":"f"}}`})},
		{Name: "useless blocks", Reply: one(wire.Opaque{Type: "x", Raw: `{}`}, wire.Opaque{Type: "x", Raw: `[`})},
		{Name: "image", Reply: one(text, wire.Media{Kind: "image", MIME: "image/png", Data: "aGk="}, wire.Media{Kind: "video", URL: "gs://b/v.mp4", MIME: "video/mp4"}, wire.Media{Kind: "file", FileID: "files/1"})},
		{Name: "citations", Reply: one(text, wire.Citation{URL: "https://example.com", Title: "E", End: 5}, text, wire.Citation{Raw: `{"startIndex": 3, "endIndex": 4, "uri": "u", "license": "MIT"}`})},
		{Name: "grounding", Reply: one(wire.Opaque{Type: "groundingMetadata", Raw: `{"type":"groundingMetadata","groundingMetadata":{"webSearchQueries":["q"]}}`}, wire.Opaque{Type: "urlContextMetadata", Raw: `{"urlMetadata":[]}`}, text)},
		{Name: "nested arguments", Reply: one(call, wire.ToolCall{Name: "g", Arguments: `{"empty":{}}`}, wire.ToolCall{Name: "h", Arguments: `{"a":1,"a":2}`}, wire.ToolCall{Name: "i", Arguments: `{"":1,"ä":[[1,[2]]]}`})},
		{Name: "custom call", Reply: one(wire.ToolCall{Name: "shell", Arguments: "ls", Custom: true})},
		{Name: "everything", Reply: one(thought, text, call, wire.ToolCall{Name: "g", Arguments: "{}"})},
	}
}
