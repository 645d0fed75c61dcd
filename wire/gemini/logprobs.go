package gemini

import (
	"unicode/utf8"
)

// appendLogprobs writes the log probabilities of an answer's text, made up but the same for the same call
// (ai.google.dev/api/generate-content, LogprobsResult). A token is four characters here.
func (e *encoder) appendLogprobs(b []byte, a *candidate) []byte {
	const tokenRunes, vocabulary = 4, 256000
	random := e.c.Rand("gemini.tokens")
	b = append(appendKey(b, "logprobsResult"), '{')
	var top, chosen []byte
	for text := a.said; len(text) > 0; {
		n := 0
		for i := 0; i < tokenRunes && n < len(text); i++ {
			_, size := utf8.DecodeRune(text[n:])
			n += size
		}
		probability := -random.Float64()
		id := random.IntN(vocabulary)
		first := len(chosen)
		chosen = appendToken(chosen, string(text[:n]), id, probability)
		if e.alternatives > 0 {
			if len(top) > 0 {
				top = append(top, ',')
			}
			top = append(append(top, `{"candidates": [`...), chosen[first:]...)
			for range e.alternatives - 1 {
				probability -= 1 + random.Float64()
				id = random.IntN(vocabulary)
				top = appendToken(append(top, ','), string(text[:n])+"*", id, probability)
			}
			top = append(top, "]}"...)
		}
		if text = text[n:]; len(text) > 0 {
			chosen = append(chosen, ',')
		}
	}
	if len(top) > 0 {
		b = append(append(appendKey(b, "topCandidates"), '['), top...)
		b = append(b, ']')
	}
	if len(chosen) > 0 {
		b = append(append(appendKey(b, "chosenCandidates"), '['), chosen...)
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendToken(b []byte, token string, id int, probability float64) []byte {
	b = appendString(append(b, `{"token": `...), token)
	b = appendInt(append(b, `,"tokenId": `...), id)
	return append(appendGoogleFloat(append(b, `,"logProbability": `...), probability, 32), '}')
}
