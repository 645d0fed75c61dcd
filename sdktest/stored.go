package sdktest

import (
	"context"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// stored does what can be done with a response that was answered before.
func (d *responsesDriver) stored(ctx context.Context, a *ask) outcome {
	switch a.Op {
	case "retrieve":
		return d.retrieve(ctx, a)
	case "delete":
		if err := d.client.Responses.Delete(ctx, d.idOf(a)); err != nil {
			return openAIFailure(err)
		}
		return outcome{}
	case "cancel":
		got, err := d.client.Responses.Cancel(ctx, d.idOf(a))
		if err != nil {
			return openAIFailure(err)
		}
		return d.read(*got)
	case "input_items":
		return d.inputItems(ctx, a)
	case "count_tokens":
		return d.countTokens(ctx, a)
	}
	return outcome{symptom: "the driver knows no operation " + a.Op}
}

// retrieve gets the last response, after a time where the turn says so.
func (d *responsesDriver) retrieve(ctx context.Context, a *ask) outcome {
	if a.Wait != "" {
		wait, err := time.ParseDuration(a.Wait)
		if err != nil {
			return outcome{err: err, symptom: "a wrong wait"}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
	got, err := d.client.Responses.Get(ctx, d.idOf(a), responses.ResponseGetParams{})
	if err != nil {
		return openAIFailure(err)
	}
	return d.read(*got)
}

// inputItems lists what the last response was asked, in order, page by page.
func (d *responsesDriver) inputItems(ctx context.Context, a *ask) outcome {
	q := responses.InputItemListParams{Order: responses.InputItemListParamsOrderAsc}
	if a.Limit > 0 {
		q.Limit = openai.Int(a.Limit)
	}
	var o outcome
	page, err := d.client.Responses.InputItems.List(ctx, d.idOf(a), q)
	for err == nil && page != nil {
		o.pages++
		for _, item := range page.Data {
			o.items = append(o.items, item.Type)
		}
		page, err = page.GetNextPage()
	}
	if err != nil {
		return openAIFailure(err)
	}
	return o
}

func (d *responsesDriver) countTokens(ctx context.Context, a *ask) outcome {
	p := responses.InputTokenCountParams{Model: openai.String(d.endpoint.modelFor(a))}
	p.Input.OfString = openai.String(a.User)
	if a.System != "" {
		p.Instructions = openai.String(a.System)
	}
	for _, name := range a.Tools {
		p.Tools = append(p.Tools, d.tool(name))
	}
	got, err := d.client.Responses.InputTokens.Count(ctx, p)
	if err != nil {
		return openAIFailure(err)
	}
	return outcome{tokens: got.InputTokens}
}

// openAIModels answers the operations on models, which both of OpenAI's drivers have.
func openAIModels(ctx context.Context, client *openai.Client, a *ask) (o outcome, done bool) {
	switch a.Op {
	case "list_models":
		page, err := client.Models.List(ctx)
		for err == nil && page != nil && len(page.Data) > 0 {
			o.pages++
			for _, m := range page.Data {
				o.models = append(o.models, m.ID)
			}
			page, err = page.GetNextPage()
		}
		if err != nil {
			return openAIFailure(err), true
		}
		return o, true
	case "get_model":
		m, err := client.Models.Get(ctx, a.Model)
		if err != nil {
			return openAIFailure(err), true
		}
		return outcome{models: []string{m.ID}}, true
	}
	return outcome{}, false
}
