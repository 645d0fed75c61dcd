// Package parcels answers questions about parcels on Amazon Bedrock, with the AWS SDK: a tool loop, a chat that is
// streamed, and structured output. Its tests show how mimus stands in for the endpoint of a region.
package parcels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

// Assistant is the service.
type Assistant struct {
	Client *bedrockruntime.Client
	// State looks a parcel up.
	State func(reference string) string
}

const (
	model = "amazon.nova-lite-v1:0"
	// claude is a model that keeps to a schema.
	claude = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
)

func say(text string) types.Message {
	return types.Message{Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: text}}}
}

// Ask answers a question, and lets the model look parcels up.
func (a *Assistant) Ask(ctx context.Context, question string) (string, error) {
	schema := map[string]any{"type": "object", "properties": map[string]any{"reference": map[string]any{"type": "string"}}, "required": []string{"reference"}}
	in := &bedrockruntime.ConverseInput{
		ModelId: aws.String(model), Messages: []types.Message{say(question)},
		ToolConfig: &types.ToolConfiguration{Tools: []types.Tool{&types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: aws.String("track_parcel"), Description: aws.String("Where a parcel is."),
			InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(schema)},
		}}}},
	}
	for {
		got, err := a.Client.Converse(ctx, in)
		if err != nil {
			return "", err
		}
		answer, ok := got.Output.(*types.ConverseOutputMemberMessage)
		if !ok {
			return "", errors.New("the answer is no message")
		}
		text, results := a.runTools(answer.Value)
		if len(results) == 0 {
			return text, nil
		}
		in.Messages = append(in.Messages, answer.Value, types.Message{Role: types.ConversationRoleUser, Content: results})
	}
}

// runTools gives the text of a message, and the results of its calls.
func (a *Assistant) runTools(m types.Message) (text string, results []types.ContentBlock) {
	for _, block := range m.Content {
		switch b := block.(type) {
		case *types.ContentBlockMemberText:
			text = b.Value
		case *types.ContentBlockMemberToolUse:
			var args struct {
				Reference string `document:"reference"`
			}
			state := "no such parcel"
			if err := b.Value.Input.UnmarshalSmithyDocument(&args); err == nil {
				state = a.State(args.Reference)
			}
			results = append(results, &types.ContentBlockMemberToolResult{Value: types.ToolResultBlock{
				ToolUseId: b.Value.ToolUseId, Content: []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: state}},
			}})
		}
	}
	return text, results
}

// ErrIdle says that a stream said nothing for too long.
var ErrIdle = errors.New("the model fell silent")

// Stream says the answer as it comes, and gives up when nothing comes for that long.
func (a *Assistant) Stream(ctx context.Context, question string, idle time.Duration, tell func(string)) error {
	got, err := a.Client.ConverseStream(ctx, &bedrockruntime.ConverseStreamInput{ModelId: aws.String(model), Messages: []types.Message{say(question)}})
	if err != nil {
		return err
	}
	stream := got.GetStream()
	defer func() { _ = stream.Close() }()
	alarm := time.NewTimer(idle)
	defer alarm.Stop()
	finished := false
	for {
		select {
		case event, ok := <-stream.Events():
			if !ok {
				if err := stream.Err(); err != nil {
					return err
				}
				if !finished {
					return errors.New("the answer was cut off")
				}
				return nil
			}
			alarm.Reset(idle)
			switch e := event.(type) {
			case *types.ConverseStreamOutputMemberContentBlockDelta:
				if d, ok := e.Value.Delta.(*types.ContentBlockDeltaMemberText); ok {
					tell(d.Value)
				}
			case *types.ConverseStreamOutputMemberMessageStop:
				finished = true
			}
		case <-alarm.C:
			return ErrIdle
		}
	}
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
	got, err := a.Client.Converse(ctx, &bedrockruntime.ConverseInput{
		ModelId: aws.String(claude), Messages: []types.Message{say(text)},
		OutputConfig: &types.OutputConfig{TextFormat: &types.OutputFormat{
			Type: types.OutputFormatTypeJsonSchema,
			Structure: &types.OutputFormatStructureMemberJsonSchema{Value: types.JsonSchemaDefinition{
				Name: aws.String("arrival"), Schema: aws.String(Schema),
			}},
		}},
	})
	if err != nil {
		return Arrival{}, err
	}
	answer, ok := got.Output.(*types.ConverseOutputMemberMessage)
	if !ok || got.StopReason == types.StopReasonContentFiltered || got.StopReason == types.StopReasonGuardrailIntervened {
		return Arrival{}, errors.New("the model refuses")
	}
	var said strings.Builder
	for _, block := range answer.Value.Content {
		if b, ok := block.(*types.ContentBlockMemberText); ok {
			said.WriteString(b.Value)
		}
	}
	var found Arrival
	if err := json.Unmarshal([]byte(said.String()), &found); err != nil {
		return Arrival{}, fmt.Errorf("the answer fits no schema: %w", err)
	}
	return found, nil
}
