package stubfile_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire"
)

const mappings = `
-- schemas/parcel.yaml --
type: object
-- mappings/parcel.json --
{
  "mappings": [
    {
      "name": "looks it up",
      "request": {"customMatcher": {"name": "model-request", "parameters": {"about": "PX-1"}}},
      "response": {
        "transformers": ["model-answer"],
        "jsonBody": {"toolCalls": [{"name": "track", "arguments": {"number": "PX-1"}}]}
      }
    },
    {
      "name": "answers",
      "request": {"method": "POST", "customMatcher": {"name": "model-request", "parameters": {"about": ["PX-1", "Köln"], "afterTool": "track"}}},
      "response": {"transformers": ["model-answer"], "body": "{\"text\": \"It is there.\"}", "status": 200, "headers": {"Content-Type": "text/plain", "x-team": "parcels"}}
    }
  ]
}
-- mappings/more/busy.json --
{
  "id": "b3e62d0c-6f6a-4b87-9a0e-8f4f2b6f7c11",
  "name": "busy",
  "priority": 1,
  "request": {"customMatcher": {"name": "model-request", "parameters": {"about": "PX-9"}}},
  "response": {"fixedDelayMilliseconds": 150, "transformers": ["model-answer"], "jsonBody": {"error": {"type": "rate_limit", "retryAfter": 1}}}
}
-- mappings/vectors.json --
{
  "name": "vectors",
  "request": {"customMatcher": {"name": "model-request", "parameters": {"endpoint": "embeddings"}}},
  "response": {"transformers": ["model-answer"], "bodyFileName": "answers/vectors.json"}
}
-- mappings/z.json --
{
  "name": "blank",
  "request": {"customMatcher": {"name": "model-request"}},
  "response": {"transformers": ["model-answer"], "base64Body": ""}
}
-- __files/answers/vectors.json --
{"dimensions": 256}
`

func TestWireMockFolder(t *testing.T) {
	t.Parallel()
	dir := folder(t, mappings)
	for _, path := range []string{dir, filepath.Join(dir, "mappings")} {
		set, err := stubfile.Load([]string{path}, options)
		if err != nil {
			t.Fatal(err)
		}
		checkMappings(t, set)
	}
}

