package bedrock_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/bedrock"
	"github.com/mimus-go/mimus/wire/wiretest"
)

const signed = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261130/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date, " +
	"Signature=0000000000000000000000000000000000000000000000000000000000000000"

const (
	nova   = "/model/amazon.nova-lite-v1%3A0"
	claude = "/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0"

	ask     = `{"messages":[{"role":"user","content":[{"text":"Where is my parcel?"}]}]}`
	askTool = `{"messages":[{"role":"user","content":[{"text":"Where is my parcel?"}]}],` +
		`"toolConfig":{"tools":[{"toolSpec":{"name":"track_parcel","inputSchema":{"json":{"type":"object"}}}}]}}`
)

// post is a signed request.
func post(path, body string) *wire.Probe {
	h := http.Header{"Content-Type": {"application/json"}, "Authorization": {signed}, "X-Amz-Date": {"20261130T120000Z"}}
	return &wire.Probe{Method: http.MethodPost, Host: "bedrock-runtime.us-east-1.amazonaws.com", Path: path, Header: h, Body: []byte(body)}
}

// open makes the call of a request that can be read.
func open(tb testing.TB, p *wire.Probe) *wire.Call {
	tb.Helper()
	c, f, err := wiretest.Call(bedrock.Provider(), p)
	if err != nil || f != nil {
		tb.Fatalf("%v %v", err, f)
	}
	return c
}

func one(parts ...wire.Part) wire.Reply {
	return wire.Reply{Choices: []wire.Answer{{Parts: parts}}}
}

var (
	hello  = one(wire.Text{Text: "Hello there."})
	lookUp = one(wire.ToolCall{Name: "track_parcel", Arguments: `{"reference":"PX-AI-8102"}`})
	noArgs = one(wire.ToolCall{Name: "track_parcel", Arguments: `{}`})
)

// render answers a call with a reply and quirks.
func render(c *wire.Call, r wire.Reply, quirks string, cut wire.Cut) wire.Response {
	if quirks != "" {
		c.Quirks = json.RawMessage(quirks)
	}
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, cut)
	return resp
}

func stream(tb testing.TB, r wire.Reply, quirks string) wire.Response {
	tb.Helper()
	return render(open(tb, post(nova+"/converse-stream", askTool)), r, quirks, wire.NoCut())
}

func whole(tb testing.TB, r wire.Reply, quirks string) wire.Response {
	tb.Helper()
	return render(open(tb, post(nova+"/converse", askTool)), r, quirks, wire.NoCut())
}

func cutAfter(n int) wire.Cut {
	c := wire.NoCut()
	c.After = n
	return c
}

func failAfter(n int, f *wire.Failure) wire.Cut {
	c := wire.NoCut()
	c.FailAfter, c.Failure = n, f
	return c
}

// names are the events of a stream.
func names(r wire.Response) string {
	s := make([]string, len(r.Frames))
	for i, f := range r.Frames {
		s[i] = f.Name
	}
	return strings.Join(s, " ")
}

func readBack(tb testing.TB, c *wire.Call, r wire.Response) (wire.Reply, error) {
	tb.Helper()
	return readBytes(tb, c, r, r.Bytes())
}

func readBytes(tb testing.TB, c *wire.Call, r wire.Response, body []byte) (wire.Reply, error) {
	tb.Helper()
	h := &wire.ResponseHead{Status: r.Status, Header: http.Header{}, Request: c.Request}
	r.Header.WriteTo(h.Header)
	return wire.Fold(c.Endpoint.Codec.Read(h, bytes.NewReader(body)))
}

// frame is the only frame that is framed: its message.
func frame(tb testing.TB, r wire.Response, i int) awsstream.Message {
	tb.Helper()
	m, err := (&awsstream.Reader{R: bytes.NewReader(r.Framing.Append(nil, r.Frames[i], i))}).Next()
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// want reports a text that is not in another.
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
