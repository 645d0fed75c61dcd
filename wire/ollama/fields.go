package ollama

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// A form is a Go struct of Ollama's package api that a request is read into. What is of another type is refused in the
// words of encoding/json, which name structs, fields and types.
type form struct {
	// name is the struct's.
	name   string
	fields []field
}

// field is one field of a form.
type field struct {
	name string
	// typ is the Go type that errors name; element is that of a list's elements.
	typ, element string
	is           shape
	// of is the form of an object, or of the elements of a list.
	of *form
	// check looks at a value that has a reader of its own, and gives what it says.
	check func(jsonx.Value) string
}

type shape uint8

const (
	text shape = iota
	boolean
	integer
	object
	list
	anything
)

func textField(name string) field { return field{name: name, typ: "string", is: text} }
func boolField(name string) field { return field{name: name, typ: "bool", is: boolean} }
func intField(name string) field  { return field{name: name, typ: "int", is: integer} }

// wrong is what is wrong first in a body, in the order in which it is written; "" is nothing.
func (f *form) wrong(v jsonx.Value) string { return f.look(v, f.name, "") }

// look checks an object. The errors of a message name the request's struct, those of a tool the tool's.
func (f *form) look(v jsonx.Value, owner, path string) string {
	for key, value := range v.Members() {
		for i := range f.fields {
			if f.fields[i].name != key {
				continue
			}
			if said := f.fields[i].look(value, owner, join(path, key)); said != "" {
				return said
			}
		}
	}
	return ""
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (f *field) look(v jsonx.Value, owner, path string) string {
	switch {
	case v.IsNull():
		return ""
	case f.check != nil:
		return f.check(v)
	case !f.is.holds(v):
		return cannot(goKindFor(v, f.is), owner, path, f.typ)
	case f.is == object && f.of != nil:
		return f.of.look(v, f.owner(owner), path)
	case f.is != list:
		return ""
	}
	for _, item := range v.Items() {
		switch {
		case item.IsNull():
		case f.of == nil && f.element == "api.ImageData":
			if item.Kind() != jsonx.String {
				return cannot(goKind(item), owner, path, f.element)
			}
			if _, err := base64.StdEncoding.DecodeString(item.Str()); err != nil {
				return err.Error()
			}
		case f.of == nil && f.element == "int":
			if !integer.holds(item) {
				return cannot(goKindFor(item, integer), owner, path, f.element)
			}
		case f.of == nil:
			if item.Kind() != jsonx.String {
				return cannot(goKind(item), owner, path, f.element)
			}
		case item.Kind() != jsonx.Object:
			return cannot(goKind(item), owner, path, f.element)
		default:
			if said := f.of.look(item, f.owner(owner), path); said != "" {
				return said
			}
		}
	}
	return ""
}

// owner is the struct that errors inside a field name: a form without a name leaves that to the form around it.
func (f *field) owner(outer string) string {
	if f.of.name == "" {
		return outer
	}
	return f.of.name
}

func cannot(kind, owner, path, typ string) string {
	return "json: cannot unmarshal " + kind + " into Go struct field " + owner + "." + path + " of type " + typ
}

func (s shape) holds(v jsonx.Value) bool {
	switch s {
	case text:
		return v.Kind() == jsonx.String
	case boolean:
		return v.Kind() == jsonx.Bool
	case integer:
		return v.Kind() == jsonx.Number && !strings.ContainsAny(v.Raw(), ".eE")
	case object:
		return v.Kind() == jsonx.Object
	case list:
		return v.Kind() == jsonx.Array
	}
	return true
}

// goKind is encoding/json's word for what stands in a body.
func goKind(v jsonx.Value) string {
	if v.Kind() == jsonx.Bool {
		return "bool"
	}
	return v.Kind().String()
}

// goKindFor names the number itself where an integer was wanted.
func goKindFor(v jsonx.Value, s shape) string {
	if s == integer && v.Kind() == jsonx.Number {
		return "number " + v.Raw()
	}
	return goKind(v)
}

// checkThink and the others are the readers that api's own types have.
func checkThink(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.Bool:
		return ""
	case jsonx.String:
		switch s := v.Str(); s {
		case "high", "medium", "low", "max":
			return ""
		default:
			return "invalid think value: " + strconv.Quote(s) + ` (must be "high", "medium", "low", "max", true, or false)`
		}
	}
	return `think must be a boolean or string ("high", "medium", "low", "max", true, or false)`
}

func checkKeepAlive(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.Number:
		return ""
	case jsonx.String:
		if _, err := time.ParseDuration(v.Str()); err != nil {
			return err.Error()
		}
		return ""
	case jsonx.Bool:
		return "Unsupported type: 'bool'"
	case jsonx.Array:
		return "Unsupported type: '[]interface {}'"
	}
	return "Unsupported type: 'map[string]interface {}'"
}

// checkOrdered reads what Ollama keeps in the order of its keys: the arguments of a call, the properties of a schema.
func checkOrdered(v jsonx.Value) string {
	if v.Kind() == jsonx.Object {
		return ""
	}
	return "Value looks like object, but can't find closing '}' symbol"
}