func checkMappings(t *testing.T, set stubfile.Set) {
	t.Helper()
	stubs := map[string]*stub.Stub{}
	for _, s := range set.Stubs {
		if s.Origin != stub.WireMock || s.Source.File == "" {
			t.Errorf("%s: origin %d, source %v", s.Name, s.Origin, s.Source)
		}
		stubs[s.Name] = s
	}
	if len(stubs) != 5 || len(set.Files) != 5 {
		t.Fatalf("%d stubs of files %v", len(stubs), set.Files)
	}
	if got := stubs["looks it up"]; !reflect.DeepEqual(got.Answers[0].Choices[0].Parts, []wire.Part{wire.ToolCall{Name: "track", Arguments: `{"number":"PX-1"}`}}) || got.Priority != 5 {
		t.Errorf("looks it up: %+v", got)
	}
	answers := stubs["answers"]
	if len(answers.When) != 3 || answers.Answers[0].Choices[0].Parts[0] != (wire.Text{Text: "It is there."}) {
		t.Errorf("answers: %+v", answers)
	}
	if got, want := answers.Answers[0].Headers, (wire.Header{{Name: "X-Team", Value: "parcels"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("headers %v, want %v", got, want)
	}
	busy := stubs["busy"]
	if busy.Priority != 1 || busy.Delay != 150*time.Millisecond || busy.Answers[0].Error.RetryAfter != time.Second {
		t.Errorf("busy: %+v", busy)
	}
	if got := stubs["vectors"]; got.Kind != wire.Embeddings || got.Answers[0].Dimensions != 256 {
		t.Errorf("vectors: %+v", got)
	}
	if got := stubs["blank"]; len(got.Answers) != 1 || got.Answers[0].Choices != nil {
		t.Errorf("blank: %+v", got)
	}
}

func TestAMappingFileAlone(t *testing.T) {
	t.Parallel()
	set, err := stubfile.Load([]string{filepath.Join(folder(t, mappings), "mappings", "vectors.json")}, options)
	if err != nil || len(set.Stubs) != 1 {
		t.Errorf("%v, %v", set.Stubs, err)
	}
}

func TestWrongMappings(t *testing.T) {
	t.Parallel()
	model := `"request": {"customMatcher": {"name": "model-request"}}`
	cases := []struct{ name, text, want string }{
		{
			"plain", `{"request": {"url": "/x"}, "response": {}}`,
			`m.json:1:2: plain stubs are not supported yet, only those with the matcher model-request and the transformer model-answer`,
		},
		{
			"no transformer", `{"name": "x", ` + model + `, "response": {"body": "x"}}`,
			`m.json:1:84: stub "x": response: the customMatcher model-request needs the transformer model-answer`,
		},
		{
			"no response", `{"name": "x", ` + model + `}`,
			`m.json:1:2: stub "x": response: the customMatcher model-request needs the transformer model-answer`,
		},
		{
			"no matcher", `{"request": {"url": "/x"}, "response": {"transformers": ["model-answer"]}}`,
			`m.json:1:13: request: the transformer model-answer needs the customMatcher model-request`,
		},
		{
			"a parameter", `{"request": {"customMatcher": {"name": "model-request", "parameters": {"abuot": "x"}}}, "response": {"transformers": ["model-answer"]}}`,
			`m.json:1:72: unknown key "abuot" (did you mean "about"?)`,
		},
		{
			"a parameter's type", `{"request": {"customMatcher": {"name": "model-request", "parameters": {"afterTool": 1}}}, "response": {"transformers": ["model-answer"]}}`,
			`m.json:1:85: request.customMatcher.parameters.afterTool: want a text, got the number 1; put it in quotes`,
		},
		{
			"no parameters", `{"request": {"customMatcher": {"name": "model-request", "parameters": 1}}, "response": {"transformers": ["model-answer"]}}`,
			`m.json:1:71: request.customMatcher.parameters: want an object with about, afterTool, wire, model, stream, system, user, toolResult, tool, header, query, endpoint, not, got the number 1`,
		},
		{
			"an answer", `{` + model + `, "response": {"transformers": ["model-answer"], "jsonBody": {"text": 1}}}`,
			`m.json:1:127: response.jsonBody.text: want a text, got the number 1; put it in quotes`,
		},
		{
			"an answer in a text", `{` + model + `, "response": {"transformers": ["model-answer"], "body": "{\"txt\": 1}"}}`,
			`m.json:1:114: response.body: unknown key "txt" (did you mean "text"?)`,
		},
		{
			"a text that is no answer", `{` + model + `, "response": {"transformers": ["model-answer"], "body": "hello"}}`,
			`m.json:1:114: response.body: unexpected 'h' instead of a value at offset 0`,
		},
		{
			"base64", `{` + model + `, "response": {"transformers": ["model-answer"], "base64Body": "*"}}`,
			`m.json:1:120: response.base64Body: illegal base64 data at input byte 0`,
		},
		{
			"a body file that is not there", `{` + model + `, "response": {"transformers": ["model-answer"], "bodyFileName": "x.json"}}`,
			`m.json:1:122: response.bodyFileName: __files/x.json: there is no such file or folder`,
		},
		{
			"a body file elsewhere", `{` + model + `, "response": {"transformers": ["model-answer"], "bodyFileName": "../x.json"}}`,
			`m.json:1:122: response.bodyFileName: want the name of a file below __files`,
		},
		{
			"a wrong body file", `{` + model + `, "response": {"transformers": ["model-answer"], "bodyFileName": "wrong.json"}}`,
			`__files/wrong.json:2:1: unknown key "txt" (did you mean "text"?)`,
		},
		{
			"a delay", `{` + model + `, "response": {"transformers": ["model-answer"], "fixedDelayMilliseconds": "1s", "chunkedDribbleDelay": {}}}`,
			`m.json:1:132: response.fixedDelayMilliseconds: want a whole number, 0 or more
m.json:1:138: response: "chunkedDribbleDelay" is not supported in a model's stub`,
		},
		{
			"a state", `{"scenarioName": "s", "request": {"urlPath": "/", "method": "GET", "customMatcher": {"name": "model-request"}}, "response": {"transformers": ["model-answer"]}}`,
			`m.json:1:2: stub: "scenarioName" is not supported in a model's stub
m.json:1:35: request: "urlPath" is not supported in a model's stub
m.json:1:61: request.method: a model's stub is for POST or ANY`,
		},
		{"a priority", `{"priority": "1", ` + model + `, "response": {"transformers": ["model-answer"]}}`, `m.json:1:14: priority: want a whole number`},
		{
			"a header", `{` + model + `, "response": {"transformers": ["model-answer"], "headers": {"a b": "c", "d": {}}}}`,
			`m.json:1:118: "a b" cannot be a header's name
m.json:1:135: response.headers.d: want a header's value, a text, got an object`,
		},
		{"no list", `{"mappings": {}}`, `m.json:1:14: mappings: want a list of stubs`},
		{"no stub", `[]`, `m.json:1:1: want a WireMock stub, an object with request and response`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := folder(t, "-- mappings/m.json --\n"+c.text+"\n-- __files/wrong.json --\n{\n\"txt\": 1}\n")
			_, err := stubfile.Load([]string{dir}, options)
			if err == nil {
				t.Fatal("it was loaded")
			}
			got := strings.ReplaceAll(err.Error(), dir+"/", "")
			if got = strings.ReplaceAll(got, "mappings/m.json", "m.json"); got != c.want {
				t.Errorf("\n got  %s\n want %s", got, c.want)
			}
		})
	}
}
