package wire

import (
	"slices"
	"strings"
)

// NameResults gives each tool result that has only an id the name of the call that it answers: from an earlier call of
// the conversation, else from known, which remembers the calls of other answers.
func (r *Request) NameResults(known func(id string) (name string, ok bool)) {
	names := map[string]string{}
	for t := r.History; t != nil; t = t.Before {
		if t.Request != nil {
			callNames(names, t.Request.Messages)
		}
		if t.Answer != nil {
			callNames(names, []Message{{Parts: t.Answer.Parts}})
		}
	}
	for _, m := range r.Messages {
		callNames(names, []Message{m})
		for i, p := range m.Parts {
			res, ok := p.(ToolResult)
			if !ok || res.Name != "" || res.ID == "" {
				continue
			}
			name, ok := names[res.ID]
			if !ok && known != nil {
				name, _ = known(res.ID)
			}
			res.Name = name
			m.Parts[i] = res
		}
	}
}

func callNames(names map[string]string, messages []Message) {
	for _, m := range messages {
		for _, p := range m.Parts {
			if c, ok := p.(ToolCall); ok && c.ID != "" {
				names[c.ID] = c.Name
			}
		}
	}
}

// AfterTool looks back from the end of the conversation for the last message with tool results, and gives the name of
// its last result: "" where the call is not known. ok is false where the user wrote since, or no tool answered at all.
// Results count before text in the same message; assistant messages never end the search.
func (r *Request) AfterTool() (name string, ok bool) {
	if name, state := afterTool(r.Messages); state != keepLooking {
		return name, state == found
	}
	for t := r.History; t != nil; t = t.Before {
		if t.Request == nil {
			continue
		}
		if name, state := afterTool(t.Request.Messages); state != keepLooking {
			return name, state == found
		}
	}
	return "", false
}

type lookState uint8

const (
	keepLooking lookState = iota
	found
	ended
)

func afterTool(messages []Message) (string, lookState) {
	for _, m := range slices.Backward(messages) {
		for _, p := range slices.Backward(m.Parts) {
			if res, ok := p.(ToolResult); ok {
				return res.Name, found
			}
		}
		if m.Role == User && strings.TrimSpace(m.Text()) != "" {
			return "", ended
		}
	}
	return "", keepLooking
}

// LastUser is the text of the last message that the user wrote, "" where there is none.
func (r *Request) LastUser() string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == User {
			if text := m.Text(); strings.TrimSpace(text) != "" {
				return text
			}
		}
	}
	return ""
}
