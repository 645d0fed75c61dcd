package anthropic_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
)

const (
	bedrockModel = "/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0"
	askBedrock   = `{"anthropic_version":"bedrock-2023-05-31","max_tokens":1024,"messages":[{"role":"user","content":"Where is my parcel?"}]}`
)

// postBedrock is a request with a bearer key.
func postBedrock(path, body string) *wire.Probe {
	h := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer bedrock-api-key-dGVzdA=="}}
	return &wire.Probe{Method: http.MethodPost, Host: "bedrock-runtime.us-east-1.amazonaws.com", Path: path, Header: h, Body: []byte(body)}
}

// chunks are the events in the chunks of a stream.
func chunks(t *testing.T, r wire.Response) []jsonx.Value {
	t.Helper()
	var out []jsonx.Value
	for _, f := range r.Frames {
		if f.Except {
			continue
		}
		v, err := aws.ReadChunk(f.Data)
		if err != nil || f.Name != "chunk" {
			t.Fatalf("%s %s: %v", f.Name, f.Data, err)
		}
		out = append(out, v)
	}
	return out
}

func TestTrapBedrockBodiesAreToldApart(t *testing.T) {
	t.Parallel()
	router := wire.NewRouter(anthropic.Provider())
	for _, row := range []struct {
		path, body string
		claimed    bool
	}{
		{bedrockModel + "/invoke", askBedrock, true},
		{"/model/us.anthropic.claude-haiku-4-5-20251001-v1:0/invoke-with-response-stream", askBedrock, true},
		{bedrockModel + "/invoke", `{"max_tokens":1024}`, true},
		{"/model/arn:aws:bedrock:us-east-1:1:application-inference-profile/a1b2/invoke", askBedrock, true},
		{"/model/amazon.nova-lite-v1:0/invoke", `{"messages":[{"role":"user","content":[{"text":"what is \"anthropic_version\"?"}]}]}`, false},
		{"/model/amazon.nova-lite-v1:0/invoke", `{"messages":[]}`, false},
		{bedrockModel + "/converse", askBedrock, false},
	} {
		_, e, _, _ := router.Route(postBedrock(row.path, row.body))
		if (e != nil) != row.claimed {
			t.Errorf("%s %s: %+v", row.path, row.body, e)
		}
	}
}

func TestTrapBedrockEventsAreNeverPaddedNorPinged(t *testing.T) {
	t.Parallel()
	c := open(t, postBedrock(bedrockModel+"/invoke-with-response-stream", askBedrock))
	if c.Request.Dialect != "bedrock" || !c.Request.Stream || c.Request.Model != "us.anthropic.claude-haiku-4-5-20251001-v1:0" {
		t.Errorf("%+v", c.Request)
	}
	r := render(c, hello, "", wire.NoCut())
	var kinds []string
	for _, v := range chunks(t, r) {
		kinds = append(kinds, v.Get("type").Str())
		if strings.Contains(v.Raw(), " }") {
			t.Errorf("padded: %s", v.Raw())
		}
	}
	if want := []string{
		"message_start", "content_block_start", "content_block_delta", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
	}; !slices.Equal(kinds, want) {
		t.Errorf("events %q", kinds)
	}
	for _, f := range r.Frames {
		v, err := jsonx.ParseBytes(f.Data)
		if p := v.Get("p").Str(); err != nil || len(p) < 2 || len(p) > 61 {
			t.Errorf("padding %q of a chunk, %v", p, err)
		}
	}
	last := chunks(t, r)[6].Raw()
	for _, key := range []string{`"amazon-bedrock-invocationMetrics":{"inputTokenCount":`, `"outputTokenCount":`, `"invocationLatency":`, `"firstByteLatency":`} {
		want(t, last, key)
	}
}

