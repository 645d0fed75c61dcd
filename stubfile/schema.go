package stubfile

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
)

// SchemaID names the JSON Schema of stub files.
const SchemaID = "https://github.com/mimus-go/mimus/stubs.schema.json"

// Schema is the JSON Schema (draft 2020-12) of a stub file: of one document, as JSON. It knows every key and the type of
// its value; what keys mean to each other, only [Load] knows.
func Schema() []byte {
	b := []byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"` + SchemaID + `",` +
		`"title":"mimus stub file","description":"A stub, or several under stubs.",` +
		`"if":{"required":["stubs"]},"then":{"$ref":"#/$defs/file"},"else":{"$ref":"#/$defs/stub"},"$defs":{` +
		`"file":{"type":"object","additionalProperties":false,"properties":{"stubs":{"description":"The stubs of the file.","type":"array","items":{"$ref":"#/$defs/stub"}}}}`)
	for _, s := range stub.Grammar() {
		b = appendShape(append(b, ','), s)
	}
	for _, s := range stub.Scalars() {
		b = appendKey(append(b, ','), s)
	}
	b = append(b, "}}"...)
	return append(jsonx.AppendIndent(nil, string(b), "  "), '\n')
}

func appendShape(b []byte, s stub.Shape) []byte {
	b = jsonx.AppendString(b, s.Name)
	b = append(b, `:{"description":`...)
	b = jsonx.AppendString(b, s.Doc)
	b = append(b, `,"type":"object","additionalProperties":false,"properties":{`...)
	for i, k := range s.Keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendKey(b, k)
	}
	b = append(b, '}')
	for i, name := range s.Required {
		b = append(b, [...]string{`,"required":[`, `,`}[min(i, 1)]...)
		b = jsonx.AppendString(b, name)
	}
	if len(s.Required) > 0 {
		b = append(b, ']')
	}
	if s.Rules != "" {
		b = append(append(b, ','), s.Rules...)
	}
	return append(b, '}')
}

// appendKey appends a property with its description before the rest of its schema.
func appendKey(b []byte, k stub.Key) []byte {
	b = jsonx.AppendString(b, k.Name)
	b = append(b, `:{"description":`...)
	b = jsonx.AppendString(b, k.Doc)
	if k.Schema != "true" {
		b = append(append(b, ','), k.Schema[1:]...)
		return b
	}
	return append(b, '}')
}
