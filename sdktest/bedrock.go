package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/bedrock"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/middleware"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithymiddleware "github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

const region = "us-east-1"

// keys sign requests, as the SDKs insist on it; nobody looks at the signature.
var keys = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret"}, nil
})

// newRuntime is a client of Bedrock's runtime, at its real address.
func newRuntime(client *http.Client) *bedrockruntime.Client {
	return bedrockruntime.New(bedrockruntime.Options{Region: region, Credentials: keys, HTTPClient: client})
}

// newBedrockMessages speaks Messages with Anthropic's own SDK and its Bedrock option.
func newBedrockMessages(b *book, e *endpoint, client *http.Client) driver {
	config := aws.Config{Region: region, Credentials: keys}
	return &messagesDriver{book: b, endpoint: e, client: anthropic.NewClient(anthropicoption.WithHTTPClient(client), bedrock.WithConfig(config))}
}

// converseDriver speaks Converse and ConverseStream with aws-sdk-go-v2.
type converseDriver struct {
	book     *book
	endpoint *endpoint
	client   *bedrockruntime.Client
	messages []types.Message
	ids      []string // of the last calls
}

func newConverse(b *book, e *endpoint, client *http.Client) driver {
	return &converseDriver{book: b, endpoint: e, client: newRuntime(client)}
}

// params adds what a turn says to the conversation, and gives the whole request.
func (d *converseDriver) params(a *ask) *bedrockruntime.ConverseInput {
	var blocks []types.ContentBlock
	for i, result := range a.Results {
		blocks = append(blocks, &types.ContentBlockMemberToolResult{Value: types.ToolResultBlock{
			ToolUseId: aws.String(d.ids[i]), Content: []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: result}},
		}})
	}
	if a.User != "" {
		blocks = append(blocks, &types.ContentBlockMemberText{Value: a.User})
	}
	d.messages = append(d.messages, types.Message{Role: types.ConversationRoleUser, Content: blocks})
	p := &bedrockruntime.ConverseInput{
		ModelId: aws.String(d.endpoint.modelFor(a)), Messages: d.messages,
		InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(a.maxTokens())), StopSequences: a.Stop},
	}
	if a.System != "" {
		p.System = []types.SystemContentBlock{&types.SystemContentBlockMemberText{Value: a.System}}
	}
	if a.Reasoning != "" {
		p.AdditionalModelRequestFields = document.NewLazyDocument(map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": 1024}})
	}
	if len(a.Stop) > 0 {
		p.AdditionalModelResponseFieldPaths = []string{"/stop_sequence"}
	}
	if a.Schema != "" {
		p.OutputConfig = &types.OutputConfig{TextFormat: &types.OutputFormat{
			Type: types.OutputFormatTypeJsonSchema,
			Structure: &types.OutputFormatStructureMemberJsonSchema{Value: types.JsonSchemaDefinition{
				Name: aws.String(a.Schema), Schema: aws.String(string(d.book.Schemas[a.Schema])),
			}},
		}}
	}
	for _, name := range a.Tools {
		t := d.book.Tools[name]
		if p.ToolConfig == nil {
			p.ToolConfig = &types.ToolConfiguration{}
		}
		p.ToolConfig.Tools = append(p.ToolConfig.Tools, &types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: aws.String(name), Description: aws.String(t.Description),
			InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(object(t.Parameters))},
		}})
	}
	return p
}

// Do implements [driver].
func (d *converseDriver) Do(ctx context.Context, a *ask) outcome {
	switch a.Op {
	case "":
	case "count_tokens":
		return d.countTokens(ctx, a)
	case "embed":
		return d.embed(ctx, a)
	default:
		return outcome{symptom: "the driver knows no operation " + a.Op}
	}
	p := d.params(a)
	got, err := d.client.Converse(ctx, p)
	if err != nil {
		return awsFailure(err)
	}
	message, ok := got.Output.(*types.ConverseOutputMemberMessage)
	if !ok {
		return outcome{symptom: "the output is no message"}
	}
	ch := d.read(message.Value)
	ch.finish = string(got.StopReason)
	ch.sequence = sequence(got.AdditionalModelResponseFields)
	return d.outcome(p, got.ResultMetadata, ch, got.Usage)
}

// Stream implements [driver]. The SDK has no accumulator: the blocks are put together as its documentation shows.
func (d *converseDriver) Stream(ctx context.Context, a *ask) outcome {
	p := d.params(a)
	got, err := d.client.ConverseStream(ctx, &bedrockruntime.ConverseStreamInput{
		ModelId: p.ModelId, Messages: p.Messages, System: p.System, InferenceConfig: p.InferenceConfig, ToolConfig: p.ToolConfig,
		OutputConfig: p.OutputConfig, AdditionalModelRequestFields: p.AdditionalModelRequestFields,
		AdditionalModelResponseFieldPaths: p.AdditionalModelResponseFieldPaths,
	})
	if err != nil {
		return awsFailure(err)
	}
	s := got.GetStream()
	defer s.Close()
	var m accumulator
	events := 0
	for e := range s.Events() {
		events++
		m.add(e)
	}
	ch := d.read(types.Message{Role: types.ConversationRoleAssistant, Content: m.content()})
	for i, call := range ch.calls {
		// The text that travelled, not what a document makes of it.
		ch.calls[i].arguments = m.inputs[call.id]
	}
	ch.finish, ch.sequence = string(m.stop), m.sequence
	o := d.outcome(p, got.ResultMetadata, ch, m.usage)
	o.events = events
	if err := s.Err(); err != nil {
		o.fail(awsFailure(err))
	} else if ctx.Err() != nil {
		// The SDK's reader ends without an error where the context has.
		o.symptom, o.err = symptom(context.Cause(ctx)), ctx.Err()
	}
	return o
}

