package ollama

import (
	"iter"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// exam is a request under examination.
type exam struct {
	call *wire.Call
	body jsonx.Value
	form *form
	// name is the model's, where it is one.
	name  name
	named bool
}

func newExam(c *wire.Call, body jsonx.Value, f *form) *exam {
	x := &exam{call: c, body: body, form: f}
	x.name, x.named = nameOf(strings.TrimSpace(c.Request.Model))
	return x
}

// rule is one thing that Ollama refuses. broken gives what it then says, or "".
type rule struct {
	id string
	// sure is false where the rule stands on what a model is remembered to do.
	sure   bool
	kind   wire.FailureKind
	status int // 0 is the kind's own
	broken func(x *exam) string
}

// Check yields what the server refuses: the types of fields, then what is in them, then the model, then its options.
func (i inference) Check(c *wire.Call) iter.Seq[wire.Violation] {
	rules := chatRules[:]
	if i.prompt {
		rules = generateRules[:]
	}
	return newExam(c, nativeOf(c).body, i.form()).violations(rules)
}

func (x *exam) violations(rules []rule) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		for i := range rules {
			r := &rules[i]
			message := r.broken(x)
			if message == "" {
				continue
			}
			f := &wire.Failure{Kind: r.kind, Status: r.status, Rule: "ollama." + r.id, Message: message}
			if !yield(wire.Violation{Rule: f.Rule, Sure: r.sure, Failure: f}) {
				return
			}
		}
	}
}

func ruleFields(x *exam) string { return x.form.wrong(x.body) }

func ruleTop(x *exam) string {
	if n, ok := x.body.Get("top_logprobs").Int(); ok && (n < 0 || n > 20) {
		return "top_logprobs must be between 0 and 20"
	}
	return ""
}

func ruleName(x *exam) string {
	if strings.TrimSpace(x.call.Request.Model) != "" && !x.named {
		return "invalid model name"
	}
	return ""
}

// ruleModel is a model that is not named.
func ruleModel(x *exam) string {
	if strings.TrimSpace(x.call.Request.Model) == "" {
		return "model is required"
	}
	return ""
}

// ruleNoModel is the same where the server looks for it all the same.
func ruleNoModel(x *exam) string {
	if strings.TrimSpace(x.call.Request.Model) == "" {
		return "model '" + x.call.Request.Model + "' not found"
	}
	return ""
}

// ruleGone is a model that was deleted on this machine. Nothing else is known to be missing: a stub may name any model.
func ruleGone(x *exam) string {
	if x.named && isGone(x.call.Env.Store(), x.name) {
		return "model '" + x.call.Request.Model + "' not found"
	}
	return ""
}

func ruleThink(x *exam) string {
	think := x.body.Get("think")
	if (isTrue(think) || think.Str() != "") && lacks(x.name, canThink) {
		return strconv.Quote(x.call.Request.Model) + " does not support thinking"
	}
	return ""
}

// ruleComplete is a model of embeddings that is asked for words.
func ruleComplete(verb string) func(*exam) string {
	return func(x *exam) string {
		if lacks(x.name, canComplete) {
			return strconv.Quote(x.call.Request.Model) + " does not support " + verb
		}
		return ""
	}
}

func ruleTools(x *exam) string {
	if x.body.Get("tools").Len() > 0 && lacks(x.name, canTools) {
		return x.name.full() + " does not support tools"
	}
	return ""
}

func ruleInsert(x *exam) string {
	if x.body.Get("suffix").Str() != "" && lacks(x.name, canInsert) {
		return x.name.full() + " does not support insert"
	}
	return ""
}

func ruleRaw(x *exam) string {
	b := x.body
	if isTrue(b.Get("raw")) && (b.Get("template").Str() != "" || b.Get("system").Str() != "" || b.Get("context").Len() > 0) {
		return "raw mode does not support template, system, or context"
	}
	return ""
}

// ruleFormat looks at a format that is neither "json" nor an object. What is told is the JSON, quoted once more.
func ruleFormat(x *exam) string {
	format := x.body.Get("format")
	if missing(format) || format.Kind() == jsonx.Object || format.Kind() == jsonx.String && (format.Str() == "" || format.Str() == "json") {
		return ""
	}
	return "invalid format: " + strconv.Quote(format.Raw()) + `; expected "json" or a valid JSON Schema object`
}

// ruleOptions looks at the types of options. One that is not known is ignored, with a warning in the server's log.
func ruleOptions(x *exam) string {
	for key, v := range x.body.Get("options").Members() {
		if said := wrongOption(key, v); said != "" {
			return "option " + strconv.Quote(key) + " must be of " + said
		}
	}
	return ""
}

func wrongOption(key string, v jsonx.Value) string {
	if v.IsNull() {
		return ""
	}
	kind, said := jsonx.Number, ""
	switch key {
	case "num_keep", "seed", "num_predict", "top_k", "repeat_last_n", "num_ctx", "num_batch", "num_gpu", "main_gpu", "num_thread", "draft_num_predict":
		said = "type integer"
	case "top_p", "min_p", "typical_p", "temperature", "repeat_penalty", "presence_penalty", "frequency_penalty":
		said = "type float32"
	case "use_mmap":
		kind, said = jsonx.Bool, "type boolean"
	case "stop":
		kind, said = jsonx.Array, "type array"
		for _, item := range v.Items() {
			if item.Kind() != jsonx.String {
				return "an array of strings"
			}
		}
	default:
		return ""
	}
	if v.Kind() == kind {
		return ""
	}
	return said
}
