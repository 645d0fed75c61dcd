package gemini

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// appendRequestPart adds what a part of a request says.
func appendRequestPart(dst []wire.Part, p jsonx.Value) []wire.Part {
	if res := pick(p, "functionResponse"); res.Kind() == jsonx.Object {
		return append(dst, resultOf(res))
	}
	return appendAnswerPart(dst, p)
}

// appendAnswerPart adds what a part of an answer says. A signature without a thought is a thought that only the provider
// knows: it stands before the call, or after the text, that carries it.
func appendAnswerPart(dst []wire.Part, p jsonx.Value) []wire.Part {
	signature := pick(p, "thoughtSignature").Str()
	hidden := wire.Reasoning{Signature: signature, Redacted: true}
	switch kind, v := dataOf(p); kind {
	case "text":
		if isTrue(pick(p, "thought")) {
			return append(dst, wire.Reasoning{Text: v.Str(), Signature: signature})
		}
		if v.Str() != "" || signature == "" {
			dst = append(dst, wire.Text{Text: v.Str()})
		}
		if signature != "" {
			dst = append(dst, hidden)
		}
		return dst
	case "functionCall":
		if signature != "" {
			dst = append(dst, hidden)
		}
		return append(dst, callOf(v))
	case "inlineData", "fileData":
		if signature == "" {
			return append(dst, mediaOf(v))
		}
		return append(dst, wire.Opaque{Type: kind, Raw: compact(p.Raw())})
	case "":
		if signature != "" {
			return append(dst, hidden)
		}
		return dst
	default:
		return append(dst, wire.Opaque{Type: kind, Raw: compact(p.Raw())})
	}
}

// beside are the members of a part that are not its data.
var beside = [...]string{"thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata", "speechMetadata"}

// dataOf is the member of a part that says what it is, with its name in camelCase.
func dataOf(p jsonx.Value) (string, jsonx.Value) {
members:
	for key, v := range p.Members() {
		for _, b := range beside {
			if sameName(key, b) {
				continue members
			}
		}
		if !v.IsNull() {
			return camel(key), v
		}
	}
	return "", jsonx.Value{}
}

func callOf(v jsonx.Value) wire.ToolCall {
	args := compact(pick(v, "args").Raw())
	return wire.ToolCall{ID: pick(v, "id").Str(), Name: pick(v, "name").Str(), Arguments: orElse(args, "{}")}
}

// resultOf reads what a tool gave. An error is told by the response's own key (ai.google.dev/api/caching, FunctionResponse).
func resultOf(v jsonx.Value) wire.ToolResult {
	response := pick(v, "response")
	res := wire.ToolResult{ID: pick(v, "id").Str(), Name: pick(v, "name").Str(), Text: compact(response.Raw()), Error: response.Get("error").Exists()}
	for _, p := range each(pick(v, "parts")) {
		if kind, data := dataOf(p); kind == "inlineData" || kind == "fileData" {
			res.Media = append(res.Media, mediaOf(data))
		}
	}
	return res
}

// mediaOf reads inlineData or fileData.
func mediaOf(v jsonx.Value) wire.Media {
	m := wire.Media{MIME: pick(v, "mimeType").Str(), Data: pick(v, "data").Str(), URL: pick(v, "fileUri").Str(), Kind: "file"}
	for _, kind := range [...]string{"image", "audio", "video"} {
		if strings.HasPrefix(m.MIME, kind+"/") {
			m.Kind = kind
		}
	}
	return m
}

// citationOf reads one citation of either surface. Start and End are bytes.
func citationOf(v jsonx.Value) wire.Citation {
	start, _ := v.Get("startIndex").Int()
	end, _ := v.Get("endIndex").Int()
	return wire.Citation{
		Kind: "citation", URL: v.Get("uri").Str(), Title: v.Get("title").Str(), Start: int(start), End: int(end), Raw: compact(v.Raw()),
	}
}

// writeCitation writes a citation that a stub describes in neutral words. What is zero is left out; AI Studio has no
// title.
func writeCitation(p wire.Citation, vertex bool) string {
	b := []byte{'{'}
	field := func(name string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), `":`...)
	}
	if p.Start != 0 {
		field("startIndex")
		b = appendInt(b, p.Start)
	}
	if p.End != 0 {
		field("endIndex")
		b = appendInt(b, p.End)
	}
	if p.URL != "" {
		field("uri")
		b = appendString(b, p.URL)
	}
	if p.Title != "" && vertex {
		field("title")
		b = appendString(b, p.Title)
	}
	return string(append(b, '}'))
}

// appendMedia writes bytes, or the address of a file.
func appendMedia(b []byte, m wire.Media) []byte {
	if m.URL != "" {
		b = append(b, `{"fileData": {`...)
		if m.MIME != "" {
			b = append(appendString(append(b, `"mimeType": `...), m.MIME), ',')
		}
		return append(appendString(append(b, `"fileUri": `...), m.URL), "}}"...)
	}
	b = append(b, `{"inlineData": {`...)
	if m.MIME != "" {
		b = append(appendString(append(b, `"mimeType": `...), m.MIME), ',')
	}
	return append(appendString(append(b, `"data": `...), m.Data), "}}"...)
}
