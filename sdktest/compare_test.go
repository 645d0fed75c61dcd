package sdktest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestCompareFinds shows that each thing that a case can expect is looked at.
func TestCompareFinds(t *testing.T) {
	t.Parallel()
	e := &endpoint{
		ID: "^id_[0-9]+$", CallID: "^call_[0-9]+$",
		Finish:       map[string]string{"complete": "stop", "tool_calls": "tool_calls", "length": "length"},
		Errors:       map[string]failure{"server": {Status: 500, Type: "server_error", Requests: 3}},
		StreamErrors: map[string]failure{"server": {Type: "stream_error"}},
	}
	good := func() outcome {
		return outcome{
			id: "id_1", model: "m", header: http.Header{"A": {"b"}}, usage: &usage{Input: 3, Output: 2},
			choices: []choice{{text: "Hello.", finish: "stop", parts: []string{"text"}}},
		}
	}
	called := func() outcome {
		o := good()
		o.choices[0] = choice{calls: []call{{id: "call_1", name: "f", arguments: `{"a": 1}`}}, finish: "tool_calls"}
		return o
	}
	failed := func() outcome {
		return outcome{failure: &failure{Status: 500, Type: "server_error", Message: "Sorry."}}
	}
	cases := []struct {
		name   string
		want   string
		got    func() outcome
		change func(*outcome)
		wrong  string
	}{
		{"all is well", `{"text":"Hello.","parts":["text"],"headers":{"A":"b"}}`, good, nil, ""},
		{"all is well with calls", `{"calls":[{"name":"f","arguments":{"a":1}}]}`, called, nil, ""},
		{"all is well with an error", `{"error":{"kind":"server"}}`, failed, nil, ""},
		{"another text", `{"text":"Hello."}`, good, func(o *outcome) { o.choices[0].text = "Hello" }, "text"},
		{"a text too much", `{"text":""}`, good, nil, "text"},
		{"another order", `{"text":"Hello.","parts":["call","text"]}`, good, nil, "parts"},
		{"another header", `{"text":"Hello.","headers":{"A":"c"}}`, good, nil, "header A"},
		{"a refusal too much", `{"text":"Hello."}`, good, func(o *outcome) { o.choices[0].refusal = "No." }, "refusal"},
		{"reasoning too much", `{"text":"Hello."}`, good, func(o *outcome) { o.choices[0].reasoning = "Hm." }, "reasoning"},
		{"no signature", `{"text":"Hello.","signature":true}`, good, nil, "signature"},
		{"another finish", `{"text":"Hello.","finish":"length"}`, good, nil, "finish"},
		{"a stop sequence too much", `{"text":"Hello."}`, good, func(o *outcome) { o.choices[0].sequence = "END" }, "stop sequence"},
		{"another id", `{"text":"Hello."}`, good, func(o *outcome) { o.id = "1" }, "id"},
		{"no model", `{"text":"Hello."}`, good, func(o *outcome) { o.model = "" }, "no model"},
		{"no usage", `{"text":"Hello."}`, good, func(o *outcome) { o.usage = nil }, "usage"},
		{"a usage of zero", `{"text":"Hello."}`, good, func(o *outcome) { o.usage.Output = 0 }, "usage"},
		{"another usage", `{"text":"Hello.","usage":{"input":3,"output":3}}`, good, nil, "usage"},
		{"a choice too much", `{"text":"Hello."}`, good, func(o *outcome) { o.choices = append(o.choices, choice{}) }, "choices"},
		{"no logprobs", `{"text":"Hello.","logprobs":true}`, good, nil, "logprobs"},
		{"another JSON", `{"json":{"a":1}}`, good, func(o *outcome) { o.choices[0].text = `{"a":2}` }, "text"},
		{"no JSON", `{"json":{"a":1}}`, good, nil, "want the JSON"},
		{"no call", `{"calls":[{"name":"f"}]}`, good, nil, "calls"},
		{"another call", `{"calls":[{"name":"g","arguments":{"a":1}}]}`, called, nil, "call's name"},
		{"another call's id", `{"calls":[{"id":"call_2","name":"f","arguments":{"a":1}}]}`, called, nil, "call's id"},
		{"a call's id of another form", `{"calls":[{"name":"f","arguments":{"a":1}}]}`, called, func(o *outcome) { o.choices[0].calls[0].id = "x" }, "call's id"},
		{"other arguments", `{"calls":[{"name":"f","arguments":{"a":2}}]}`, called, nil, "arguments"},
		{"another text of arguments", `{"calls":[{"name":"f","argumentsText":"{\"a\":1}"}]}`, called, nil, "arguments"},
		{"an error too much", `{"text":"Hello."}`, failed, nil, "error"},
		{"no error", `{"error":{"kind":"server"}}`, good, nil, "error"},
		{"another status", `{"error":{"kind":"server","status":503}}`, failed, nil, "error"},
		{"an error in another place", `{"error":{"kind":"server","inStream":true}}`, failed, nil, "error"},
		{"an error of no kind that is known", `{"error":{"kind":"x"}}`, failed, nil, "no error of kind"},
		{"an error without words", `{"error":{"kind":"server"}}`, failed, func(o *outcome) { o.failure.Message = "" }, "no message"},
		{"an answer beside an error", `{"error":{"kind":"server"}}`, failed, func(o *outcome) { o.choices = []choice{{text: "Hi"}} }, "got an answer"},
		{"a symptom too much", `{"text":"Hello."}`, good, func(o *outcome) { o.symptom = "reset" }, "symptom"},
		{"no symptom", `{"symptom":"reset","text":"Hello."}`, good, nil, "symptom"},
		{"no tokens", `{"tokens":true}`, func() outcome { return outcome{} }, nil, "tokens"},
		{"other models", `{"models":["a"]}`, func() outcome { return outcome{models: []string{"b"}} }, nil, "models"},
		{"another status of a response", `{"none":true,"status":"queued"}`, func() outcome { return outcome{status: "failed"} }, nil, "status"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var w want
			if err := decodeStrictly([]byte(c.want), &w); err != nil {
				t.Fatal(err)
			}
			o := c.got()
			if c.change != nil {
				c.change(&o)
			}
			expectWrong(t, compare(e, &w, o), c.wrong)
		})
	}
}

