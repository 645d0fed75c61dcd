package ollama

import (
	"bytes"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// loads says whether a request only loads or unloads a model: a chat without messages, or no prompt. Such a request is
// answered without a stub. Where the body plainly has a message or a prompt, it is not read for that.
func (i inference) loads(p *wire.Probe) bool {
	if i.prompt {
		for _, begin := range [...]string{`"prompt":"`, `"prompt": "`} {
			if _, rest, ok := bytes.Cut(p.Body, []byte(begin)); ok && len(rest) > 0 && rest[0] != '"' {
				return false
			}
		}
	} else if bytes.Contains(p.Body, []byte(`"role"`)) {
		return false
	}
	body, err := jsonx.ParseBytes(p.Body)
	if err != nil || body.Kind() != jsonx.Object {
		return false
	}
	if i.prompt {
		prompt := body.Get("prompt")
		return missing(prompt) || prompt.Kind() == jsonx.String && prompt.Str() == ""
	}
	messages := body.Get("messages")
	return missing(messages) || messages.Kind() == jsonx.Array && messages.Len() == 0
}

// serveLoad answers a request that only loads or unloads: one document, even where a stream was asked for.
func (i inference) serveLoad(c *wire.Call) wire.Response {
	if f := i.Decode(c); f != nil {
		return refuse(c, f)
	}
	for v := range i.Check(c) {
		return refuse(c, v.Failure)
	}
	keep := nativeOf(c).body.Get("keep_alive")
	now := c.Env.Now().UTC()
	load(c, keep, now)
	reason := "load"
	if keepFor(keep) == 0 {
		reason = "unload"
	}
	b := appendString([]byte(`{"model":`), c.Request.Model)
	b = append(now.AppendFormat(append(b, `,"created_at":"`...), time.RFC3339Nano), '"')
	if i.prompt {
		b = append(b, `,"response":""`...)
	} else {
		b = append(b, `,"message":{"role":"assistant","content":""}`...)
	}
	b = appendString(append(b, `,"done":true,"done_reason":`...), reason)
	return document(append(b, '}'))
}

// document is a JSON answer.
func document(b []byte) wire.Response {
	return wire.Response{Status: 200, Header: wire.Header{{Name: "Content-Type", Value: jsonType}}, Body: b}
}
