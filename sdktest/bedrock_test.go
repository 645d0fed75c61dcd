package sdktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/internal/memnet"
)

const novaModel = "amazon.nova-lite-v1:0"

func userSays(text string) []types.Message {
	return []types.Message{{Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: text}}}}
}

// mockOf serves an answer to every request.
func mockOf(t *testing.T, answer string) *mock {
	t.Helper()
	stubs, err := (&scenario{Name: t.Name(), Answer: json.RawMessage(answer)}).stubs()
	if err != nil {
		t.Fatal(err)
	}
	return newMock(t, stubs)
}

// TestBedrockTypedExceptions asks for each exception of the service's model, and wants the SDK's type of it.
func TestBedrockTypedExceptions(t *testing.T) {
	t.Parallel()
	is := func(target any) func(error) bool { return func(err error) bool { return errors.As(err, target) } }
	for answer, typed := range map[string]func(error) bool{
		`{"error":{"type":"rate_limit"}}`:                                 is(new(*types.ThrottlingException)),
		`{"error":{"type":"quota"}}`:                                      is(new(*types.ServiceQuotaExceededException)),
		`{"error":{"type":"overloaded"}}`:                                 is(new(*types.ServiceUnavailableException)),
		`{"error":{"type":"context_length"}}`:                             is(new(*types.ValidationException)),
		`{"error":{"type":"permission"}}`:                                 is(new(*types.AccessDeniedException)),
		`{"error":{"type":"not_found"}}`:                                  is(new(*types.ResourceNotFoundException)),
		`{"error":{"type":"timeout"}}`:                                    is(new(*types.ModelTimeoutException)),
		`{"error":{"type":"server"}}`:                                     is(new(*types.InternalServerException)),
		`{"error":{"type":"server","code":"ModelErrorException"}}`:        is(new(*types.ModelErrorException)),
		`{"error":{"type":"rate_limit","code":"ModelNotReadyException"}}`: is(new(*types.ModelNotReadyException)),
	} {
		synctest.Test(t, func(t *testing.T) {
			client := newRuntime(mockOf(t, answer).client)
			_, err := client.Converse(t.Context(), &bedrockruntime.ConverseInput{ModelId: aws.String(novaModel), Messages: userSays("Hello")})
			if !typed(err) {
				t.Errorf("%s: %v", answer, err)
			}
		})
	}
}

// TestBedrockTypedExceptionsInStreams does the same inside streams, of Converse and of InvokeModel.
func TestBedrockTypedExceptionsInStreams(t *testing.T) {
	t.Parallel()
	is := func(target any) func(error) bool { return func(err error) bool { return errors.As(err, target) } }
	for _, row := range []struct {
		answer           string
		converse, invoke func(error) bool
	}{
		{`{"text":"Hi","error":{"type":"rate_limit","afterEvents":1}}`, is(new(*types.ThrottlingException)), is(new(*types.ThrottlingException))},
		{`{"text":"Hi","error":{"type":"overloaded","afterEvents":1}}`, is(new(*types.ServiceUnavailableException)), is(new(*types.ServiceUnavailableException))},
		{`{"text":"Hi","error":{"type":"context_length","afterEvents":1}}`, is(new(*types.ValidationException)), is(new(*types.ValidationException))},
		{`{"text":"Hi","error":{"type":"server","afterEvents":1}}`, is(new(*types.InternalServerException)), is(new(*types.InternalServerException))},
		{`{"text":"Hi","error":{"type":"timeout","afterEvents":1}}`, is(new(*types.ModelStreamErrorException)), is(new(*types.ModelTimeoutException))},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := newRuntime(mockOf(t, row.answer).client)
			got, err := client.ConverseStream(t.Context(), &bedrockruntime.ConverseStreamInput{ModelId: aws.String(novaModel), Messages: userSays("Hello")})
			if err != nil {
				t.Fatal(err)
			}
			for range got.GetStream().Events() {
			}
			if err := got.GetStream().Err(); !row.converse(err) {
				t.Errorf("%s: ConverseStream: %v", row.answer, err)
			}
			_ = got.GetStream().Close()
			raw, err := client.InvokeModelWithResponseStream(t.Context(), &bedrockruntime.InvokeModelWithResponseStreamInput{
				ModelId: aws.String(novaModel), Body: []byte(`{"schemaVersion":"messages-v1","messages":[{"role":"user","content":[{"text":"Hello"}]}]}`),
			})
			if err != nil {
				t.Fatal(err)
			}
			for range raw.GetStream().Events() {
			}
			if err := raw.GetStream().Err(); !row.invoke(err) {
				t.Errorf("%s: InvokeModelWithResponseStream: %v", row.answer, err)
			}
			_ = raw.GetStream().Close()
		})
	}
}

