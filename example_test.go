package mimus_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus"
)

// track asks a model where a parcel is, runs the tool that it asks for, and gives the answer: a service under test.
func track(client *http.Client, parcel string) (string, error) {
	messages := []any{map[string]any{"role": "user", "content": "Where is parcel " + parcel + "?"}}
	for {
		m, err := ask(client, messages)
		if err != nil {
			return "", err
		}
		if len(m.ToolCalls) == 0 {
			return m.Content, nil
		}
		messages = append(messages, m)
		for _, call := range m.ToolCalls {
			messages = append(messages, map[string]any{"role": "tool", "tool_call_id": call.ID, "content": `{"state":"OUT_FOR_DELIVERY","city":"Leipzig"}`})
		}
	}
}

type message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func ask(client *http.Client, messages []any) (message, error) {
	body, err := json.Marshal(map[string]any{
		"model": "gpt-4o", "messages": messages,
		"tools": []any{map[string]any{"type": "function", "function": map[string]any{
			"name": "track_parcel", "parameters": map[string]any{"type": "object", "properties": map[string]any{"reference": map[string]any{"type": "string"}}},
		}}},
	})
	if err != nil {
		return message{}, err
	}
	req, err := http.NewRequest(http.MethodPost, "https://api.openai.com/v1/chat/completions", bytes.NewReader(body))
	if err != nil {
		return message{}, err
	}
	req.Header.Set("Authorization", "Bearer test")
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return message{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return message{}, err
	}
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Choices) == 0 {
		return message{}, &unusable{resp.StatusCode, string(text)}
	}
	return answer.Choices[0].Message, nil
}

type unusable struct {
	status int
	body   string
}

func (u *unusable) Error() string { return http.StatusText(u.status) + ": " + u.body }

func TestTrack(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On(mimus.About("PX-AI-8102")).Reply(mimus.CallTool("track_parcel", `{"reference":"PX-AI-8102"}`))
	m.On(mimus.About("PX-AI-8102"), mimus.AfterTool("track_parcel")).Reply(mimus.Text("Out for delivery in Leipzig."))

	got, err := track(m.Client(), "PX-AI-8102") // the service under test, with the real provider's URL
	if err != nil || !strings.Contains(got, "Leipzig") {
		t.Fatalf("track: %q, %v", got, err)
	}

	asked := m.Asked(mimus.About("PX-AI-8102"))
	asked.Times(2)
	asked.OfferedTool("track_parcel")
	asked.Contains("OUT_FOR_DELIVERY")
	asked.Omits("Lindenweg 14")
}
