package anthropic

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// appendBlock adds what a content block of a request says. A call of a tool that the provider runs is a call like others
// there.
func appendBlock(dst []wire.Part, b jsonx.Value) []wire.Part {
	switch kind := b.Get("type").Str(); kind {
	case "server_tool_use":
		return append(dst, callOf(b))
	case "tool_result":
		return append(dst, resultOf(b))
	case "image", "document":
		if m, ok := mediaOf(b, kind); ok {
			return append(dst, m)
		}
	}
	return appendAnswerBlock(dst, b)
}

// appendAnswerBlock adds what a content block of an answer says. What has no part of its own stays as it is.
func appendAnswerBlock(dst []wire.Part, b jsonx.Value) []wire.Part {
	switch kind := b.Get("type").Str(); kind {
	case "text":
		return appendText(dst, b)
	case "thinking":
		return append(dst, wire.Reasoning{Text: b.Get("thinking").Str(), Signature: b.Get("signature").Str()})
	case "redacted_thinking":
		return append(dst, wire.Reasoning{Signature: b.Get("data").Str(), Redacted: true})
	case "tool_use":
		return append(dst, callOf(b))
	default:
		return append(dst, wire.Opaque{Type: kind, Raw: compact(b.Raw())})
	}
}

func appendText(dst []wire.Part, b jsonx.Value) []wire.Part {
	dst = append(dst, wire.Text{Text: b.Get("text").Str()})
	for _, c := range b.Get("citations").Items() {
		dst = append(dst, citationOf(c))
	}
	return dst
}

func callOf(b jsonx.Value) wire.ToolCall {
	return wire.ToolCall{ID: b.Get("id").Str(), Name: b.Get("name").Str(), Arguments: compact(b.Get("input").Raw())}
}

func resultOf(b jsonx.Value) wire.ToolResult {
	content := b.Get("content")
	res := wire.ToolResult{ID: b.Get("tool_use_id").Str(), Text: textOf(content), Error: isTrue(b.Get("is_error"))}
	for _, item := range content.Items() {
		if m, ok := mediaOf(item, item.Get("type").Str()); ok {
			res.Media = append(res.Media, m)
		}
	}
	return res
}

// mediaOf reads an image or a document by its source.
func mediaOf(b jsonx.Value, kind string) (wire.Media, bool) {
	var m wire.Media
	switch kind {
	case "image":
		m.Kind = "image"
	case "document":
		m.Kind = "file"
	default:
		return m, false
	}
	source := b.Get("source")
	m.MIME = source.Get("media_type").Str()
	switch source.Get("type").Str() {
	case "base64", "text":
		m.Data = source.Get("data").Str()
	case "url":
		m.URL = source.Get("url").Str()
	case "file":
		m.FileID = source.Get("file_id").Str()
	default:
		return m, false
	}
	return m, true
}

// citationOf reads one citation. Start and End are characters, pages or blocks, as its kind counts.
func citationOf(v jsonx.Value) wire.Citation {
	c := wire.Citation{
		Kind: v.Get("type").Str(), URL: v.Get("url").Str(), Title: v.Get("title").Str(), Text: v.Get("cited_text").Str(),
		Raw: compact(v.Raw()),
	}
	if c.URL == "" {
		c.URL = v.Get("source").Str()
	}
	if c.Title == "" {
		c.Title = v.Get("document_title").Str()
	}
	for _, unit := range [...]string{"char_index", "page_number", "block_index"} {
		if start, ok := v.Get("start_" + unit).Int(); ok {
			end, _ := v.Get("end_" + unit).Int()
			c.Start, c.End = int(start), int(end)
			break
		}
	}
	return c
}

// compact is a JSON document without white space between its tokens.
func compact(raw string) string {
	if !strings.ContainsAny(raw, " \t\r\n") {
		return raw
	}
	return string(jsonx.AppendCompact(make([]byte, 0, len(raw)), raw))
}
