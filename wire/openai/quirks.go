package openai

import (
	"fmt"
	"slices"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Quirks are all the ways in which one speaker of this wire differs from another. A vendor's file fills them, and a
// stub's `quirks` change them for one answer; the JSON key of a field is its name in camelCase. The zero value of a
// field is OpenAI's own way.
type Quirks struct {
	// Layouts are the JSON objects that travel, by name; see the package's own vendors/openai.json for the names. null
	// takes a layout away.
	Layouts [layoutCount]jsonx.Value
	// Indent is the number of spaces by which a whole body is indented; 0 is compact.
	Indent int
	// LineEnd ends a whole body with a line end.
	LineEnd bool

	// Role says which chunks name the role: "chunk" (one of its own, first), "first" (the first chunk that says
	// something), "every" or "never".
	Role string
	// Usage says where a stream counts tokens: "chunk" (one of its own at the end, when asked), "finish" (on the chunk
	// that ends a choice, asked or not), "both" (on the finish chunk, and on one of its own when asked), "again" (the
	// finish chunk is sent twice, the second time with it), "every" (on each chunk, a running total) or "never".
	Usage string
	// UsageAlways counts in a stream without being asked.
	UsageAlways bool
	// UsageChoices fills the choices of the usage chunk with an empty choice, where clients expect none.
	UsageChoices bool

	// Reasoning is where thoughts go: "" where the layouts say, "inline" (in <think> tags before the text),
	// "inlineUnopened" (the same without the opening tag), "parts" (content is a list of parts) or "none". "reasoning",
	// "reasoning_content" and "both" put them into fields of that name.
	Reasoning string

	// ToolWhole sends a streamed tool call in one piece.
	ToolWhole bool
	// ToolIndex is "omit" (no index in tool deltas) or "zero" (each call has index 0).
	ToolIndex string
	// ToolIndexBase is the index of the first tool call.
	ToolIndexBase int
	// ToolContinue is what later pieces of a call repeat: "" nothing, "emptyID", "emptyIDName", "name".
	ToolContinue string
	// ToolInterleave holds the pieces of parallel calls back and sends them in turn.
	ToolInterleave bool
	// ToolLayoutAlone gives a single call the layout of several: the role first, then the call.
	ToolLayoutAlone bool
	// ToolsFirst sends the tool calls of a streamed answer before its text.
	ToolsFirst bool
	// ArgumentsObject sends arguments as JSON, not as a string with JSON in it.
	ArgumentsObject bool
	// ToolID makes the ids of tool calls that a stub gives none: "{hash:24}" are so many digits of a hash, "{name}" and
	// "{index}" stand for themselves.
	ToolID string
	// NoToolID sends an empty id.
	NoToolID bool

	// FinishReason replaces the finish reason.
	FinishReason string
	// FinishReasons replace single words: {"length": "model_length"}.
	FinishReasons []wordPair
	// NativeFinishReasons are the words of native_finish_reason.
	NativeFinishReasons []wordPair
	// FinishWithContent sends the finish reason on the last chunk that says something.
	FinishWithContent bool
	// FinishWithTools does so for tool calls only.
	FinishWithTools bool
	// DoubleFinish sends the finish chunk twice.
	DoubleFinish bool
	// EmptyLast sends an empty text before the finish of an answer that calls no tools.
	EmptyLast bool

	// ID is the form of response ids: "chatcmpl-{base62:29}", "{uuid}", "{hex:32}".
	ID string
	// RotateIDs gives each chunk an id of its own.
	RotateIDs bool
	// OmitFields leaves top-level fields out of bodies and chunks.
	OmitFields []string
	// Extra adds top-level fields to bodies and chunks: {"error": null}.
	Extra jsonx.Value
	// NoDone leaves out [DONE].
	NoDone bool
	// Comment is a comment line of the stream: "OPENROUTER PROCESSING".
	Comment string
	// Comments is how many of them come before the first event.
	Comments int
	// EOL is the line end of events: "crlf".
	EOL string
	// NoSpace leaves out the space after "data:".
	NoSpace bool
	// NoFinalBlank leaves out the blank line after the last event.
	NoFinalBlank bool
	// IgnoreStream answers a streamed request by a whole body.
	IgnoreStream bool
	// ForceStream answers every request by a stream.
	ForceStream bool
	// PromptFilter is Azure's chunk about the prompt, before all others.
	PromptFilter bool
	// AsyncFilter is Azure's asynchronous filter: its results follow in chunks of their own, after the finish.
	AsyncFilter bool
	// Fingerprint is the system_fingerprint; "" is OpenAI's rule, by model.
	Fingerprint string
	// Snapshots resolves the names of models to OpenAI's dated ones.
	Snapshots bool
	// ReasoningApart counts reasoning beside the completion tokens, not in them.
	ReasoningApart bool

	// Keyless takes requests without a key.
	Keyless bool

	// ErrorShape is a known layout of errors: "openai", "flat", "array", "detail", "detailText", "intCode", "stringCode",
	// "text".
	ErrorShape string
	// Errors are what a kind of failure looks like: {"auth": {"status": 400, "code": "invalid-argument"}}.
	Errors []errorWords
	// ErrorContentType is the content type of errors.
	ErrorContentType string
	// RetryAfterMs says a retry hint in milliseconds too.
	RetryAfterMs bool
	// ErrorOK sends errors with status 200.
	ErrorOK bool
	// ErrorEvent names the event that carries an error inside a stream.
	ErrorEvent string
	// StreamError is how a stream fails: "" an error object, "finish" a chunk with finish_reason error and the error
	// beside it, "raw" the error's JSON on the bare line of an unfinished event, "empty" a chunk without text or error.
	StreamError string

	// Headers are lines of every answer, StreamHeaders of streams, BodyHeaders of whole answers, ErrorHeaders of errors,
	// in the place of Headers.
	Headers, StreamHeaders, BodyHeaders, ErrorHeaders []headerLine
	// StreamType and BodyType are the content types.
	StreamType, BodyType string

	// EmbeddingsIgnoreEncoding gives floats where base64 is asked for, and base64 where floats are.
	EmbeddingsIgnoreEncoding bool
	// EmbeddingsShuffle gives the embeddings in reverse order.
	EmbeddingsShuffle bool

	// responses are the quirks of the Responses API.
	responses responsesQuirks
}

// wordPair is a word of ours and a speaker's.
type wordPair struct{ from, to string }

// headerLine is a header line of a speaker. Value is a layout's slot or a literal.
type headerLine struct {
	name, value string
	slot        slot
}

// quirk is one field of Quirks that JSON can set.
type quirk struct {
	name string
	set  func(q *Quirks, v jsonx.Value) error
}

func flag(name string, field func(*Quirks) *bool) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) error {
		b, ok := v.Bool()
		if !ok {
			return fmt.Errorf("%s: want true or false, got %s", name, v.Kind())
		}
		*field(q) = b
		return nil
	}}
}

