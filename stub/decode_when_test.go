package stub_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func request() *wire.Request {
	return &wire.Request{
		Endpoint: "openai.chat", Provider: "openai", Model: "gpt-4o", Choices: 1,
		System: "You are a clerk.",
		Messages: []wire.Message{
			{Role: wire.User, Parts: []wire.Part{wire.Text{Text: "Where is PX-AI-8102?"}}},
			{Role: wire.Assistant, Parts: []wire.Part{wire.ToolCall{ID: "call_1", Name: "track_parcel", Arguments: `{"reference":"PX-AI-8102"}`}}},
			{Role: wire.ToolRole, Parts: []wire.Part{wire.ToolResult{ID: "call_1", Name: "track_parcel", Text: `{"state":"OUT_FOR_DELIVERY"}`}}},
		},
		Tools: []wire.Tool{{Name: "track_parcel"}, {Name: "find_depot"}},
		Probe: &wire.Probe{
			Header: http.Header{"X-Team": {"parcels"}, "User-Agent": {"OpenAI/Go"}},
			Query:  url.Values{"lang": {"en", "de"}},
		},
	}
}

func TestWhenMatches(t *testing.T) {
	t.Parallel()
	cases := []struct {
		when   string
		match  bool
		weight int
	}{
		{`{}`, true, 0},
		{`{"about":"PX-AI-8102"}`, true, 1},
		{`{"about":["PX-AI-8102","clerk"]}`, true, 2},
		{`{"about":["PX-AI-8102","nobody"]}`, false, 2},
		{`{"about":{"matches":"PX-AI-[0-9]{4}"}}`, true, 1},
		{`{"about":[{"equals":"PX-AI-8102"}]}`, false, 1},
		{`{"afterTool":"track_parcel"}`, true, 1},
		{`{"afterTool":"any"}`, true, 1},
		{`{"afterTool":"find_depot"}`, false, 1},
		{`{"wire":"openai"}`, true, 1},
		{`{"wire":"openai.chat"}`, true, 1},
		{`{"wire":"anthropic"}`, false, 1},
		{`{"model":"gpt-4*"}`, true, 1},
		{`{"model":"*"}`, true, 0},
		{`{"model":"gpt-4"}`, false, 1},
		{`{"stream":false}`, true, 1},
		{`{"stream":true}`, false, 1},
		{`{"system":{"contains":"clerk"}}`, true, 1},
		{`{"system":{"equals":"clerk"}}`, false, 1},
		{`{"user":"Where is"}`, true, 1},
		{`{"user":"clerk"}`, false, 1},
		{`{"toolResult":"OUT_FOR_DELIVERY"}`, true, 1},
		{`{"toolResult":"ARRIVED"}`, false, 1},
		{`{"tool":"track_parcel"}`, true, 1},
		{`{"tool":["track_parcel","find_depot"]}`, true, 2},
		{`{"tool":["track_parcel","fly"]}`, false, 2},
		{`{"header":{"x-team":"parcels"}}`, true, 1},
		{`{"header":{"X-Team":"parcel"}}`, false, 1},
		{`{"header":{"X-Team":{"contains":"parcel"},"User-Agent":{"matches":"Go$"}}}`, true, 2},
		{`{"header":{"X-Other":{"contains":""}}}`, false, 1},
		{`{"query":{"lang":"de"}}`, true, 1},
		{`{"query":{"lang":"d"}}`, false, 1},
		{`{"not":{"about":"secret"}}`, true, 1},
		{`{"not":{"about":["secret","PX-AI-8102"]}}`, false, 2},
		{`{"not":{"model":"*mini","stream":true}}`, true, 2},
		{`{"endpoint":"chat"}`, true, 0},
	}
	for _, c := range cases {
		_, conditions, problems := stub.DecodeWhen(parse(t, c.when), stub.DecodeOptions{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.when, problems)
			continue
		}
		match, weight := true, 0
		for _, condition := range conditions {
			holds := condition.Match(request())
			match, weight = match && holds, weight+condition.Weight
			if !holds && (condition.Got == nil || condition.Got(request()) == "") {
				t.Errorf("%s: %s wants %s, and does not say what came", c.when, condition.Key, condition.Want)
			}
			condition.Match(&wire.Request{})
		}
		if match != c.match || weight != c.weight {
			t.Errorf("%s: matches %t with weight %d, want %t with %d", c.when, match, weight, c.match, c.weight)
		}
	}
}

// TestToolResultsEndWithTheUser makes sure that only the results since the user wrote are looked at.
func TestToolResultsEndWithTheUser(t *testing.T) {
	t.Parallel()
	c := stub.ToolResult(stub.Contains("OUT_FOR_DELIVERY"))
	r := request()
	r.Messages = append(r.Messages, wire.Message{Parts: []wire.Part{wire.Text{Text: "Thanks"}}})
	if c.Match(r) {
		t.Error("a result from before the user wrote is found")
	}
	r = request()
	last := &r.Messages[len(r.Messages)-1]
	last.Role, last.Parts = wire.User, append(last.Parts, wire.Text{Text: "And now?"})
	if !c.Match(r) {
		t.Error("a result in the user's own message is not found")
	}
}

// TestAHeaderIsNotSaid makes sure that no key shows in messages.
func TestAHeaderIsNotSaid(t *testing.T) {
	t.Parallel()
	r := request()
	r.Probe.Header.Set("Authorization", "Bearer sk-secret")
	c := stub.Header("Authorization", stub.Equals("Bearer sk-test"))
	if got, want := c.Got(r), "another Authorization"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.Got(request()), "no Authorization"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
