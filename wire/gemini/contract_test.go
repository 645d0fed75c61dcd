package gemini

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// discovery is Google's discovery document of Vertex AI, or the test is skipped.
func discovery(t *testing.T) map[string]jsonx.Value {
	t.Helper()
	dir := os.Getenv("MIMUS_CONTRACTS")
	if dir == "" {
		t.Skip("MIMUS_CONTRACTS names no folder of contracts")
	}
	text, err := os.ReadFile(filepath.Join(dir, "aiplatform-v1-discovery.json"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonx.ParseBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	return maps.Collect(v.Get("schemas").Members())
}

const aiplatform = "GoogleCloudAiplatformV1"

// onlyStudio are the fields that only AI Studio has; its messages are Vertex's else.
var onlyStudio = []string{"usageMetadata.serviceTier", "citationMetadata.citationSources", "usageMetadata.promptTokenDetails"}

// foreign reports members and enum values that the schema lacks.
func foreign(t *testing.T, schemas map[string]jsonx.Value, schema, v jsonx.Value, path string, vertex bool) {
	t.Helper()
	if ref := schema.Get("$ref"); ref.Exists() {
		schema = schemas[ref.Str()]
	}
	switch v.Kind() {
	case jsonx.Array:
		for _, item := range v.Items() {
			foreign(t, schemas, schema.Get("items"), item, path, vertex)
		}
	case jsonx.Object:
		properties := schema.Get("properties")
		if !properties.Exists() {
			return // any object
		}
		for key, member := range v.Members() {
			here := key
			if path != "" {
				here = path + "." + key
			}
			p := properties.Get(key)
			switch {
			case p.Exists():
				foreign(t, schemas, p, member, key, vertex)
			case vertex || !slices.Contains(onlyStudio, here):
				t.Errorf("%s is not in the contract", here)
			}
		}
	case jsonx.String:
		if enum := schema.Get("enum"); enum.Exists() {
			for _, value := range enum.Items() {
				if value.Str() == v.Str() {
					return
				}
			}
			t.Errorf("%s: %q is no value of the contract's", path, v.Str())
		}
	}
}

// TestContract holds every kind of answer against the published messages.
func TestContract(t *testing.T) {
	t.Parallel()
	schemas := discovery(t)
	schema := schemas[aiplatform+"GenerateContentResponse"]
	for _, target := range []string{
		studio + "gemini-2.5-flash:generateContent", studio + "gemini-3.6-flash:streamGenerateContent?alt=sse", studio + "gemini-2.0-flash:generateContent",
		vertex + "gemini-2.5-flash:generateContent", vertex + "gemini-3.1-pro-preview:streamGenerateContent?alt=sse",
	} {
		for _, r := range append(wiretest.Replies(), moreReplies()...) {
			t.Run(target+"/"+r.Name, func(t *testing.T) {
				c := newCall(t, target, `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}}}`)
				resp, _, _ := wire.Render(c, c.Endpoint.Codec, r.Reply, wire.Split{}, wire.NoCut())
				bodies := [][]byte{resp.Body}
				if c.Request.Stream {
					bodies = nil
					for _, f := range resp.Frames {
						bodies = append(bodies, f.Data)
					}
				}
				for _, body := range bodies {
					v, err := jsonx.ParseBytes(body)
					if err != nil {
						t.Fatal(err)
					}
					foreign(t, schemas, schema, v, "", c.Probe.Dialect == vertexName)
				}
			})
		}
	}
	for _, tt := range [...]struct{ target, name, body string }{
		{vertex + "gemini-embedding-001:embedContent", "EmbedContentResponse", `{"content":{"parts":[{"text":"Hi"}]}}`},
		{vertex + "gemini-2.5-flash:countTokens", "CountTokensResponse", hello},
	} {
		c := newCall(t, tt.target, tt.body)
		body := answerOf(t, c, wire.Reply{Vectors: [][]float32{{1}}}).Body
		v, err := jsonx.ParseBytes(body)
		if err != nil {
			t.Fatal(err)
		}
		foreign(t, schemas, schemas[aiplatform+tt.name], v, "", true)
	}
}

func answerOf(t *testing.T, c *wire.Call, r wire.Reply) wire.Response {
	t.Helper()
	if c.Endpoint.Serve != nil {
		return c.Endpoint.Serve(c)
	}
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
	return resp
}

// TestRequestSchemaIsTheContract holds the embedded schema against the published one: each field of ours that Vertex has
// must be there with the same type, and none of Vertex's may be missing.
func TestRequestSchemaIsTheContract(t *testing.T) {
	t.Parallel()
	schemas := discovery(t)
	missing := func(m *messageType, schema jsonx.Value) {
		for name := range schema.Get("properties").Members() {
			if m.field(name) == nil {
				t.Errorf("%s.%s is missing", m.name, name)
			}
		}
	}
	seen := 0
	for name, m := range messageTypes() {
		if name == "ThinkingConfig" {
			name = "GenerationConfigThinkingConfig"
		}
		schema := schemas[aiplatform+name]
		if !schema.Exists() {
			continue
		}
		seen++
		missing(m, schema)
		for _, f := range m.fields {
			enum := schema.At("properties", f.name, "enum")
			if !enum.Exists() {
				enum = schema.At("properties", f.name, "items", "enum")
			}
			for _, value := range enum.Items() {
				if f.kind == enumKind && !slices.Contains(f.values, value.Str()) {
					t.Errorf("%s.%s lacks %s", m.name, f.name, value.Str())
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d messages are in the contract", seen)
	}
}
