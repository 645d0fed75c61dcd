package bedrock

import "github.com/mimus-go/mimus/wire"

// guardrail is why an answer ends that a guardrail blocked or changed. No neutral word says as much.
const guardrail wire.Stop = "guardrail_intervened"

// stops pairs each reason to stop with Converse's word.
var stops = [...]struct {
	stop wire.Stop
	word string
}{
	{wire.StopComplete, "end_turn"},
	{wire.StopTools, "tool_use"},
	{wire.StopLength, "max_tokens"},
	{wire.StopSequence, "stop_sequence"},
	{wire.StopSafety, "content_filtered"},
	{wire.StopContext, "model_context_window_exceeded"},
}

// stopWord is the stopReason; one that is not in the table is its own word ("guardrail_intervened").
func stopWord(s wire.Stop) string {
	for _, p := range stops {
		if p.stop == s {
			return p.word
		}
	}
	return string(s)
}

// novaStop is stopReason on InvokeModel, where a guardrail says what it did elsewhere.
func novaStop(s wire.Stop) string {
	if s == guardrail {
		s = wire.StopComplete
	}
	return stopWord(s)
}

func stopOf(word string) wire.Stop {
	for _, p := range stops {
		if p.word == word {
			return p.stop
		}
	}
	return wire.Stop(word)
}
