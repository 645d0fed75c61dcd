package typesafe

import (
	"fmt"
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Limits of a batch (api.typesafe.ai/v1/systemone, as its client llm_wire holds it, 2026).
const (
	mostQuestions = 256
	fewestLabels  = 2
	mostLabels    = 255
	mostLevels    = 10
)

// question is one of the batch. labels are those of a choice, or the numbers of a score's levels, which legend names.
type question struct {
	id, kind       string
	labels, legend []string
}

// questionsOf reads the definitions. why says what is wrong with them.
func questionsOf(v jsonx.Value) (questions []question, why string) {
	if v.Kind() != jsonx.Object {
		return nil, "questions must be an object"
	}
	seen := map[string]bool{}
	for id, def := range v.Members() {
		switch {
		case id == "":
			return nil, "a question needs an id"
		case seen[id]:
			return nil, fmt.Sprintf("the question %q is there twice", id)
		case len(questions) == mostQuestions:
			return nil, fmt.Sprintf("there may be at most %d questions", mostQuestions)
		}
		seen[id] = true
		q, why := questionOf(id, def)
		if why != "" {
			return nil, fmt.Sprintf("question %q: %s", id, why)
		}
		questions = append(questions, q)
	}
	if len(questions) == 0 {
		return nil, "there must be a question"
	}
	return questions, ""
}

func questionOf(id string, def jsonx.Value) (q question, why string) {
	q = question{id: id, kind: def.Get("type").Str()}
	if def.Get("instructions").Kind() != jsonx.String {
		return q, "instructions are required"
	}
	criteria := def.Get("criteria")
	switch q.kind {
	case "noul":
		for name := range criteria.Members() {
			if name != "true" && name != "false" {
				return q, "the criteria of a noul are true and false"
			}
		}
		return q, ""
	case "choice":
		seen := map[string]bool{}
		for label := range criteria.Members() {
			if label == "" || seen[label] {
				return q, "labels must be unique, and not empty"
			}
			seen[label] = true
			q.labels = append(q.labels, label)
		}
		if n := len(q.labels); n < fewestLabels || n > mostLabels {
			return q, fmt.Sprintf("a choice has %d to %d labels, not %d", fewestLabels, mostLabels, n)
		}
		return q, ""
	case "score":
		for i, level := range criteria.Items() {
			q.labels = append(q.labels, strconv.Itoa(i))
			q.legend = append(q.legend, level.Str())
		}
		if n := len(q.labels); n < fewestLabels || n > mostLevels {
			return q, fmt.Sprintf("a score has %d to %d levels, not %d", fewestLabels, mostLevels, n)
		}
		return q, ""
	}
	return q, fmt.Sprintf("type must be noul, choice or score, not %q", q.kind)
}
