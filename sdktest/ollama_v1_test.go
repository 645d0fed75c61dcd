package sdktest

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/anthropics/anthropic-sdk-go/v2"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// TestOllamaV1 asks Ollama's port on the paths of other wires, with their SDKs: who answers is known by the port.
func TestOllamaV1(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(*testing.T, *mock){"openai-go": openAIOnOllama, "anthropic-sdk-go": anthropicOnOllama} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { use(t, newMock(t, v1Stubs(t))) })
		})
	}
}

func v1Stubs(t *testing.T) []*stub.Stub {
	t.Helper()
	set, err := stubfile.Parse("v1.json", []byte(`{"stubs":[
		{"when":{"about":"parcel"},"answer":{"reasoning":"Hm.","toolCalls":[{"name":"track_parcel","arguments":{"reference":"PX-AI-8102"}}]}},
		{"when":{"about":"missing"},"answer":{"error":{"type":"not_found"}}},
		{"when":{"endpoint":"embeddings"},"answer":{"embedding":[0.5,-1]}}]}`), stubfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Stubs
}

func openAIOnOllama(t *testing.T, m *mock) {
	t.Helper()
	c := openai.NewClient(option.WithHTTPClient(m.client), option.WithBaseURL("http://localhost:11434/v1/"), option.WithAPIKey("ollama"))
	ask := func(text string) openai.ChatCompletionNewParams {
		return openai.ChatCompletionNewParams{Model: "qwen3", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}}
	}
	got, err := c.Chat.Completions.New(t.Context(), ask("Where is my parcel?"))
	if err != nil {
		t.Fatal(err)
	}
	message := got.Choices[0].Message
	//nolint:staticcheck // OpenAI deprecates the fingerprint, Ollama sends it
	if got.SystemFingerprint != "fp_ollama" || vendorReasoning(message) != "Hm." || len(message.ToolCalls) != 1 || got.Choices[0].FinishReason != "tool_calls" || got.Usage.TotalTokens == 0 {
		t.Errorf("%s", got.RawJSON())
	}
	s := c.Chat.Completions.NewStreaming(t.Context(), ask("Where is my parcel?"))
	var acc openai.ChatCompletionAccumulator
	for s.Next() {
		if !acc.AddChunk(s.Current()) {
			t.Errorf("the accumulator refuses %s", s.Current().RawJSON())
		}
	}
	if err := s.Err(); err != nil || len(acc.Choices) != 1 || acc.Choices[0].FinishReason != "tool_calls" ||
		acc.Choices[0].Message.ToolCalls[0].Function.Arguments != `{"reference":"PX-AI-8102"}` {
		t.Errorf("%+v %v", acc.Choices, err)
	}
	_, err = c.Chat.Completions.New(t.Context(), ask("What is missing?"))
	if f, ok := errors.AsType[*openai.Error](err); !ok || f.StatusCode != http.StatusNotFound || f.Type != "not_found_error" || f.Message != "model 'qwen3' not found" {
		t.Errorf("%v", err)
	}
	vectors, err := c.Embeddings.New(t.Context(), openai.EmbeddingNewParams{Model: "nomic-embed-text", Input: openai.EmbeddingNewParamsInputUnion{OfString: openai.String("a")}})
	if err != nil || len(vectors.Data) != 1 || len(vectors.Data[0].Embedding) != 2 {
		t.Errorf("%+v %v", vectors, err)
	}
}

func anthropicOnOllama(t *testing.T, m *mock) {
	t.Helper()
	c := anthropic.NewClient(anthropicoption.WithHTTPClient(m.client), anthropicoption.WithBaseURL("http://localhost:11434"), anthropicoption.WithAPIKey("ollama"))
	ask := anthropic.MessageNewParams{Model: "qwen3", MaxTokens: 100, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Where is my parcel?"))}}
	got, err := c.Messages.New(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Content) != 2 || got.Content[0].Thinking != "Hm." || got.Content[0].Signature != "" || got.Content[1].Name != "track_parcel" || got.StopReason != "tool_use" {
		t.Errorf("%s", got.RawJSON())
	}
	s := c.Messages.NewStreaming(t.Context(), ask)
	var acc anthropic.Message
	for s.Next() {
		if err := acc.Accumulate(s.Current()); err != nil {
			t.Error(err)
		}
	}
	if err := s.Err(); err != nil || len(acc.Content) != 2 || string(acc.Content[1].Input) != `{"reference":"PX-AI-8102"}` {
		t.Errorf("%+v %v", acc.Content, err)
	}
}
