package typesafe

import (
	"fmt"
	"math"
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// tolerance is how far probabilities may be off.
const tolerance = 1e-5

// wrongAnswers says what of the answers does not fit the questions, "" where all do. Without questions, it only wants an
// object of answers.
func wrongAnswers(answers jsonx.Value, questions []question) string {
	if answers.Kind() != jsonx.Object {
		return "the answers are no object"
	}
	if questions == nil {
		return ""
	}
	n := 0
	for range answers.Members() {
		n++
	}
	for _, q := range questions {
		a := answers.Get(q.id)
		if a.Kind() != jsonx.Object {
			return fmt.Sprintf("question %q has no answer", q.id)
		}
		if why := q.wrong(a); why != "" {
			return fmt.Sprintf("answer %q: %s", q.id, why)
		}
	}
	if n != len(questions) {
		return fmt.Sprintf("%d answers to %d questions", n, len(questions))
	}
	return ""
}

func (q *question) wrong(a jsonx.Value) string {
	if kind := a.Get("type").Str(); kind != q.kind {
		return fmt.Sprintf("type %q, want %q", kind, q.kind)
	}
	if q.kind == "noul" {
		if p, ok := a.Get("noul").Float(); !ok || p < 0 || p > 1 {
			return "noul must be a probability"
		}
		return ""
	}
	if c, ok := a.Get("confidence").Float(); !ok || c < 0 || c > 1 {
		return "confidence must be from 0 to 1"
	}
	p, why := q.probabilities(a.Get("probabilities"))
	if why != "" {
		return why
	}
	if q.kind == "choice" {
		return q.wrongChoice(a.Get("choice").Str(), p)
	}
	return q.wrongScore(a, p)
}

// probabilities are in the order of the labels.
func (q *question) probabilities(v jsonx.Value) (p []float64, why string) {
	sum, n := 0.0, 0
	for range v.Members() {
		n++
	}
	if n != len(q.labels) {
		return nil, fmt.Sprintf("%d probabilities of %d labels", n, len(q.labels))
	}
	for _, label := range q.labels {
		f, ok := v.Get(label).Float()
		if !ok || f < 0 || f > 1 {
			return nil, fmt.Sprintf("the label %q has no probability", label)
		}
		p = append(p, f)
		sum += f
	}
	if math.Abs(sum-1) > tolerance {
		return nil, "the probabilities sum to " + strconv.FormatFloat(sum, 'g', -1, 64)
	}
	return p, ""
}

// wrongChoice wants the label that is likeliest.
func (q *question) wrongChoice(choice string, p []float64) string {
	chosen, most := -1.0, 0.0
	for i, label := range q.labels {
		if label == choice {
			chosen = p[i]
		}
		most = max(most, p[i])
	}
	switch {
	case chosen < 0:
		return fmt.Sprintf("the choice %q is no label", choice)
	case chosen < most-tolerance:
		return fmt.Sprintf("the choice %q is not the likeliest", choice)
	}
	return ""
}

// wrongScore wants the expectation, and the levels as they were asked.
func (q *question) wrongScore(a jsonx.Value, p []float64) string {
	expected := 0.0
	for i := range p {
		expected += float64(i) * p[i]
		if level, ok := a.At("legend", strconv.Itoa(i)).Text(); !ok || level != q.legend[i] {
			return "the legend is not the levels that were asked about"
		}
	}
	score, ok := a.Get("score").Float()
	if !ok || score < 0 || score > float64(len(p)-1) || math.Abs(score-expected) > tolerance*float64(len(p)) {
		return "the score must be " + strconv.FormatFloat(expected, 'g', -1, 64)
	}
	return ""
}

// undecided is an answer to every question that says nothing: all is equally likely.
func undecided(questions []question) string {
	b := []byte{'{'}
	for i, q := range questions {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsonx.AppendString(b, q.id), ':')
		b = q.appendUndecided(b)
	}
	return string(append(b, '}'))
}

func (q *question) appendUndecided(b []byte) []byte {
	b = append(jsonx.AppendString(append(b, `{"type":`...), q.kind), ',')
	n := float64(len(q.labels))
	switch q.kind {
	case "noul":
		return append(b, `"noul":0.5}`...)
	case "choice":
		b = append(jsonx.AppendString(append(b, `"choice":`...), q.labels[0]), ',')
	case "score":
		b = strconv.AppendFloat(append(b, `"score":`...), (n-1)/2, 'g', -1, 64)
		b = append(b, `,"legend":{`...)
		for i, level := range q.legend {
			if i > 0 {
				b = append(b, ',')
			}
			b = jsonx.AppendString(append(jsonx.AppendString(b, q.labels[i]), ':'), level)
		}
		b = append(b, "},"...)
	}
	b = append(b, `"probabilities":{`...)
	for i, label := range q.labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(append(jsonx.AppendString(b, label), ':'), 1/n, 'g', -1, 64)
	}
	return append(strconv.AppendFloat(append(b, `},"confidence":`...), 1/n, 'g', -1, 64), '}')
}