// TestCompareTraffic shows that requests and times are looked at.
func TestCompareTraffic(t *testing.T) {
	t.Parallel()
	e := &endpoint{Errors: map[string]failure{"server": {Requests: 3}}}
	at := func(seconds ...float64) []time.Time {
		var times []time.Time
		for _, s := range seconds {
			times = append(times, time.Unix(0, int64(s*1e9)))
		}
		return times
	}
	cases := []struct {
		name   string
		want   string
		times  []time.Time
		took   time.Duration
		hungUp bool
		wrong  string
	}{
		{"one request", `{}`, at(0), 0, false, ""},
		{"a request too much", `{}`, at(0, 1), 0, false, "requests"},
		{"as many as the error makes", `{"error":{"kind":"server"}}`, at(0, 1, 2), 0, false, ""},
		{"fewer than the error makes", `{"error":{"kind":"server"}}`, at(0), 0, false, "requests"},
		{"a page each", `{"pages":2}`, at(0, 0), 0, false, ""},
		{"the right waits", `{"requests":3,"waits":["2s","backoff"]}`, at(0, 2, 2.8), 0, false, ""},
		{"a wait a little too short", `{"requests":2,"waits":["2s"]}`, at(0, 1.999), 0, false, "wait 1"},
		{"a backoff too long", `{"requests":2,"waits":["backoff"]}`, at(0, 0.6), 0, false, "wait 1"},
		{"a backoff too short", `{"requests":2,"waits":["backoff"]}`, at(0, 0.3), 0, false, "wait 1"},
		{"waits for other requests", `{"requests":2,"waits":["2s","2s"]}`, at(0, 2), 0, false, "waits"},
		{"the right time", `{"elapsed":"3s"}`, at(0), 3 * time.Second, false, ""},
		{"another time", `{"elapsed":"3s"}`, at(0), 2 * time.Second, false, "it took"},
		{"a client that hung up", `{}`, at(0), 0, true, "hung up"},
		{"a client that did not", `{"symptom":"timeout","hungUp":true}`, at(0), 0, false, "hung up"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var w want
			if err := decodeStrictly([]byte(c.want), &w); err != nil {
				t.Fatal(err)
			}
			expectWrong(t, compareTraffic(e, &w, arrivals{times: c.times, hungUp: c.hungUp}, c.took), c.wrong)
		})
	}
}