// outcome puts together what every answer has. Converse names no model: it is the one that was asked for.
func (d *converseDriver) outcome(p *bedrockruntime.ConverseInput, m smithymiddleware.Metadata, ch choice, u *types.TokenUsage) outcome {
	o := outcome{model: aws.ToString(p.ModelId), choices: []choice{ch}}
	o.id, _ = middleware.GetRequestIDMetadata(m)
	if r, ok := middleware.GetRawResponse(m).(*smithyhttp.Response); ok {
		o.header = r.Header
	}
	if u != nil {
		read, written := int64(aws.ToInt32(u.CacheReadInputTokens)), int64(aws.ToInt32(u.CacheWriteInputTokens))
		o.usage = &usage{
			Input: int64(aws.ToInt32(u.InputTokens)) + read + written, Output: int64(aws.ToInt32(u.OutputTokens)),
			CacheRead: read, CacheWrite: written,
		}
	}
	return o
}

// read takes a message apart, and remembers it for the next turn.
func (d *converseDriver) read(m types.Message) choice {
	if len(m.Content) > 0 {
		d.messages = append(d.messages, m)
	}
	d.ids = nil
	var ch choice
	for _, b := range m.Content {
		switch b := b.(type) {
		case *types.ContentBlockMemberText:
			ch.text += b.Value
			ch.parts = append(ch.parts, "text")
		case *types.ContentBlockMemberToolUse:
			var input any
			arguments := ""
			if b.Value.Input != nil && b.Value.Input.UnmarshalSmithyDocument(&input) == nil {
				raw, _ := b.Value.Input.MarshalSmithyDocument()
				arguments = string(raw)
			}
			ch.calls = append(ch.calls, call{id: aws.ToString(b.Value.ToolUseId), name: aws.ToString(b.Value.Name), arguments: arguments})
			ch.parts = append(ch.parts, "call")
			d.ids = append(d.ids, aws.ToString(b.Value.ToolUseId))
		case *types.ContentBlockMemberReasoningContent:
			switch r := b.Value.(type) {
			case *types.ReasoningContentBlockMemberReasoningText:
				ch.reasoning += aws.ToString(r.Value.Text)
				ch.signature = ch.signature || aws.ToString(r.Value.Signature) != ""
			case *types.ReasoningContentBlockMemberRedactedContent:
				ch.redacted, ch.signature = true, len(r.Value) > 0
			}
			ch.parts = append(ch.parts, "reasoning")
		}
	}
	return ch
}

// sequence is the stop sequence among the fields that were asked for.
func sequence(fields document.Interface) string {
	var v struct {
		Sequence string `document:"stop_sequence"`
	}
	if fields != nil {
		_ = fields.UnmarshalSmithyDocument(&v)
	}
	return v.Sequence
}

// countTokens counts a conversation.
func (d *converseDriver) countTokens(ctx context.Context, a *ask) outcome {
	p := d.params(a)
	got, err := d.client.CountTokens(ctx, &bedrockruntime.CountTokensInput{
		ModelId: p.ModelId,
		Input:   &types.CountTokensInputMemberConverse{Value: types.ConverseTokensRequest{Messages: p.Messages, System: p.System, ToolConfig: p.ToolConfig}},
	})
	if err != nil {
		return awsFailure(err)
	}
	return outcome{tokens: int64(aws.ToInt32(got.InputTokens))}
}

// embed embeds a text with Titan.
func (d *converseDriver) embed(ctx context.Context, a *ask) outcome {
	body, _ := json.Marshal(map[string]string{"inputText": a.User})
	got, err := d.client.InvokeModel(ctx, &bedrockruntime.InvokeModelInput{
		ModelId: aws.String(d.endpoint.EmbeddingModel), ContentType: aws.String("application/json"), Body: body,
	})
	if err != nil {
		return awsFailure(err)
	}
	var v struct {
		Embedding []float64 `json:"embedding"`
	}
	if err := json.Unmarshal(got.Body, &v); err != nil {
		return outcome{err: err, symptom: symptom(err)}
	}
	return outcome{vectors: [][]float64{v.Embedding}}
}

// awsFailure reads an error of the SDK: what the service said, with the exception's name as the code, or the symptom of
// what broke. An error inside a stream has no HTTP response.
func awsFailure(err error) outcome {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return outcome{err: err, symptom: symptom(err)}
	}
	f := &failure{Code: api.ErrorCode(), Message: api.ErrorMessage(), InStream: true}
	if response, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		f.Status, f.InStream = response.HTTPStatusCode(), false
	}
	return outcome{err: err, failure: f}
}
