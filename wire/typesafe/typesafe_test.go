package typesafe_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/typesafe"
	"github.com/mimus-go/mimus/wire/wiretest"
)

const batch = `{"model":"systemone-1","state":"The parcel was seen in Leipzig.","questions":{
	"lost":{"type":"noul","instructions":"Is it lost?","criteria":{"true":"nobody has seen it","false":null}},
	"where":{"type":"choice","instructions":"Where is it?","criteria":{"Leipzig":"in the city","Köln":null}},
	"mood":{"type":"score","instructions":"How cross is the customer?","criteria":["calm","cross","furious"]}}}`

const answers = `{"lost":{"type":"noul","noul":0.25},
	"where":{"type":"choice","choice":"Leipzig","probabilities":{"Leipzig":0.75,"Köln":0.25},"confidence":0.75},
	"mood":{"type":"score","score":1.25,"legend":{"0":"calm","1":"cross","2":"furious"},"probabilities":{"0":0.25,"1":0.25,"2":0.5},"confidence":0.5}}`

func call(t *testing.T, body string) *wire.Call {
	t.Helper()
	c, f, err := wiretest.Call(typesafe.Provider(), &wire.Probe{
		Method: http.MethodPost, Path: "/v1/systemone", Header: http.Header{"Authorization": {"Bearer test"}}, Body: []byte(body),
	})
	if err != nil || f != nil {
		t.Fatal(err, f)
	}
	return c
}

func text(s string) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: s}}}}, Usage: &wire.Usage{Input: 180, Output: 24}}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	c := call(t, batch)
	if r := c.Request; r.Model != "systemone-1" || r.LastUser() != "The parcel was seen in Leipzig." || !strings.Contains(r.Conversation(), "How cross is the customer?") {
		t.Errorf("got %+v", r)
	}
	resp, _, lost := wire.Render(c, c.Endpoint.Codec, text(answers), wire.Split{}, wire.NoCut())
	want := `{"model":"systemone-1","answers":` + answers + `,"usage":{"input_tokens":180,"output_tokens":24}}`
	if len(lost) > 0 || resp.Status != 200 || string(resp.Body) != want || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %+v, %v\n%s", resp, lost, resp.Body)
	}
}

