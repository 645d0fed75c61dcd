package sdktest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

// responsesDriver speaks Responses with openai-go.
type responsesDriver struct {
	book     *book
	endpoint *endpoint
	client   openai.Client
	input    responses.ResponseInputParam
	last     responses.Response
}

// params adds what a turn says to the conversation, and gives the whole request. A turn that continues a stored response
// sends what is new only.
func (d *responsesDriver) params(a *ask) responses.ResponseNewParams {
	p := responses.ResponseNewParams{Model: d.endpoint.modelFor(a)}
	var items responses.ResponseInputParam
	calls := callItems(d.last)
	for i, result := range a.Results {
		items = append(items, resultItem(calls[i], result))
	}
	if a.User != "" {
		items = append(items, responses.ResponseInputItemParamOfMessage(a.User, responses.EasyInputMessageRoleUser))
	}
	d.input = append(d.input, items...)
	if a.Continue {
		p.PreviousResponseID = openai.String(d.idOf(a))
		p.Input.OfInputItemList = items
	} else {
		p.Input.OfInputItemList = d.input
	}
	if a.System != "" {
		p.Instructions = openai.String(a.System)
	}
	if a.MaxTokens > 0 {
		p.MaxOutputTokens = openai.Int(a.MaxTokens)
	}
	if a.Background {
		p.Background = openai.Bool(true)
	}
	if a.Logprobs > 0 {
		p.TopLogprobs = openai.Int(a.Logprobs)
		p.Include = append(p.Include, responses.ResponseIncludableMessageOutputTextLogprobs)
	}
	if a.Reasoning != "" {
		p.Reasoning = shared.ReasoningParam{Effort: shared.ReasoningEffort(a.Reasoning), Summary: shared.ReasoningSummaryAuto}
		p.Include = append(p.Include, responses.ResponseIncludableReasoningEncryptedContent)
	}
	if a.Schema != "" {
		p.Text.Format.OfJSONSchema = &responses.ResponseFormatTextJSONSchemaConfigParam{
			Name: a.Schema, Strict: openai.Bool(true), Schema: object(d.book.Schemas[a.Schema]),
		}
	}
	for _, name := range a.Tools {
		p.Tools = append(p.Tools, d.tool(name))
	}
	return p
}

// idOf is the response that a turn is about: the last one, unless it names another.
func (d *responsesDriver) idOf(a *ask) string {
	if a.ID != "" {
		return a.ID
	}
	return d.last.ID
}

func (d *responsesDriver) tool(name string) responses.ToolUnionParam {
	t := d.book.Tools[name]
	if t.Custom {
		return responses.ToolUnionParam{OfCustom: &responses.CustomToolParam{Name: name, Description: openai.String(t.Description)}}
	}
	return responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{
		Name: name, Description: openai.String(t.Description), Parameters: object(t.Parameters), Strict: openai.Bool(false),
	}}
}

func callItems(r responses.Response) []responses.ResponseOutputItemUnion {
	var calls []responses.ResponseOutputItemUnion
	for _, item := range r.Output {
		if item.Type == "function_call" || item.Type == "custom_tool_call" {
			calls = append(calls, item)
		}
	}
	return calls
}

func resultItem(of responses.ResponseOutputItemUnion, text string) responses.ResponseInputItemUnionParam {
	if of.Type == "custom_tool_call" {
		return responses.ResponseInputItemParamOfCustomToolCallOutput(of.CallID, text)
	}
	item := responses.ResponseInputItemParamOfFunctionCallOutput(text)
	item.OfFunctionCallOutput.CallID = openai.String(of.CallID)
	return item
}

// Do implements [driver].
func (d *responsesDriver) Do(ctx context.Context, a *ask) outcome {
	if o, done := openAIModels(ctx, &d.client, a); done {
		return o
	}
	if a.Op != "" {
		return d.stored(ctx, a)
	}
	var resp *http.Response
	got, err := d.client.Responses.New(ctx, d.params(a), option.WithResponseInto(&resp))
	if err != nil {
		return openAIFailure(err)
	}
	o := d.read(*got)
	o.header = resp.Header
	return o
}

// Stream implements [driver].
func (d *responsesDriver) Stream(ctx context.Context, a *ask) outcome {
	if a.Op == "retrieve_stream" {
		q := responses.ResponseGetParams{}
		if a.StartingAfter > 0 {
			q.StartingAfter = openai.Int(a.StartingAfter)
		}
		// openai-go 3.99 puts stream into a body, which a GET has none of; the API reads the query.
		return d.collect(d.client.Responses.GetStreaming(ctx, d.idOf(a), q, option.WithQuery("stream", "true")))
	}
	var resp *http.Response
	o := d.collect(d.client.Responses.NewStreaming(ctx, d.params(a), option.WithResponseInto(&resp)))
	if resp != nil {
		o.header = resp.Header
	}
	return o
}

