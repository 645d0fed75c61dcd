package load

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Query is a chat request on a provider's own wire.
type Query struct {
	Path string
	// Key is the header line with the key; "" means a bearer token.
	Key    string
	Header []string
	Body   []byte
	// Framing is how a stream is taken apart: "sse", "ndjson" or "aws".
	Framing string
}

// Config returns a Config that asks the query. Its URL lacks the server.
func (q Query) Config() Config {
	return Config{URL: q.Path, Key: q.Key, Header: q.Header, Body: q.Body}
}

// Wires are those that Query knows.
func Wires() []string { return []string{"openai", "anthropic", "gemini", "bedrock", "ollama"} }

// Query returns the request on a wire, as the provider would accept it.
func (c Chat) Query(wire string) (Query, error) {
	switch wire {
	case "openai":
		return Query{Path: "/v1/chat/completions", Body: c.Body(), Framing: "sse"}, nil
	case "anthropic":
		return Query{
			Path: "/v1/messages", Key: "X-Api-Key: sk-ant-test", Header: []string{"Anthropic-Version: 2023-06-01"}, Framing: "sse",
			Body: c.object(`"model":"claude-haiku-4-5","max_tokens":999,"temperature":0.7,"stream":`+strconv.FormatBool(c.Stream), "messages", "assistant",
				func(text string) string { return `"content":` + text }),
		}, nil
	case "gemini":
		method := "generateContent"
		if c.Stream {
			method = "streamGenerateContent?alt=sse"
		}
		return Query{
			Path: "/v1beta/models/gemini-3.6-flash:" + method, Key: "X-Goog-Api-Key: test-key", Framing: "sse",
			Body: c.object(`"generationConfig":{"maxOutputTokens":999,"temperature":0.7}`, "contents", "model",
				func(text string) string { return `"parts":[{"text":` + text + `}]` }),
		}, nil
	case "bedrock":
		operation := "converse"
		if c.Stream {
			operation = "converse-stream"
		}
		return Query{
			Path: "/model/amazon.nova-lite-v1%3A0/" + operation, Framing: "aws",
			Body: c.object(`"inferenceConfig":{"maxTokens":999,"temperature":0.7}`, "messages", "assistant",
				func(text string) string { return `"content":[{"text":` + text + `}]` }),
		}, nil
	case "ollama":
		return Query{
			Path: "/api/chat", Framing: "ndjson",
			Body: c.object(`"model":"llama3.2","options":{"num_predict":999,"temperature":0.7},"stream":`+strconv.FormatBool(c.Stream), "messages", "assistant",
				func(text string) string { return `"content":` + text }),
		}, nil
	}
	return Query{}, fmt.Errorf("no wire %q; there are %s", wire, strings.Join(Wires(), ", "))
}

// object is a request of some members and its messages, in turns, lengthened
// to about as many bytes as are asked for.
func (c Chat) object(members, list, answers string, content func(text string) string) []byte {
	const around = 40 // what a message costs beside its content
	para := strings.Repeat(sentence, max(1, min(12, c.Bytes/8/len(sentence)), c.Bytes/longest/len(sentence)))
	size := len(members) + len(c.Message) + around
	b := []byte("{" + members + `,"` + list + `":[`)
	message := func(role, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			panic(err) // a string always has a JSON form
		}
		b = append(b, `{"role":"`+role+`",`+content(string(quoted))+"}"...)
	}
	for ; size+2*(len(para)+around) <= c.Bytes; size += 2 * (len(para) + around) {
		message("user", para)
		b = append(b, ',')
		message(answers, para)
		b = append(b, ',')
	}
	message("user", c.Message)
	return append(b, "]}"...)
}
