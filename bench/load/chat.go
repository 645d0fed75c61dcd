package load

import (
	"encoding/json"
	"strings"
)

// Model is the model that requests name unless told otherwise. Its context
// holds a conversation of one megabyte.
const Model = "gpt-4.1-mini"

// Chat is a chat completion request that OpenAI would accept.
type Chat struct {
	Model   string // "" means the constant Model
	Message string // the last user message
	Bytes   int    // lengthen the conversation to about so many bytes
	Stream  bool
}

// longest is how many earlier messages a conversation has at most: OpenAI
// takes up to 2,048, and longer conversations get longer messages instead.
const longest = 1000

// sentence is what earlier messages consist of; it has something to escape.
const sentence = "The quick brown fox jumps over the lazy dog; \"quoted\" text\nand a new line. "

// Body returns the request's JSON.
func (c Chat) Body() []byte {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body := struct {
		MaxTokens   int       `json:"max_tokens"`
		Messages    []message `json:"messages"`
		Model       string    `json:"model"`
		Stream      bool      `json:"stream"`
		Temperature float64   `json:"temperature"`
	}{MaxTokens: 999, Model: c.Model, Stream: c.Stream, Temperature: 0.7}
	if body.Model == "" {
		body.Model = Model
	}
	const around = 36 // what a message costs beside its content
	size := 148 + len(c.Message)
	sentences := max(1, min(12, c.Bytes/8/len(sentence)), c.Bytes/longest/len(sentence))
	para := strings.Repeat(sentence, sentences)
	cost := len(para) + strings.Count(para, `"`) + strings.Count(para, "\n") + around

	body.Messages = append(body.Messages, message{"system", "You are a helpful assistant."})
	for i := 0; size+cost <= c.Bytes; i++ {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		body.Messages = append(body.Messages, message{role, para})
		size += cost
	}
	body.Messages = append(body.Messages, message{"user", c.Message})
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // there is nothing in it that could fail
	}
	return b
}
