package sdktest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// same is what is said of an outcome that is what the stub asks for.
const same = "same"

// broken starts what is said of an outcome that is no form of the answer at all.
const broken = "broken: "

// nearest says in a few words how what a client saw differs from what a stub asks for.
func nearest(e *endpoint, a *stub.Answer, o outcome) string {
	switch {
	case a.Error != nil:
		return nearestError(e, a.Error.Kind, o)
	case a.Blocked != "" && o.failure != nil:
		return nearestError(e, wire.ContentFilter, o)
	case o.failure != nil || o.symptom != "":
		return fmt.Sprintf(broken+"%+v %s", o.failure, o.symptom)
	case a.Blocked != "":
		return nearestBlock(e, o)
	case a.Embedding != nil:
		want := make([]float64, len(a.Embedding))
		for i, f := range a.Embedding {
			want[i] = float64(f)
		}
		return sameOr(reflect.DeepEqual(o.vectors, [][]float64{want}), fmt.Sprintf(broken+"vectors %v", o.vectors))
	case a.Models != nil:
		return sameOr(slices.Equal(o.models, a.Models), fmt.Sprintf(broken+"models %v", o.models))
	}
	var said []string
	switch got, want := len(o.choices), len(a.Choices); {
	case got == 0:
		return broken + "no answer"
	case got < want:
		said = append(said, fmt.Sprintf("%d of %d choices", got, want))
	case got > want:
		said = append(said, fmt.Sprintf("%d choices", got))
	}
	for i, got := range o.choices[:min(len(o.choices), len(a.Choices))] {
		said = append(said, neutralOf(a.Choices[i]).differences(e, got)...)
	}
	said = append(said, uncounted(a.Usage, o.usage)...)
	return sameOr(len(said) == 0, strings.Join(said, ", "))
}

func sameOr(is bool, other string) string {
	if is {
		return same
	}
	return other
}

// kinds are those of errors, the plainer ones first: what looks like two of them is taken for the first.
var kinds = []wire.FailureKind{
	wire.Invalid, wire.RateLimit, wire.ServerError, wire.Permission, wire.Auth, wire.NotFound,
	wire.Overloaded, wire.Quota, wire.ContextLength, wire.ContentFilter, wire.TooLarge, wire.Timeout,
}

// nearestError names the kind of an error by all that its SDK tells but the message.
func nearestError(e *endpoint, want wire.FailureKind, o outcome) string {
	f := o.failure
	if f == nil {
		return broken + "no error " + o.symptom
	}
	table := e.Errors
	if f.InStream {
		table = e.StreamErrors
	}
	if f.Status == 0 && f.Type == "" && f.Code == "" {
		return "only a message"
	}
	for _, kind := range kinds {
		if usual, ok := table[string(kind)]; ok && usual.Status == f.Status && usual.Type == f.Type && usual.Code == f.Code {
			return sameOr(kind == want, "as "+string(kind))
		}
	}
	return fmt.Sprintf(broken+"an error of no kind: %+v", *f)
}

// nearestBlock is what a refused prompt is where it is no error.
func nearestBlock(e *endpoint, o outcome) string {
	if len(o.choices) == 0 {
		return "no candidates, block reason " + o.status
	}
	ch := o.choices[0]
	for _, stop := range []string{"guardrail", "refusal"} {
		if e.Finish[stop] == ch.finish && e.Finish[stop] != "" {
			return "stop: " + stop
		}
	}
	return "stop: " + ch.finish
}

// stops are the words for why an answer ended, the plainer ones first.
var stops = []wire.Stop{wire.StopComplete, wire.StopLength, wire.StopRefusal, wire.StopSafety, wire.StopSequence, wire.StopPause, wire.StopContext}

// stopOf is the reason that a client takes a provider's word for: with calls, it is those.
func stopOf(e *endpoint, ch choice) wire.Stop {
	all := stops
	switch {
	case len(ch.calls) > 0:
		all = append([]wire.Stop{wire.StopTools}, stops...)
	case ch.refusal != "":
		all = append([]wire.Stop{wire.StopRefusal}, stops...)
	}
	for _, stop := range all {
		if e.Finish[string(stop)] == ch.finish {
			return stop
		}
	}
	return wire.Stop(ch.finish)
}

// neutral is one answer, reduced to what every wire could tell.
type neutral struct {
	choice
	stop wire.Stop
	// signed says whether the stub gives a signature; without one, a wire makes its own where it has them.
	signed bool
}