func number(name string, field func(*Quirks) *int) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) error {
		n, ok := v.Int()
		if !ok || n < 0 || n > 1<<20 {
			return fmt.Errorf("%s: want a whole number, got %s", name, v.Raw())
		}
		*field(q) = int(n)
		return nil
	}}
}

// word takes any text where no words are listed.
func word(name string, field func(*Quirks) *string, words ...string) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) error {
		s, ok := v.Text()
		switch {
		case !ok:
			return fmt.Errorf("%s: want a text, got %s", name, v.Kind())
		case len(words) > 0 && !slices.Contains(words, s):
			return fmt.Errorf("%s: %q is none of %q", name, s, words)
		}
		*field(q) = s
		return nil
	}}
}

func pairs(name string, field func(*Quirks) *[]wordPair) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) error {
		if v.Kind() != jsonx.Object {
			return fmt.Errorf("%s: want an object, got %s", name, v.Kind())
		}
		list := *field(q)
		list = slices.Clip(list)
		for key, to := range v.Members() {
			list = append(list, wordPair{key, to.Str()})
		}
		*field(q) = list
		return nil
	}}
}

func headers(name string, field func(*Quirks) *[]headerLine) quirk {
	return quirk{name, func(q *Quirks, v jsonx.Value) error {
		if v.Kind() != jsonx.Object {
			return fmt.Errorf("%s: want an object, got %s", name, v.Kind())
		}
		var list []headerLine
		for key, value := range v.Members() {
			line := headerLine{name: key, value: value.Str()}
			if len(line.value) > 1 && line.value[0] == '$' {
				s, ok := slotCalled(line.value[1:])
				if !ok {
					return fmt.Errorf("%s: %s: no value is called %q", name, key, line.value)
				}
				line.slot = s
			}
			list = append(list, line)
		}
		*field(q) = list
		return nil
	}}
}