func expectWrong(t *testing.T, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("got %q, want nothing wrong", got)
	case want != "" && !strings.Contains(strings.Join(got, "\n"), want):
		t.Errorf("got %q, want %q in it", got, want)
	}
}

// TestOverrides shows how expectations are changed for some runs.
func TestOverrides(t *testing.T) {
	t.Parallel()
	turn := &turn{
		Expect: json.RawMessage(`{"text":"a","reasoning":"b"}`),
		But: []override{
			{Where: selectors{"chat"}, Set: json.RawMessage(`{"reasoning":null}`)},
			{Where: selectors{"azure stream go", "node"}, Set: json.RawMessage(`{"text":"c"}`)},
		},
	}
	cases := []struct {
		run             run
		text, reasoning string
	}{
		{run{"openai.responses", whole}, "a", "b"},
		{run{"openai.chat", whole}, "a", ""},
		{run{"azure.chat", whole}, "a", ""},
		{run{"azure.chat", stream}, "c", ""},
		{run{"azure.responses", stream}, "c", "b"},
	}
	for _, c := range cases {
		w, err := turn.wants(c.run)
		if err != nil || w.Text != c.text || w.Reasoning != c.reasoning {
			t.Errorf("%v: got %+v, %v", c.run, w, err)
		}
	}
}

// TestBookRefuses shows that a case which no runner could understand is found when the book is read.
func TestBookRefuses(t *testing.T) {
	t.Parallel()
	good := func() *scenario { return &scenario{Name: "a", Turns: []*turn{{}}} }
	cases := []struct {
		name   string
		change func(*scenario)
		wrong  string
	}{
		{"all is well", func(*scenario) {}, ""},
		{"no name", func(c *scenario) { c.Name = "" }, "a name of its own"},
		{"no turns", func(c *scenario) { c.Turns = nil }, "asks nothing"},
		{"stubs and an answer", func(c *scenario) { c.Stubs, c.Answer = []byte(`[]`), []byte(`{}`) }, "both"},
		{"an unknown word", func(c *scenario) { c.Where = selectors{"openai tomorrow"} }, `"tomorrow"`},
		{"an exception without a reason", func(c *scenario) { c.Except = []exception{{Where: selectors{"go"}}} }, "why"},
		{"an override without a selector", func(c *scenario) { c.Turns[0].But = []override{{Why: "x"}} }, "where it holds"},
		{"an unknown tool", func(c *scenario) { c.Turns[0].Ask.Tools = []string{"hammer"} }, `no tool "hammer"`},
		{"an unknown schema", func(c *scenario) { c.Turns[0].Ask.Schema = "x" }, `no schema "x"`},
	}
	for _, c := range cases {
		s := good()
		c.change(s)
		b := &book{Endpoints: map[string]*endpoint{"openai.chat": {}}, Cases: []*scenario{s}}
		var got []string
		if err := b.check(); err != nil {
			got = []string{err.Error()}
		}
		t.Run(c.name, func(t *testing.T) { expectWrong(t, got, c.wrong) })
	}
}
