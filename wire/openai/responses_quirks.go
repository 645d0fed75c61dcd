package openai

// responsesQuirks are the quirks of the Responses API. The zero value is OpenAI's own way.
type responsesQuirks struct {
	// Layout is whose form the objects have: "openai", "azure", "xai", "copilot", "mantle", "deepseek"
	// or "lmstudio".
	Layout string
	// OmitCompleted ends a stream without its response.completed, as several proxies do.
	OmitCompleted bool
	// CompletedOutput is what response.completed says of the output: "" all items again, "empty" an empty list (the
	// Codex backend), "omit" no such member.
	CompletedOutput string
	// Error is how a stream fails: "" or "nested" (an error event with an error object, then response.failed), "flat"
	// (the published schema's error event, alone) or "failed" (response.failed alone).
	Error string
	// OmitPartEvents leaves out the events that begin and end a part: "all", or those of a "summary" (Ollama).
	OmitPartEvents string
	// RotateItemIDs gives each event another id for its item.
	RotateItemIDs bool
	// Sequence is how events are numbered: "" gapless from 0, "omit", "one" (from 1) or "twice" (each number two times).
	Sequence string
	// UnknownEvent is the type of an event that nobody knows, sent after response.in_progress.
	UnknownEvent string
	// BlankName empties the name of a function call in response.output_item.done, where .added had it.
	BlankName bool
	// Arguments is which events carry arguments: "" all, "done" (no deltas) or "deltas" (no done event).
	Arguments string
	// Truncated cuts tool calls off before their arguments, and completes the response as if nothing were missing.
	Truncated bool
	// Silent sends no event at all.
	Silent bool
	// OutputIndex is how output items are numbered: "" gapless from 0, "same" (all 0) or "holes" (every other number).
	OutputIndex string
	// BackgroundSeconds is how long a background response takes; 0 is 2. It is queued until its last second.
	BackgroundSeconds int
}

// responsesQuirkFields are the fields of responsesQuirks that JSON can set.
func responsesQuirkFields() []quirk {
	return []quirk{
		word("responsesLayout", func(q *Quirks) *string { return &q.responses.Layout }, "openai", "azure", "xai", "copilot", "mantle", "deepseek", "lmstudio"),
		flag("omitCompleted", func(q *Quirks) *bool { return &q.responses.OmitCompleted }),
		word("completedOutput", func(q *Quirks) *string { return &q.responses.CompletedOutput }, "", "empty", "omit"),
		word("responsesError", func(q *Quirks) *string { return &q.responses.Error }, "", "nested", "flat", "failed"),
		word("omitPartEvents", func(q *Quirks) *string { return &q.responses.OmitPartEvents }, "", "all", "summary"),
		flag("rotateItemIDs", func(q *Quirks) *bool { return &q.responses.RotateItemIDs }),
		word("sequence", func(q *Quirks) *string { return &q.responses.Sequence }, "", "omit", "one", "twice"),
		word("unknownEvent", func(q *Quirks) *string { return &q.responses.UnknownEvent }),
		flag("blankName", func(q *Quirks) *bool { return &q.responses.BlankName }),
		word("argumentEvents", func(q *Quirks) *string { return &q.responses.Arguments }, "", "done", "deltas"),
		flag("truncatedCalls", func(q *Quirks) *bool { return &q.responses.Truncated }),
		flag("silent", func(q *Quirks) *bool { return &q.responses.Silent }),
		word("outputIndex", func(q *Quirks) *string { return &q.responses.OutputIndex }, "", "same", "holes"),
		number("backgroundSeconds", func(q *Quirks) *int { return &q.responses.BackgroundSeconds }),
	}
}
