package anthropic

import "github.com/mimus-go/mimus/wire"

// stops pairs each reason to stop with the provider's word. Of two reasons with one word the first is read back.
var stops = [...]struct {
	stop wire.Stop
	word string
}{
	{wire.StopComplete, "end_turn"},
	{wire.StopTools, "tool_use"},
	{wire.StopLength, "max_tokens"},
	{wire.StopSequence, "stop_sequence"},
	{wire.StopRefusal, "refusal"},
	{wire.StopSafety, "refusal"},
	{wire.StopPause, "pause_turn"},
	{wire.StopContext, "model_context_window_exceeded"},
}

// stopWord is the stop_reason; a reason that is not in the table is its own word ("compaction").
func stopWord(s wire.Stop) string {
	for _, p := range stops {
		if p.stop == s {
			return p.word
		}
	}
	return string(s)
}

func stopOf(word string) wire.Stop {
	for _, p := range stops {
		if p.word == word {
			return p.stop
		}
	}
	return wire.Stop(word)
}
