package openai

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// FuzzDecode feeds any body to chat and embeddings: no panic, and what is refused is refused in the provider's words.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		plainBody, usageBody, toolsBody, `{"model":"m","input":[1,2]}`, `{"model":"m","input":[["a"],7,null]}`, `null`, `[]`, `{"messages":[{}]}`,
		`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":"data:,"}]},{"role":"assistant","tool_calls":[{"custom":{}}]}],"n":9,"top_logprobs":-1}`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, embed bool) {
		p := chatProbe(unknown, "")
		p.Body = body
		if embed {
			p.Path = "/v1/embeddings"
		}
		_, e, _, _ := wire.NewRouter(Provider()).Route(p)
		c := &wire.Call{Probe: p, Endpoint: e, Env: &fixedEnv{}, Seed: 1}
		c.Request = c.NewRequest(Provider())
		if failure := e.Codec.Decode(c); failure != nil {
			if resp := e.Codec.Refuse(c, failure); resp.Status != http.StatusBadRequest {
				t.Errorf("status %d", resp.Status)
			}
			return
		}
		for v := range e.Codec.Check(c) {
			if resp := e.Codec.Refuse(c, v.Failure); resp.Status < 400 || len(resp.Body) == 0 {
				t.Errorf("%v: status %d", v.Failure, resp.Status)
			}
		}
		_ = c.Request.Conversation()
		r := answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}, toolCall("f"))
		if embed {
			r = wire.Reply{Vectors: [][]float32{{1}}}
		}
		resp, fitted, _ := wire.Render(c, e.Codec, r, wire.Split{}, wire.NoCut())
		if again, _ := e.Codec.Fit(c, fitted); len(again.Choices) != len(fitted.Choices) {
			t.Error("Fit is not idempotent")
		}
		header := http.Header{}
		resp.Header.WriteTo(header)
		if _, err := wire.Fold(e.Codec.Read(&wire.ResponseHead{Status: resp.Status, Header: header, Request: c.Request}, bytes.NewReader(resp.Bytes()))); err != nil {
			t.Errorf("own answer: %v\n%s", err, resp.Bytes())
		}
	})
}

// FuzzRead feeds any answer to all readers: no panic, and each sequence ends as it should.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		sse(chunkOf(`{"content":"Hi"}`, `,"finish_reason":"stop"`), done), sse(chunkOf(`{"tool_calls":[{"index":0,"id":"a"}]}`, "")),
		sse(`{"error":{"code":429}}`), `{"choices":[{"message":{"content":[{"type":"thinking"}]}}]}`, `[{"error":{}}]`, `{"data":[{"embedding":"AAAA","index":-1},{"embedding":[1e99]}]}`,
		`{"choices":[],"usage":{"prompt_tokens":-1,"total_tokens":1e30}}`, "<html><title>", "event: error\ndata: {}\n\n",
	} {
		f.Add([]byte(seed), 200)
		f.Add([]byte(seed), 429)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		for _, codec := range []wire.Codec{chat{}, embeddings{}, models{}} {
			failed := false
			for _, err := range codec.Read(&wire.ResponseHead{Status: status, Header: http.Header{"Retry-After": {string(body)}}}, bytes.NewReader(body)) {
				if failed {
					t.Fatal("the sequence goes on after its error")
				}
				failed = err != nil
			}
			if status >= 300 && !failed {
				t.Errorf("status %d is no failure", status)
			}
		}
	})
}

// FuzzQuirks feeds any quirks to an answer.
func FuzzQuirks(f *testing.F) {
	for _, c := range quirkCases() {
		f.Add([]byte(c.quirks))
	}
	f.Fuzz(func(t *testing.T, quirks []byte) {
		for _, body := range []string{plainBody, toolsBody} {
			c := chatCall(t, official, body)
			c.Quirks = quirks
			resp, _, _ := wire.Render(c, chat{}, answer(wire.Reasoning{Text: "hm"}, wire.Text{Text: "Hi"}, toolCall("f"), toolCall("g")), wire.Split{}, wire.NoCut())
			_ = resp.Bytes()
			_ = refuse(c, &wire.Failure{Kind: wire.RateLimit})
		}
	})
}
