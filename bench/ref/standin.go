package ref

import (
	"encoding/json"
	"net/http"
	"strings"
)

// StandIn is a server that can be measured in place of a real one: of several
// answers it sends the one whose key occurs in the request's last message.
func StandIn(answers map[string]Answer) http.Handler {
	senders := map[string]func(http.ResponseWriter, bool){}
	for key, a := range answers {
		senders[key] = a.sender()
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		if !decode(w, r, &q) {
			return
		}
		if n := len(q.Messages); n > 0 {
			for key, send := range senders {
				if strings.Contains(q.Messages[n-1].Content, key) {
					send(w, q.Stream)
					return
				}
			}
		}
		http.Error(w, "no stub", http.StatusNotFound)
	})
}

// Text returns the answer of a chat completion, whole.
func Text(text string) Answer {
	return Answer{Body: []byte(`{"id":"chatcmpl-1","object":"chat.completion","created":1764500000,"model":"gpt-4.1-mini",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":` + quoted(text) + `},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}`)}
}

// Stream returns the answer of a chat completion as a stream of its words.
func Stream(text string) Answer {
	var b strings.Builder
	event := func(delta, finish string) {
		b.WriteString(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1764500000,"model":"gpt-4.1-mini",` +
			`"choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + "}]}\n\n")
	}
	event(`{"role":"assistant","content":""}`, "null")
	for word := range strings.SplitAfterSeq(text, " ") {
		event(`{"content":`+quoted(word)+`}`, "null")
	}
	event("{}", `"stop"`)
	b.WriteString("data: [DONE]\n\n")
	return Answer{Body: []byte(b.String()), SSE: true}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(b)
}
