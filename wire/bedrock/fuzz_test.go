package bedrock_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/bedrock"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// paths are one of each operation and form.
func paths() []string {
	return []string{
		nova + "/converse", nova + "/converse-stream", nova + "/invoke", nova + "/invoke-with-response-stream",
		"/model/meta.llama3-8b-instruct-v1:0/invoke-with-response-stream", "/model/mistral.mistral-large-2407-v1:0/invoke-with-response-stream",
		"/model/arn:aws:bedrock:us-east-1:1:imported-model/abc/invoke", "/model/cohere.embed-v4:0/invoke", "/model/amazon.titan-embed-text-v2:0/invoke",
		claude + "/count-tokens",
	}
}

// FuzzDecode sends any body to every operation: it is refused in Bedrock's words, or answered and read back.
func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		ask, askTool, `{}`, `[]`, ``, `{"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"json":{}}]}}]}]}`,
		`{"prompt":"Hi","max_gen_len":5}`, `{"messages":[{"role":"user","content":"Hi"}]}`, `{"inputText":"x","embeddingTypes":["binary"]}`,
		`{"texts":["x"],"input_type":"search_query","embedding_types":["float"]}`, `{"input":{"converse":{"messages":[{}]}}}`,
		`{"inputText":"x","textGenerationConfig":{}}`, `{"system":[7],"messages":[7,{"content":[7,{"toolUse":7}]}],"toolConfig":{"tools":[7]}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, path := range paths() {
			c, failure, err := wiretest.Call(bedrock.Provider(), post(path, string(body)))
			if err != nil {
				t.Fatal(err)
			}
			if c.Endpoint.Serve != nil {
				c.Endpoint.Serve(c)
				continue
			}
			if failure == nil {
				for v := range c.Endpoint.Codec.Check(c) {
					failure = v.Failure
					break
				}
			}
			if failure != nil {
				if r := c.Endpoint.Codec.Refuse(c, failure); r.Status < 400 || len(r.Body) == 0 {
					t.Errorf("%s: refused with %d %s", path, r.Status, r.Body)
				}
				continue
			}
			if c.Request.Kind == wire.Chat {
				if _, err := wiretest.CheckRoundTrip(c, lookUp); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
	})
}

// FuzzRead gives any bytes to every reader.
func FuzzRead(f *testing.F) {
	for _, path := range paths()[:6] {
		body := ask
		switch {
		case bytes.Contains([]byte(path), []byte("llama")):
			body = `{"prompt":"Hi"}`
		case bytes.Contains([]byte(path), []byte("mistral")):
			body = `{"messages":[{"role":"user","content":"Hi"}]}`
		}
		c := open(f, post(path, body))
		f.Add(render(c, lookUp, "", wire.NoCut()).Bytes(), true)
		f.Add(render(c, hello, "", wire.NoCut()).Bytes(), false)
		f.Add(render(c, hello, "", failAfter(1, &wire.Failure{Kind: wire.RateLimit})).Bytes(), true)
	}
	f.Add([]byte(`{"output":{"message":{"content":[{"citationsContent":{"citations":[{}]}},{}]}}}`), false)
	f.Add([]byte(`{"embeddings":{"int8":[[1,2]]}}`), false)
	f.Fuzz(func(t *testing.T, body []byte, streams bool) {
		h := &wire.ResponseHead{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}}
		if streams {
			h.Header.Set("Content-Type", "application/vnd.amazon.eventstream")
		}
		for _, e := range bedrock.Provider().Endpoints() {
			if e.Codec == nil {
				continue
			}
			for _, status := range []int{200, 400} {
				h.Status = status
				reply, err := wire.Fold(e.Codec.Read(h, bytes.NewReader(body)))
				if status >= 400 && err == nil {
					t.Errorf("%s: an error is read as %+v", e.Name, reply)
				}
			}
		}
	})
}
