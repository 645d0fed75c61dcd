package bedrock

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// media are the keys of blocks that hold a file, and the neutral words for them.
var media = [...]struct{ key, kind string }{
	{"image", "image"}, {"document", "file"}, {"video", "video"}, {"audio", "audio"},
}

// appendBlock adds what a content block of a request says.
func appendBlock(dst []wire.Part, b jsonx.Value) []wire.Part {
	if res := b.Get("toolResult"); res.Exists() {
		return append(dst, resultOf(res))
	}
	if s := b.At("guardContent", "text", "text"); s.Exists() {
		return append(dst, wire.Text{Text: s.Str()})
	}
	if call := b.Get("toolUse"); call.Exists() {
		return append(dst, callOf(call))
	}
	if m, ok := mediaOf(b); ok {
		return append(dst, m)
	}
	return appendAnswerBlock(dst, b)
}

// appendAnswerBlock adds what a content block of an answer says. What has no part of its own stays as it is.
func appendAnswerBlock(dst []wire.Part, b jsonx.Value) []wire.Part {
	for key, v := range b.Members() {
		switch key {
		case "text":
			return append(dst, wire.Text{Text: v.Str()})
		case "toolUse":
			if v.Get("type").Str() == "" {
				return append(dst, callOf(v))
			}
		case "reasoningContent":
			return append(dst, reasoningOf(v))
		case "citationsContent":
			return appendCited(dst, v)
		}
		return append(dst, wire.Opaque{Type: key, Raw: compact(b.Raw())})
	}
	return dst
}

func callOf(v jsonx.Value) wire.ToolCall {
	return wire.ToolCall{ID: v.Get("toolUseId").Str(), Name: v.Get("name").Str(), Arguments: compact(v.Get("input").Raw())}
}

func reasoningOf(v jsonx.Value) wire.Reasoning {
	if data, ok := v.Get("redactedContent").Text(); ok {
		return wire.Reasoning{Signature: data, Redacted: true}
	}
	text := v.Get("reasoningText")
	return wire.Reasoning{Text: text.Get("text").Str(), Signature: text.Get("signature").Str()}
}

func appendCited(dst []wire.Part, v jsonx.Value) []wire.Part {
	var text strings.Builder
	for _, piece := range v.Get("content").Items() {
		text.WriteString(piece.Get("text").Str())
	}
	dst = append(dst, wire.Text{Text: text.String()})
	for _, c := range v.Get("citations").Items() {
		dst = append(dst, citationOf(c))
	}
	return dst
}

// citationOf reads one citation. Start and End are characters, pages or chunks, as its location counts.
func citationOf(v jsonx.Value) wire.Citation {
	c := wire.Citation{Title: v.Get("title").Str(), Raw: compact(v.Raw())}
	for kind, at := range v.Get("location").Members() {
		c.Kind, c.URL = kind, at.Get("url").Str()
		if start, ok := at.Get("start").Int(); ok {
			end, _ := at.Get("end").Int()
			c.Start, c.End = int(start), int(end)
		}
		break
	}
	for _, piece := range v.Get("sourceContent").Items() {
		c.Text += piece.Get("text").Str()
	}
	return c
}

// resultOf reads a tool's result: texts and JSON, a line each, and the files among them.
func resultOf(v jsonx.Value) wire.ToolResult {
	res := wire.ToolResult{ID: v.Get("toolUseId").Str(), Error: v.Get("status").Str() == "error"}
	for _, item := range v.Get("content").Items() {
		if m, ok := mediaOf(item); ok {
			res.Media = append(res.Media, m)
			continue
		}
		if s := resultText(item); s != "" {
			res.Text = joinLines(res.Text, s)
		}
	}
	return res
}

func resultText(item jsonx.Value) string {
	if s, ok := item.Get("text").Text(); ok {
		return s
	}
	if v := item.Get("json"); v.Exists() {
		return compact(v.Raw())
	}
	text := ""
	for _, piece := range item.At("searchResult", "content").Items() {
		text = joinLines(text, piece.Get("text").Str())
	}
	return text
}

// mediaOf reads a block that holds a file, by its source.
func mediaOf(b jsonx.Value) (wire.Media, bool) {
	for _, known := range media {
		v := b.Get(known.key)
		if !v.Exists() {
			continue
		}
		m := wire.Media{Kind: known.kind}
		if format := v.Get("format").Str(); format != "" {
			m.MIME = mimeOf(known.kind, format)
		}
		source := v.Get("source")
		switch {
		case source.Get("bytes").Exists():
			m.Data = source.Get("bytes").Str()
		case source.Get("s3Location").Exists():
			m.URL = source.At("s3Location", "uri").Str()
		case source.Get("text").Exists():
			m.Data = source.Get("text").Str()
		default:
			for _, piece := range source.Get("content").Items() {
				m.Data = joinLines(m.Data, piece.Get("text").Str())
			}
		}
		return m, true
	}
	return wire.Media{}, false
}

// mimeOf is the media type of a format: the documents have types that their format does not spell.
func mimeOf(kind, format string) string {
	if kind != "file" {
		return kind + "/" + format
	}
	switch format {
	case "pdf":
		return "application/pdf"
	case "md":
		return "text/markdown"
	case "txt":
		return "text/plain"
	case "csv", "html":
		return "text/" + format
	case "doc":
		return "application/msword"
	case "docx":
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case "xls":
		return "application/vnd.ms-excel"
	case "xlsx":
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "application/octet-stream"
}
