package captures

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
)

// This reader of AWS event streams is one of its own, so that a mistake of
// internal/awsstream cannot hide behind itself.

type frame struct {
	names   []string
	texts   map[string]string
	payload []byte
}

func splitFrames(b []byte) ([]frame, error) {
	var fs []frame
	for at := 0; at < len(b); {
		rest := b[at:]
		if len(rest) < 16 {
			return nil, fmt.Errorf("frame at byte %d: cut short", at)
		}
		total, headers := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
		switch {
		case binary.BigEndian.Uint32(rest[8:]) != crc32.ChecksumIEEE(rest[:8]):
			return nil, fmt.Errorf("frame at byte %d: wrong checksum of the lengths", at)
		case total < 16 || headers > total-16:
			return nil, fmt.Errorf("frame at byte %d: impossible lengths", at)
		case total > int64(len(rest)):
			return nil, fmt.Errorf("frame at byte %d: cut short", at)
		case binary.BigEndian.Uint32(rest[total-4:]) != crc32.ChecksumIEEE(rest[:total-4]):
			return nil, fmt.Errorf("frame at byte %d: wrong checksum", at)
		}
		f := frame{texts: map[string]string{}, payload: rest[12+headers : total-4]}
		if err := f.readHeaders(rest[12 : 12+headers]); err != nil {
			return nil, fmt.Errorf("frame at byte %d: %w", at, err)
		}
		fs = append(fs, f)
		at += int(total)
	}
	return fs, nil
}

func (f *frame) readHeaders(b []byte) error {
	sizes := [...]int{0, 0, 1, 2, 4, 8, 0, 0, 8, 16}
	early := errors.New("a header ends early")
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < 1+n+1 {
			return early
		}
		name, typ := string(b[1:1+n]), b[1+n]
		b = b[2+n:]
		if int(typ) >= len(sizes) {
			return fmt.Errorf("header %s has an unknown type %d", name, typ)
		}
		size := sizes[typ]
		if typ == 6 || typ == 7 {
			if len(b) < 2 {
				return early
			}
			size = int(binary.BigEndian.Uint16(b))
			b = b[2:]
		}
		if len(b) < size {
			return early
		}
		f.names = append(f.names, name)
		if typ == 7 {
			f.texts[name] = string(b[:size])
		}
		b = b[size:]
	}
	return nil
}

// name is the first of the headers that can name an event.
func (f *frame) name() string {
	for _, h := range []string{":event-type", ":exception-type", ":error-code"} {
		if s := f.texts[h]; s != "" {
			return s
		}
	}
	return "?"
}

func (c *content) readFrames(fs []frame) error {
	c.form = EventStream
	for i, f := range fs {
		c.fact("frame headers of %s: %s", f.texts[":message-type"], strings.Join(f.names, ", "))
		var v any
		var err error
		if len(f.payload) > 0 {
			if v, err = decode(f.payload); err != nil {
				return fmt.Errorf("payload of frame %d: %w", i, err)
			}
		}
		coded, ok := get(v, "bytes").(string)
		if f.name() != "chunk" || !ok {
			c.events = append(c.events, event{f.name(), v})
			continue
		}
		// Invoke wraps the model's own event in base64.
		raw, err := base64.StdEncoding.DecodeString(coded)
		if err != nil {
			return fmt.Errorf("chunk in frame %d: %w", i, err)
		}
		inner, err := decode(raw)
		if err != nil {
			return fmt.Errorf("chunk in frame %d: %w", i, err)
		}
		c.events = append(c.events, event{"chunk", without(v.(*object), "bytes")}, event{innerName(inner), inner})
	}
	return nil
}

// innerName names what a chunk holds: by its type, or its first key.
func innerName(v any) string {
	if t := get(v, "type"); filled(t) {
		return fmt.Sprint(t)
	}
	if o, ok := v.(*object); ok && len(o.keys) > 0 {
		return o.keys[0]
	}
	return "?"
}

func without(o *object, key string) *object {
	values := maps.Clone(o.values)
	delete(values, key)
	return &object{
		keys:   slices.DeleteFunc(slices.Clone(o.keys), func(k string) bool { return k == key }),
		values: values,
	}
}
