package stubfile_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(stubfile.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(stubfile.SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(stubfile.SchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, doc string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestSchemaIsItsGolden(t *testing.T) {
	t.Parallel()
	golden(t, "testdata/golden/stubs.schema.json", string(stubfile.Schema()))
}

func TestSchemaAcceptsTheExamples(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for _, file := range examples(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		docs := stubfile.JSON(file, data)
		if len(docs) == 0 {
			t.Errorf("%s holds no document", file)
		}
		for _, doc := range docs {
			if err := validate(t, s, doc); err != nil {
				t.Errorf("%s: %v\n%s", file, err, doc)
			}
		}
	}
}

// unseen are the wrong files whose fault is no matter of a schema: names that only a server knows, keys that do not go
// together, and what is lost once YAML is JSON.
var unseen = map[string]bool{
	"a wire that is none":         true,
	"a wire that is far off":      true,
	"afterTool beside embeddings": true,
	"about beside models":         true,
	"about of nothing":            true,
	"JSON with a key twice":       true,
}

// TestSchemaRefusesWhatLoadRefuses holds the two together.
func TestSchemaRefusesWhatLoadRefuses(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for _, c := range wrongFiles {
		docs := stubfile.JSON(c.file, []byte(c.text))
		refused := len(docs) == 0
		for _, doc := range docs {
			if err := validate(t, s, doc); err != nil {
				refused = true
			}
		}
		if refused == unseen[c.name] {
			t.Errorf("%s: the schema refuses it: %t, and should: %t", c.name, refused, !unseen[c.name])
		}
	}
}

// TestEveryKeyIsInAnExample makes sure that no key goes untested.
func TestEveryKeyIsInAnExample(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, file := range examples(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range stubfile.JSON(file, data) {
			all.WriteString(doc)
		}
	}
	for _, shape := range stub.Grammar() {
		for _, k := range shape.Keys {
			if !strings.Contains(all.String(), `"`+k.Name+`":`) {
				t.Errorf("no example has the key %s of %s", k.Name, shape.Name)
			}
			if k.Doc == "" || !strings.HasSuffix(k.Doc, ".") {
				t.Errorf("%s of %s is documented as %q", k.Name, shape.Name, k.Doc)
			}
		}
	}
}
