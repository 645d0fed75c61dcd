package sdktest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// smithyModel is an AWS service as its Smithy model describes it, read for what a body in the protocol restJson1 may hold.
type smithyModel struct {
	Shapes map[string]*smithyShape `json:"shapes"`
	// namespace is that of the service's own shapes, with its #.
	namespace string
}

type smithyShape struct {
	Type    string                   `json:"type"`
	Members map[string]*smithyMember `json:"members"` // of structures, unions and enums
	Member  *smithyMember            `json:"member"`  // of lists
	Value   *smithyMember            `json:"value"`   // of maps
	Traits  map[string]json.RawMessage
}

type smithyMember struct {
	Target string `json:"target"`
	Traits map[string]json.RawMessage
}

// readSmithy reads a model in the JSON form.
func readSmithy(file string) (*smithyModel, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var m smithyModel
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for id, s := range m.Shapes {
		if s.Type == "service" {
			m.namespace = id[:strings.IndexByte(id, '#')+1]
		}
	}
	if m.namespace == "" {
		return nil, fmt.Errorf("%s: it describes no service", file)
	}
	return &m, nil
}

// shape is one of the service's own, by its name. It is nil where the model has none.
func (m *smithyModel) shape(name string) *smithyShape { return m.Shapes[m.namespace+name] }

// memberOf is the name of the shape that a member of a structure or union has, or nothing.
func (m *smithyModel) memberOf(shape, member string) string {
	if s := m.shape(shape); s != nil && s.Members[member] != nil {
		return strings.TrimPrefix(s.Members[member].Target, m.namespace)
	}
	return ""
}

// statusOf is the HTTP status of an exception.
func (m *smithyModel) statusOf(exception string) (status int) {
	if s := m.shape(exception); s != nil {
		_ = json.Unmarshal(s.Traits["smithy.api#httpError"], &status) // it has none: 0
	}
	return status
}

// validate holds a body against a shape, and gives each finding as "where: what".
func (m *smithyModel) validate(shape string, body []byte) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	c := &smithyCheck{model: m}
	c.value("", &smithyMember{Target: m.namespace + shape}, v)
	return c.found, nil
}

// smithyCheck collects what is wrong.
type smithyCheck struct {
	model *smithyModel
	found []string
}

func (c *smithyCheck) wrongf(where, format string, args ...any) {
	if where == "" {
		where = "/"
	}
	c.found = append(c.found, where+": "+fmt.Sprintf(format, args...))
}

// value holds v against what a member points to.
func (c *smithyCheck) value(where string, m *smithyMember, v any) {
	s := c.model.Shapes[m.Target]
	if name, ok := strings.CutPrefix(m.Target, "smithy.api#"); s == nil && ok {
		s = &smithyShape{Type: strings.ToLower(strings.TrimPrefix(name, "Primitive"))} // of the prelude, which no file repeats
	}
	if s == nil {
		c.wrongf(where, "the model has no shape %s", m.Target)
		return
	}
	switch s.Type {
	case "document":
	case "structure", "union":
		object, ok := v.(map[string]any)
		if !ok {
			c.wrongf(where, "got %s, want %s", kindOf(v), s.Type)
			return
		}
		c.members(where, s, object)
	case "list":
		list, ok := v.([]any)
		if !ok {
			c.wrongf(where, "got %s, want list", kindOf(v))
			return
		}
		c.size(where, "smithy.api#length", s, m, json.Number(strconv.Itoa(len(list))))
		for i, element := range list {
			if element != nil || s.Traits["smithy.api#sparse"] == nil {
				c.value(fmt.Sprintf("%s/%d", where, i), s.Member, element)
			}
		}
	case "map":
		object, ok := v.(map[string]any)
		if !ok {
			c.wrongf(where, "got %s, want map", kindOf(v))
			return
		}
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if object[key] != nil || s.Traits["smithy.api#sparse"] == nil {
				c.value(where+"/"+key, s.Value, object[key])
			}
		}
	default:
		c.simple(where, s, m, v)
	}
}

