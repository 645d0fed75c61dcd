package sdktest

import (
	"encoding/json"
	"net/http"
	"time"
)

// outcome is what an SDK made of an answer, in neutral words.
type outcome struct {
	id      string
	model   string
	choices []choice
	usage   *usage
	failure *failure
	symptom string
	err     error

	// value is the SDK's own: its completion, response or message.
	value   any
	header  http.Header
	tokens  int64
	models  []string
	pages   int
	items   []string
	status  string
	vectors [][]float64
	// events are the stream events that the SDK handed on.
	events int
}

// choice is one answer.
type choice struct {
	text, refusal, reasoning string
	signature, redacted      bool
	calls                    []call
	finish                   string
	sequence                 string
	parts                    []string
	logprobs                 int
}

// call is a tool call. Its arguments are the text that travelled.
type call struct {
	id, name, arguments string
	custom              bool
}

// usage counts tokens: Input is the whole prompt, Output all that was generated.
type usage struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	Reasoning  int64 `json:"reasoning"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

// failure is an error as the SDK's error type shows it.
type failure struct {
	Kind     string `json:"kind"`
	Status   int    `json:"status"`
	Type     string `json:"type"`
	Code     string `json:"code"`
	Param    string `json:"param"`
	Message  string `json:"message"`
	InStream bool   `json:"inStream"`
	// Requests is how many requests the SDK sends before it gives up.
	Requests int `json:"requests"`
}

// want is what a case expects of an outcome.
type want struct {
	wantChoice
	Choices []wantChoice `json:"choices"`
	Usage   *usage       `json:"usage"`

	Error   *failure `json:"error"`
	Symptom string   `json:"symptom"`
	// Requests is how many requests arrive; Waits are the times between them.
	Requests int      `json:"requests"`
	Waits    []string `json:"waits"`
	Elapsed  string   `json:"elapsed"`
	// HungUp says whether the mock sees the client hang up; nil is no where an answer is wanted, and else not looked at.
	HungUp *bool `json:"hungUp"`

	// Tokens says that a count of tokens comes back.
	Tokens  bool              `json:"tokens"`
	Models  []string          `json:"models"`
	Pages   int               `json:"pages"`
	Items   []string          `json:"items"`
	Status  string            `json:"status"`
	Headers map[string]string `json:"headers"`
	Vectors [][]float64       `json:"vectors"`
	// None says that the operation gives nothing to look at.
	None bool `json:"none"`
}

type wantChoice struct {
	Text      string          `json:"text"`
	JSON      json.RawMessage `json:"json"`
	Refusal   string          `json:"refusal"`
	Reasoning string          `json:"reasoning"`
	Signature bool            `json:"signature"`
	Redacted  bool            `json:"redacted"`
	Calls     []wantCall      `json:"calls"`
	Finish    string          `json:"finish"`
	Sequence  string          `json:"sequence"`
	Parts     []string        `json:"parts"`
	Logprobs  bool            `json:"logprobs"`
}

type wantCall struct {
	ID            string          `json:"id"`
	Name          string          `json:"name"`
	Arguments     json.RawMessage `json:"arguments"`
	ArgumentsText *string         `json:"argumentsText"`
	Custom        bool            `json:"custom"`
}

// arrivals are the requests that reached the mock, oldest first.
type arrivals struct {
	times  []time.Time
	hungUp bool
	// refused says why requests were not answered by a stub.
	refused []string
}
