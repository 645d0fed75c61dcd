package stub

import (
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

var faultKeys = []key[Fault]{
	{"cutOffAfter", "Ends a stream cleanly after so many events, without its last.", formCount, intoPtr(node.count, func(f *Fault) **int { return &f.CutOffAfter })},
	{"malformed", "Halves the second event of a stream, or the body.", formBool, into(node.bool, func(f *Fault) *bool { return &f.Malformed })},
	{"dropAfter", "Breaks the connection after so many events; 0 is before the status line.", formCount, intoPtr(node.count, func(f *Fault) **int { return &f.DropAfter })},
	{"reset", "Makes the break of dropAfter a TCP reset.", formBool, into(node.bool, func(f *Fault) *bool { return &f.Reset })},
	{"hangAfter", "Sends nothing more after so many events, and never ends.", formCount, intoPtr(node.count, func(f *Fault) **int { return &f.HangAfter })},
	{"stallAfter", "Waits after so many events, for stallFor.", formCount, intoPtr(node.count, func(f *Fault) **int { return &f.StallAfter })},
	{"stallFor", "How long stallAfter waits.", formDuration, into(node.duration, func(f *Fault) *time.Duration { return &f.StallFor })},
	{"splitBytes", "Writes so many bytes at a time; 0 is off.", formCount, into(node.count, func(f *Fault) *int { return &f.SplitBytes })},
}

func (n node) checkFaults() {
	n.needs("reset", "dropAfter")
	n.needs("stallAfter", "stallFor")
	n.needs("stallFor", "stallAfter")
}

var errorKeys = []key[Error]{
	{"type", "What went wrong.", enum(failureNames()), func(n node, e *Error) {
		s, _ := n.word(failureNames())
		e.Kind = wire.FailureKind(s)
	}},
	{"message", "The message, in place of the provider's usual one.", formText, into(node.text, func(e *Error) *string { return &e.Message })},
	{"retryAfter", "When to try again: whole seconds, or a time such as 250ms.", `{"anyOf":[{"type":"integer","minimum":0},{"type":"string"}]}`, readRetryAfter},
	{"afterEvents", "The error comes inside a stream, after so many events.", formCount, intoPtr(node.count, func(e *Error) **int { return &e.AfterEvents })},
	{"status", "The HTTP status, in place of the provider's usual one.", formStatus, func(n node, e *Error) { e.Status = n.between(200, 599) }},
	{"code", "The code, in place of the provider's usual one.", formText, into(node.text, func(e *Error) *string { return &e.Code })},
}

func readError(n node, d *answerDraft) {
	var e Error
	if !readObject(n, errorKeys, &e) {
		return
	}
	n.require("type", "what went wrong")
	d.Error = &e
}

func failureNames() []string {
	var names []string
	for _, k := range wire.FailureKinds() {
		names = append(names, string(k))
	}
	return names
}

// readRetryAfter takes seconds as the providers send them, which are whole, or a time.
func readRetryAfter(n node, e *Error) {
	if n.v.Kind() == jsonx.Number {
		if _, ok := n.v.Int(); !ok {
			n.wrong(`want whole seconds, or a time such as "250ms", got %s`, got(n.v))
			return
		}
	}
	e.RetryAfter, _ = n.duration()
}
