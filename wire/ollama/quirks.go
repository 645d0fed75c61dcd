package ollama

import (
	"encoding/json"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Quirks are the ways in which one version of Ollama differs from another, or from itself on a bad day. The zero value is
// the server of August 2026; a stub's `quirks` change it for one answer. The JSON key of a field is its name in camelCase.
type Quirks struct {
	// OldOrder puts done_reason before done in a chat's last record (recorded to Aug 2025).
	OldOrder bool
	// NoToolIDs leaves out the ids of calls, as before version 0.12.10.
	NoToolIDs bool
	// JoinCalls sends the calls that follow each other in one record.
	JoinCalls bool
	// BufferTools sends the text of an answer in one record where the request offers tools, as older versions do
	// (github.com/ollama/ollama issue 9092).
	BufferTools bool
	// ThinkTags says where thoughts are: "" in their own field, "inline" in the text between <think> and </think>,
	// "unclosed" in the text after a <think> that nothing ends.
	ThinkTags string
	// EmptyRecords sends a record without any text before the last one.
	EmptyRecords bool
	// BlankLines puts an empty line after each record (github.com/ollama/ollama-python issue 393).
	BlankLines bool
	// NoDone ends a stream cleanly without its last record.
	NoDone bool
	// DoneReason replaces the reason to stop: "load", say.
	DoneReason string
	// NoDoneReason leaves it out, as older versions do.
	NoDoneReason bool
	// NoPromptCount leaves out prompt_eval_count, as older versions do for a prompt that was cached.
	NoPromptCount bool
	// NoContext leaves the context out of the last record of a prompt's answer.
	NoContext bool
	// RemoteModel and RemoteHost are named in each record of a model that runs elsewhere.
	RemoteModel, RemoteHost string
	// OldNotFound words a missing model as older versions do everywhere.
	OldNotFound bool
}

type quirk struct {
	name string
	set  func(*Quirks, jsonx.Value)
}

func flag(name string, at func(*Quirks) *bool) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) {
		if on, ok := v.Bool(); ok {
			*at(q) = on
		}
	}}
}

func word(name string, at func(*Quirks) *string) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) {
		if s, ok := v.Text(); ok {
			*at(q) = s
		}
	}}
}

var quirkList = [...]quirk{
	flag("oldOrder", func(q *Quirks) *bool { return &q.OldOrder }),
	flag("noToolIds", func(q *Quirks) *bool { return &q.NoToolIDs }),
	flag("joinCalls", func(q *Quirks) *bool { return &q.JoinCalls }),
	flag("bufferTools", func(q *Quirks) *bool { return &q.BufferTools }),
	word("thinkTags", func(q *Quirks) *string { return &q.ThinkTags }),
	flag("emptyRecords", func(q *Quirks) *bool { return &q.EmptyRecords }),
	flag("blankLines", func(q *Quirks) *bool { return &q.BlankLines }),
	flag("noDone", func(q *Quirks) *bool { return &q.NoDone }),
	word("doneReason", func(q *Quirks) *string { return &q.DoneReason }),
	flag("noDoneReason", func(q *Quirks) *bool { return &q.NoDoneReason }),
	flag("noPromptCount", func(q *Quirks) *bool { return &q.NoPromptCount }),
	flag("noContext", func(q *Quirks) *bool { return &q.NoContext }),
	word("remoteModel", func(q *Quirks) *string { return &q.RemoteModel }),
	word("remoteHost", func(q *Quirks) *string { return &q.RemoteHost }),
	flag("oldNotFound", func(q *Quirks) *bool { return &q.OldNotFound }),
}

// QuirkNames lists the JSON keys of Quirks, in the order of the documentation.
func QuirkNames() []string {
	names := make([]string, len(quirkList))
	for i, q := range quirkList {
		names[i] = q.name
	}
	return names
}

// quirksOf are the stub's quirks. Keys of other providers and values of a wrong kind change nothing.
func quirksOf(c *wire.Call) Quirks {
	var q Quirks
	if len(c.Quirks) > 0 {
		q.apply(c.Quirks)
	}
	return q
}

func (q *Quirks) apply(raw json.RawMessage) {
	v, err := jsonx.ParseBytes(raw)
	if err != nil {
		return
	}
	for key, value := range v.Members() {
		for i := range quirkList {
			if quirkList[i].name == key {
				quirkList[i].set(q, value)
			}
		}
	}
}
