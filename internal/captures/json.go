package captures

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// A JSON value is nil, bool, json.Number, string, []any or *object: what
// encoding/json makes of it, but with the keys of objects in their order.

// object is a JSON object. Of a key that is there twice, the last value counts.
type object struct {
	keys   []string
	values map[string]any
}

// get returns the value of a key of v, or nil if v is no object with that key.
func get(v any, key string) any {
	if o, ok := v.(*object); ok {
		return o.values[key]
	}
	return nil
}

// has tells whether v is an object with that key.
func has(v any, key string) bool {
	o, ok := v.(*object)
	if ok {
		_, ok = o.values[key]
	}
	return ok
}

// first returns the first element of v, or nil if v is no list or empty.
func first(v any) any {
	if l, ok := v.([]any); ok && len(l) > 0 {
		return l[0]
	}
	return nil
}

// filled tells whether there is something in v: no null, false, 0, "", [] or {}.
func filled(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case *object:
		return len(v.keys) > 0
	}
	return true
}

// typeOf returns the word for the type of a JSON value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// decode reads exactly one JSON value.
func decode(b []byte) (any, error) {
	if !json.Valid(b) { // Token accepts some texts that are not
		return nil, errors.New("no JSON")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	v, err := decodeValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

func decodeValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		l := []any{}
		for d.More() {
			v, err := decodeValue(d)
			if err != nil {
				return nil, err
			}
			l = append(l, v)
		}
		_, err := d.Token()
		return l, err
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := decodeValue(d)
			if err != nil {
				return nil, err
			}
			key := k.(string) // the decoder lets nothing else pass
			if _, twice := o.values[key]; !twice {
				o.keys = append(o.keys, key)
			}
			o.values[key] = v
		}
		_, err := d.Token()
		return o, err
	}
	return t, nil
}
