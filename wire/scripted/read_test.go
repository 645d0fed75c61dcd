package scripted_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/scripted"
	"github.com/mimus-go/mimus/wire/wiretest"
)

var speaks = scripted.Provider().Endpoints()[0].Codec

func read(status int, body string) (wire.Reply, error) {
	return wire.Fold(speaks.Read(&wire.ResponseHead{Status: status, Header: http.Header{}}, strings.NewReader(body)))
}

// TestProtocol reads streams that break the wire's rules.
func TestProtocol(t *testing.T) {
	t.Parallel()
	const text, call = "event: text\ndata: {\"text\":\"Hi\"}\n\n", "event: tool_call\ndata: {\"id\":\"a\",\"name\":\"f\",\"arguments\":\"{}\"}\n\n"
	end := func(stop string) string { return "event: end\ndata: {\"stop\":\"" + stop + "\",\"reason\":null}\n\n" }
	for _, c := range []struct {
		name, body string
		kind       wire.FailureKind // "" where all is well
		says       string
		partial    bool
	}{
		{"complete", text + end("complete"), "", "", false},
		{"calls cut at the limit", text + call + end("length"), "", "", false},
		{"filtered calls", call + end("filtered"), "", "", false},
		{"after the end", text + end("complete") + text, wire.Unusable, "after the end", true},
		{"unnamed", "data: {}\n\n", wire.Unusable, "without a name", false},
		{"unknown", text + "event: song\ndata: {}\n\n", wire.Unusable, "unknown event song", true},
		{"no JSON", "event: text\ndata: {\n\n", wire.Unusable, "no JSON", false},
		{"complete with calls", call + end("complete"), wire.Unusable, "complete with calls", true},
		{"refusal with calls", call + end("refusal"), wire.Unusable, "refusal with calls", true},
		{"blocked with calls", call + end("blocked"), wire.Unusable, "blocked with calls", true},
		{"calls without one", text + end("tool_calls"), wire.Unusable, "without a call", true},
		{"unknown stop", text + end("bored"), wire.Unusable, "unknown stop bored", true},
		{"a call without an id", "event: tool_call\ndata: {\"name\":\"f\"}\n\n", wire.Unusable, "without an id", false},
		{"no end", text, wire.Transport, "terminal", true},
		{"nothing", "", wire.Transport, "terminal", false},
		{"an error", text + "event: error\ndata: {\"code\":\"overloaded\",\"message\":\"busy\"}\n\n", wire.Overloaded, "busy", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := read(200, c.body)
			var f *wire.Failure
			switch {
			case c.kind == "" && err != nil:
				t.Error(err)
			case c.kind != "" && (!errors.As(err, &f) || f.Kind != c.kind || f.PartialOutput != c.partial || !strings.Contains(f.Message, c.says)):
				t.Errorf("got %+v, %v", f, err)
			}
		})
	}
}

func TestErrorAnswers(t *testing.T) {
	t.Parallel()
	for _, k := range wire.FailureKinds() {
		resp := speaks.Refuse(nil, &wire.Failure{Kind: k})
		_, err := read(resp.Status, string(resp.Body))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Kind != k || f.Sent != wire.Completed {
			t.Errorf("%s: got %+v", k, err)
		}
	}
	if _, err := read(418, "short and stout"); err.Error() != "invalid_request (418): short and stout" {
		t.Error(err)
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	const rest = `,"tools":[],"output":null}`
	for _, c := range []struct{ body, says string }{
		{`{"model":"m","messages":[{"role":"user","parts":[{"text":"Hi"},{"image_url":"https://a.test/b.png"},{"mime_type":"text/plain","data":"SGk="}]}]` + rest, ""},
		{`{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"","calls":[{"id":"a","name":"f","arguments":"{}"}]},{"role":"tool","call_id":"a","content":"ok"}]` + rest, ""},
		{`{"model":"m","messages":[{"role":"assistant","content":"","calls":[{"id":"a","name":"f","arguments":"{}"}]},{"role":"user","content":"Hi"}]` + rest, "a has no result"},
		{`{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"tool","call_id":"b","content":"ok"}]` + rest, "b answers no call"},
		{`{"model":"m","messages":[{"role":"parrot","content":"Hi"}]` + rest, "role"},
		{`{"model":"m","messages":[]` + rest, "not empty"},
		{`{"messages":[{"role":"user","content":"Hi"}]` + rest, "model"},
		{`{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{}],"output":null}`, "a tool must have a name"},
		{`{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[],"output":7}`, "output"},
		{`{"model":"m","messages":[{"role":"user","content":"Hi"}],"output":null}`, "tools"},
	} {
		cl, f, err := wiretest.Call(scripted.Provider(), &wire.Probe{Method: http.MethodPost, Path: "/v1/scripted", Header: http.Header{}, Body: []byte(c.body)})
		if err != nil || f != nil {
			t.Fatal(err, f)
		}
		got := ""
		for v := range speaks.Check(cl) {
			got = v.Message
		}
		if (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("got %q, want %q\n%s", got, c.says, c.body)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("event: text\ndata: {\"text\":\"Hi\"}\n\nevent: end\ndata: {\"stop\":\"complete\"}\n\n")
	f.Fuzz(func(_ *testing.T, body string) {
		_, _ = read(200, body)
		_, _ = read(500, body)
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[],"output":null}`)
	f.Fuzz(func(_ *testing.T, body string) {
		c, _, err := wiretest.Call(scripted.Provider(), &wire.Probe{Method: http.MethodPost, Path: "/scripted", Header: http.Header{}, Body: []byte(body)})
		if err != nil {
			return
		}
		for v := range speaks.Check(c) {
			_ = v.Message
		}
	})
}
