package mimus

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// AskedForSchema wants some request to ask for an answer of that JSON Schema, given as its text or as a value that
// marshals to it. Schemas are equal in any order of keys, numbers by value, and the names of types in any case, for Gemini
// has capitals; the order of lists matters.
func (a Asked) AskedForSchema(schema any) {
	a.m.tb.Helper()
	want, err := jsonx.Parse(schemaText(schema))
	if err != nil {
		a.m.tb.Errorf("mimus: the schema is no JSON: %v", err)
		return
	}
	v := a.look()
	asked := ""
	for _, e := range v.found {
		out := e.Request.Output
		if out == nil || out.Schema == "" {
			continue
		}
		asked = out.Schema
		if got, err := jsonx.Parse(out.Schema); err == nil && sameSchema(got, want, "") {
			return
		}
	}
	if asked == "" {
		a.fail(v, "%sno request of %d %s asks for structured output", v.unsure(), len(v.found), a.about())
		return
	}
	a.fail(v, "%sno request of %d %s asks for this schema:\n%s\nthe last one asked for\n%s", v.unsure(), len(v.found), a.about(), want.Raw(), asked)
}

func schemaText(schema any) string {
	switch s := schema.(type) {
	case string:
		return s
	case []byte:
		return string(s)
	}
	b, err := json.Marshal(schema)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// sameSchema compares what stands under a key.
func sameSchema(a, b jsonx.Value, key string) bool {
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonx.Object:
		return sameMembers(a, b)
	case jsonx.Array:
		return sameItems(a, b, key)
	case jsonx.String:
		return a.Str() == b.Str() || key == "type" && strings.EqualFold(a.Str(), b.Str())
	case jsonx.Number:
		x, err := strconv.ParseFloat(a.Raw(), 64)
		y, other := strconv.ParseFloat(b.Raw(), 64)
		return err == nil && other == nil && x == y
	}
	return a.Raw() == b.Raw()
}

func sameMembers(a, b jsonx.Value) bool {
	n := 0
	for key, member := range a.Members() {
		other := b.Get(key)
		if other.Kind() == jsonx.Absent || !sameSchema(member, other, key) {
			return false
		}
		n++
	}
	for range b.Members() {
		n--
	}
	return n == 0
}

func sameItems(a, b jsonx.Value, key string) bool {
	i := 0
	for _, item := range a.Items() {
		other := b.Index(i)
		if other.Kind() == jsonx.Absent || !sameSchema(item, other, key) {
			return false
		}
		i++
	}
	return b.Index(i).Kind() == jsonx.Absent
}