// quirkFields are all fields, as JSON names them. A function, for nothing here may change.
func quirkFields() []quirk {
	fields := []quirk{
		{"layouts", setLayouts},
		number("indent", func(q *Quirks) *int { return &q.Indent }),
		flag("lineEnd", func(q *Quirks) *bool { return &q.LineEnd }),
		word("role", func(q *Quirks) *string { return &q.Role }, "chunk", "first", "every", "never"),
		word("usage", func(q *Quirks) *string { return &q.Usage }, "chunk", "finish", "both", "again", "every", "never"),
		flag("usageAlways", func(q *Quirks) *bool { return &q.UsageAlways }),
		flag("usageChoices", func(q *Quirks) *bool { return &q.UsageChoices }),
		word("reasoning", func(q *Quirks) *string { return &q.Reasoning }, "", "none", "inline", "inlineUnopened", "parts", "reasoning", "reasoning_content", "both"),
		flag("toolWhole", func(q *Quirks) *bool { return &q.ToolWhole }),
		word("toolIndex", func(q *Quirks) *string { return &q.ToolIndex }, "", "omit", "zero"),
		number("toolIndexBase", func(q *Quirks) *int { return &q.ToolIndexBase }),
		word("toolContinue", func(q *Quirks) *string { return &q.ToolContinue }, "", "emptyID", "emptyIDName", "name"),
		flag("toolInterleave", func(q *Quirks) *bool { return &q.ToolInterleave }),
		flag("toolLayoutAlone", func(q *Quirks) *bool { return &q.ToolLayoutAlone }),
		flag("toolsFirst", func(q *Quirks) *bool { return &q.ToolsFirst }),
		flag("argumentsObject", func(q *Quirks) *bool { return &q.ArgumentsObject }),
		word("toolID", func(q *Quirks) *string { return &q.ToolID }),
		flag("noToolID", func(q *Quirks) *bool { return &q.NoToolID }),
		word("finishReason", func(q *Quirks) *string { return &q.FinishReason }),
		pairs("finishReasons", func(q *Quirks) *[]wordPair { return &q.FinishReasons }),
		pairs("nativeFinishReasons", func(q *Quirks) *[]wordPair { return &q.NativeFinishReasons }),
		flag("finishWithContent", func(q *Quirks) *bool { return &q.FinishWithContent }),
		flag("finishWithTools", func(q *Quirks) *bool { return &q.FinishWithTools }),
		flag("doubleFinish", func(q *Quirks) *bool { return &q.DoubleFinish }),
		flag("emptyLast", func(q *Quirks) *bool { return &q.EmptyLast }),
		word("id", func(q *Quirks) *string { return &q.ID }),
		flag("rotateIDs", func(q *Quirks) *bool { return &q.RotateIDs }),
		{"omitFields", setOmitFields},
		{"extra", setExtra},
		flag("noDone", func(q *Quirks) *bool { return &q.NoDone }),
		word("comment", func(q *Quirks) *string { return &q.Comment }),
		number("comments", func(q *Quirks) *int { return &q.Comments }),
		word("eol", func(q *Quirks) *string { return &q.EOL }, "lf", "crlf"),
		flag("noSpace", func(q *Quirks) *bool { return &q.NoSpace }),
		flag("noFinalBlank", func(q *Quirks) *bool { return &q.NoFinalBlank }),
		flag("ignoreStream", func(q *Quirks) *bool { return &q.IgnoreStream }),
		flag("forceStream", func(q *Quirks) *bool { return &q.ForceStream }),
		flag("promptFilter", func(q *Quirks) *bool { return &q.PromptFilter }),
		flag("asyncFilter", func(q *Quirks) *bool { return &q.AsyncFilter }),
		word("fingerprint", func(q *Quirks) *string { return &q.Fingerprint }),
		flag("keyless", func(q *Quirks) *bool { return &q.Keyless }),
		flag("snapshots", func(q *Quirks) *bool { return &q.Snapshots }),
		flag("reasoningApart", func(q *Quirks) *bool { return &q.ReasoningApart }),
		word("errorShape", func(q *Quirks) *string { return &q.ErrorShape }, errorShapeNames()...),
		{"errors", setErrors},
		word("errorContentType", func(q *Quirks) *string { return &q.ErrorContentType }),
		flag("retryAfterMs", func(q *Quirks) *bool { return &q.RetryAfterMs }),
		flag("errorOK", func(q *Quirks) *bool { return &q.ErrorOK }),
		word("errorEvent", func(q *Quirks) *string { return &q.ErrorEvent }),
		word("streamError", func(q *Quirks) *string { return &q.StreamError }, "", "finish", "raw", "empty"),
		headers("headers", func(q *Quirks) *[]headerLine { return &q.Headers }),
		headers("streamHeaders", func(q *Quirks) *[]headerLine { return &q.StreamHeaders }),
		headers("bodyHeaders", func(q *Quirks) *[]headerLine { return &q.BodyHeaders }),
		headers("errorHeaders", func(q *Quirks) *[]headerLine { return &q.ErrorHeaders }),
		word("streamType", func(q *Quirks) *string { return &q.StreamType }),
		word("bodyType", func(q *Quirks) *string { return &q.BodyType }),
		flag("embeddingsIgnoreEncoding", func(q *Quirks) *bool { return &q.EmbeddingsIgnoreEncoding }),
		flag("embeddingsShuffle", func(q *Quirks) *bool { return &q.EmbeddingsShuffle }),
	}
	return append(fields, responsesQuirkFields()...)
}

