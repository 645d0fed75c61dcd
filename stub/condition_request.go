package stub

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Tool wants the request to offer the model a tool of that name.
func Tool(name string) Condition {
	return Condition{
		Key: "tool", Want: strconv.Quote(name), Weight: 1,
		Match: func(r *wire.Request) bool { return r.Offers(name) },
		Got: func(r *wire.Request) string {
			if len(r.Tools) == 0 {
				return "no tools"
			}
			names := make([]string, len(r.Tools))
			for i, t := range r.Tools {
				names[i] = strconv.Quote(t.Name)
			}
			return strings.Join(names, ", ")
		},
	}
}

// ToolResult wants a text in a tool result that came since the user wrote.
func ToolResult(t Text) Condition {
	return Condition{
		Key: "toolResult", Want: t.String(), Weight: 1,
		Match: func(r *wire.Request) bool { return slices.ContainsFunc(newResults(r), t.Match) },
		Got: func(r *wire.Request) string {
			results := newResults(r)
			if len(results) == 0 {
				return "no tool result since the user wrote"
			}
			return quoteShort(strings.Join(results, "\n"))
		},
	}
}

// newResults are the texts of the tool results since the user wrote, those in the user's own message among them.
func newResults(r *wire.Request) []string {
	var texts []string
	for _, m := range slices.Backward(r.Messages) {
		for _, p := range m.Parts {
			if result, ok := p.(wire.ToolResult); ok {
				texts = append(texts, result.Text)
			}
		}
		if m.Role == wire.User && strings.TrimSpace(m.Text()) != "" {
			break
		}
	}
	return texts
}

// Header wants one of the request's header lines of that name to be as said.
func Header(name string, t Text) Condition {
	return oneOf("header", name, t, func(r *wire.Request) []string { return r.Probe.Header.Values(name) })
}

// Query wants one of the values of that name in the request's query to be as said.
func Query(name string, t Text) Condition {
	return oneOf("query", name, t, func(r *wire.Request) []string { return r.Probe.Query[name] })
}

func oneOf(key, name string, t Text, values func(*wire.Request) []string) Condition {
	given := func(r *wire.Request) []string {
		if r.Probe == nil {
			return nil
		}
		return values(r)
	}
	return Condition{
		Key: key, Want: name + " " + t.String(), Weight: 1,
		Match: func(r *wire.Request) bool { return slices.ContainsFunc(given(r), t.Match) },
		// What came instead is not said: headers and queries hold keys.
		Got: func(r *wire.Request) string {
			if len(given(r)) == 0 {
				return "no " + name
			}
			return "another " + name
		},
	}
}
