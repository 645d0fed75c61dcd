package bedrock

import (
	"iter"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// A rule is one thing that Bedrock refuses, in the words that its clients' bug reports quote (collected Nov 2026). Its id
// is the rule's name after "bedrock.".
type rule struct {
	id string
	// sure is false where the rule or its words are a guess.
	sure   bool
	broken func(x *exam, report func(message string))
}

// tooLarge comes before everything that reads a body of InvokeModel.
var tooLarge = rule{"size", true, func(x *exam, report func(string)) {
	if len(x.call.Probe.Body) > aws.MaxBody {
		report(aws.BodyTooLarge)
	}
}}

// exam is a request under examination.
type exam struct {
	call *wire.Call
	body jsonx.Value
}

// converseRules are in Bedrock's order: the constraints of the service's model, all in one message, then the shape of the
// conversation.
var converseRules = [...]rule{
	{"constraints", true, checkConstraints},
	{"conversation-start", true, func(x *exam, report func(string)) {
		messages := x.body.Get("messages")
		if messages.Len() == 0 && isARN(x.call.Request.Model) {
			// A prompt of the user's own may bring its messages.
			return
		}
		for _, m := range messages.Items() {
			if role := m.Get("role").Str(); role != "system" {
				if role == "user" {
					return
				}
				break
			}
		}
		report("A conversation must start with a user message. Try again with a conversation that starts with a user message.")
	}},
	{"blocks", true, checkBlocks},
	{"tool-config", true, func(x *exam, report func(string)) {
		if x.body.Get("toolConfig").Exists() {
			return
		}
		for _, m := range x.body.Get("messages").Items() {
			for _, b := range m.Get("content").Items() {
				if b.Get("toolUse").Exists() || b.Get("toolResult").Exists() {
					report("The toolConfig field must be defined when using toolUse and toolResult content blocks.")
					return
				}
			}
		}
	}},
	{"tool-results", true, checkResults},
}

// Check yields what Bedrock refuses.
func (converse) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return violations(&exam{c, nativeOf(c).body}, "converse.", converseRules[:])
}

func violations(x *exam, prefix string, rules []rule) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		more := true
		for i := range rules {
			r := &rules[i]
			r.broken(x, func(message string) {
				if more {
					f := invalid(prefix+r.id, message)
					if r.id == tooLarge.id {
						f.Kind = wire.TooLarge
					}
					more = yield(wire.Violation{Rule: f.Rule, Sure: r.sure, Failure: f})
				}
			})
			if !more {
				return
			}
		}
	}
}

// blockKeys are the members of the union ContentBlock, in the order in which Bedrock lists them; the rest came later.
var blockKeys = [...]string{
	"text", "image", "toolUse", "toolResult", "document", "video", "cachePoint", "reasoningContent", "citationsContent",
	"searchResult", "audio", "guardContent", "toolAddition", "toolRemoval",
}

// listedKeys is how many of them the message names.
const listedKeys = 10

func checkBlocks(x *exam, report func(string)) {
	for i, m := range x.body.Get("messages").Items() {
		content := m.Get("content")
		if content.Len() == 0 {
			report("The content field in the Message object at messages." + strconv.Itoa(i) + " is empty. Add a ContentBlock object to the content field and try again.")
		}
		for j, b := range content.Items() {
			at := func() string { return "messages." + strconv.Itoa(i) + ".content." + strconv.Itoa(j) }
			checkBlock(b, at, report)
			if b.Get("type").Exists() {
				// crmne/ruby_llm#586: a block of Anthropic's.
				report("The model returned the following errors: Malformed input request: #/messages/" + strconv.Itoa(i) + "/content/" + strconv.Itoa(j) +
					": extraneous key [type] is not permitted, please reformat your input and try again.")
			}
		}
	}
}

func checkBlock(b jsonx.Value, at func() string, report func(string)) {
	known := 0
	for _, key := range blockKeys {
		if v := b.Get(key); v.Exists() && !v.IsNull() {
			known++
		}
	}
	if known != 1 {
		report("The ContentBlock object at " + at() + " must set one of the following keys: " + strings.Join(blockKeys[:listedKeys], ", ") + ".")
		return
	}
	if s, ok := b.Get("text").Text(); ok && strings.TrimSpace(s) == "" {
		report("The text field in the ContentBlock object at " + at() + " is blank. Add text to the text field, and try again.")
	}
	if input := b.At("toolUse", "input"); input.Exists() && input.Kind() != jsonx.Object {
		report("The format of the value at " + at() + ".toolUse.input is invalid. Provide a json object for the field and try again.")
	}
}

// checkResults looks for calls that nobody answered and results that answer nothing.
func checkResults(x *exam, report func(string)) {
	var calls []string
	for i, m := range x.body.Get("messages").Items() {
		content := m.Get("content")
		results := map[string]bool{}
		for _, b := range content.Items() {
			if res := b.Get("toolResult"); res.Exists() {
				results[res.Get("toolUseId").Str()] = true
			}
		}
		switch m.Get("role").Str() {
		case "assistant":
			calls = calls[:0]
			for _, b := range content.Items() {
				if call := b.Get("toolUse"); call.Exists() && call.Get("type").Str() == "" {
					calls = append(calls, call.Get("toolUseId").Str())
				}
			}
		case "user":
			var open []string
			for _, id := range calls {
				if !results[id] {
					open = append(open, id)
				}
			}
			switch {
			case len(open) > 0:
				report("Expected toolResult blocks at messages." + strconv.Itoa(i) + ".content for the following Ids: " + strings.Join(open, ", "))
			case len(results) > len(calls):
				report("The number of toolResult blocks at messages." + strconv.Itoa(i) + ".content exceeds the number of toolUse blocks of previous turn.")
			}
			calls = nil
		}
	}
}