// QuirkNames are the keys that a stub's `quirks` may have on OpenAI's endpoints.
func QuirkNames() []string {
	fields := quirkFields()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	slices.Sort(names)
	return names
}

// set changes q as the members of v say; keys that are no quirks of this provider are left to others.
func (q *Quirks) set(v jsonx.Value) error {
	fields := quirkFields()
	for key, value := range v.Members() {
		i := slices.IndexFunc(fields, func(f quirk) bool { return f.name == key })
		if i < 0 {
			continue
		}
		if err := fields[i].set(q, value); err != nil {
			return err
		}
	}
	return nil
}

func setLayouts(q *Quirks, v jsonx.Value) error {
	names := layoutNames()
	for key, value := range v.Members() {
		i := slices.Index(names[:], key)
		if i < 0 {
			return fmt.Errorf("layouts: there is no layout %q", key)
		}
		q.Layouts[i] = value
	}
	return nil
}

func setOmitFields(q *Quirks, v jsonx.Value) error {
	if v.Kind() != jsonx.Array {
		return fmt.Errorf("omitFields: want a list of names, got %s", v.Kind())
	}
	q.OmitFields = nil
	for _, item := range v.Items() {
		q.OmitFields = append(q.OmitFields, item.Str())
	}
	return nil
}

func setExtra(q *Quirks, v jsonx.Value) error {
	if v.Kind() != jsonx.Object {
		return fmt.Errorf("extra: want an object, got %s", v.Kind())
	}
	q.Extra = v
	return nil
}
