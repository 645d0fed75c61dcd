package pipeline

import (
	"fmt"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// limit holds a reply against the request's max_tokens and stop sequences. With enforce it cuts the reply as the
// provider would; without, it only says what the provider would have cut.
func limit(r *wire.Request, reply wire.Reply, enforce bool) (wire.Reply, []error) {
	most, stops := r.Settings.MaxTokens, r.Settings.Stop
	if most == nil && len(stops) == 0 || len(reply.Choices) == 0 {
		return reply, nil
	}
	var warnings []error
	choices := make([]wire.Answer, len(reply.Choices))
	for i, a := range reply.Choices {
		cut, why := limitAnswer(a, most, stops)
		choices[i] = a
		switch {
		case why == "":
		case enforce:
			choices[i] = cut
		default:
			warnings = append(warnings, fmt.Errorf("the answer goes on after %s; the provider would have stopped there (limits: enforce does)", why))
		}
	}
	if enforce {
		reply.Choices = choices
	}
	return reply, warnings
}

// limitAnswer cuts an answer, and says at what; "" where it is within its limits.
func limitAnswer(a wire.Answer, most *int64, stops []string) (wire.Answer, string) {
	spent := 0
	for i, p := range a.Parts {
		t, isText := p.(wire.Text)
		if isText {
			at, stop := firstStop(t.Text, stops)
			if at >= 0 && (most == nil || int64(spent+wire.Tokens(t.Text[:at])) <= *most) {
				return cutAt(a, i, wire.Text{Text: t.Text[:at]}, wire.StopSequence, stop), fmt.Sprintf("the stop sequence %q", stop)
			}
		}
		cost := partTokens(p)
		if most != nil && int64(spent+cost) > *most {
			left := max(0, int(*most)-spent)
			return cutAt(a, i, firstTokens(p, left), wire.StopLength, ""), fmt.Sprintf("its %d tokens", *most)
		}
		spent += cost
	}
	return a, ""
}

func firstStop(text string, stops []string) (at int, stop string) {
	at = -1
	for _, s := range stops {
		if i := strings.Index(text, s); s != "" && i >= 0 && (at < 0 || i < at) {
			at, stop = i, s
		}
	}
	return at, stop
}

func cutAt(a wire.Answer, i int, last wire.Part, stop wire.Stop, sequence string) wire.Answer {
	parts := append([]wire.Part(nil), a.Parts[:i]...)
	if last != nil {
		parts = append(parts, last)
	}
	return wire.Answer{Parts: parts, Stop: stop, Sequence: sequence}
}

func partTokens(p wire.Part) int {
	switch p := p.(type) {
	case wire.Text:
		return wire.Tokens(p.Text)
	case wire.Refusal:
		return wire.Tokens(p.Text)
	case wire.Reasoning:
		return wire.Tokens(p.Text)
	case wire.ToolCall:
		return wire.Tokens(p.Name) + wire.Tokens(p.Arguments)
	}
	return 0
}

// firstTokens is the beginning of a part: so many tokens, four characters each. It is nil where nothing is left.
func firstTokens(p wire.Part, n int) wire.Part {
	if n == 0 {
		return nil
	}
	switch p := p.(type) {
	case wire.Text:
		p.Text = firstRunes(p.Text, 4*n)
		return p
	case wire.Refusal:
		p.Text = firstRunes(p.Text, 4*n)
		return p
	case wire.Reasoning:
		p.Text = firstRunes(p.Text, 4*n)
		return p
	case wire.ToolCall:
		p.Arguments = firstRunes(p.Arguments, max(0, 4*(n-wire.Tokens(p.Name))))
		return p
	}
	return nil
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
