// Package parcels answers questions about parcels with Anthropic's SDK: a tool loop, a chat that is streamed, a retry
// policy and an extractor of structured output. Its tests show how mimus stands in for api.anthropic.com.
package parcels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
)

// Assistant is the service.
type Assistant struct {
	Client anthropic.Client
	// State looks a parcel up.
	State func(reference string) string
}

const (
	model     = "claude-haiku-4-5"
	maxTokens = 1024
)

// Ask answers a question, and lets the model look parcels up.
func (a *Assistant) Ask(ctx context.Context, question string) (string, error) {
	p := anthropic.MessageNewParams{
		Model: model, MaxTokens: maxTokens,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
			Name: "track_parcel", Description: anthropic.String("Where a parcel is."),
			InputSchema: anthropic.ToolInputSchemaParam{Properties: map[string]any{"reference": map[string]any{"type": "string"}}, Required: []string{"reference"}},
		}}},
	}
	for {
		got, err := a.Client.Messages.New(ctx, p)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		var results []anthropic.ContentBlockParamUnion
		for _, b := range got.Content {
			switch b.Type {
			case "text":
				text.WriteString(b.Text)
			case "tool_use":
				var args struct{ Reference string }
				if err := json.Unmarshal(b.Input, &args); err != nil {
					results = append(results, anthropic.NewToolResultBlock(b.ID, err.Error(), true))
					continue
				}
				results = append(results, anthropic.NewToolResultBlock(b.ID, a.State(args.Reference), false))
			}
		}
		if len(results) == 0 {
			return text.String(), nil
		}
		p.Messages = append(p.Messages, got.ToParam(), anthropic.NewUserMessage(results...))
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
	s := a.Client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model: model, MaxTokens: maxTokens, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
	})
	defer func() { _ = s.Close() }()
	finished := false
	for s.Next() {
		alarm.Reset(idle)
		e := s.Current()
		finished = finished || e.Type == "message_stop"
		if e.Type == "content_block_delta" && e.Delta.Text != "" {
			say(e.Delta.Text)
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
	p := anthropic.MessageNewParams{
		Model: model, MaxTokens: maxTokens, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))},
	}
	p.OutputConfig.Format.Schema = Schema
	got, err := a.Client.Messages.New(ctx, p)
	if err != nil {
		return Arrival{}, err
	}
	if got.StopReason == "refusal" {
		return Arrival{}, errors.New("the model refuses")
	}
	var answer strings.Builder
	for _, b := range got.Content {
		answer.WriteString(b.Text)
	}
	var found Arrival
	if err := json.Unmarshal([]byte(answer.String()), &found); err != nil {
		return Arrival{}, fmt.Errorf("the answer fits no schema: %w", err)
	}
	return found, nil
}
