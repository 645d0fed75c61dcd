package ollama

// The forms of requests, with the fields of api/types.go. A field that is read into anything is left out. They are made
// once and never changed.
var (
	chatForm      = makeChatForm()
	generateForm  = makeGenerateForm()
	embedForm     = makeEmbedForm()
	embeddingForm = makeEmbeddingForm()
	showForm      = makeShowForm()
	pullForm      = transferForm("PullRequest")
	pushForm      = transferForm("PushRequest")
	createForm    = makeCreateForm()
	copyForm      = makeCopyForm()
	deleteForm    = makeDeleteForm()
)

func makeChatForm() *form {
	return &form{"ChatRequest", append([]field{
		{name: "messages", typ: "[]api.Message", element: "api.Alias", is: list, of: messageForm()},
		{name: "tools", typ: "api.Tools", element: "api.Tool", is: list, of: toolForm()},
	}, inferenceFields()...)}
}

func makeGenerateForm() *form {
	return &form{"GenerateRequest", append([]field{
		textField("prompt"), textField("suffix"), textField("system"), textField("template"), boolField("raw"),
		{name: "context", typ: "[]int", element: "int", is: list},
		imagesField(),
	}, inferenceFields()...)}
}

// inferenceFields are those that chat and generate share.
func inferenceFields() []field {
	return append([]field{
		boolField("stream"), boolField("truncate"), boolField("shift"), boolField("logprobs"), intField("top_logprobs"),
		{name: "think", is: anything, check: checkThink},
	}, modelFields()...)
}

// modelFields are those of everything that loads a model.
func modelFields() []field {
	return []field{
		textField("model"),
		{name: "keep_alive", is: anything, check: checkKeepAlive},
		{name: "options", typ: "map[string]interface {}", is: object},
	}
}

func makeEmbedForm() *form {
	return &form{"EmbedRequest", append([]field{boolField("truncate"), intField("dimensions")}, modelFields()...)}
}

func makeEmbeddingForm() *form {
	return &form{"EmbeddingRequest", append([]field{textField("prompt")}, modelFields()...)}
}

func imagesField() field {
	return field{name: "images", typ: "[]api.ImageData", element: "api.ImageData", is: list}
}

func messageForm() *form {
	return &form{"", []field{
		textField("role"), textField("content"), textField("thinking"), textField("tool_name"), textField("tool_call_id"),
		imagesField(),
		{name: "tool_calls", typ: "[]api.ToolCall", element: "api.ToolCall", is: list, of: &form{"", []field{
			textField("id"),
			{name: "function", typ: "api.ToolCallFunction", is: object, of: &form{"", []field{
				intField("index"), textField("name"), {name: "arguments", is: anything, check: checkOrdered},
			}}},
		}}},
	}}
}

func toolForm() *form {
	return &form{"Tool", []field{
		textField("type"),
		{name: "function", typ: "api.ToolFunction", is: object, of: &form{"ToolFunction", []field{
			textField("name"), textField("description"),
			{name: "parameters", typ: "api.ToolFunctionParameters", is: object, of: &form{"ToolFunctionParameters", []field{
				textField("type"),
				{name: "required", typ: "[]string", element: "string", is: list},
				{name: "properties", is: anything, check: checkOrdered},
			}}},
		}}},
	}}
}

// transferForm serves pull and push.
func transferForm(name string) *form {
	return &form{name, []field{textField("model"), textField("name"), boolField("insecure"), boolField("stream")}}
}

func makeShowForm() *form {
	return &form{"ShowRequest", []field{
		textField("model"), textField("name"), textField("system"), textField("template"), boolField("verbose"),
		{name: "options", typ: "map[string]interface {}", is: object},
	}}
}

func makeDeleteForm() *form {
	return &form{"DeleteRequest", []field{textField("model"), textField("name")}}
}

func makeCopyForm() *form {
	return &form{"CopyRequest", []field{textField("source"), textField("destination")}}
}

func makeCreateForm() *form {
	files := func(name string) field { return field{name: name, typ: "map[string]string", is: object} }
	return &form{"CreateRequest", []field{
		textField("model"), textField("name"), textField("from"), textField("template"), textField("system"),
		textField("quantize"), boolField("stream"), files("files"), files("adapters"),
		{name: "parameters", typ: "map[string]interface {}", is: object},
		{name: "messages", typ: "[]api.Message", element: "api.Alias", is: list, of: messageForm()},
	}}
}
