package wire

// Stop says why an answer ended.
type Stop string

// The reasons to stop. A codec maps each to its own word and back.
const (
	StopUnset    Stop = ""              // complete, tool_calls or refusal, as the parts say
	StopComplete Stop = "complete"      // the model had said all
	StopTools    Stop = "tool_calls"    // the client is to run tools
	StopLength   Stop = "length"        // max_tokens
	StopSequence Stop = "stop_sequence" // one of the request's stop sequences
	StopSafety   Stop = "safety"        // a filter of the provider
	StopRefusal  Stop = "refusal"       // the model declined
	StopPause    Stop = "pause"         // a long turn, to be continued by the client
	StopContext  Stop = "context"       // the context window is full
)

// Stops lists every Stop that can be asked for by name.
func Stops() []Stop {
	return []Stop{StopComplete, StopTools, StopLength, StopSequence, StopSafety, StopRefusal, StopPause, StopContext}
}

// Usage counts tokens. Input holds the whole prompt, with what was read from and written to a cache; Output holds all
// that was generated, with Reasoning. Each wire places the parts where it counts them.
type Usage struct{ Input, Output, Reasoning, CacheRead, CacheWrite int }

// Answer is one choice: ordered parts, and why it stopped.
type Answer struct {
	Parts []Part
	Stop  Stop
	// Sequence is the stop sequence that was hit, with StopSequence.
	Sequence string
}

// Calls are the tool calls among the parts.
func (a Answer) Calls() []ToolCall {
	var calls []ToolCall
	for _, p := range a.Parts {
		if c, ok := p.(ToolCall); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// Reply is what was decided to be answered. Several choices only where the request asked for them.
type Reply struct {
	Choices []Answer
	Usage   *Usage
	Vectors [][]float32 // embeddings
	Models  []string    // a model list
	// Blocked is the provider's reason to refuse the prompt, on wires that say so in a 200 answer (Gemini).
	Blocked string
}

// Turn is one exchange of a continued conversation. Turns are linked by Before, never copied.
type Turn struct {
	Before  *Turn
	Request *Request
	Answer  *Answer
}
