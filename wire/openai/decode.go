package openai

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// badJSON is what OpenAI says to a body that is no JSON object (github.com/ChatGPTNextWeb/NextChat issue 4064, and
// recorded since).
const badJSON = "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)"

// parseBody reads the body as a JSON object, and takes from it what all endpoints have: model and stream.
func parseBody(c *wire.Call) (jsonx.Value, *wire.Failure) {
	r := c.Request
	r.Version = c.Probe.Query.Get("api-version")
	body, err := jsonx.ParseBytes(c.Probe.Body)
	if err != nil || body.Kind() != jsonx.Object {
		return jsonx.Value{}, &wire.Failure{Kind: wire.Invalid, Rule: "json", Message: badJSON}
	}
	r.Model = body.Get("model").Str()
	if d := deployment(c.Probe.Path); d != "" {
		// The deployment in the path decides; a model in the body is not looked at. From general knowledge.
		r.Model = d
	}
	r.Stream, _ = body.Get("stream").Bool()
	return body, nil
}

// deployment is the Azure deployment that a path names, or "".
func deployment(path string) string {
	_, rest, ok := strings.Cut(path, "/openai/deployments/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// contentParts reads a message's content: a text, or a list of parts.
func contentParts(v jsonx.Value) []wire.Part {
	switch v.Kind() {
	case jsonx.String:
		return []wire.Part{wire.Text{Text: v.Str()}}
	case jsonx.Array:
		parts := make([]wire.Part, 0, v.Len())
		for _, item := range v.Items() {
			parts = append(parts, contentPart(item)...)
		}
		return parts
	case jsonx.Object:
		return contentPart(v)
	}
	return nil
}

func contentPart(v jsonx.Value) []wire.Part {
	if v.Kind() == jsonx.String {
		return []wire.Part{wire.Text{Text: v.Str()}}
	}
	kind := v.Get("type").Str()
	switch kind {
	case "image_url":
		url := v.Get("image_url").Str()
		if url == "" {
			url = v.At("image_url", "url").Str()
		}
		return []wire.Part{mediaURL("image", url)}
	case "input_audio":
		audio := v.Get("input_audio")
		return []wire.Part{wire.Media{Kind: "audio", MIME: "audio/" + audio.Get("format").Str(), Data: audio.Get("data").Str()}}
	case "file":
		file := v.Get("file")
		if id := file.Get("file_id").Str(); id != "" {
			return []wire.Part{wire.Media{Kind: "file", FileID: id}}
		}
		return []wire.Part{mediaURL("file", file.Get("file_data").Str())}
	case "thinking":
		return []wire.Part{wire.Reasoning{Text: thinkingText(v)}}
	}
	var parts []wire.Part
	for key, member := range v.Members() {
		switch key {
		case "text":
			if s, ok := member.Text(); ok {
				parts = append(parts, wire.Text{Text: s})
			}
		case "refusal":
			if s, ok := member.Text(); ok {
				parts = append(parts, wire.Refusal{Text: s})
			}
		case "json":
			parts = append(parts, wire.Text{Text: string(jsonx.AppendCompact(nil, member.Raw()))})
		}
	}
	if parts == nil && kind != "" {
		parts = append(parts, wire.Opaque{Type: kind, Raw: v.Raw()})
	}
	return parts
}

// thinkingText is the text of a part of Mistral's reasoning models: {"type":"thinking","thinking":[{"text":…}]}.
func thinkingText(v jsonx.Value) string {
	if s, ok := v.Get("thinking").Text(); ok {
		return s
	}
	var text strings.Builder
	for _, item := range v.Get("thinking").Items() {
		text.WriteString(item.Get("text").Str())
	}
	return text.String()
}

// mediaURL reads a URL, or the data in a data URL.
func mediaURL(kind, url string) wire.Media {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		mime, data, _ := strings.Cut(rest, ",")
		mime, _, _ = strings.Cut(mime, ";")
		return wire.Media{Kind: kind, MIME: mime, Data: data}
	}
	return wire.Media{Kind: kind, URL: url}
}

// joinText is the text of parts, a line each: what a tool's result says.
func joinText(parts []wire.Part) (string, []wire.Media) {
	text, first := "", true
	var media []wire.Media
	for _, p := range parts {
		s := ""
		switch p := p.(type) {
		case wire.Text:
			s = p.Text
		case wire.Refusal:
			s = p.Text
		case wire.Media:
			media = append(media, p)
			continue
		default:
			continue
		}
		if !first {
			text += "\n"
		}
		text, first = text+s, false
	}
	return text, media
}

func floatOf(v jsonx.Value) *float64 {
	if f, ok := v.Float(); ok {
		return new(f)
	}
	return nil
}

func intOf(v jsonx.Value) *int64 {
	if n, ok := v.Int(); ok {
		return new(n)
	}
	return nil
}

func boolOf(v jsonx.Value) *bool {
	if b, ok := v.Bool(); ok {
		return &b
	}
	return nil
}