// neutralOf reduces what a stub asks for.
func neutralOf(a wire.Answer) neutral {
	n := neutral{stop: a.Stop}
	n.sequence = a.Sequence
	for _, p := range a.Parts {
		switch p := p.(type) {
		case wire.Text:
			n.text += p.Text
			n.part("text")
		case wire.Reasoning:
			n.reasoning += p.Text
			n.redacted, n.signed = p.Redacted, p.Signature != ""
			n.part("reasoning")
		case wire.ToolCall:
			n.calls = append(n.calls, call{id: p.ID, name: p.Name, arguments: p.Arguments, custom: p.Custom})
			n.part("call")
		case wire.Refusal:
			n.refusal += p.Text
			n.part("refusal")
		}
	}
	switch {
	case n.stop != wire.StopUnset:
	case len(n.calls) > 0:
		n.stop = wire.StopTools
	case n.refusal != "":
		n.stop = wire.StopRefusal
	default:
		n.stop = wire.StopComplete
	}
	return n
}

// differences are where an answer is another one than was asked for.
func (n neutral) differences(e *endpoint, got choice) []string {
	var said []string
	differs := func(yes bool, what string) {
		if yes {
			said = append(said, what)
		}
	}
	want, parts := n.text, n.parts
	refusalIsText := n.refusal != "" && got.refusal == "" && got.text == n.refusal
	if refusalIsText {
		said, want, parts = append(said, "as text"), n.refusal, got.parts
	}
	differs(got.text != want, fmt.Sprintf("text: %q", got.text))
	differs(!refusalIsText && got.refusal != n.refusal, fmt.Sprintf("refusal: %q", got.refusal))
	thought := n.reasoning != "" || n.redacted
	lost := thought && got.reasoning != n.reasoning || n.redacted && !got.redacted
	if lost {
		parts = without(parts, "reasoning")
	}
	differs(lost, "no reasoning")
	differs(!lost && n.signed && !n.redacted && !got.signature, "no signature")
	if n.redacted && !lost && got.signature && slices.Equal(got.parts, without(parts, "reasoning")) {
		said, parts = append(said, "on the text"), got.parts
	}
	differs(!thought && got.reasoning != "", "reasoning")
	said = append(said, n.callsDiffer(got.calls)...)
	differs(got.parts != nil && !slices.Equal(got.parts, parts), "in the order: "+strings.Join(got.parts, ", "))
	// A message of one text and a list of calls tells nothing of what came first.
	differs(got.parts == nil && slices.Contains(parts, "call") && parts[len(parts)-1] != "call", "no order")
	stop := stopOf(e, got)
	differs(stop != n.stop, "stop: "+string(stop))
	differs(stop == n.stop && got.sequence != n.sequence, "not which")
	return said
}

func without(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == word })
}

func (n neutral) callsDiffer(got []call) []string {
	if len(got) != len(n.calls) {
		return []string{fmt.Sprintf("%d of %d calls", len(got), len(n.calls))}
	}
	var said []string
	for i, want := range n.calls {
		g := got[i]
		if g.name != want.name || g.custom != want.custom {
			said = append(said, "call: "+g.name)
		}
		if want.id != "" && g.id != want.id {
			said = append(said, "no id of one's own")
		}
		if sameArguments(g.arguments, want.arguments) {
			continue
		}
		kept, err := json.Marshal(map[string]string{"unparsed_arguments": want.arguments})
		if err == nil && sameArguments(g.arguments, string(kept)) {
			said = append(said, "in `unparsed_arguments`")
		} else {
			said = append(said, "`"+g.arguments+"`")
		}
	}
	return said
}

// sameArguments compares JSON by what it says, and any other text as it is.
func sameArguments(got, want string) bool {
	var g, w any
	if json.Unmarshal([]byte(want), &w) != nil || json.Unmarshal([]byte(got), &g) != nil {
		return got == want
	}
	return reflect.DeepEqual(g, w)
}

// uncounted names the counts of tokens that a client does not see as they were asked for.
func uncounted(want *wire.Usage, got *usage) []string {
	if want == nil {
		return nil
	}
	if got == nil {
		return []string{"no usage"}
	}
	var said []string
	for _, count := range []struct {
		name string
		got  int64
		want int
	}{
		{"input", got.Input, want.Input},
		{"output", got.Output, want.Output},
		{"reasoning", got.Reasoning, want.Reasoning},
		{"cache read", got.CacheRead, want.CacheRead},
		{"cache write", got.CacheWrite, want.CacheWrite},
	} {
		switch {
		case count.got == int64(count.want):
		case count.got == 0:
			said = append(said, "no "+count.name+" tokens")
		default:
			said = append(said, fmt.Sprintf("%s tokens: %d", count.name, count.got))
		}
	}
	return said
}
