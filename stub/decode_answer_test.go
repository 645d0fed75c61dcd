package stub_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func parse(t *testing.T, doc string) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse(doc)
	if err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	return v
}

func parts(p ...wire.Part) stub.Answer { return stub.Answer{Choices: []wire.Answer{{Parts: p}}} }

func TestDecodeAnswer(t *testing.T) {
	t.Parallel()
	stopped := func(s wire.Stop, sequence string) stub.Answer {
		return stub.Answer{Choices: []wire.Answer{{Stop: s, Sequence: sequence}}}
	}
	cases := map[string]struct {
		doc  string
		want stub.Answer
	}{
		"empty":                 {`{}`, stub.Answer{}},
		"empty text":            {`{"text":""}`, stub.Answer{}},
		"text":                  {`{"text":"Hällo"}`, parts(wire.Text{Text: "Hällo"})},
		"json":                  {`{"json": {"b": null, "a": [1.50, "x y"]}}`, parts(wire.Text{Text: `{"b":null,"a":[1.50,"x y"]}`})},
		"json null":             {`{"json":null,"text":"a"}`, parts(wire.Text{Text: "a"})},
		"json text":             {`{"json":"a b"}`, parts(wire.Text{Text: `"a b"`})},
		"call":                  {`{"toolCalls":[{"name":"f","arguments":{"b": 1, "a": null},"id":"call_1"}]}`, parts(wire.ToolCall{ID: "call_1", Name: "f", Arguments: `{"b":1,"a":null}`})},
		"call without":          {`{"toolCalls":[{"name":"f"}]}`, parts(wire.ToolCall{Name: "f", Arguments: "{}"})},
		"call with a number id": {`{"toolCalls":[{"name":"f","id":7}]}`, parts(wire.ToolCall{Name: "f", Arguments: "{}"})},
		"call of a text":        {`{"toolCalls":[{"name":"f","argumentsText":"{\"a\": [1,"}]}`, parts(wire.ToolCall{Name: "f", Arguments: `{"a": [1,`})},
		"call of an empty text": {`{"toolCalls":[{"name":"f","argumentsText":""}]}`, parts(wire.ToolCall{Name: "f"})},
		"custom call":           {`{"toolCalls":[{"name":"f","custom":true,"argumentsText":"ls -l"}]}`, parts(wire.ToolCall{Name: "f", Arguments: "ls -l", Custom: true})},
		"reasoning and order": {`{"toolCalls":[{"name":"f"}],"text":"b","reasoning":"a"}`, parts(
			wire.Reasoning{Text: "a"}, wire.Text{Text: "b"}, wire.ToolCall{Name: "f", Arguments: "{}"})},
		"signed reasoning":   {`{"reasoning":{"text":"a","signature":"s"}}`, parts(wire.Reasoning{Text: "a", Signature: "s"})},
		"redacted reasoning": {`{"reasoning":{"signature":"s","redacted":true}}`, parts(wire.Reasoning{Signature: "s", Redacted: true})},
		"refusal": {`{"refusal":"No.","toolCalls":[{"name":"f"}]}`, parts(
			wire.Refusal{Text: "No."}, wire.ToolCall{Name: "f", Arguments: "{}"})},
		"parts": {`{"parts":[{"toolCall":{"name":"f"}},{"text":"a"},{"json":[1, 2]},{"reasoning":"r","signature":"s"},{"signature":"x","redacted":true},
			{"refusal":"No"},{"citation":{"kind":"url_citation","url":"https://example.com","start":1,"end":2}},
			{"media":{"kind":"image","mime":"image/png","data":"aGk="}},{"block":{"type":"web_search_call", "id":"ws_1"}}]}`, parts(
			wire.ToolCall{Name: "f", Arguments: "{}"}, wire.Text{Text: "a"}, wire.Text{Text: "[1,2]"},
			wire.Reasoning{Text: "r", Signature: "s"}, wire.Reasoning{Signature: "x", Redacted: true}, wire.Refusal{Text: "No"},
			wire.Citation{Kind: "url_citation", URL: "https://example.com", Start: 1, End: 2},
			wire.Media{Kind: "image", MIME: "image/png", Data: "aGk="},
			wire.Opaque{Type: "web_search_call", Raw: `{"type":"web_search_call","id":"ws_1"}`})},
		"choices": {`{"choices":[{"text":"a"},{"toolCalls":[{"name":"f"}],"stop":"length"},{}]}`, stub.Answer{Choices: []wire.Answer{
			{Parts: []wire.Part{wire.Text{Text: "a"}}}, {Parts: []wire.Part{wire.ToolCall{Name: "f", Arguments: "{}"}}, Stop: wire.StopLength}, {},
		}}},
		"stop":          {`{"stop":"safety"}`, stopped(wire.StopSafety, "")},
		"stop sequence": {`{"stop":{"sequence":"END"}}`, stopped(wire.StopSequence, "END")},
		"usage": {
			`{"usage":{"inputTokens":180,"outputTokens":24,"reasoningTokens":3,"cacheReadTokens":4,"cacheWriteTokens":5.0}}`,
			stub.Answer{Usage: &wire.Usage{Input: 180, Output: 24, Reasoning: 3, CacheRead: 4, CacheWrite: 5}},
		},
		"embedding":  {`{"embedding":[1, -0.5, 2e-3]}`, stub.Answer{Embedding: []float32{1, -0.5, 2e-3}}},
		"dimensions": {`{"dimensions":256}`, stub.Answer{Dimensions: 256}},
		"models":     {`{"models":["a","b"]}`, stub.Answer{Models: []string{"a", "b"}}},
		"blocked":    {`{"blocked":"prompt"}`, stub.Answer{Blocked: "prompt"}},
		"error": {`{"error":{"type":"rate_limit","message":"Slow","retryAfter":2,"afterEvents":0,"status":420,"code":"slow"}}`, stub.Answer{Error: &stub.Error{
			Kind: wire.RateLimit, Message: "Slow", RetryAfter: 2 * time.Second, AfterEvents: new(0), Status: 420, Code: "slow",
		}}},
		"error with a short wait": {`{"error":{"type":"overloaded","retryAfter":"250ms"}}`, stub.Answer{Error: &stub.Error{Kind: wire.Overloaded, RetryAfter: 250 * time.Millisecond}}},
		"headers": {`{"headers":{"x-request-id":"r","Set-Cookie":["a=1","b=2"],"X-N":3}}`, stub.Answer{Headers: wire.Header{
			{Name: "X-Request-Id", Value: "r"}, {Name: "Set-Cookie", Value: "a=1"}, {Name: "Set-Cookie", Value: "b=2"}, {Name: "X-N", Value: "3"},
		}}},
		"raw":          {`{"raw":{"status":502,"headers":{"Content-Type":"text/html"},"chunks":["<html>","</html>"]}}`, stub.Answer{Raw: &stub.Raw{Status: 502, Headers: wire.Header{{Name: "Content-Type", Value: "text/html"}}, Chunks: []string{"<html>", "</html>"}}}},
		"raw defaults": {`{"raw":{}}`, stub.Answer{Raw: &stub.Raw{Status: 200}}},
		"quirks":       {`{"quirks":{"flatError": true}}`, stub.Answer{Quirks: []byte(`{"flatError":true}`)}},
		"faults": {`{"cutOffAfter":0,"malformed":true,"dropAfter":1,"reset":true,"hangAfter":2,"stallAfter":3,"stallFor":"30s","splitBytes":4}`, stub.Answer{Fault: stub.Fault{
			CutOffAfter: new(0), Malformed: true, DropAfter: new(1), Reset: true, HangAfter: new(2), StallAfter: new(3), StallFor: 30 * time.Second, SplitBytes: 4,
		}}},
		"stall in seconds": {`{"stallAfter":0,"stallFor":1.5}`, stub.Answer{Fault: stub.Fault{StallAfter: new(0), StallFor: 1500 * time.Millisecond}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, problems := stub.DecodeAnswer(parse(t, c.doc))
			if len(problems) > 0 {
				t.Fatalf("problems: %v", problems)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("\n got  %+v\n want %+v", got, c.want)
			}
		})
	}
	if got, problems := stub.DecodeAnswer(jsonx.Value{}); problems != nil || !reflect.DeepEqual(got, stub.Answer{}) {
		t.Errorf("an absent answer: %+v, %v", got, problems)
	}
}