// members holds the keys of an object against a structure's or a union's members.
func (c *smithyCheck) members(where string, s *smithyShape, object map[string]any) {
	known := map[string]*smithyMember{}
	for name, m := range s.Members {
		if bound(m) {
			continue
		}
		if renamed := m.Traits["smithy.api#jsonName"]; renamed != nil {
			_ = json.Unmarshal(renamed, &name) // it is a text in every model
		}
		known[name] = m
		if _, there := object[name]; m.Traits["smithy.api#required"] != nil && !there {
			c.wrongf(where, "missing member %q", name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if known[key] == nil {
			c.wrongf(where, "unknown member %q", key)
			continue
		}
		c.value(where+"/"+key, known[key], object[key])
	}
	if s.Type == "union" && len(object) != 1 {
		c.wrongf(where, "a union of %d members", len(object))
	}
}

// bound says whether a member travels outside the body.
func bound(m *smithyMember) bool {
	for _, trait := range []string{"httpHeader", "httpPrefixHeaders", "httpLabel", "httpQuery", "httpResponseCode"} {
		if m.Traits["smithy.api#"+trait] != nil {
			return true
		}
	}
	return false
}

// simple holds a value against a shape that has no members.
func (c *smithyCheck) simple(where string, s *smithyShape, m *smithyMember, v any) {
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	_, isBool := v.(bool)
	ok := false
	switch s.Type {
	case "enum":
		if ok = isText; ok && !s.lists(text) {
			c.wrongf(where, "%q is no value of the enum", text)
		}
	case "string":
		if ok = isText; ok {
			c.size(where, "smithy.api#length", s, m, json.Number(strconv.Itoa(utf8.RuneCountInString(text))))
			c.pattern(where, s, m, text)
		}
	case "blob":
		_, err := base64.StdEncoding.DecodeString(text)
		ok = isText && err == nil
	case "boolean":
		ok = isBool
	case "byte", "short", "integer", "long":
		if _, err := number.Int64(); isNumber && err == nil {
			ok = true
			c.size(where, "smithy.api#range", s, m, number)
		}
	case "float", "double":
		if ok = isNumber; ok {
			c.size(where, "smithy.api#range", s, m, number)
		}
	case "timestamp":
		ok = isNumber || isText
	}
	if !ok {
		c.wrongf(where, "got %s, want %s", kindOf(v), s.Type)
	}
}

// lists says whether an enum has a value.
func (s *smithyShape) lists(text string) bool {
	for name, m := range s.Members {
		if given := m.Traits["smithy.api#enumValue"]; given != nil {
			_ = json.Unmarshal(given, &name) // it is a text in every enum
		}
		if name == text {
			return true
		}
	}
	return false
}

// trait is the member's own, or else that of its shape.
func trait(name string, s *smithyShape, m *smithyMember) json.RawMessage {
	if own := m.Traits[name]; own != nil {
		return own
	}
	return s.Traits[name]
}

// size holds a length or a number against its bounds.
func (c *smithyCheck) size(where, name string, s *smithyShape, m *smithyMember, n json.Number) {
	raw := trait(name, s, m)
	if raw == nil {
		return
	}
	var bounds struct{ Min, Max *float64 }
	_ = json.Unmarshal(raw, &bounds) // they are numbers in every model
	got, err := n.Float64()
	if err != nil || bounds.Min != nil && got < *bounds.Min || bounds.Max != nil && got > *bounds.Max {
		c.wrongf(where, "%s is out of %s", n, raw)
	}
}

func (c *smithyCheck) pattern(where string, s *smithyShape, m *smithyMember, text string) {
	raw := trait("smithy.api#pattern", s, m)
	if raw == nil {
		return
	}
	var pattern string
	_ = json.Unmarshal(raw, &pattern) // it is a text in every model
	if ok, err := regexp.MatchString(pattern, text); err != nil || !ok {
		c.wrongf(where, "%q does not match %s", text, pattern)
	}
}

// kindOf names a JSON value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "object"
	case []any:
		return "list"
	case string:
		return "string"
	case bool:
		return "boolean"
	}
	return "number"
}
