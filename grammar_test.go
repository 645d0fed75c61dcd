package mimus_test

import (
	"testing"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// TestGoSaysWhatFilesSay holds the library against the stub files' own tables: each condition is a matcher, and each key
// of an answer or an error has a reply or a method.
func TestGoSaysWhatFilesSay(t *testing.T) {
	t.Parallel()
	text := mimus.Text("Hi")
	said := map[string]map[string]any{
		"when": {
			"about": mimus.About("PX"), "afterTool": mimus.AfterTool(mimus.AnyTool), "wire": mimus.Wire("openai"), "model": mimus.Model("gpt-*"),
			"stream": mimus.Streamed(), "system": mimus.System("terse"), "user": mimus.User("PX"), "toolResult": mimus.ToolResult("OUT"),
			"tool": mimus.Offers("track_parcel"), "header": mimus.Header("X-Team", "parcels"), "query": mimus.Query("lang", "de"),
			"endpoint": mimus.Embeddings(), "not": mimus.Not(mimus.About("weather")),
		},
		"answer": {
			"text": text, "json": mimus.JSON(1), "toolCalls": mimus.CallTool("f", "{}"), "reasoning": text.Reasoning("Hm"), "refusal": mimus.Refusal("no"),
			"parts": mimus.Parts(wire.Text{Text: "Hi"}), "choices": mimus.Choices(text, text), "stop": text.Stop(wire.StopLength), "usage": text.Usage(12, 3),
			"embedding": mimus.Embedding(1), "dimensions": mimus.Embedding().Dimensions(8), "models": mimus.Models("m"), "blocked": mimus.PromptBlocked(),
			"raw": mimus.Raw("data: a\n\n"), "headers": text.Header("X-Team", "parcels"), "quirks": text.Quirks(`{}`), "error": mimus.RateLimited(),
			"cutOffAfter": text.CutAfter(1), "malformed": text.Malformed(), "dropAfter": text.DropAfter(1), "reset": text.ResetAfter(1),
			"hangAfter": text.HangAfter(1), "stallAfter": text.StallAfter(1, time.Second), "stallFor": text.StallAfter(1, time.Second), "splitBytes": text.SplitBytes(1),
		},
		"error": {
			"type": mimus.Overloaded(), "message": mimus.Overloaded().Message("busy"), "retryAfter": mimus.Overloaded().RetryAfter(time.Second),
			"afterEvents": text.ErrorAfter(1, mimus.Overloaded()), "status": mimus.StatusError(418, "no"), "code": mimus.Overloaded().Code("c"),
		},
	}
	for _, shape := range stub.Grammar() {
		of, held := said[shape.Name]
		if !held {
			continue
		}
		for _, key := range shape.Keys {
			if of[key.Name] == nil {
				t.Errorf("stub files can say %s of %s, and Go cannot", key.Name, shape.Name)
			}
			delete(of, key.Name)
		}
		for name := range of {
			t.Errorf("no stub file has %s in %s", name, shape.Name)
		}
		delete(said, shape.Name)
	}
	for name := range said {
		t.Errorf("the grammar has no %s", name)
	}
}