func TestEveryStopAndErrorHasItsName(t *testing.T) {
	t.Parallel()
	for _, stop := range wire.Stops() {
		a, problems := stub.DecodeAnswer(parse(t, `{"stop":"`+string(stop)+`"}`))
		if len(problems) > 0 || a.Choices[0].Stop != stop {
			t.Errorf("%s: %+v, %v", stop, a, problems)
		}
	}
	for _, kind := range wire.FailureKinds() {
		a, problems := stub.DecodeAnswer(parse(t, `{"error":{"type":"`+string(kind)+`"}}`))
		if len(problems) > 0 || a.Error.Kind != kind {
			t.Errorf("%s: %+v, %v", kind, a, problems)
		}
	}
}

func TestDecodeAnswerRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct{ doc, want string }{
		{`[]`, `want an object with text, json, toolCalls, reasoning, refusal, parts, stop, choices, usage, embedding, dimensions, models, blocked, error, headers, raw, quirks, cutOffAfter, malformed, dropAfter, reset, hangAfter, stallAfter, stallFor, splitBytes, got a list`},
		{`null`, `an answer is missing; an empty one is {}`},
		{`{"tool_calls":[]}`, `unknown key "tool_calls" (did you mean "toolCalls"?)`},
		{`{"txt":"a"}`, `unknown key "txt" (did you mean "text"?)`},
		{`{"text":"a","text":"b"}`, `the key "text" is given twice`},
		{`{"text":"a","json":1}`, `"json" cannot stand beside "text"`},
		{`{"text":"a","refusal":"b"}`, `"refusal" cannot stand beside "text"`},
		{`{"json":1,"refusal":"b"}`, `"refusal" cannot stand beside "json"`},
		{`{"text":1}`, `text: want a text, got the number 1; put it in quotes`},
		{`{"text":null}`, `text: want a text, got nothing`},
		{`{"reasoning":[]}`, `reasoning: want a text, or an object with text, signature, redacted, got a list`},
		{`{"reasoning":{"text":"a","redacted":true}}`, `reasoning: "text" cannot stand beside "redacted"`},
		{`{"refusal":false}`, `refusal: want a text, got false; put it in quotes`},
		{`{"toolCalls":{}}`, `toolCalls: want a list of tool calls, got an object`},
		{`{"toolCalls":["f"]}`, `toolCalls[0]: want an object with name, arguments, argumentsText, id, custom, got "f"`},
		{`{"toolCalls":[{"arguments":{}}]}`, `toolCalls[0]: "name" is missing: which tool to call`},
		{`{"toolCalls":[{"name":5}]}`, `toolCalls[0].name: want a text, got the number 5; put it in quotes`},
		{`{"toolCalls":[{"name":"f","args":{}}]}`, `toolCalls[0]: unknown key "args"; the keys here are name, arguments, argumentsText, id, custom`},
		{`{"toolCalls":[{"name":"f","arguments":"{}"}]}`, `toolCalls[0].arguments: want an object; any other text is argumentsText, got "{}"`},
		{`{"toolCalls":[{"name":"f","arguments":null}]}`, `toolCalls[0].arguments: want an object; any other text is argumentsText, got nothing`},
		{`{"toolCalls":[{"name":"f","arguments":{},"argumentsText":""}]}`, `toolCalls[0]: "argumentsText" cannot stand beside "arguments"`},
		{`{"toolCalls":[{"name":"f","arguments":{},"custom":true}]}`, `toolCalls[0]: a custom tool takes a text: argumentsText`},
		{`{"parts":[{}]}`, `parts[0]: want one of text, json, reasoning, toolCall, refusal, citation, media, block in a part, got 0 of them`},
		{`{"parts":[{"text":"a","refusal":"b"}]}`, `parts[0]: want one of text, json, reasoning, toolCall, refusal, citation, media, block in a part, got 2 of them`},
		{`{"parts":[{"block":{}}]}`, `parts[0].block: want an object with the block's type, a text, got an object`},
		{`{"parts":[{"media":{"kind":"picture"}}]}`, `parts[0].media.kind: "picture" is not one of image, audio, file, video`},
		{`{"parts":[],"text":"a"}`, `"parts" cannot stand beside "text"`},
		{`{"choices":[]}`, `choices: want at least one answer in the list`},
		{`{"choices":[{"usage":{}}]}`, `choices[0]: unknown key "usage"; the keys here are text, json, toolCalls, reasoning, refusal, parts, stop`},
		{`{"choices":[{}],"text":"a"}`, `"text" cannot stand beside "choices"`},
		{`{"stop":"max_tokens"}`, `stop: "max_tokens" is not one of complete, tool_calls, length, stop_sequence, safety, refusal, pause, context`},
		{`{"stop":"lengh"}`, `stop: "lengh" is not one of complete, tool_calls, length, stop_sequence, safety, refusal, pause, context (did you mean "length"?)`},
		{`{"stop":{}}`, `stop: "sequence" is missing: the text that the answer stopped at`},
		{`{"stop":1}`, `stop: want a reason to stop, or an object with sequence, got the number 1`},
		{`{"usage":[]}`, `usage: want an object with inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens, got a list`},
		{`{"usage":{"input_tokens":1}}`, `usage: unknown key "input_tokens" (did you mean "inputTokens"?)`},
		{`{"usage":{"inputTokens":-1}}`, `usage.inputTokens: want a whole number, 0 or more, got the number -1`},
		{`{"usage":{"inputTokens":1.5}}`, `usage.inputTokens: want a whole number, 0 or more, got the number 1.5`},
		{`{"embedding":[1,"2"]}`, `embedding[1]: want a number, got "2"`},
		{`{"embedding":[1e300]}`, `embedding[0]: want a number, got the number 1e300`},
		{`{"dimensions":0}`, `dimensions: want a whole number from 1 to 65536, got the number 0`},
		{`{"models":["a",1]}`, `models[1]: want a text, got the number 1; put it in quotes`},
		{`{"blocked":"answer"}`, `blocked: "answer" is not one of prompt`},
		{`{"blocked":"prompt","text":"a"}`, `"text" cannot stand beside "blocked"`},
		{`{"error":"rate_limit"}`, `error: want an object with type, message, retryAfter, afterEvents, status, code, got "rate_limit"`},
		{`{"error":{}}`, `error: "type" is missing: what went wrong`},
		{`{"error":{"type":"ratelimit"}}`, `error.type: "ratelimit" is not one of rate_limit, quota, overloaded, context_length, auth, permission, not_found, invalid_request, too_large, content_filter, timeout, server (did you mean "rate_limit"?)`},
		{`{"error":{"type":"server","retry_after":1}}`, `error: unknown key "retry_after" (did you mean "retryAfter"?)`},
		{`{"error":{"type":"server","retryAfter":0.5}}`, `error.retryAfter: want whole seconds, or a time such as "250ms", got the number 0.5`},
		{`{"error":{"type":"server","retryAfter":"soon"}}`, `error.retryAfter: want a time such as "250ms", "1.5s" or "2m", or a number of seconds, got "soon"`},
		{`{"error":{"type":"server","status":99}}`, `error.status: want a whole number from 200 to 599, got the number 99`},
		{`{"error":{"type":"server","afterEvents":"2"}}`, `error.afterEvents: want a whole number, 0 or more, got "2"`},
		{`{"headers":["a"]}`, `headers: want an object of header names and values, got a list`},
		{`{"headers":{"a b":"c"}}`, `headers: "a b" cannot be a header's name`},
		{`{"headers":{"a":"b\nc"}}`, `headers.a: a header's value cannot hold control characters, got "b\nc"`},
		{`{"headers":{"a":{}}}`, `headers.a: want a header's value, a text, got an object`},
		{`{"raw":{"body":"a"}}`, `raw: unknown key "body"; the keys here are status, headers, chunks`},
		{`{"raw":{},"text":"a"}`, `"raw" cannot stand beside "text"`},
		{`{"quirks":[]}`, `quirks: want an object, got a list`},
		{`{"malformed":"yes"}`, `malformed: want true or false, got "yes"`},
		{`{"cutOffAfter":-1}`, `cutOffAfter: want a whole number, 0 or more, got the number -1`},
		{`{"reset":true}`, `"reset" needs "dropAfter" beside it`},
		{`{"stallAfter":1}`, `"stallAfter" needs "stallFor" beside it`},
		{`{"stallFor":"1s"}`, `"stallFor" needs "stallAfter" beside it`},
		{`{"stallAfter":1,"stallFor":1e300}`, `stallFor: want a time such as "250ms", "1.5s" or "2m", or a number of seconds, got the number 1e300`},
	}
	for _, c := range cases {
		_, problems := stub.DecodeAnswer(parse(t, c.doc))
		if got := problems.Error(); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.doc, got, c.want)
		}
	}
}
