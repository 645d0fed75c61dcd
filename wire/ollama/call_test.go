package ollama_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/ollama"
	"github.com/mimus-go/mimus/wire/wiretest"
)

const (
	askChat   = `{"model":"llama3.2","messages":[{"role":"user","content":"Where is my parcel?"}]}`
	askWhole  = `{"model":"llama3.2","stream":false,"messages":[{"role":"user","content":"Where is my parcel?"}]}`
	askPrompt = `{"model":"llama3.2","prompt":"Where is my parcel?"}`
	askTools  = `{"model":"llama3.2","messages":[{"role":"user","content":"Where?"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]}`

	chatPath   = "/api/chat"
	promptPath = "/api/generate"
)

func post(path, body string) *wire.Probe {
	return &wire.Probe{
		Method: http.MethodPost, Host: "localhost", Port: "11434", Path: path,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body),
	}
}

func get(path string) *wire.Probe {
	return &wire.Probe{Method: http.MethodGet, Host: "localhost", Port: "11434", Path: path, Header: http.Header{}}
}

// open makes the call of a request that can be read.
func open(tb testing.TB, p *wire.Probe) *wire.Call {
	tb.Helper()
	c, f, err := wiretest.Call(ollama.Provider(), p)
	if err != nil || f != nil {
		tb.Fatalf("%v %v", err, f)
	}
	return c
}

func one(parts ...wire.Part) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
}

// render answers a request with a reply and quirks.
func render(tb testing.TB, p *wire.Probe, r wire.Reply, quirks string) wire.Response {
	tb.Helper()
	c := open(tb, p)
	if quirks != "" {
		c.Quirks = json.RawMessage(quirks)
	}
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
	return resp
}

// serve answers a request to the machine, in a world that lasts.
func serve(tb testing.TB, env *wiretest.Env, p *wire.Probe) wire.Response {
	tb.Helper()
	c := open(tb, p)
	c.Env = env
	if c.Endpoint.Serve != nil {
		return c.Endpoint.Serve(c)
	}
	for v := range c.Endpoint.Codec.Check(c) {
		return c.Endpoint.Codec.Refuse(c, v.Failure)
	}
	reply := one(wire.Text{Text: "Hi"})
	if c.Request.Kind == wire.Models {
		reply = wire.Reply{Models: env.Models()}
	}
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	if c.Remember != nil {
		c.Remember()
	}
	return resp
}

// lines are the records of a stream.
func lines(tb testing.TB, r wire.Response) []jsonx.Value {
	tb.Helper()
	var out []jsonx.Value
	for line := range strings.Lines(string(r.Bytes())) {
		if strings.TrimSpace(line) != "" {
			out = append(out, parse(tb, line))
		}
	}
	return out
}

func parse(tb testing.TB, text string) jsonx.Value {
	tb.Helper()
	v, err := jsonx.Parse(text)
	if err != nil {
		tb.Fatalf("%v in %s", err, text)
	}
	return v
}

// refused is what is said to a request: the first violation, or what Decode or the machine says; "" where all is well.
func refused(tb testing.TB, p *wire.Probe) (status int, said string) {
	tb.Helper()
	c, f, err := wiretest.Call(ollama.Provider(), p)
	if err != nil {
		tb.Fatal(err)
	}
	var r wire.Response
	switch {
	case f != nil:
		r = c.Endpoint.Codec.Refuse(c, f)
	case c.Endpoint.Serve != nil:
		r = c.Endpoint.Serve(c)
	default:
		for v := range c.Endpoint.Codec.Check(c) {
			r = c.Endpoint.Codec.Refuse(c, v.Failure)
			break
		}
	}
	if r.Status < 400 {
		return r.Status, ""
	}
	return r.Status, parse(tb, string(r.Body)).Get("error").Str()
}

func want(tb testing.TB, got, part string) {
	tb.Helper()
	if !strings.Contains(got, part) {
		tb.Errorf("no %s in\n%s", part, got)
	}
}

func wantNot(tb testing.TB, got, part string) {
	tb.Helper()
	if strings.Contains(got, part) {
		tb.Errorf("%s is in\n%s", part, got)
	}
}
