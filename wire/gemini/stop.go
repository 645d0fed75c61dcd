package gemini

import "github.com/mimus-go/mimus/wire"

// stops pairs each reason to stop with the provider's word. A word stands for the first reason that has it; calls of
// tools end with STOP too, so that only the parts tell the two apart.
var stops = [...]struct {
	stop wire.Stop
	word string
}{
	{wire.StopComplete, "STOP"},
	{wire.StopTools, "STOP"},
	{wire.StopSequence, "STOP"},
	{wire.StopRefusal, "STOP"},
	{wire.StopLength, "MAX_TOKENS"},
	{wire.StopContext, "MAX_TOKENS"},
	{wire.StopSafety, "SAFETY"},
	{wire.StopPause, "CONTINUATION"},
}

// stopWord is the finishReason. A reason that is not in the table is its own word: "RECITATION".
func stopWord(s wire.Stop) string {
	for _, p := range stops {
		if p.stop == s {
			return p.word
		}
	}
	return string(s)
}

// stopOf reads a finishReason; calls says whether the answer calls tools.
func stopOf(word string, calls bool) wire.Stop {
	for _, p := range stops {
		if p.word != word {
			continue
		}
		if p.stop == wire.StopComplete && calls {
			return wire.StopTools
		}
		return p.stop
	}
	return wire.Stop(word)
}

// numbers are the finish reasons of AI Studio by the number that travels under $alt=json;enum-encoding=int, from 0
// (google/ai/generativelanguage/v1beta/generative_service.proto). Vertex numbers those after OTHER otherwise.
var numbers = [...]string{
	"FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "OTHER", "LANGUAGE", "BLOCKLIST",
	"PROHIBITED_CONTENT", "SPII", "MALFORMED_FUNCTION_CALL", "IMAGE_SAFETY", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
}

func numberOf(word string) (int, bool) {
	for i, w := range numbers {
		if w == word {
			return i, true
		}
	}
	return 0, false
}

// silent says that an answer with that word has no content on the chunk that ends it.
func silent(word string) bool {
	switch word {
	case "STOP", "MAX_TOKENS", "CONTINUATION", "UNEXPECTED_TOOL_CALL":
		return false
	}
	return true
}

// usualFinishMessage is the sentence beside a finishReason. AI Studio says that tools are called (recorded 2026); Vertex
// does not.
func usualFinishMessage(word string, vertex bool, call string) string {
	switch {
	case word == "STOP" && call != "" && !vertex:
		return "Model generated function call(s)."
	case word == "UNEXPECTED_TOOL_CALL" && call != "":
		return "Unexpected tool call: Model tried to call an undeclared function: " + call
	case word == "MALFORMED_FUNCTION_CALL":
		return "Malformed function call: print(default_api." + orElse(call, "call") + "())"
	}
	return ""
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
