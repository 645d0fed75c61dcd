package sdktest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// chatDriver speaks Chat Completions with openai-go.
type chatDriver struct {
	book     *book
	endpoint *endpoint
	client   openai.Client
	messages []openai.ChatCompletionMessageParamUnion
	last     openai.ChatCompletionMessage
}

// params adds what a turn says to the conversation, and gives the whole request.
func (d *chatDriver) params(a *ask) openai.ChatCompletionNewParams {
	if a.System != "" {
		d.messages = append(d.messages, openai.SystemMessage(a.System))
	}
	for i, result := range a.Results {
		if a.Legacy {
			d.messages = append(d.messages, functionMessage(d.last, result))
			continue
		}
		d.messages = append(d.messages, openai.ToolMessage(result, d.last.ToolCalls[i].ID))
	}
	if a.User != "" {
		d.messages = append(d.messages, openai.UserMessage(a.User))
	}
	p := openai.ChatCompletionNewParams{Model: d.endpoint.modelFor(a), Messages: d.messages}
	if a.MaxTokens > 0 {
		p.MaxCompletionTokens = openai.Int(a.MaxTokens)
	}
	if a.Choices > 0 {
		p.N = openai.Int(a.Choices)
	}
	if a.Logprobs > 0 {
		p.Logprobs, p.TopLogprobs = openai.Bool(true), openai.Int(a.Logprobs)
	}
	if a.Reasoning != "" {
		p.ReasoningEffort = shared.ReasoningEffort(a.Reasoning)
	}
	if len(a.Stop) > 0 {
		p.Stop.OfStringArray = a.Stop
	}
	if a.Schema != "" {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: a.Schema, Strict: openai.Bool(true), Schema: d.book.Schemas[a.Schema],
		}}
	}
	d.tools(a, &p)
	return p
}

func (d *chatDriver) tools(a *ask, p *openai.ChatCompletionNewParams) {
	for _, name := range a.Tools {
		t := d.book.Tools[name]
		switch {
		case a.Legacy:
			addFunction(p, name, t)
		case t.Custom:
			p.Tools = append(p.Tools, openai.ChatCompletionCustomTool(openai.ChatCompletionCustomToolCustomParam{
				Name: name, Description: openai.String(t.Description),
			}))
		default:
			p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
				Name: name, Description: openai.String(t.Description), Parameters: object(t.Parameters),
			}))
		}
	}
}

// Do implements [driver].
func (d *chatDriver) Do(ctx context.Context, a *ask) outcome {
	if o, done := openAIModels(ctx, &d.client, a); done {
		return o
	}
	if a.Op == "embed" {
		return d.embed(ctx, a)
	}
	var resp *http.Response
	got, err := d.client.Chat.Completions.New(ctx, d.params(a), option.WithResponseInto(&resp))
	if err != nil {
		return openAIFailure(err)
	}
	o := d.read(*got)
	o.header = resp.Header
	return o
}

// Stream implements [driver].
func (d *chatDriver) Stream(ctx context.Context, a *ask) outcome {
	p := d.params(a)
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	var resp *http.Response
	s := d.client.Chat.Completions.NewStreaming(ctx, p, option.WithResponseInto(&resp))
	defer s.Close()
	var acc openai.ChatCompletionAccumulator
	events, refused := 0, false
	for s.Next() {
		chunk := s.Current()
		events++
		// Azure's first chunk, which has no choices and no id, is no part of the completion.
		if !acc.AddChunk(chunk) {
			refused = true
		}
	}
	o := d.read(acc.ChatCompletion)
	o.events = events
	if resp != nil {
		o.header = resp.Header
	}
	if err := s.Err(); err != nil {
		o.fail(openAIFailure(err))
	}
	if refused {
		o.symptom = "the SDK's accumulator refused a chunk"
	}
	return o
}

// read takes a completion apart, and remembers its message for the next turn.
func (d *chatDriver) read(c openai.ChatCompletion) outcome {
	o := outcome{id: c.ID, model: c.Model, value: c}
	for i, given := range c.Choices {
		m := given.Message
		if i == 0 {
			d.last = m
			d.messages = append(d.messages, m.ToParam())
		}
		ch := choice{text: m.Content, refusal: m.Refusal, finish: given.FinishReason, logprobs: len(given.Logprobs.Content)}
		ch.reasoning = vendorReasoning(m)
		for _, t := range m.ToolCalls {
			switch t.Type {
			case "custom":
				ch.calls = append(ch.calls, call{id: t.ID, name: t.Custom.Name, arguments: t.Custom.Input, custom: true})
			default:
				ch.calls = append(ch.calls, call{id: t.ID, name: t.Function.Name, arguments: t.Function.Arguments})
			}
		}
		ch.calls = append(ch.calls, functionCall(m)...)
		o.choices = append(o.choices, ch)
	}
	if c.Usage.TotalTokens > 0 {
		o.usage = &usage{
			Input: c.Usage.PromptTokens, Output: c.Usage.CompletionTokens,
			Reasoning: c.Usage.CompletionTokensDetails.ReasoningTokens, CacheRead: c.Usage.PromptTokensDetails.CachedTokens,
			CacheWrite: c.Usage.PromptTokensDetails.CacheWriteTokens,
		}
	}
	return o
}

// vendorReasoning is the reasoning that OpenAI's own API never sends, and compatible servers do.
func vendorReasoning(m openai.ChatCompletionMessage) string {
	for _, key := range []string{"reasoning_content", "reasoning"} {
		var text string
		if f, ok := m.JSON.ExtraFields[key]; ok && json.Unmarshal([]byte(f.Raw()), &text) == nil {
			return text
		}
	}
	return ""
}

func (d *chatDriver) embed(ctx context.Context, a *ask) outcome {
	p := openai.EmbeddingNewParams{Model: a.Model}
	if a.Inputs != nil {
		p.Input.OfArrayOfStrings = a.Inputs
	} else {
		p.Input.OfString = openai.String(a.User)
	}
	if a.Dimensions > 0 {
		p.Dimensions = openai.Int(a.Dimensions)
	}
	got, err := d.client.Embeddings.New(ctx, p)
	if err != nil {
		return openAIFailure(err)
	}
	var o outcome
	for _, v := range got.Data {
		o.vectors = append(o.vectors, v.Embedding)
	}
	return o
}
