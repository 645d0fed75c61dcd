package bedrock

import "github.com/mimus-go/mimus/internal/jsonx"

// opaqueBlock is a block that streams in a start and one delta: a call that the provider runs, its result, an image.
type opaqueBlock struct {
	kind string
	// start is the JSON object of contentBlockStart, delta the JSON value of the one delta, "" where there is none.
	start, delta string
	// deltaKey is the key of the whole block that the delta fills; a call's input is a text in the delta, and JSON in the
	// block.
	deltaKey string
}

// streamed parts a block into its start and its delta (recorded on Nova's web and code tools: the start of a result has
// its status and id, its content comes as a delta). ok is false where Converse streams no such block.
func streamed(kind string, v jsonx.Value) (s opaqueBlock, ok bool) {
	switch kind {
	case "toolResult":
		s = opaqueBlock{kind: kind, start: members(v, "status", "toolUseId", "type"), deltaKey: "content"}
		s.delta = v.Get("content").Raw()
	case "toolUse":
		s = opaqueBlock{kind: kind, start: members(v, "name", "toolUseId", "type"), deltaKey: "input"}
		s.delta = v.Get("input").Raw()
	case "image":
		s = opaqueBlock{kind: kind, start: members(v, "format"), deltaKey: "source"}
		s.delta = v.Get("source").Raw()
	default:
		return s, false
	}
	s.delta = compact(s.delta)
	return s, true
}

// members is the JSON object of those members of v that are there.
func members(v jsonx.Value, keys ...string) string {
	b := []byte{'{'}
	for _, key := range keys {
		m := v.Get(key)
		if !m.Exists() {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(append(b, '"'), key...), `":`...), compact(m.Raw())...)
	}
	return string(append(b, '}'))
}

// whole is the block: the members of the start, and what the delta had, in the order of their names.
func (s opaqueBlock) whole() string {
	body := s.start
	if s.delta != "" {
		v, err := jsonx.Parse(s.start)
		if err != nil {
			return `{"` + s.kind + `":{}}`
		}
		b := []byte{'{'}
		add := func(key, raw string) {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(append(jsonx.AppendString(b, key), ':'), raw...)
		}
		added := false
		for key, m := range v.Members() {
			if !added && s.deltaKey < key {
				add(s.deltaKey, s.delta)
				added = true
			}
			add(key, m.Raw())
		}
		if !added {
			add(s.deltaKey, s.delta)
		}
		body = string(append(b, '}'))
	}
	return `{"` + s.kind + `":` + body + `}`
}

// appendDelta writes the one delta.
func (s opaqueBlock) appendDelta(b []byte) []byte {
	switch s.kind {
	case "toolUse":
		b = jsonx.AppendString(append(b, `{"toolUse":{"input":`...), s.delta)
		return append(b, `}}`...)
	case "image":
		return append(append(append(b, `{"image":{"source":`...), s.delta...), `}}`...)
	}
	return append(append(append(b, `{"toolResult":`...), s.delta...), '}')
}
