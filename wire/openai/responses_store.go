package openai

import (
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The kinds of objects in the store.
const (
	respKind     = "response"
	respItemKind = "response.item"
)

// How long a background response takes, and how long of that it is in progress, not queued.
const (
	respBackgroundTime = 2 * time.Second
	respRunTime        = time.Second
)

// remember keeps the answer as the provider would: for GET, for a request that continues it, and its items for those
// that refer to them. An answer that was cut off on its way is remembered whole, for it is the connection that broke;
// one that failed is what it said.
func (e *respEncoder) remember() {
	store := e.c.Env.Store()
	if store == nil {
		return
	}
	o := wire.Object{Frames: e.w.frames}
	reply := e.folder.Partial()
	answer := wire.Answer{}
	if len(reply.Choices) > 0 {
		answer = reply.Choices[0]
	}
	o.Turn = &wire.Turn{Before: e.c.Request.History, Request: e.c.Request, Answer: &answer}
	st := e.final()
	if e.failed != nil {
		st = e.failedState()
	}
	// Whatever stream it came in, it is asked for in the usual order.
	st.lay = e.obj.lay
	if e.n.background && !e.stream {
		o.Due = time.Unix(e.obj.created, 0).Add(respDuration(&e.p.q.responses))
		if st.completed != 0 {
			st.completed = o.Due.Unix()
		}
	}
	o.Body = e.body(&st)
	store.Put(respKind, e.obj.id, o)
	thought := ""
	for _, item := range e.items {
		if item.id != "" && item.raw != nil {
			b := jsonx.AppendString([]byte(`{"reasoning":`), thought)
			b = append(append(append(b, `,"item":`...), item.raw...), '}')
			store.Put(respItemKind, item.id, wire.Object{Body: b})
		}
		thought = ""
		if item.typ == "reasoning" {
			thought = item.id
		}
	}
}

func respDuration(q *responsesQuirks) time.Duration {
	if q.BackgroundSeconds > 0 {
		return time.Duration(q.BackgroundSeconds) * time.Second
	}
	return respBackgroundTime
}

// respStoredItem is an item of an earlier answer.
func respStoredItem(c *wire.Call, id string) (jsonx.Value, bool) {
	v, ok := respItemRecord(c, id)
	return v.Get("item"), ok
}

// respThoughtOf is the id of the reasoning item that an item followed, "" where there is none.
func respThoughtOf(c *wire.Call, id string) string {
	v, _ := respItemRecord(c, id)
	return v.Get("reasoning").Str()
}

func respItemRecord(c *wire.Call, id string) (jsonx.Value, bool) {
	if id == "" || c.Env == nil {
		return jsonx.Value{}, false
	}
	store := c.Env.Store()
	if store == nil {
		return jsonx.Value{}, false
	}
	o, ok := store.Get(respItemKind, id)
	if !ok {
		return jsonx.Value{}, false
	}
	v, err := jsonx.ParseBytes(o.Body)
	return v, err == nil
}

// respBodyNow is a stored response as it is at a time: a background one is queued, then in progress, then what it became.
func respBodyNow(o wire.Object, now time.Time, lay *respLayout) []byte {
	switch {
	case !o.Ended.IsZero():
		return respPending(o.Body, "cancelled", lay)
	case o.Due.IsZero() || !now.Before(o.Due):
		return o.Body
	case now.Before(o.Due.Add(-respRunTime)):
		return respPending(o.Body, "queued", lay)
	}
	return respPending(o.Body, "in_progress", lay)
}

// respPending is a response before it is done.
func respPending(body []byte, status string, lay *respLayout) []byte {
	v, err := jsonx.ParseBytes(body)
	if err != nil {
		return body
	}
	b := []byte{'{'}
	for key, value := range v.Members() {
		raw := value.Raw()
		switch key {
		case "billing":
			continue
		case "status":
			raw = `"` + status + `"`
		case "output":
			raw = "[]"
		case "usage", "completed_at", "error", "incomplete_details", "content_filters":
			raw = "null"
		case "service_tier":
			if raw == `"default"` {
				raw = `"auto"`
			}
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendString(b, key), ':')
		b = append(b, raw...)
	}
	b = append(b, '}')
	return respIndent(lay, jsonx.AppendCompact(nil, string(b)))
}