// TestBedrockInvokeInTheModelsForms reads what each model answers, whole and in chunks, through the SDK.
func TestBedrockInvokeInTheModelsForms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ model, body, whole, chunk string }{
		{"meta.llama3-8b-instruct-v1:0", `{"prompt":"Hello"}`, "generation", "generation"},
		{"mistral.mistral-7b-instruct-v0:2", `{"prompt":"Hello"}`, "outputs", "outputs"},
		{"mistral.mistral-large-2407-v1:0", `{"messages":[{"role":"user","content":"Hello"}]}`, "choices", "choices"},
		{"amazon.titan-text-express-v1", `{"inputText":"Hello"}`, "results", "outputText"},
		{novaModel, `{"messages":[{"role":"user","content":[{"text":"Hello"}]}]}`, "output", "messageStart"},
		{"anthropic.claude-3-haiku-20240307-v1:0", `{"anthropic_version":"bedrock-2023-05-31","max_tokens":5,"messages":[{"role":"user","content":"Hello"}]}`, "content", "message"},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := newRuntime(mockOf(t, `{"text":"Good day."}`).client)
			got, err := client.InvokeModel(t.Context(), &bedrockruntime.InvokeModelInput{ModelId: aws.String(row.model), Body: []byte(row.body)})
			if err != nil {
				t.Fatal(err)
			}
			var v map[string]any
			if err := json.Unmarshal(got.Body, &v); err != nil || v[row.whole] == nil || aws.ToString(got.ContentType) != "application/json" {
				t.Errorf("%s: %s, %v", row.model, got.Body, err)
			}
			raw, err := client.InvokeModelWithResponseStream(t.Context(), &bedrockruntime.InvokeModelWithResponseStreamInput{ModelId: aws.String(row.model), Body: []byte(row.body)})
			if err != nil {
				t.Fatal(err)
			}
			first, last := map[string]any(nil), map[string]any(nil)
			for e := range raw.GetStream().Events() {
				chunk, ok := e.(*types.ResponseStreamMemberChunk)
				if !ok {
					t.Fatalf("%s: %T", row.model, e)
				}
				last = nil
				if err := json.Unmarshal(chunk.Value.Bytes, &last); err != nil {
					t.Errorf("%s: %s: %v", row.model, chunk.Value.Bytes, err)
				}
				if first == nil {
					first = last
				}
			}
			if first[row.chunk] == nil || last["amazon-bedrock-invocationMetrics"] == nil || raw.GetStream().Err() != nil || aws.ToString(raw.ContentType) != "application/json" {
				t.Errorf("%s: first %v, last %v, %v", row.model, first, last, raw.GetStream().Err())
			}
			_ = raw.GetStream().Close()
		})
	}
}

