package wire

// Part is one piece of a message or an answer: Text, Reasoning, ToolCall, ToolResult, Refusal, Media, Citation or Opaque.
type Part interface{ part() }

// Text is plain text.
type Text struct{ Text string }

// Reasoning is what a model thought. Signature is the provider's proof of it (a signature, encrypted content); where
// Redacted is set, Signature is all there is.
type Reasoning struct {
	Text      string
	Signature string
	Redacted  bool
}

// ToolCall asks the client to run a tool. Arguments is the text that travels: usually a JSON object, but any text can.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
	// Custom marks a tool whose input is free text (OpenAI's custom tools).
	Custom bool
}

// ToolResult is what a tool gave, in a request. Name is known where the wire says it, or where the call was seen.
type ToolResult struct {
	ID    string
	Name  string
	Text  string
	Error bool
	// Media are the images and files among the result.
	Media []Media
}

// Refusal is a model's own "I can't help with that", on wires that tell it from text.
type Refusal struct{ Text string }

// Media is an image, a sound or a file. One of URL, Data (as it travelled, usually base64) and FileID is set.
type Media struct {
	Kind   string // "image", "audio", "file", "video"
	MIME   string
	URL    string
	Data   string
	FileID string
}

// Citation says where the text before it came from.
type Citation struct {
	Kind       string // the provider's word: "url_citation", "char_location"
	URL, Title string
	Text       string // the cited text
	Start, End int    // in the answer or in the document, as the wire counts
	Raw        string // the whole JSON object, where it was read from a wire
}

// Opaque is a block that no field here models: its type and its JSON.
type Opaque struct{ Type, Raw string }

func (Text) part()       {}
func (Reasoning) part()  {}
func (ToolCall) part()   {}
func (ToolResult) part() {}
func (Refusal) part()    {}
func (Media) part()      {}
func (Citation) part()   {}
func (Opaque) part()     {}
