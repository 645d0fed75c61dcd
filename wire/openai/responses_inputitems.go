package openai

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The limits of a page of input items (OpenAI's OpenAPI document, Aug 2026).
const (
	respPage    = 20
	respMaxPage = 100
)

// respListed is one input item in full.
type respListed struct {
	id  string
	raw []byte
}

// serveInputItems is GET /responses/{id}/input_items.
func serveInputItems(c *wire.Call) wire.Response {
	id, o, refusal := respFind(c)
	if refusal != nil {
		return respRefuse(c, refusal)
	}
	q := c.Probe.Query
	limit, order := respPage, q.Get("order")
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil:
			return respRefuse(c, respInvalid("invalid_type", "limit", "Invalid type for 'limit': expected an integer, but got a string instead."))
		case n < 1:
			return respRefuse(c, respInvalid("integer_below_min_value", "limit", "Invalid 'limit': integer below minimum value. Expected a value >= 1, but got "+itoa(n)+" instead."))
		case n > respMaxPage:
			return respRefuse(c, respInvalid("integer_above_max_value", "limit", "Invalid 'limit': integer above maximum value. Expected a value <= 100, but got "+itoa(n)+" instead."))
		}
		limit = n
	}
	if order != "" && order != "asc" && order != "desc" {
		return respRefuse(c, respInvalid("invalid_value", "order", "Invalid value: '"+order+"'. Supported values are: 'asc' and 'desc'."))
	}
	items := respInputList(id, o.Turn)
	if order != "asc" {
		slices.Reverse(items)
	}
	if after := q.Get("after"); after != "" {
		i := slices.IndexFunc(items, func(l respListed) bool { return l.id == after })
		items = items[i+1:]
	}
	more := len(items) > limit
	items = items[:min(limit, len(items))]
	return respWhole(c, respIndent(respLayoutOf(c), appendRespList(nil, items, more)))
}

func appendRespList(dst []byte, items []respListed, more bool) []byte {
	dst = append(dst, `{"object":"list","data":[`...)
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, item.raw...)
	}
	first, last := []byte("null"), []byte("null")
	if len(items) > 0 {
		first, last = jsonx.AppendString(nil, items[0].id), jsonx.AppendString(nil, items[len(items)-1].id)
	}
	dst = append(append(dst, `],"first_id":`...), first...)
	dst = append(append(dst, `,"has_more":`...), strconv.FormatBool(more)...)
	dst = append(append(dst, `,"last_id":`...), last...)
	return append(dst, '}')
}

// respInputList is the input of a stored response, each item with an id and in its full shape.
func respInputList(id string, t *wire.Turn) []respListed {
	if t == nil || t.Request == nil {
		return nil
	}
	n, ok := t.Request.Native.(*respNative)
	if !ok {
		return nil
	}
	if text, ok := n.body.Get("input").Text(); ok {
		return []respListed{respListedMessage(respInputID(id, "msg_", 0), "user", appendRespInputText(nil, "user", text))}
	}
	items := make([]respListed, 0, len(n.items))
	for i, item := range n.items {
		items = append(items, respListItem(id, i, item))
	}
	return items
}

func respListItem(response string, i int, item respInputItem) respListed {
	v := item.value
	prefix := respPrefix(item.typ)
	if prefix == "" {
		prefix = respOtherPrefix(item.typ)
	}
	id := v.Get("id").Str()
	if id == "" {
		id = respInputID(response, prefix, i)
	}
	if item.typ != "message" {
		extra := []respDefault{{"id", string(jsonx.AppendString(nil, id))}}
		if item.typ == "function_call" || item.typ == "function_call_output" || item.typ == "custom_tool_call" {
			extra = append(extra, respDefault{"status", `"completed"`})
		}
		return respListed{id, respEchoItem(v, extra)}
	}
	role := orElse(v.Get("role").Str(), "user")
	content := v.Get("content")
	if text, ok := content.Text(); ok {
		return respListedMessage(id, role, appendRespInputText(nil, role, text))
	}
	var parts []byte
	for j, p := range content.Items() {
		if j > 0 {
			parts = append(parts, ',')
		}
		parts = respEchoObject(parts, p, respContentDefaults(p.Get("type").Str()))
	}
	return respListedMessage(id, role, parts)
}

func respContentDefaults(typ string) []respDefault {
	switch typ {
	case "output_text":
		return []respDefault{{"annotations", "[]"}, {"logprobs", "[]"}}
	case "input_image":
		return []respDefault{{"detail", `"auto"`}, {"file_id", "null"}, {"image_url", "null"}}
	}
	return nil
}

func appendRespInputText(dst []byte, role, text string) []byte {
	if role == "assistant" {
		dst = append(dst, `{"type":"output_text","annotations":[],"logprobs":[],"text":`...)
	} else {
		dst = append(dst, `{"type":"input_text","text":`...)
	}
	return append(jsonx.AppendString(dst, text), '}')
}

func respListedMessage(id, role string, content []byte) respListed {
	b := jsonx.AppendString([]byte(`{"id":`), id)
	b = append(append(append(b, `,"type":"message","status":"completed","content":[`...), content...), `],"role":`...)
	return respListed{id, append(jsonx.AppendString(b, role), '}')}
}

// respEchoItem is an item with what it lacks, its id and type first.
func respEchoItem(v jsonx.Value, extra []respDefault) []byte {
	b := respEchoObject(nil, v, extra)
	w, err := jsonx.ParseBytes(b)
	if err != nil {
		return b
	}
	out := append([]byte(`{"id":`), w.Get("id").Raw()...)
	for key, value := range w.Members() {
		if key == "id" {
			continue
		}
		out = append(jsonx.AppendString(append(out, ','), key), ':')
		out = append(out, value.Raw()...)
	}
	return append(out, '}')
}

// respInputID makes the id of an input item, the same whenever it is asked for.
func respInputID(response, prefix string, i int) string {
	h := sha256.Sum256([]byte(response + "\x00" + itoa(i)))
	return prefix + "0" + hex.EncodeToString(h[:])[:respSharedDigits+respOwnDigits-1]
}

// respOtherPrefix is the prefix of items that the model does not make.
func respOtherPrefix(typ string) string {
	switch typ {
	case "function_call_output":
		return "fco_"
	case "custom_tool_call_output":
		return "ctco_"
	}
	return "item_"
}
