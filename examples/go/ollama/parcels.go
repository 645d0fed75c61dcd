// Package parcels answers questions about parcels with a model that runs on Ollama, with the client of Ollama's own command
// line: a tool loop, a chat that is streamed, a retry policy, and structured output. Its tests show how mimus stands in for
// a server at http://localhost:11434.
package parcels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/ollama/ollama/api"
)

// Assistant is the service.
type Assistant struct {
	Client *api.Client
	// State looks a parcel up.
	State func(reference string) string
}

const model = "qwen3"

// tool is what the model may call.
const tool = `{"type":"function","function":{"name":"track_parcel","description":"Where a parcel is.",
	"parameters":{"type":"object","properties":{"reference":{"type":"string"}},"required":["reference"]}}}`

// attempts is how often [retry] asks, and pause how long it waits after the first time; Ollama says no time.
const (
	attempts = 3
	pause    = time.Second
)

// retry asks again where that may help, which Ollama's client leaves to others: too many requests, or a server in trouble.
func retry(ctx context.Context, ask func() error) error {
	for n := 1; ; n++ {
		err := ask()
		failed, ok := errors.AsType[api.StatusError](err)
		if !ok || n == attempts || failed.StatusCode != http.StatusTooManyRequests && failed.StatusCode < http.StatusInternalServerError {
			return err
		}
		select {
		case <-time.After(pause << (n - 1)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// whole asks for an answer in one piece.
func (a *Assistant) whole(ctx context.Context, req *api.ChatRequest) (answer api.ChatResponse, err error) {
	req.Stream = new(bool)
	err = retry(ctx, func() error {
		return a.Client.Chat(ctx, req, func(r api.ChatResponse) error {
			answer = r
			return nil
		})
	})
	return answer, err
}

// Ask answers a question, and lets the model look parcels up.
func (a *Assistant) Ask(ctx context.Context, question string) (string, error) {
	req := &api.ChatRequest{Model: model, Messages: []api.Message{{Role: "user", Content: question}}, Tools: make(api.Tools, 1)}
	if err := json.Unmarshal([]byte(tool), &req.Tools[0]); err != nil {
		return "", err
	}
	for {
		answer, err := a.whole(ctx, req)
		if err != nil {
			return "", err
		}
		m := answer.Message
		if len(m.ToolCalls) == 0 {
			return m.Content, nil
		}
		req.Messages = append(req.Messages, m)
		for _, call := range m.ToolCalls {
			state := "no such parcel"
			if reference, ok := call.Function.Arguments.Get("reference"); ok {
				state = a.State(fmt.Sprint(reference))
			}
			req.Messages = append(req.Messages, api.Message{Role: "tool", Content: state, ToolName: call.Function.Name, ToolCallID: call.ID})
		}
	}
}

// ErrIdle says that a stream said nothing for too long.
var ErrIdle = errors.New("the model fell silent")

// Stream says the answer as it comes, and gives up when nothing comes for that long. The client ends without an error where
// a stream breaks off, so that the last record has to be looked for.
func (a *Assistant) Stream(ctx context.Context, question string, idle time.Duration, say func(string)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(idle, func() { cancel(ErrIdle) })
	defer alarm.Stop()
	finished := false
	req := &api.ChatRequest{Model: model, Messages: []api.Message{{Role: "user", Content: question}}}
	err := a.Client.Chat(ctx, req, func(r api.ChatResponse) error {
		alarm.Reset(idle)
		say(r.Message.Content)
		finished = finished || r.Done
		return nil
	})
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case err != nil:
		return err
	case !finished:
		return errors.New("the answer was cut off")
	}
	return nil
}

// Arrival is what [Assistant.Extract] finds in a text.
type Arrival struct {
	Reference string `json:"reference"`
	Days      int    `json:"days"`
}

// Schema is the JSON Schema of an [Arrival].
const Schema = `{"type":"object","additionalProperties":false,"required":["reference","days"],
	"properties":{"reference":{"type":"string"},"days":{"type":"integer"}}}`

// Extract finds out which parcel arrives when.
func (a *Assistant) Extract(ctx context.Context, text string) (Arrival, error) {
	answer, err := a.whole(ctx, &api.ChatRequest{
		Model: model, Messages: []api.Message{{Role: "user", Content: text}}, Format: json.RawMessage(Schema),
	})
	if err != nil {
		return Arrival{}, err
	}
	var found Arrival
	if err := json.Unmarshal([]byte(answer.Message.Content), &found); err != nil {
		return Arrival{}, fmt.Errorf("the answer fits no schema: %w", err)
	}
	return found, nil
}
