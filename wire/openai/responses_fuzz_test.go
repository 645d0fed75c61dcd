package openai_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// FuzzResponsesDecode: no body makes Decode, Check or an answer to it panic.
func FuzzResponsesDecode(f *testing.F) {
	for _, body := range responsesRequests() {
		f.Add([]byte(body))
	}
	f.Add([]byte(`{"model":"gpt-5","input":[{"role":"user","content":[{"type":"input_text","text":"Hi"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":[]},{"id":"x"}],"tools":[{"type":"function","name":"f"}],"conversation":{"id":"c"},"tool_choice":{"type":"allowed_tools"}}`))
	f.Add([]byte(`{"model":1,"input":[null,1,"x",[],{}],"tools":[null,{"type":1}],"text":{"format":[]},"reasoning":7}`))
	reply := answerOf(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi there."}, wire.ToolCall{Name: "f", Arguments: "{}"})
	f.Fuzz(func(t *testing.T, body []byte) {
		c, failure, err := wiretest.Call(openai.Provider(), responsesProbe(http.MethodPost, "/v1/responses", string(body)))
		if err != nil {
			t.Fatal(err)
		}
		codec := c.Endpoint.Codec
		if failure != nil {
			if r := codec.Refuse(c, failure); r.Status < 400 {
				t.Errorf("a failure is sent with status %d", r.Status)
			}
			return
		}
		for v := range codec.Check(c) {
			if r := codec.Refuse(c, v.Failure); r.Status < 400 {
				t.Errorf("rule %s is refused with status %d", v.Rule, r.Status)
			}
		}
		c.Request.Conversation()
		wire.Render(c, codec, reply, wire.Split{}, wire.NoCut())
		if c.Remember != nil {
			c.Remember()
		}
	})
}

// FuzzResponsesRead: no answer makes Read panic, and what it reads can be sent again and read as the same.
func FuzzResponsesRead(f *testing.F) {
	for _, r := range moreResponsesReplies()[:12] {
		for _, body := range responsesRequests() {
			c, _, err := wiretest.Call(openai.Provider(), responsesProbe(http.MethodPost, "/v1/responses", body))
			if err != nil {
				f.Fatal(err)
			}
			resp, _, _ := wire.Render(c, c.Endpoint.Codec, r.Reply, wire.Split{}, wire.NoCut())
			f.Add(200, resp.Bytes())
		}
	}
	f.Add(400, []byte(`{"error":{"message":"no"}}`))
	f.Add(200, []byte(sse(createdEvent, completedEvent)))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c, _, err := wiretest.Call(openai.Provider(), responsesProbe(http.MethodPost, "/v1/responses", `{"model":"gpt-4o","input":"Hi","include":["reasoning.encrypted_content"]}`))
		if err != nil {
			t.Fatal(err)
		}
		codec := c.Endpoint.Codec
		reply, err := wire.Fold(codec.Read(&wire.ResponseHead{Status: status, Header: http.Header{}}, bytes.NewReader(body)))
		if err != nil {
			return
		}
		wiretest.RoundTrip(t, c, reply)
	})
}