// TestBedrockOverH2C streams over HTTP/2 in clear text with prior knowledge, which AWS's JavaScript SDK insists on.
func TestBedrockOverH2C(t *testing.T) {
	t.Parallel()
	m := mockOf(t, `{"text":"Good day, and good night."}`)
	network := memnet.New()
	server := &http.Server{Handler: m.handler, ReadHeaderTimeout: time.Minute, Protocols: &http.Protocols{}}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = server.Serve(network.Listen()) }()
	transport := network.Transport()
	transport.Protocols = &http.Protocols{}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		_ = network.Close()
	})
	client := bedrockruntime.New(bedrockruntime.Options{
		Region: region, Credentials: keys, HTTPClient: &http.Client{Transport: transport}, BaseEndpoint: aws.String("http://bedrock-runtime.us-east-1.amazonaws.com"),
	})
	got, err := client.ConverseStream(context.Background(), &bedrockruntime.ConverseStreamInput{ModelId: aws.String(novaModel), Messages: userSays("Hello")})
	if err != nil {
		t.Fatal(err)
	}
	var a accumulator
	for e := range got.GetStream().Events() {
		a.add(e)
	}
	_ = got.GetStream().Close()
	content := a.content()
	if text, ok := content[0].(*types.ContentBlockMemberText); !ok || text.Value != "Good day, and good night." || a.usage == nil || got.GetStream().Err() != nil {
		t.Errorf("%v %v %v", content, a.usage, got.GetStream().Err())
	}
	entries, _ := m.journal.Entries()
	if len(entries) != 1 || !entries[0].Matched {
		t.Errorf("%d requests", len(entries))
	}
}

// headers are one of each type.
func headers() []awsstream.Header {
	return []awsstream.Header{
		{Name: "true", Value: awsstream.Bool(true)},
		{Name: "false", Value: awsstream.Bool(false)},
		{Name: "byte", Value: awsstream.Byte(-3)},
		{Name: "short", Value: awsstream.Int16(-300)},
		{Name: "int", Value: awsstream.Int32(1 << 30)},
		{Name: "long", Value: awsstream.Int64(-1 << 60)},
		{Name: "bytes", Value: awsstream.Bytes([]byte{0, 255})},
		{Name: "text", Value: awsstream.String("Köln")},
		{Name: "time", Value: awsstream.Timestamp(time.UnixMilli(1764504000123))},
		{Name: "uuid", Value: awsstream.UUID([16]byte{1, 2, 3})},
	}
}

// TestFramesAreReadByAWS reads our frames with AWS's own decoder, and theirs with ours: every type of header.
func TestFramesAreReadByAWS(t *testing.T) {
	t.Parallel()
	ours := awsstream.Append(nil, headers(), []byte(`{"role":"assistant"}`))
	m, err := eventstream.NewDecoder().Decode(bytes.NewReader(ours), nil)
	if err != nil || string(m.Payload) != `{"role":"assistant"}` || len(m.Headers) != len(headers()) {
		t.Fatalf("%+v, %v", m, err)
	}
	for i, h := range headers() {
		if m.Headers[i].Name != h.Name {
			t.Errorf("header %d is %s, want %s", i, m.Headers[i].Name, h.Name)
		}
	}
	var theirs bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&theirs, m); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(theirs.Bytes(), ours) {
		t.Errorf("AWS frames it so:\n%x\nwe so:\n%x", theirs.Bytes(), ours)
	}
	r := awsstream.Reader{R: &theirs}
	got, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range headers() {
		if got.Headers[i] != h {
			t.Errorf("header %d is read as %v, want %v", i, got.Headers[i], h)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the frame: %v", err)
	}
	for i := range ours {
		spoilt := bytes.Clone(ours)
		spoilt[i] ^= 0x10
		_, errTheirs := eventstream.NewDecoder().Decode(bytes.NewReader(spoilt), nil)
		_, errOurs := (&awsstream.Reader{R: bytes.NewReader(spoilt)}).Next()
		if errTheirs == nil || errOurs == nil {
			t.Fatalf("a flipped bit in byte %d: AWS %v, we %v", i, errTheirs, errOurs)
		}
	}
}
