package sdktest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

// messagesDriver speaks Messages with anthropic-sdk-go.
type messagesDriver struct {
	book     *book
	endpoint *endpoint
	client   anthropic.Client
	messages []anthropic.MessageParam
	last     anthropic.Message
}

// params adds what a turn says to the conversation, and gives the whole request.
func (d *messagesDriver) params(a *ask) anthropic.MessageNewParams {
	d.say(a)
	p := anthropic.MessageNewParams{
		Model: d.endpoint.modelFor(a), MaxTokens: a.maxTokens(), Messages: d.messages, StopSequences: a.Stop,
	}
	if a.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: a.System}}
	}
	if a.Reasoning != "" {
		p.Thinking = anthropic.ThinkingConfigParamOfEnabled(1024)
	}
	if a.Schema != "" {
		p.OutputConfig.Format.Schema = object(d.book.Schemas[a.Schema])
	}
	for _, name := range a.Tools {
		p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: d.tool(name)})
	}
	return p
}

// say puts the results of the last calls and what the user says into one message, the results first.
func (d *messagesDriver) say(a *ask) {
	var blocks []anthropic.ContentBlockParamUnion
	var ids []string
	for _, b := range d.last.Content {
		if b.Type == "tool_use" {
			ids = append(ids, b.ID)
		}
	}
	for i, result := range a.Results {
		blocks = append(blocks, anthropic.NewToolResultBlock(ids[i], result, false))
	}
	if a.User != "" {
		blocks = append(blocks, anthropic.NewTextBlock(a.User))
	}
	d.messages = append(d.messages, anthropic.NewUserMessage(blocks...))
}

func (d *messagesDriver) tool(name string) *anthropic.ToolParam {
	t := d.book.Tools[name]
	var schema anthropic.ToolInputSchemaParam
	_ = json.Unmarshal(t.Parameters, &schema) // the book was read as JSON
	return &anthropic.ToolParam{Name: name, Description: anthropic.String(t.Description), InputSchema: schema}
}

// Do implements [driver].
func (d *messagesDriver) Do(ctx context.Context, a *ask) outcome {
	switch a.Op {
	case "":
	case "count_tokens":
		return d.countTokens(ctx, a)
	case "list_models", "get_model":
		return d.models(ctx, a)
	default:
		return outcome{symptom: "the driver knows no operation " + a.Op}
	}
	var resp *http.Response
	got, err := d.client.Messages.New(ctx, d.params(a), option.WithResponseInto(&resp))
	if err != nil {
		return anthropicFailure(err)
	}
	o := d.read(*got)
	o.header = resp.Header
	return o
}

// Stream implements [driver].
func (d *messagesDriver) Stream(ctx context.Context, a *ask) outcome {
	var resp *http.Response
	s := d.client.Messages.NewStreaming(ctx, d.params(a), option.WithResponseInto(&resp))
	defer s.Close()
	var m anthropic.Message
	var wrong error
	events := 0
	for s.Next() {
		events++
		if err := m.Accumulate(s.Current()); err != nil && wrong == nil {
			wrong = err
		}
	}
	o := d.read(m)
	o.events = events
	if resp != nil {
		o.header = resp.Header
	}
	if err := s.Err(); err != nil {
		o.fail(anthropicFailure(err))
	}
	if wrong != nil {
		o.symptom, o.err = "the SDK's accumulator refused an event", wrong
	}
	return o
}

// read takes a message apart, and remembers it for the next turn.
func (d *messagesDriver) read(m anthropic.Message) outcome {
	d.last = m
	if m.ID != "" {
		d.messages = append(d.messages, m.ToParam())
	}
	o := outcome{id: m.ID, model: m.Model, value: m}
	ch := choice{finish: string(m.StopReason), sequence: m.StopSequence}
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			ch.text += b.Text
			ch.parts = append(ch.parts, "text")
		case "tool_use":
			ch.calls = append(ch.calls, call{id: b.ID, name: b.Name, arguments: string(b.Input)})
			ch.parts = append(ch.parts, "call")
		case "thinking":
			ch.reasoning += b.Thinking
			ch.signature = ch.signature || b.Signature != ""
			ch.parts = append(ch.parts, "reasoning")
		case "redacted_thinking":
			ch.signature, ch.redacted = ch.signature || b.Data != "", true
			ch.parts = append(ch.parts, "reasoning")
		default:
			ch.parts = append(ch.parts, b.Type)
		}
	}
	o.choices = append(o.choices, ch)
	if u := m.Usage; u.OutputTokens > 0 {
		o.usage = &usage{
			Input: u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens, Output: u.OutputTokens,
			Reasoning: u.OutputTokensDetails.ThinkingTokens, CacheRead: u.CacheReadInputTokens, CacheWrite: u.CacheCreationInputTokens,
		}
	}
	return o
}

func (d *messagesDriver) countTokens(ctx context.Context, a *ask) outcome {
	d.say(a)
	p := anthropic.MessageCountTokensParams{Model: d.endpoint.modelFor(a), Messages: d.messages}
	if a.System != "" {
		p.System.OfString = anthropic.String(a.System)
	}
	for _, name := range a.Tools {
		p.Tools = append(p.Tools, anthropic.MessageCountTokensToolUnionParam{OfTool: d.tool(name)})
	}
	got, err := d.client.Messages.CountTokens(ctx, p)
	if err != nil {
		return anthropicFailure(err)
	}
	return outcome{tokens: got.InputTokens}
}

func (d *messagesDriver) models(ctx context.Context, a *ask) outcome {
	if a.Op == "get_model" {
		m, err := d.client.Models.Get(ctx, a.Model, anthropic.ModelGetParams{})
		if err != nil {
			return anthropicFailure(err)
		}
		return outcome{models: []string{m.ID}}
	}
	q := anthropic.ModelListParams{}
	if a.Limit > 0 {
		q.Limit = anthropic.Int(a.Limit)
	}
	var o outcome
	page, err := d.client.Models.List(ctx, q)
	for err == nil && page != nil && len(page.Data) > 0 {
		o.pages++
		for _, m := range page.Data {
			o.models = append(o.models, m.ID)
		}
		page, err = page.GetNextPage()
	}
	if err != nil {
		return anthropicFailure(err)
	}
	return o
}
