// Package parcels answers questions about parcels with Google's SDK: a tool loop, a chat that is streamed, a retry policy
// and an extractor of structured output. Its tests show how mimus stands in for generativelanguage.googleapis.com.
package parcels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"google.golang.org/genai"
)

// Assistant is the service.
type Assistant struct {
	Client *genai.Client
	// State looks a parcel up.
	State func(reference string) string
}

const model = "gemini-2.5-flash"

// retry asks again where the provider is busy, waiting twice as long each time: the SDK leaves that to its user.
func retry[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	const attempts = 3
	for wait, n := time.Second, 1; ; wait, n = 2*wait, n+1 {
		got, err := ask()
		var failed genai.APIError
		if err == nil || n == attempts || !errors.As(err, &failed) || failed.Code != 429 && failed.Code < 500 {
			return got, err
		}
		select {
		case <-time.After(hint(failed, wait)):
		case <-ctx.Done():
			return got, ctx.Err()
		}
	}
}

// hint is how long the provider wants to be left alone, or otherwise.
func hint(failed genai.APIError, otherwise time.Duration) time.Duration {
	for _, detail := range failed.Details {
		if text, ok := detail["retryDelay"].(string); ok {
			if d, err := time.ParseDuration(text); err == nil {
				return d
			}
		}
	}
	return otherwise
}

// Ask answers a question, and lets the model look parcels up.
func (a *Assistant) Ask(ctx context.Context, question string) (string, error) {
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{
		Name: "track_parcel", Description: "Where a parcel is.",
		ParametersJsonSchema: map[string]any{"type": "object", "properties": map[string]any{"reference": map[string]any{"type": "string"}}},
	}}}}}
	contents := genai.Text(question)
	for {
		got, err := retry(ctx, func() (*genai.GenerateContentResponse, error) {
			return a.Client.Models.GenerateContent(ctx, model, contents, config)
		})
		if err != nil {
			return "", err
		}
		calls := got.FunctionCalls()
		if len(calls) == 0 {
			return got.Text(), nil
		}
		results := &genai.Content{Role: genai.RoleUser}
		for _, call := range calls {
			reference, _ := call.Args["reference"].(string)
			part := genai.NewPartFromFunctionResponse(call.Name, map[string]any{"state": a.State(reference)})
			part.FunctionResponse.ID = call.ID
			results.Parts = append(results.Parts, part)
		}
		contents = append(contents, got.Candidates[0].Content, results)
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
	finished := false
	for chunk, err := range a.Client.Models.GenerateContentStream(ctx, model, genai.Text(question), nil) {
		switch {
		case errors.Is(context.Cause(ctx), ErrIdle):
			return ErrIdle
		case err != nil:
			return err
		}
		alarm.Reset(idle)
		say(chunk.Text())
		finished = finished || len(chunk.Candidates) > 0 && chunk.Candidates[0].FinishReason != ""
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrIdle):
		return ErrIdle
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
	"type": "object", "required": []string{"reference", "days"},
	"properties": map[string]any{"reference": map[string]any{"type": "string"}, "days": map[string]any{"type": "integer"}},
}

// Extract finds out which parcel arrives when.
func (a *Assistant) Extract(ctx context.Context, text string) (Arrival, error) {
	got, err := a.Client.Models.GenerateContent(ctx, model, genai.Text(text), &genai.GenerateContentConfig{
		ResponseMIMEType: "application/json", ResponseJsonSchema: Schema,
	})
	if err != nil {
		return Arrival{}, err
	}
	if got.PromptFeedback != nil {
		return Arrival{}, fmt.Errorf("the prompt is blocked: %s", got.PromptFeedback.BlockReason)
	}
	var found Arrival
	if err := json.Unmarshal([]byte(got.Text()), &found); err != nil {
		return Arrival{}, fmt.Errorf("the answer fits no schema: %w", err)
	}
	return found, nil
}
