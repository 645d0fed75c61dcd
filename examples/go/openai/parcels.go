// Package parcels answers questions about parcels with OpenAI's SDK: a tool loop, a chat that is streamed, a retry policy
// and an extractor of structured output. Its tests show how mimus stands in for api.openai.com.
package parcels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"
)

// Assistant is the service.
type Assistant struct {
	Client openai.Client
	// State looks a parcel up.
	State func(reference string) string
}

const model = "gpt-4.1-mini"

// Ask answers a question, and lets the model look parcels up.
func (a *Assistant) Ask(ctx context.Context, question string) (string, error) {
	p := openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question)},
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: "track_parcel", Description: openai.String("Where a parcel is."),
			Parameters: map[string]any{"type": "object", "properties": map[string]any{"reference": map[string]any{"type": "string"}}, "required": []string{"reference"}},
		})},
	}
	for {
		got, err := a.Client.Chat.Completions.New(ctx, p)
		if err != nil {
			return "", err
		}
		m := got.Choices[0].Message
		if len(m.ToolCalls) == 0 {
			return m.Content, nil
		}
		p.Messages = append(p.Messages, m.ToParam())
		for _, call := range m.ToolCalls {
			var args struct{ Reference string }
			result := "no such parcel"
			if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err == nil {
				result = a.State(args.Reference)
			}
			p.Messages = append(p.Messages, openai.ToolMessage(result, call.ID))
		}
	}
}

// ErrIdle says that a stream said nothing for too long.
var ErrIdle = errors.New("the model fell silent")

// Stream says the answer as it comes, and gives up when nothing comes for that long.
func (a *Assistant) Stream(ctx context.Context, question string, idle time.Duration, say func(string)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alarm := time.AfterFunc(idle, func() { cancel(ErrIdle) })
	defer alarm.Stop()
	s := a.Client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question)},
	})
	defer func() { _ = s.Close() }()
	finished := false
	for s.Next() {
		alarm.Reset(idle)
		for _, c := range s.Current().Choices {
			if c.Delta.Content != "" {
				say(c.Delta.Content)
			}
			finished = finished || c.FinishReason != ""
		}
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrIdle):
		return ErrIdle
	case s.Err() != nil:
		return s.Err()
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
var Schema = map[string]any{
	"type": "object", "additionalProperties": false, "required": []string{"reference", "days"},
	"properties": map[string]any{"reference": map[string]any{"type": "string"}, "days": map[string]any{"type": "integer"}},
}

// Extract finds out which parcel arrives when.
func (a *Assistant) Extract(ctx context.Context, text string) (Arrival, error) {
	got, err := a.Client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model: model, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)},
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "arrival", Strict: openai.Bool(true), Schema: Schema},
		}},
	})
	if err != nil {
		return Arrival{}, err
	}
	m := got.Choices[0].Message
	if m.Refusal != "" {
		return Arrival{}, fmt.Errorf("the model refuses: %s", m.Refusal)
	}
	var found Arrival
	if err := json.Unmarshal([]byte(m.Content), &found); err != nil {
		return Arrival{}, fmt.Errorf("the answer fits no schema: %w", err)
	}
	return found, nil
}
