package gemini

import (
	"math"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// word is the finishReason of a candidate.
func (e *encoder) word(a *candidate) string {
	return orElse(e.q.FinishReason, stopWord(a.stop))
}

// appendCandidate writes a candidate with the parts of its chunk. The order of members is recorded; it differs between
// the surfaces, as the order of fields in their messages does.
func (e *encoder) appendCandidate(b []byte, a *candidate, last bool) []byte {
	b = append(b, '{')
	if e.s.vertex {
		b = e.appendIndex(b, a)
	}
	b = e.appendContent(b, a, last)
	word := ""
	if last && a.ended && !e.q.NoFinish {
		word = e.word(a)
	} else if e.q.StopEveryChunk {
		word = "STOP"
	}
	if word != "" {
		b = e.appendEnum(appendKey(b, "finishReason"), word)
	}
	if !e.s.vertex {
		b = e.appendIndex(b, a)
		b = e.appendFinishMessage(b, a, word)
	}
	if word != "" {
		b = e.appendRatings(b, word)
	}
	if e.s.vertex {
		b = e.appendFinishMessage(b, a, word)
	}
	if last {
		b = e.appendBeside(b, a, word)
	}
	return append(b, '}')
}

// appendKey opens a member, after a comma unless it is the first.
func appendKey(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(append(append(b, '"'), name...), `": `...)
}

// appendIndex: AI Studio sends the index since Gemini 2.5, even if it is 0; elsewhere 0 is left out (recorded).
func (e *encoder) appendIndex(b []byte, a *candidate) []byte {
	always := e.q.Index || !e.s.vertex && e.gen >= gen25
	if e.q.NoIndex || a.index == 0 && !always {
		return b
	}
	return appendInt(appendKey(b, "index"), a.index)
}

// contentForm is what a content without parts looks like.
func (e *encoder) contentForm(last, silent bool) string {
	switch {
	case e.stream && last && e.q.FinalChunk != "":
		return e.q.FinalChunk
	case e.q.Empty != "":
		return e.q.Empty
	case silent:
		return "noContent"
	case e.stream:
		return "emptyText"
	}
	return "noParts"
}

func (e *encoder) appendContent(b []byte, a *candidate, last bool) []byte {
	if a.count > 0 {
		b = appendKey(b, "content")
		if e.s.vertex {
			b = append(append(b, `{"role": "model","parts": [`...), a.parts...)
			return append(b, "]}"...)
		}
		b = append(append(b, `{"parts": [`...), a.parts...)
		return append(b, `],"role": "model"}`...)
	}
	form := e.contentForm(last, last && silent(e.word(a)))
	text := ""
	switch form {
	case "noContent":
		return b
	case "emptyContent":
		return append(appendKey(b, "content"), "{}"...)
	case "noParts":
		return append(appendKey(b, "content"), `{"role": "model"}`...)
	case "emptyText":
		text = `{"text": ""}`
	}
	b = appendKey(b, "content")
	if e.s.vertex {
		return append(append(append(b, `{"role": "model","parts": [`...), text...), "]}"...)
	}
	return append(append(append(b, `{"parts": [`...), text...), `],"role": "model"}`...)
}

// appendEnum writes the word of an enum, or its number where the request wants that.
func (e *encoder) appendEnum(b []byte, word string) []byte {
	if n, ok := numberOf(word); ok && e.numbers {
		return appendInt(b, n)
	}
	return appendString(b, word)
}

func (e *encoder) appendFinishMessage(b []byte, a *candidate, word string) []byte {
	if word == "" {
		return b
	}
	message := e.q.FinishMessage
	if message == "" && (e.s.vertex || e.gen >= gen25) {
		message = usualFinishMessage(word, e.s.vertex, a.call)
	}
	if message == "" {
		return b
	}
	return appendString(appendKey(b, "finishMessage"), message)
}

// The categories in the order and with the numbers in which they were recorded.
var categories = [...]struct {
	name   string
	number int
}{
	{"HARM_CATEGORY_HATE_SPEECH", 8},
	{"HARM_CATEGORY_DANGEROUS_CONTENT", 10},
	{"HARM_CATEGORY_HARASSMENT", 7},
	{"HARM_CATEGORY_SEXUALLY_EXPLICIT", 9},
}

// appendRatings rates an answer that was blocked, and on AI Studio every answer before Gemini 2.5 (recorded).
func (e *encoder) appendRatings(b []byte, word string) []byte {
	blocked := word == "SAFETY"
	all := e.q.SafetyRatings || !e.s.vertex && e.gen < gen25
	if !blocked && !all {
		return b
	}
	b = append(appendKey(b, "safetyRatings"), '[')
	for i, c := range categories {
		hit := blocked && c.name == "HARM_CATEGORY_DANGEROUS_CONTENT"
		if !hit && !all {
			continue
		}
		if b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		b = e.appendRating(b, i, hit)
	}
	return append(b, ']')
}

func (e *encoder) appendRating(b []byte, i int, hit bool) []byte {
	level, number, score := "NEGLIGIBLE", 1, "0.05"
	if hit {
		level, number, score = "HIGH", 4, "0.95"
	}
	b = append(b, `{"category": `...)
	if e.numbers {
		b = append(appendInt(b, categories[i].number), `,"probability": `...)
		b = appendInt(b, number)
	} else {
		b = append(appendString(b, categories[i].name), `,"probability": "`...)
		b = append(append(b, level...), '"')
	}
	if e.s.vertex {
		b = append(append(b, `,"probabilityScore": `...), score...)
		b = append(append(append(b, `,"severity": "HARM_SEVERITY_`...), level...), '"')
		b = append(append(b, `,"severityScore": `...), score...)
	}
	if hit {
		b = append(b, `,"blocked": true`...)
	}
	return append(b, '}')
}

// appendBeside writes what stands beside the content at its end.
func (e *encoder) appendBeside(b []byte, a *candidate, word string) []byte {
	if len(a.citations) > 0 {
		key := "citationSources"
		if e.s.vertex {
			key = "citations"
		}
		b = append(appendKey(b, "citationMetadata"), '{')
		b = append(append(appendKey(b, key), '['), a.citations...)
		b = append(b, "]}"...)
	}
	rest := a.metadata
	if len(rest) > 0 && rest[0].Type == metadataKeys[0] {
		b = jsonx.AppendSpaced(appendKey(b, rest[0].Type), rest[0].Raw)
		rest = rest[1:]
	}
	if e.rated(a, word) {
		b = appendGoogleFloat(appendKey(b, "avgLogprobs"), e.avgLogprobs(a), 64)
	}
	if e.logprobs {
		b = e.appendLogprobs(b, a)
	}
	for _, m := range rest {
		b = jsonx.AppendSpaced(appendKey(b, m.Type), m.Raw)
	}
	if e.q.ContinuationToken != "" {
		b = appendString(appendKey(b, "continuationToken"), e.q.ContinuationToken)
	}
	return b
}

// rated says whether avgLogprobs comes: in whole answers of Vertex's Gemini 2.5, and of AI Studio's older models, unless
// they are grounded (recorded).
func (e *encoder) rated(a *candidate, word string) bool {
	if e.q.NoLogprobs {
		return false
	}
	if e.logprobs {
		return true
	}
	if e.stream || word != "STOP" || len(a.metadata) > 0 || a.count == 0 {
		return false
	}
	if e.s.vertex {
		return e.gen < gen3
	}
	return e.gen < gen25
}

// avgLogprobs is a number such as the provider's, the same for the same call.
func (e *encoder) avgLogprobs(a *candidate) float64 {
	label := "gemini.logprobs"
	if a.index > 0 {
		label += "." + string(rune('0'+a.index%10))
	}
	return -math.Abs(e.c.Rand(label).Float64())
}

// served is the candidates' tokens so far, without thoughts.
func served(u *wire.Usage) int { return max(0, u.Output-u.Reasoning) }
