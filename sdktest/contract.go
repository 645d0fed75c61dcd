package sdktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// contract is a provider's OpenAPI document as JSON schemas.
type contract struct {
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	// events are the schemas of stream events by the event's type.
	events map[string]string
	doc    any
}

const documentURL = "https://mimus.test/openapi.json"

// readContract reads OpenAI's OpenAPI document, and finds the events that it describes. It is JSON Schema 2020-12 in all
// but three things, which are translated: nullable, a word of OpenAPI 3.0; discriminators, of which JSON Schema knows
// nothing; and $recursiveRef.
func readContract(file string) (*contract, error) {
	c, err := readSchemas(file, func(doc any) any { return translate(doc) })
	if err != nil {
		return nil, err
	}
	c.events, err = eventSchemas(c.doc)
	return c, err
}

// readSchemas reads an OpenAPI document, once all of it is made JSON Schema.
func readSchemas(file string, translate func(any) any) (*contract, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var doc any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	data, err := json.Marshal(translate(doc))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &contract{compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}, doc: plain}
	c.compiler.DefaultDraft(jsonschema.Draft2020)
	if err := c.compiler.AddResource(documentURL, plain); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// translate makes JSON Schema of OpenAPI's own words, everywhere in the document. The path is where v stands in it.
func translate(v any, path ...string) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = translate(value, append(slices.Clip(path), key)...)
		}
		return translateSchema(m, path)
	case []any:
		for i := range v {
			v[i] = translate(v[i], path...)
		}
	}
	return v
}

func translateSchema(m map[string]any, path []string) any {
	// A discriminator picks the one variant whose type a value names. The variants' own types refuse all others, but some
	// are copies of each other, so that oneOf would find two.
	if _, ok := m["discriminator"].(map[string]any); ok && m["oneOf"] != nil {
		m["anyOf"] = m["oneOf"]
		delete(m, "oneOf")
	}
	delete(m, "discriminator")
	// In the draft before, this was the schema that the reference stands in.
	delete(m, "$recursiveAnchor")
	if m["$recursiveRef"] != nil && len(path) >= 3 {
		delete(m, "$recursiveRef")
		m["$ref"] = "#/" + strings.Join(path[:3], "/")
	}
	if nullable, _ := m["nullable"].(bool); nullable {
		delete(m, "nullable")
		return map[string]any{"anyOf": []any{m, map[string]any{"type": "null"}}}
	}
	return m
}

// eventSchemas finds the schema of each event of a Responses stream, by the type that it demands.
func eventSchemas(doc any) (map[string]string, error) {
	schemas, _ := dig(doc, "components", "schemas").(map[string]any)
	variants, _ := dig(schemas["ResponseStreamEvent"], "anyOf").([]any)
	events := map[string]string{}
	for _, v := range variants {
		ref, _ := dig(v, "$ref").(string)
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		types, _ := dig(schemas[name], "properties", "type", "enum").([]any)
		for _, t := range types {
			if s, ok := t.(string); ok {
				events[s] = name
			}
		}
	}
	if len(events) == 0 {
		return nil, errors.New("the document describes no event of a stream")
	}
	return events, nil
}

func dig(v any, keys ...string) any {
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// validate holds a JSON text against a component's schema, and gives each finding as "where: what".
func (c *contract) validate(name string, text []byte) ([]string, error) {
	schema := c.compiled[name]
	if schema == nil {
		var err error
		if schema, err = c.compiler.Compile(documentURL + "#/components/schemas/" + name); err != nil {
			return nil, err
		}
		c.compiled[name] = schema
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	err = schema.Validate(v)
	if err == nil {
		return nil, nil
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return nil, err
	}
	return findings(invalid), nil
}

// findings are what is wrong, by place. Of a choice between variants, the variant that fits best is told: the one whose
// type is right, and then the one with the fewest findings.
func findings(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		what := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []string{fmt.Sprintf("/%s: %s", strings.Join(e.InstanceLocation, "/"), what)}
	}
	var all []string
	for _, cause := range e.Causes {
		all = append(all, findings(cause)...)
	}
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		best, least := all, 1<<30
		for _, cause := range e.Causes {
			f := findings(cause)
			if n := misfit(f, len(e.InstanceLocation)); n < least {
				best, least = f, n
			}
		}
		return best
	}
	return all
}

// misfit is how little a variant fits a value at a depth.
func misfit(findings []string, depth int) int {
	n := len(findings)
	for _, f := range findings {
		where, _, _ := strings.Cut(f, ":")
		if path := strings.Split(strings.Trim(where, "/"), "/"); where == "/" && depth == 0 || len(path) == depth || len(path) == depth+1 && path[depth] == "type" {
			n += 1000
		}
	}
	return n
}

// typeOf is the type that an event names.
func typeOf(data []byte) string {
	var e struct{ Type string }
	_ = json.Unmarshal(data, &e) // an event without a type has none
	return e.Type
}
