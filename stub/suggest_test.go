package stub_test

import (
	"testing"

	"github.com/mimus-go/mimus/stub"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"text", "json", "toolCalls", "reasoning", "refusal", "stop", "usage", "rate_limit", "openai", "openai.chat"}
	for word, want := range map[string]string{
		"txt": "text", "tetx": "text", "Text": "text", "texts": "text", "jsn": "json",
		"tool_calls": "toolCalls", "toolcall": "toolCalls", "TOOL-CALLS": "toolCalls", "resoning": "reasoning",
		"ratelimit": "rate_limit", "opnai": "openai", "open ai": "openai", "openai_chat": "openai.chat", "openai.chta": "openai.chat",
		"": "", "x": "", "about": "", "priority": "", "content": "", "ünïcödé": "",
		"a text that is much too long to be any of the words that are known": "",
	} {
		if got := stub.Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := stub.Nearest("a", nil); got != "" {
		t.Errorf("of no words, %q", got)
	}
}
