package stub

import (
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// DecodeOptions is what a stub may refer to. The zero value accepts every name of a wire and no JSONPath.
type DecodeOptions struct {
	// Wires are the providers and endpoints that `when.wire` may name; all names pass where it is empty.
	Wires []string
}

// stubDraft is a stub that is being read.
type stubDraft struct {
	Stub
	o DecodeOptions
}

var stubKeys = []key[stubDraft]{
	{"name", "What the journal and messages call the stub.", formText, into(node.text, func(s *stubDraft) *string { return &s.Name })},
	{"when", "What a request must be. All of it must hold; without it, every chat request matches.", `{"$ref":"#/$defs/when"}`, func(n node, s *stubDraft) {
		s.Kind, s.When = readWhen(n, s.o)
	}},
	{"answer", "What is answered.", `{"$ref":"#/$defs/answer"}`, func(n node, s *stubDraft) { s.Answers = []Answer{readAnswer(n)} }},
	{"answers", "A sequence: each request gets the next answer.", `{"type":"array","minItems":1,"items":{"$ref":"#/$defs/answer"}}`, func(n node, s *stubDraft) {
		items := n.items("a list of answers")
		if n.v.Kind() == jsonx.Array && len(items) == 0 {
			n.wrong("want at least one answer in the list")
		}
		for _, item := range items {
			s.Answers = append(s.Answers, readAnswer(item))
		}
	}},
	{"then", "What comes after the last of answers: the last again, the first again, or no match.", enum(thens()), func(n node, s *stubDraft) {
		word, _ := n.word(thens())
		s.Then = Then(word)
	}},
	{"times", "How often the stub answers; then it no longer matches.", `{"type":"integer","minimum":1}`, func(n node, s *stubDraft) { s.Times = n.between(1, maxCount) }},
	{"priority", "Of several stubs that match, the lowest number answers. Without it, 5.", `{"type":"integer"}`, func(n node, s *stubDraft) {
		s.Priority = n.between(-maxCount, maxCount)
	}},
	{"delay", "How long the answer waits before its status line.", formDuration, into(node.duration, func(s *stubDraft) *time.Duration { return &s.Delay })},
	{"limits", "enforce: the answer is cut at the request's max_tokens and stop sequences, as the provider would.", enum([]string{"enforce"}), func(n node, s *stubDraft) {
		_, s.EnforceLimits = n.word([]string{"enforce"})
	}},
	{"signatures", "any: signatures of reasoning that this server did not make are accepted.", enum([]string{"any"}), func(n node, s *stubDraft) {
		_, s.SignaturesAny = n.word([]string{"any"})
	}},
	{"pace", "How fast a stream goes; without it, at once.", `{"$ref":"#/$defs/pace"}`, func(n node, s *stubDraft) {
		var p Pace
		if readObject(n, paceKeys, &p) {
			s.Pace = &p
		}
	}},
}

var paceKeys = []key[Pace]{
	{"firstToken", "From the headers to the first token.", formDuration, into(node.duration, func(p *Pace) *time.Duration { return &p.FirstToken })},
	{"tokensPerSecond", "The speed from then on; 0 is without delay.", `{"type":"number","minimum":0}`, into(node.number, func(p *Pace) *float64 { return &p.TokensPerSecond })},
	{"jitter", "The largest part by which a gap is longer or shorter: 0.2 is a fifth.", `{"type":"number","minimum":0,"maximum":1}`, func(n node, p *Pace) {
		f, ok := n.v.Float()
		if !ok || f < 0 || f > 1 {
			n.want("a number from 0 to 1")
			return
		}
		p.Jitter = f
	}},
	{"chunk", "How many characters of text an event carries; without it, a word.", `{"type":"integer","minimum":1}`, func(n node, p *Pace) { p.Chunk = n.between(1, maxCount) }},
}

const maxCount = 1<<31 - 1

func thens() []string { return []string{string(ThenLast), string(ThenCycle), string(ThenFail)} }

// Decode reads a stub. Where there are problems, the stub is what could be read of it, for its name.
func Decode(v jsonx.Value, o DecodeOptions) (*Stub, Problems) {
	n := rootNode(v)
	d := stubDraft{Stub: Stub{Then: ThenLast, Priority: DefaultPriority}, o: o}
	if !readObject(n, stubKeys, &d) {
		return &d.Stub, *n.problems
	}
	n.apart("answers", "answer")
	n.needs("then", "answers")
	if !n.has("answer") && !n.has("answers") {
		n.wrong("the stub has no answer; an empty one is answer: {}")
	}
	return &d.Stub, *n.problems
}