// collect gives a stream's events to the SDK's accumulator. The answer is the response that it reconstructs; where the
// stream ended early, it is what the deltas had told.
func (d *responsesDriver) collect(s *ssestream.Stream[responses.ResponseStreamEventUnion]) outcome {
	defer s.Close()
	var acc responses.ResponseAccumulator
	var wrong error
	var told *failure
	events := 0
	for s.Next() {
		events++
		if now := s.Current(); now.Type == "error" {
			// The documented form of an error event, which the SDK hands on as any other event.
			told = &failure{InStream: true, Code: now.Code, Param: now.Param, Message: now.Message}
			continue
		}
		var e responses.ResponsesServerEventUnion
		err := json.Unmarshal([]byte(s.Current().RawJSON()), &e)
		if err == nil {
			err = acc.AddEvent(e)
		}
		if err != nil && wrong == nil {
			wrong = fmt.Errorf("event %d, %s: %w", events, s.Current().Type, err)
		}
	}
	var o outcome
	deltas := acc.DetailedSnapshot()
	if final, err := acc.ReconstructedResponse(); err == nil {
		o = d.read(*final)
		if final.OutputText() != acc.Snapshot().OutputText() {
			wrong = fmt.Errorf("the deltas make %q, the final response says %q", acc.Snapshot().OutputText(), final.OutputText())
		}
	} else {
		o = partial(deltas)
	}
	o.events = events
	if told != nil {
		o.failure = told
	}
	if err := s.Err(); err != nil {
		o.fail(openAIFailure(err))
	}
	if wrong != nil {
		o.symptom, o.err = "the SDK's accumulator refused an event", wrong
	}
	return o
}

// partial is what a stream told before it ended without its terminal event.
func partial(s responses.ResponseAccumulatorDetails) outcome {
	var ch choice
	for _, item := range s.Output {
		if len(item.Content) > 0 {
			var content []map[string]json.RawMessage
			for _, i := range slices.Sorted(maps.Keys(item.Content)) {
				content = append(content, item.Content[i])
			}
			item.Item["content"], _ = json.Marshal(content)
		}
		var got responses.ResponseOutputItemUnion
		if raw, err := json.Marshal(item.Item); err == nil && json.Unmarshal(raw, &got) == nil {
			ch.add(got)
		}
	}
	return outcome{id: s.ResponseID, choices: []choice{ch}}
}

// read takes a response apart, and remembers its items for the next turn.
func (d *responsesDriver) read(r responses.Response) outcome {
	d.last = r
	o := outcome{id: r.ID, model: r.Model, status: string(r.Status), value: r}
	ch := choice{finish: string(r.Status)}
	if r.IncompleteDetails.Reason != "" {
		ch.finish += " " + r.IncompleteDetails.Reason
	}
	for _, item := range r.Output {
		ch.add(item)
		d.input = append(d.input, param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
	}
	o.choices = append(o.choices, ch)
	if r.Usage.TotalTokens > 0 {
		o.usage = &usage{
			Input: r.Usage.InputTokens, Output: r.Usage.OutputTokens, Reasoning: r.Usage.OutputTokensDetails.ReasoningTokens,
			CacheRead: r.Usage.InputTokensDetails.CachedTokens, CacheWrite: r.Usage.InputTokensDetails.CacheWriteTokens,
		}
	}
	if r.Status == responses.ResponseStatusFailed {
		o.failure = &failure{Code: string(r.Error.Code), Message: r.Error.Message, InStream: true}
	}
	return o
}

// add takes one item of the output.
func (c *choice) add(item responses.ResponseOutputItemUnion) {
	switch item.Type {
	case "message":
		for _, part := range item.Content {
			if part.Type == "refusal" {
				c.refusal += part.Refusal
				c.parts = append(c.parts, "refusal")
				continue
			}
			c.text += part.Text
			c.logprobs += len(part.Logprobs)
			c.parts = append(c.parts, "text")
		}
	case "reasoning":
		var text strings.Builder
		for _, s := range item.Summary {
			text.WriteString(s.Text)
		}
		c.reasoning += text.String()
		c.signature = c.signature || item.EncryptedContent != ""
		c.redacted = c.redacted || item.EncryptedContent != "" && text.Len() == 0
		c.parts = append(c.parts, "reasoning")
	case "function_call":
		c.calls = append(c.calls, call{id: item.CallID, name: item.Name, arguments: item.Arguments.OfString})
		c.parts = append(c.parts, "call")
	case "custom_tool_call":
		custom := item.AsCustomToolCall()
		c.calls = append(c.calls, call{id: custom.CallID, name: custom.Name, arguments: custom.Input, custom: true})
		c.parts = append(c.parts, "call")
	default:
		c.parts = append(c.parts, item.Type)
	}
}
