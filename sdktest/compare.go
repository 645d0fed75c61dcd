package sdktest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"time"

	"github.com/google/go-cmp/cmp"
)

// comparison collects where an outcome is not what the case wants.
type comparison struct {
	endpoint *endpoint
	wrong    []string
}

func (c *comparison) same(what string, got, want any) {
	if d := cmp.Diff(want, got); d != "" {
		c.wrong = append(c.wrong, fmt.Sprintf("%s (-want +got):\n%s", what, d))
	}
}

func (c *comparison) wrongf(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// compare holds an outcome against what is wanted of it.
func compare(e *endpoint, w *want, o outcome) []string {
	c := &comparison{endpoint: e}
	c.same("symptom", o.symptom, w.Symptom)
	c.failure(w.Error, o.failure)
	if o.err != nil && w.Error == nil && w.Symptom == "" {
		c.wrongf("error: %v", o.err)
	}
	c.same("models", o.models, w.Models)
	c.same("pages", o.pages, w.Pages)
	c.same("items", o.items, w.Items)
	c.same("vectors", o.vectors, w.Vectors)
	for name, value := range w.Headers {
		c.same("header "+name, o.header.Get(name), value)
	}
	if w.Status != "" {
		c.same("status", o.status, w.Status)
	}
	if (o.tokens > 0) != w.Tokens {
		c.wrongf("tokens counted: got %d, want a count: %v", o.tokens, w.Tokens)
	}
	if w.answers() {
		c.answer(w, o)
	} else if len(o.choices) > 0 && o.choices[0].said() {
		c.wrongf("got an answer: %+v", o.choices)
	}
	return c.wrong
}

// answers says whether an answer is wanted, or a part of one.
func (w *want) answers() bool {
	switch {
	case w.None, w.Tokens, w.Models != nil, w.Items != nil, w.Vectors != nil:
		return false
	case w.Error != nil || w.Symptom != "":
		return w.Text != "" || w.Reasoning != "" || w.Calls != nil || w.Refusal != ""
	}
	return true
}

func (c choice) said() bool {
	return c.text != "" || c.refusal != "" || c.reasoning != "" || len(c.calls) > 0
}

func (c *comparison) answer(w *want, o outcome) {
	broken := w.Error != nil || w.Symptom != "" || w.Finish == "none"
	c.form("id", o.id, c.endpoint.ID)
	if o.model == "" && !broken {
		c.wrongf("no model")
	}
	wanted := w.Choices
	if wanted == nil {
		wanted = []wantChoice{w.wantChoice}
	}
	if len(o.choices) != len(wanted) {
		c.wrongf("choices: got %d, want %d", len(o.choices), len(wanted))
		return
	}
	for i := range wanted {
		c.choice(&wanted[i], o.choices[i], broken)
	}
	switch {
	case w.Usage != nil && o.usage != nil:
		c.same("usage", *o.usage, *w.Usage)
	case w.Usage != nil, !broken && (o.usage == nil || o.usage.Input == 0 || o.usage.Output == 0):
		c.wrongf("usage: got %+v, want %+v", o.usage, w.Usage)
	}
}

func (c *comparison) choice(w *wantChoice, got choice, broken bool) {
	if w.JSON != nil {
		c.sameJSON("text", got.text, w.JSON)
	} else {
		c.same("text", got.text, w.Text)
	}
	c.same("refusal", got.refusal, w.Refusal)
	c.same("reasoning", got.reasoning, w.Reasoning)
	c.same("signature", got.signature, w.Signature)
	c.same("redacted", got.redacted, w.Redacted)
	c.same("stop sequence", got.sequence, w.Sequence)
	c.same("logprobs", got.logprobs > 0, w.Logprobs)
	if w.Parts != nil && got.parts != nil {
		c.same("parts", got.parts, w.Parts)
	}
	c.calls(w.Calls, got.calls)
	finish := w.Finish
	switch {
	case finish != "":
	case broken:
		return
	case len(w.Calls) > 0:
		finish = "tool_calls"
	default:
		finish = "complete"
	}
	c.same("finish, for "+finish, got.finish, c.endpoint.Finish[finish])
}

func (c *comparison) calls(want []wantCall, got []call) {
	if len(got) != len(want) {
		c.wrongf("calls: got %+v, want %d", got, len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		c.same("call's name", g.name, w.Name)
		c.same("custom call", g.custom, w.Custom)
		switch w.ID {
		case "":
			c.form("call's id", g.id, c.endpoint.CallID)
		case "none":
			c.same("call's id", g.id, "")
		default:
			c.same("call's id", g.id, w.ID)
		}
		if w.ArgumentsText != nil {
			c.same("call's arguments", g.arguments, *w.ArgumentsText)
		} else {
			c.sameJSON("call's arguments", g.arguments, w.Arguments)
		}
	}
}

// form wants a text in the provider's own form. An empty one passes where the endpoint's form lets it.
func (c *comparison) form(what, got, pattern string) {
	if ok, err := regexp.MatchString(pattern, got); err != nil || !ok {
		c.wrongf("%s: got %q, want %s", what, got, pattern)
	}
}

func (c *comparison) sameJSON(what, got string, want json.RawMessage) {
	var g, w any
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		c.wrongf("%s: got %q, want the JSON %s", what, got, want)
		return
	}
	if err := json.Unmarshal(want, &w); err != nil {
		c.wrongf("%s: the case has no JSON: %s", what, want)
		return
	}
	if !reflect.DeepEqual(g, w) {
		c.same(what, g, w)
	}
}

// failure compares errors. What a case does not say of one, the endpoint's table does.
func (c *comparison) failure(want, got *failure) {
	if want == nil || got == nil {
		if want != nil || got != nil {
			c.wrongf("error: got %+v, want %+v", got, want)
		}
		return
	}
	w := *want
	table := c.endpoint.Errors
	if w.InStream {
		table = c.endpoint.StreamErrors
	}
	usual, ok := table[w.Kind]
	if w.Kind != "" && !ok {
		c.wrongf("the endpoint has no error of kind %q", w.Kind)
		return
	}
	fill(&w.Type, usual.Type)
	fill(&w.Code, usual.Code)
	fill(&w.Param, usual.Param)
	if w.Status == 0 {
		w.Status = usual.Status
	}
	g := *got
	switch {
	case w.Message == "-":
		w.Message = ""
	case g.Message == "":
		c.wrongf("the error has no message")
	case w.Message == "":
		g.Message = ""
	}
	w.Kind, w.Requests = "", 0
	c.same("error", g, w)
}

// fill takes the usual value where none is given; "-" is the empty one.
func fill(value *string, usual string) {
	if *value == "" {
		*value = usual
	}
	if *value == "-" {
		*value = ""
	}
}

// compareTraffic holds what reached the mock, and how long it took, against what is wanted.
func compareTraffic(e *endpoint, w *want, a arrivals, took time.Duration) []string {
	c := &comparison{endpoint: e}
	requests := w.Requests
	if requests == 0 && w.Error != nil && !w.Error.InStream {
		requests = e.Errors[w.Error.Kind].Requests
	}
	if requests == 0 {
		requests = max(1, w.Pages)
	}
	if len(a.times) != requests {
		c.wrongf("requests: got %d, want %d", len(a.times), requests)
	}
	if len(w.Waits) > 0 {
		c.waits(w.Waits, a.times)
	}
	if w.Elapsed != "" {
		want, err := time.ParseDuration(w.Elapsed)
		if err != nil || took != want {
			c.wrongf("it took %v, want %s", took, w.Elapsed)
		}
	}
	hungUp := w.HungUp
	if hungUp == nil && w.Error == nil && w.Symptom == "" {
		hungUp = new(bool)
	}
	if hungUp != nil && a.hungUp != *hungUp {
		c.wrongf("the client hung up: %v, want %v", a.hungUp, *hungUp)
	}
	return c.wrong
}

// waits compares the times between requests: exactly, or where the SDK chooses by its own rule, between two bounds.
func (c *comparison) waits(want []string, times []time.Time) {
	if len(times) != len(want)+1 {
		c.wrongf("waits: got %d requests, want %d waits", len(times), len(want))
		return
	}
	for i, text := range want {
		got := times[i+1].Sub(times[i])
		if text == "backoff" {
			// Half a second, doubled for each retry, and up to a quarter less.
			most := time.Second / 2 << i
			if got > most || got < most*3/4 {
				c.wrongf("wait %d: got %v, want %v to %v", i+1, got, most*3/4, most)
			}
			continue
		}
		if d, err := time.ParseDuration(text); err != nil || got != d {
			c.wrongf("wait %d: got %v, want %s", i+1, got, text)
		}
	}
}