func TestRoundTrips(t *testing.T) {
	t.Parallel()
	replies := append(wiretest.Replies(), wiretest.Named{Name: "answers", Reply: text(answers)})
	for _, r := range replies {
		lost := wiretest.RoundTrip(t, call(t, batch), r.Reply)
		if (r.Name == "answers") != (len(lost) == 0) {
			t.Errorf("%s: lost %v", r.Name, lost)
		}
		for _, err := range lost {
			if !errors.Is(err, wire.ErrNotOnWire) {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}

// TestQuestions holds the provider's limits.
func TestQuestions(t *testing.T) {
	t.Parallel()
	labels := func(n int) string {
		var b []string
		for i := range n {
			b = append(b, fmt.Sprintf(`"l%d":null`, i))
		}
		return strings.Join(b, ",")
	}
	question := func(def string) string {
		return `{"model":"m","state":"s","questions":{"q":` + def + `}}`
	}
	var many []string
	for i := range 257 {
		many = append(many, fmt.Sprintf(`"q%d":{"type":"noul","instructions":"?"}`, i))
	}
	for _, c := range []struct{ body, says string }{
		{question(`{"type":"choice","instructions":"?","criteria":{` + labels(255) + `}}`), ""},
		{question(`{"type":"score","instructions":"?","criteria":["a","b","c","d","e","f","g","h","i","j"]}`), ""},
		{`{"model":"m","state":"s","questions":{` + strings.Join(many[:256], ",") + `}}`, ""},
		{question(`{"type":"choice","instructions":"?","criteria":{` + labels(256) + `}}`), "2 to 255 labels"},
		{question(`{"type":"choice","instructions":"?","criteria":{"a":null}}`), "2 to 255 labels"},
		{question(`{"type":"choice","instructions":"?","criteria":{"":null,"b":null}}`), "not empty"},
		{question(`{"type":"score","instructions":"?","criteria":["a"]}`), "2 to 10 levels"},
		{question(`{"type":"score","instructions":"?","criteria":["a","b","c","d","e","f","g","h","i","j","k"]}`), "2 to 10 levels"},
		{question(`{"type":"noul","instructions":"?","criteria":{"maybe":"x"}}`), "true and false"},
		{question(`{"type":"noul"}`), "instructions"},
		{question(`{"type":"guess","instructions":"?"}`), "noul, choice or score"},
		{`{"model":"m","state":"s","questions":{` + strings.Join(many, ",") + `}}`, "at most 256"},
		{`{"model":"m","state":"s","questions":{}}`, "must be a question"},
		{`{"model":"m","state":"s","questions":{"":{"type":"noul","instructions":"?"}}}`, "needs an id"},
		{`{"model":"m","state":7,"questions":{"q":{"type":"noul","instructions":"?"}}}`, "state"},
		{`{"model":"","state":"s","questions":{"q":{"type":"noul","instructions":"?"}}}`, "model"},
	} {
		cl := call(t, c.body)
		got := ""
		for v := range cl.Endpoint.Codec.Check(cl) {
			got = v.Message
			break
		}
		if (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("got %q, want %q\n%.120s", got, c.says, c.body)
		}
	}
}

// TestUnusableAnswers reads answers that don't fit their questions.
func TestUnusableAnswers(t *testing.T) {
	t.Parallel()
	const good = `{"model":"m","answers":` + answers + `,"usage":{"input_tokens":1,"output_tokens":2}}`
	for _, c := range []struct{ old, with, says string }{
		{"", "", ""},
		{`0.25},`, `0.250000001},`, ""},
		{`"noul":0.25`, `"noul":1.5`, "probability"},
		{`"choice":"Leipzig"`, `"choice":"Berlin"`, "no label"},
		{`"choice":"Leipzig"`, `"choice":"Köln"`, "not the likeliest"},
		{`"Köln":0.25`, `"Köln":0.26`, "sum to"},
		{`"Köln":0.25`, `"Berlin":0.25`, `"Köln" has no probability`},
		{`"Köln":0.25`, `"Köln":0.25,"Berlin":0`, "3 probabilities of 2 labels"},
		{`"confidence":0.75`, `"confidence":2`, "confidence"},
		{`"score":1.25`, `"score":1.3`, "the score must be 1.25"},
		{`"1":"cross"`, `"1":"angry"`, "legend"},
		{`"type":"noul"`, `"type":"choice"`, `want "noul"`},
		{`"lost":`, `"found":`, `"lost" has no answer`},
		{`{"lost":`, `{"more":{},"lost":`, "4 answers to 3 questions"},
		{`"input_tokens":1`, `"input_tokens":-1`, "counts"},
		{`{"model"`, `{"model`, "no JSON"},
		{`"m"`, "\"\xff\"", "no JSON"},
	} {
		cl := call(t, batch)
		body := strings.Replace(good, c.old, c.with, 1)
		head := &wire.ResponseHead{Status: 200, Header: http.Header{}, Request: cl.Request}
		_, err := wire.Fold(cl.Endpoint.Codec.Read(head, strings.NewReader(body)))
		var f *wire.Failure
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.with, err)
		case c.says != "" && (!errors.As(err, &f) || f.Kind != wire.Unusable || f.Sent != wire.Completed || !strings.Contains(f.Message, c.says)):
			t.Errorf("%s: got %v, want %q", c.with, err, c.says)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	cl := call(t, batch)
	for _, k := range wire.FailureKinds() {
		resp := cl.Endpoint.Codec.Refuse(cl, &wire.Failure{Kind: k, RetryAfter: 1500e6})
		header := http.Header{}
		resp.Header.WriteTo(header)
		_, err := wire.Fold(cl.Endpoint.Codec.Read(&wire.ResponseHead{Status: resp.Status, Header: header}, strings.NewReader(string(resp.Body))))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Status != resp.Status || f.RetryAfter != 2e9 || f.Sent != wire.Completed || f.PartialOutput || f.Usage != nil {
			t.Errorf("%s: %+v", k, f)
		}
	}
	if f := typesafe.Provider().(wire.Gatekeeper).Gate(&wire.Call{Probe: &wire.Probe{Header: http.Header{}}}); f == nil || f.Kind != wire.Auth {
		t.Errorf("without a key: %+v", f)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"model":"m","answers":`+answers+`,"usage":{"input_tokens":1,"output_tokens":2}}`, batch)
	f.Fuzz(func(_ *testing.T, answer, question string) {
		probe := &wire.Probe{Method: http.MethodPost, Path: "/v1/systemone", Header: http.Header{}, Body: []byte(question)}
		c, failure, err := wiretest.Call(typesafe.Provider(), probe)
		if err != nil || failure != nil {
			return
		}
		for v := range c.Endpoint.Codec.Check(c) {
			_ = v.Message
		}
		_, _ = wire.Fold(c.Endpoint.Codec.Read(&wire.ResponseHead{Status: 200, Request: c.Request}, strings.NewReader(answer)))
	})
}
