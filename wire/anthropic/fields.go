package anthropic

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// The provider's words for what is wrong with a field, quoted by its clients' bug reports.
const (
	required = "Field required"
	extra    = "Extra inputs are not permitted"
)

// field is what a field may be. The message of a wrong type is that of the first kind, or the list's where both are
// allowed, as the provider tries the alternatives in turn.
type field struct {
	name     string
	kinds    kinds
	required bool
	// least is the smallest number, where positive says that there is one.
	least    int64
	hasLeast bool
}

type kinds uint8

const (
	text kinds = 1 << iota
	integer
	decimal
	boolean
	list
	object
)

// must and may make fields.
func must(name string, k kinds) field { return field{name: name, kinds: k, required: true} }
func may(name string, k kinds) field  { return field{name: name, kinds: k} }

func atLeast(f field, n int64) field {
	f.least, f.hasLeast = n, true
	return f
}

// max_tokens may be 0 since 2026: it warms the prompt cache (platform.claude.com/docs, Aug 2026).
var (
	maxTokensField = atLeast(must("max_tokens", integer), 0)
	modelField     = must("model", text)
	messagesField  = must("messages", list)
	usualFields    = []field{
		may("stop_sequences", list), may("stream", boolean), may("system", text|list), may("metadata", object),
		may("thinking", object), may("tool_choice", object), may("tools", list), may("output_config", object),
		may("output_format", object), may("container", text|object), may("mcp_servers", list), may("context_management", object),
		may("service_tier", text), may("temperature", decimal), may("top_k", integer), may("top_p", decimal),
	}

	messageFields = append(append([]field{maxTokensField}, messagesField, modelField), usualFields...)
	// A count has no max_tokens.
	countFields = append([]field{messagesField, modelField}, usualFields...)
	// On Vertex the model is in the path, but for a count.
	vertexFields = append([]field{maxTokensField, messagesField}, usualFields...)
)

func (x *exam) fields() []field {
	switch {
	case x.count:
		return countFields
	case x.d.version == versionInBody:
		return vertexFields
	}
	return messageFields
}

// tagged are the alternatives of a field whose type names its form, in the order in which the provider lists them.
type tagged []struct {
	tag    string
	fields []field
}

func (t tagged) find(tag string) ([]field, bool) {
	for _, a := range t {
		if a.tag == tag {
			return a.fields, true
		}
	}
	return nil, false
}

// list writes the tags as the provider does: 'a', 'b', 'c'.
func (t tagged) list() string {
	tags := make([]string, len(t))
	for i, a := range t {
		tags[i] = "'" + a.tag + "'"
	}
	return strings.Join(tags, ", ")
}

var (
	choiceFields = tagged{
		{"any", nil}, {"auto", nil}, {"none", nil}, {"tool", []field{must("name", text)}},
	}
	thinkingFields = tagged{
		{"adaptive", nil}, {"between_tools", nil}, {"disabled", nil}, {"enabled", []field{must("budget_tokens", integer)}},
	}
	toolFields = []field{must("name", text), must("input_schema", object), may("description", text)}

	resultFields = []field{must("tool_use_id", text), must("content", text|list|object)}
	callFields   = []field{must("id", text), must("name", text), must("input", object)}
	// The block types of @anthropic-ai/sdk 1.14.0, its betas included.
	blockFields = tagged{
		{"advisor_tool_result", resultFields},
		{"bash_code_execution_tool_result", resultFields},
		{"code_execution_tool_result", resultFields},
		{"compaction", nil},
		{"container_upload", []field{must("file_id", text)}},
		{"document", []field{must("source", object)}},
		{"fallback", nil},
		{"image", []field{must("source", object)}},
		{"mcp_tool_listing", nil},
		{"mcp_tool_result", []field{must("tool_use_id", text)}},
		{"mcp_tool_use", callFields},
		{"redacted_thinking", []field{must("data", text)}},
		{"search_result", []field{must("content", list), must("source", text), must("title", text)}},
		{"server_tool_use", callFields},
		{"text", []field{must("text", text)}},
		{"text_editor_code_execution_tool_result", resultFields},
		{"thinking", []field{must("signature", text), must("thinking", text)}},
		{"tool_addition", nil},
		{"tool_reference", nil},
		{"tool_removal", nil},
		{"tool_result", []field{must("tool_use_id", text), may("content", text|list), may("is_error", boolean)}},
		{"tool_search_tool_result", resultFields},
		{"tool_use", callFields},
		{"web_fetch_tool_result", resultFields},
		{"web_search_tool_result", resultFields},
	}
)

// is says whether a value is of one of the kinds.
func (k kinds) is(v jsonx.Value) bool {
	switch v.Kind() {
	case jsonx.String:
		return k&text != 0
	case jsonx.Number:
		if k&decimal != 0 {
			return true
		}
		_, whole := v.Int()
		return k&integer != 0 && whole
	case jsonx.Bool:
		return k&boolean != 0
	case jsonx.Array:
		return k&list != 0
	case jsonx.Object:
		return k&object != 0
	}
	return false
}

// want says what a value should be.
func (k kinds) want() string {
	switch {
	case k&list != 0:
		return "Input should be a valid list"
	case k&object != 0:
		return "Input should be a valid dictionary"
	case k&text != 0:
		return "Input should be a valid string"
	case k&integer != 0:
		return "Input should be a valid integer"
	case k&decimal != 0:
		return "Input should be a valid number"
	}
	return "Input should be a valid boolean"
}
