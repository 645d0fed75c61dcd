package mimus_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
)

// printT stands in for a test where there is none: in examples.
type printT struct {
	testing.TB
	cleanups []func()
}

func begin() *printT               { return &printT{} }
func (t *printT) Helper()          {}
func (t *printT) Name() string     { return "Example" }
func (t *printT) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

func (t *printT) Setenv(key, value string) {
	t.Cleanup(func() { _ = os.Unsetenv(key) })
	_ = os.Setenv(key, value) //nolint:usetesting // this is what the test's own method does
}

func (t *printT) Error(args ...any) {
	fmt.Println("the test fails: " + fmt.Sprint(args...)) //nolint:forbidigo // an example's output
}
func (t *printT) Errorf(format string, args ...any) { t.Error(fmt.Sprintf(format, args...)) }

// end is the end of the test.
func (t *printT) end() {
	for len(t.cleanups) > 0 {
		last := t.cleanups[len(t.cleanups)-1]
		t.cleanups = t.cleanups[:len(t.cleanups)-1]
		last()
	}
}

// request asks OpenAI's chat.
func request(say string) *http.Request { return chatRequest(say, false) }

func chatRequest(say string, stream bool) *http.Request {
	body, err := json.Marshal(map[string]any{
		"model": "gpt-4.1-mini", "stream": stream, "messages": []any{map[string]any{"role": "user", "content": say}},
	})
	if err != nil {
		panic(err)
	}
	r, err := http.NewRequest(http.MethodPost, "https://api.openai.com/v1/chat/completions", strings.NewReader(string(body)))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer test")
	r.Header.Set("Content-Type", "application/json")
	return r
}

// chat gives the answer's text, or what went wrong.
func chat(client *http.Client, say string) string {
	resp, err := client.Do(request(say))
	if err != nil {
		return err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return resp.Status
	}
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return err.Error()
	}
	return answer.Choices[0].Message.Content
}

// stream gives the pieces of a streamed answer as they come, and at last how it ended.
func stream(client *http.Client, say string) <-chan string {
	pieces := make(chan string)
	go func() {
		defer close(pieces)
		resp, err := client.Do(chatRequest(say, true))
		if err != nil {
			pieces <- err.Error()
			return
		}
		defer func() { _ = resp.Body.Close() }()
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if data == "[DONE]" {
				pieces <- "[the end]"
				return
			}
			var event struct {
				Error   *struct{ Message string }
				Choices []struct{ Delta struct{ Content string } }
			}
			if !ok || json.Unmarshal([]byte(data), &event) != nil {
				continue
			}
			if event.Error != nil {
				pieces <- fmt.Sprintf("[the error %q]", event.Error.Message)
				return
			}
			if len(event.Choices) > 0 && event.Choices[0].Delta.Content != "" {
				pieces <- strings.TrimSpace(event.Choices[0].Delta.Content)
			}
		}
		if err := lines.Err(); err != nil {
			pieces <- fmt.Sprintf("[%v]", err)
			return
		}
		pieces <- "[cut off]"
	}()
	return pieces
}

// embed asks OpenAI for an embedding.
func embed(client *http.Client, text string) []float32 {
	body := fmt.Sprintf(`{"model":"text-embedding-3-small","encoding_format":"float","input":%q}`, text)
	r, err := http.NewRequest(http.MethodPost, "https://api.openai.com/v1/embeddings", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer test")
	resp, err := client.Do(r)
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Data []struct{ Embedding []float32 }
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		panic(err)
	}
	return answer.Data[0].Embedding
}

// A stall of ten minutes costs nothing inside a bubble of testing/synctest.
func TestStall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.On().Reply(mimus.Text("Out for delivery.").StallAfter(2, 10*time.Minute))

		begin := time.Now()
		for piece := range stream(m.Client(), "Where is my parcel?") {
			t.Log(time.Since(begin), piece) // 0s Out, 10m0s for, 10m0s delivery.
		}
		if waited := time.Since(begin); waited != 10*time.Minute {
			t.Errorf("it took %s", waited)
		}
	})
}

// No test of this package shall reach a real provider.
func TestNothingLeavesTheMachine(t *testing.T) {
	mimus.Guard(t)

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Hello"))
	if got := chat(m.Client(), "Hello"); got != "Hello" { // with http.DefaultClient, the test would fail
		t.Errorf("got %q", got)
	}
}
