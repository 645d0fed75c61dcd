package wire

import "sync"

// Role says who wrote a message.
type Role uint8

// The roles. System texts are collected in Request.System and have no message.
const (
	User Role = iota
	Assistant
	ToolRole // a message of tool results, on wires that have one
)

// String is "user", "assistant" or "tool".
func (r Role) String() string {
	switch r {
	case Assistant:
		return "assistant"
	case ToolRole:
		return "tool"
	}
	return "user"
}

// Message is one message of a conversation.
type Message struct {
	Role  Role
	Parts []Part
}

// Tool is a tool that the request offers to the model. Schema is the JSON of its parameters, "" where none was given.
type Tool struct {
	Name, Description string
	Schema            string
	// Type is "function", "custom", or the provider's name of a tool that it runs itself.
	Type string
}

// ToolChoice is which tool the model may or must call: Mode is "auto", "none", "required" or "named".
type ToolChoice struct {
	Mode string
	Name string
}

// Output is the JSON that the answer must be. Schema is "" where any JSON object will do.
type Output struct {
	Name   string
	Schema string
	Strict bool
}

// Settings are the usual knobs. Absent is nil, never zero.
type Settings struct {
	Temperature, TopP *float64
	TopK              *int64
	MaxTokens         *int64
	Stop              []string
	Seed              *int64
	ReasoningEffort   string
	ReasoningBudget   *int64
	Parallel          *bool
}

// Request is a model request in neutral words. Nothing that the wire said is lost: Probe is the request as it came.
type Request struct {
	Endpoint string // "openai.chat"
	Provider string // "openai"
	Kind     Kind
	Dialect  string
	Version  string // the API version, where the wire has one
	Model    string
	Stream   bool
	// Choices is how many answers were asked for; 1 where the request doesn't say.
	Choices  int
	System   string
	Messages []Message
	Tools    []Tool
	// ToolChoice is nil where the request doesn't say.
	ToolChoice *ToolChoice
	Output     *Output
	Settings   Settings
	Inputs     []string // texts to embed
	Dimensions int      // of embeddings; 0 where the request doesn't say
	// UsualDimensions is what the API gives for the model where nobody says.
	UsualDimensions int
	// Previous is the id of the response or conversation that this request continues.
	Previous string
	// History is what Previous stood for, or nil.
	History *Turn
	Probe   *Probe
	// Native belongs to the codec: what it wants to remember between Decode and Encode.
	Native any

	conversation func() string
	once         sync.Once
}

// Offers says whether the request offers the model a tool of that name.
func (r *Request) Offers(name string) bool {
	for _, t := range r.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}