func TestTrapBedrockNamesTheModelBare(t *testing.T) {
	t.Parallel()
	for id, name := range map[string]string{
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5-20250929",
		"anthropic.claude-3-5-sonnet-20240620-v1:0":    "claude-3-5-sonnet-20240620",
		"global.anthropic.claude-opus-5":               "claude-opus-5",
		"anthropic.claude-v2":                          "claude-2.0",
		"anthropic.claude-v2:1":                        "claude-2.1",
		"arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0": "claude-3-haiku-20240307",
	} {
		r := render(open(t, postBedrock("/model/"+id+"/invoke", askBedrock)), hello, "", wire.NoCut())
		if got := parse(t, r.Body).Get("model").Str(); got != name {
			t.Errorf("%s is named %s", id, got)
		}
		if old := strings.HasPrefix(name, "claude-3") || strings.HasPrefix(name, "claude-2"); old != strings.HasPrefix(string(r.Body), `{"id":"msg_bdrk_01`) {
			t.Errorf("%s: %s", id, r.Body)
		}
	}
}

func TestTrapBedrockFailsInItsOwnWay(t *testing.T) {
	t.Parallel()
	for _, kind := range wire.FailureKinds() {
		c := open(t, postBedrock(bedrockModel+"/invoke", askBedrock))
		r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: kind})
		v := parse(t, r.Body)
		if v.Len() != 1 || v.Get("message").Str() == "" || r.Header.Get("Request-Id") != "" || r.Header.Get("X-Amzn-Requestid") == "" {
			t.Errorf("%s: %v %s", kind, r.Header, r.Body)
		}
		_, err := readBack(t, c, r)
		var f *wire.Failure
		if !errors.As(err, &f) || f.Kind != kind {
			t.Errorf("%s is read as %+v", kind, err)
		}
		c = open(t, postBedrock(bedrockModel+"/invoke-with-response-stream", askBedrock))
		r = render(c, hello, "", failAfter(3, &wire.Failure{Kind: kind}))
		if last := r.Frames[len(r.Frames)-1]; len(r.Frames) != 4 || !last.Except {
			t.Errorf("%s: %d frames", kind, len(r.Frames))
		}
		if _, err = readBack(t, c, r); !errors.As(err, &f) || f.Kind != kind || !f.PartialOutput || f.Usage == nil {
			t.Errorf("%s: inside a stream it is read as %+v", kind, err)
		}
	}
}

func TestTrapBedrockStreamsEndEarly(t *testing.T) {
	t.Parallel()
	c := open(t, postBedrock(bedrockModel+"/invoke-with-response-stream", askBedrock))
	r := render(c, hello, "", wire.NoCut())
	for n := range r.Frames {
		_, err := readBack(t, c, render(c, hello, "", cutAfter(n)))
		var f *wire.Failure
		if !errors.As(err, &f) || f.Rule != "incomplete" {
			t.Errorf("after %d frames: %+v", n, err)
		}
	}
	cut := wire.NoCut()
	cut.Malformed = true
	_, err := readBack(t, c, render(c, hello, "", cut))
	var f *wire.Failure
	if !errors.As(err, &f) || f.Kind != wire.Unusable {
		t.Errorf("a halved chunk is read as %+v", err)
	}
}

func TestTrapBedrockCountsInTheHeader(t *testing.T) {
	t.Parallel()
	reply := hello
	reply.Usage = &wire.Usage{Input: 180, Output: 3, CacheRead: 100, CacheWrite: 20}
	r := render(open(t, postBedrock(bedrockModel+"/invoke", askBedrock)), reply, "", wire.NoCut())
	for name, want := range map[string]string{"Input": "60", "Output": "3", "Cache-Read-Input": "100", "Cache-Write-Input": "20"} {
		if got := r.Header.Get("X-Amzn-Bedrock-" + name + "-Token-Count"); got != want {
			t.Errorf("%s is %q, want %s", name, got, want)
		}
	}
	want(t, string(r.Body), `"usage":{"input_tokens":60,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"cache_creation":{`)
	wantNot(t, string(r.Body), "service_tier")
}

func TestTrapBedrockRefusesAWholeBodyOver25MB(t *testing.T) {
	t.Parallel()
	c := open(t, postBedrock(bedrockModel+"/invoke", askBedrock[:len(askBedrock)-1]+`,"system":"`+strings.Repeat("x", 25_000_000)+`"}`))
	for v := range c.Endpoint.Codec.Check(c) {
		r := c.Endpoint.Codec.Refuse(c, v.Failure)
		if v.Kind != wire.TooLarge || r.Status != 400 {
			t.Errorf("%+v, %d", v.Failure, r.Status)
		}
		return
	}
	t.Error("it is taken")
}
