package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/ollama/ollama/api"
)

// ollamaDriver speaks Ollama's own API with the client that its command line uses.
type ollamaDriver struct {
	book     *book
	endpoint *endpoint
	client   *api.Client
	header   *http.Header
	messages []api.Message
}

// headerOf notes the header of each answer, which the SDK shows nobody.
type headerOf struct {
	base   http.RoundTripper
	header *http.Header
}

// RoundTrip implements [http.RoundTripper].
func (h headerOf) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := h.base.RoundTrip(r)
	if err == nil {
		*h.header = resp.Header
	}
	return resp, err
}

func newOllama(b *book, e *endpoint, client *http.Client) driver {
	header := new(http.Header)
	return &ollamaDriver{book: b, endpoint: e, header: header, client: ollamaClient(&http.Client{Transport: headerOf{client.Transport, header}})}
}

func ollamaClient(client *http.Client) *api.Client {
	return api.NewClient(&url.URL{Scheme: "http", Host: "localhost:11434"}, client)
}

// request adds what a turn says to the conversation, and gives the whole request.
func (d *ollamaDriver) request(a *ask, stream bool) (*api.ChatRequest, error) {
	if a.System != "" {
		d.messages = append(d.messages, api.Message{Role: "system", Content: a.System})
	}
	var calls []api.ToolCall
	if n := len(d.messages); n > 0 {
		calls = d.messages[n-1].ToolCalls
	}
	for i, result := range a.Results {
		d.messages = append(d.messages, api.Message{Role: "tool", Content: result, ToolName: calls[i].Function.Name, ToolCallID: calls[i].ID})
	}
	if a.User != "" {
		d.messages = append(d.messages, api.Message{Role: "user", Content: a.User})
	}
	r := &api.ChatRequest{Model: d.endpoint.modelFor(a), Messages: d.messages, Stream: &stream, Options: map[string]any{}, Logprobs: a.Logprobs > 0, TopLogprobs: int(a.Logprobs)}
	if a.MaxTokens > 0 {
		r.Options["num_predict"] = a.MaxTokens
	}
	if len(a.Stop) > 0 {
		r.Options["stop"] = a.Stop
	}
	if a.Reasoning != "" {
		r.Think = &api.ThinkValue{Value: a.Reasoning}
	}
	if a.Schema != "" {
		r.Format = d.book.Schemas[a.Schema]
	}
	for _, name := range a.Tools {
		t := d.book.Tools[name]
		tool := api.Tool{Type: "function", Function: api.ToolFunction{Name: name, Description: t.Description}}
		if err := json.Unmarshal(t.Parameters, &tool.Function.Parameters); err != nil {
			return nil, err
		}
		r.Tools = append(r.Tools, tool)
	}
	return r, nil
}

// Do implements [driver].
func (d *ollamaDriver) Do(ctx context.Context, a *ask) outcome {
	switch a.Op {
	case "list_models", "get_model":
		return d.models(ctx, a)
	case "embed":
		return d.embed(ctx, a)
	}
	return d.chat(ctx, a, false)
}

// Stream implements [driver]. The SDK gives the records, and has no accumulator.
func (d *ollamaDriver) Stream(ctx context.Context, a *ask) outcome { return d.chat(ctx, a, true) }

func (d *ollamaDriver) chat(ctx context.Context, a *ask, stream bool) outcome {
	r, err := d.request(a, stream)
	if err != nil {
		return outcome{err: err, symptom: "no request"}
	}
	o := outcome{choices: []choice{{}}}
	answer := api.Message{Role: "assistant"}
	err = d.client.Chat(ctx, r, func(resp api.ChatResponse) error {
		o.events++
		o.model = resp.Model
		ch := &o.choices[0]
		m := resp.Message
		answer.Content, answer.Thinking, answer.ToolCalls = answer.Content+m.Content, answer.Thinking+m.Thinking, append(answer.ToolCalls, m.ToolCalls...)
		if m.Thinking != "" {
			ch.part("reasoning")
		}
		if m.Content != "" {
			ch.part("text")
		}
		for _, c := range m.ToolCalls {
			ch.calls = append(ch.calls, call{id: c.ID, name: c.Function.Name, arguments: c.Function.Arguments.String()})
			ch.part("call")
		}
		ch.logprobs += len(resp.Logprobs)
		if resp.Done {
			ch.finish = resp.DoneReason
			o.usage = &usage{Input: int64(resp.PromptEvalCount), Output: int64(resp.EvalCount)}
			if resp.TotalDuration <= 0 || resp.LoadDuration <= 0 || resp.PromptEvalDuration <= 0 || resp.EvalDuration <= 0 {
				return errors.New("an answer took no time")
			}
		}
		return nil
	})
	d.messages = append(d.messages, answer)
	o.choices[0].text, o.choices[0].reasoning = answer.Content, answer.Thinking
	o.header = *d.header
	if err != nil {
		o.fail(ollamaFailure(err))
	}
	return o
}

// models lists the models, or asks for one, which the SDK names in the request only.
func (d *ollamaDriver) models(ctx context.Context, a *ask) outcome {
	if a.Op == "get_model" {
		got, err := d.client.Show(ctx, &api.ShowRequest{Model: a.Model})
		if err != nil {
			return ollamaFailure(err)
		}
		if got.Details.Family == "" || len(got.Capabilities) == 0 || got.ModelInfo == nil {
			return outcome{symptom: "a model without a description"}
		}
		return outcome{models: []string{a.Model}}
	}
	got, err := d.client.List(ctx)
	if err != nil {
		return ollamaFailure(err)
	}
	o := outcome{pages: 1}
	for _, m := range got.Models {
		o.models = append(o.models, strings.TrimSuffix(m.Name, ":latest"))
	}
	return o
}

// embed asks for one vector, or for several.
func (d *ollamaDriver) embed(ctx context.Context, a *ask) outcome {
	r := &api.EmbedRequest{Model: d.endpoint.EmbeddingModel, Input: a.User, Dimensions: int(a.Dimensions)}
	if a.Inputs != nil {
		r.Input = a.Inputs
	}
	got, err := d.client.Embed(ctx, r)
	if err != nil {
		return ollamaFailure(err)
	}
	var o outcome
	for _, list := range got.Embeddings {
		vector := make([]float64, len(list))
		for i, f := range list {
			vector[i] = float64(f)
		}
		o.vectors = append(o.vectors, vector)
	}
	return o
}

// ollamaFailure reads an error of the client: what the server said, or the symptom of what broke. A line with an error
// inside a stream becomes an error of nothing but its text, and so does a line that is no JSON. Of a 401 it keeps the
// status only.
func ollamaFailure(err error) outcome {
	if status, ok := errors.AsType[api.StatusError](err); ok {
		return outcome{err: err, failure: &failure{Status: status.StatusCode, Message: status.ErrorMessage}}
	}
	if refused, ok := errors.AsType[api.AuthorizationError](err); ok {
		return outcome{err: err, failure: &failure{Status: refused.StatusCode, Message: refused.Error()}}
	}
	// The type has no name that could be asked for.
	if reflect.TypeOf(err) == reflect.TypeOf(errors.New("")) {
		if strings.HasPrefix(err.Error(), "{") || strings.HasPrefix(err.Error(), "<") {
			return outcome{err: err, symptom: "bad json"}
		}
		return outcome{err: err, failure: &failure{InStream: true, Message: err.Error()}}
	}
	return outcome{err: err, symptom: symptom(err)}
}
