package bedrock

import (
	"io"
	"iter"
	"strings"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// invoke is the codec of InvokeModel and InvokeModelWithResponseStream for chats, whose bodies are the models' own.
type invoke struct{}

// form is one model family's own language.
type form struct {
	name string
	// families are the models that speak it; where the id says nothing, the form whose keys the body has is taken.
	families []string
	knows    func(body jsonx.Value) bool
	decode   func(r *wire.Request, body jsonx.Value)
	// missing is the key that a body needs.
	missing string
	fit     func(*wire.Call, wire.Reply) (wire.Reply, []error)
	encode  func(*wire.Call) wire.Encoder
	// whole reads an answer, stream its chunks.
	whole  func(h *wire.ResponseHead, v jsonx.Value, yield func(wire.Event, error) bool)
	stream func(h *wire.ResponseHead, body io.Reader, yield func(wire.Event, error) bool)
}

// The forms that are spoken.
var (
	nova        = novaForm()
	llama       = llamaForm()
	mistralText = mistralTextForm()
	mistralChat = mistralChatForm()
	titan       = titanForm()

	// forms has the most particular first.
	forms = [...]*form{nova, llama, mistralText, mistralChat, titan}
)

// formOf finds the form by the model's id, then by the body. Mistral has two, which only the body tells apart.
func formOf(model string, body jsonx.Value) *form {
	for _, f := range forms {
		for _, family := range f.families {
			if is(model, family) && (f.knows(body) || family != "mistral.") {
				return f
			}
		}
	}
	for _, f := range forms {
		if f.knows(body) {
			return f
		}
	}
	return nil
}

// Decode reads a request in its model's own form.
func (invoke) Decode(c *wire.Call) *wire.Failure {
	r := c.Request
	r.Model = c.Probe.Vars["id"]
	r.Stream = strings.HasSuffix(c.Probe.Path, opInvokeStream)
	n := &native{}
	r.Native = n
	body, f := parseBody(c)
	if f != nil {
		return f
	}
	n.body = body
	if n.form = formOf(r.Model, body); n.form == nil {
		return unknownForm(r.Model, body)
	}
	n.form.decode(r, body)
	return nil
}

// unknownForm refuses a body that is in no model's form, in the words of the schema gate, and says which there are.
func unknownForm(model string, body jsonx.Value) *wire.Failure {
	key := "messages"
	switch {
	case is(model, "anthropic."):
		key = "anthropic_version"
	case is(model, "amazon.titan"):
		key = "inputText"
	case is(model, "cohere.embed"):
		key = "texts"
	case is(model, "meta."), is(model, "mistral."):
		key = "prompt"
	}
	message := "Malformed input request: #: required key [" + key + "] not found, please reformat your input and try again."
	if !body.Get(key).Exists() {
		return invalid("form", message)
	}
	return invalid("form", "Malformed input request: #: subject must not be valid against schema {\"required\":[\""+key+"\"]}, please reformat your input and try again.")
}

func formOfCall(c *wire.Call) *form {
	if f := nativeOf(c).form; f != nil {
		return f
	}
	return nova
}

// Fit makes the reply one that the model's form can carry.
func (invoke) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) { return formOfCall(c).fit(c, r) }

// Encode makes the encoder of one answer.
func (invoke) Encode(c *wire.Call) wire.Encoder { return formOfCall(c).encode(c) }

// Refuse is the provider's error answer; a blocked prompt is answered by the guardrail.
func (iv invoke) Refuse(c *wire.Call, f *wire.Failure) wire.Response {
	if f.Kind == wire.ContentFilter && f.Param == "prompt" && nativeOf(c).form != nil {
		r, _, _ := wire.Render(c, iv, wire.Reply{Blocked: "prompt"}, wire.Split{}, wire.NoCut())
		return r
	}
	return refuse(c, f)
}

// Read reads an answer, streamed or whole, or an error. The form is the request's; where that is not known, the body
// tells it.
func (invoke) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	return func(yield func(wire.Event, error) bool) {
		var f *form
		if h.Request != nil {
			if n, ok := h.Request.Native.(*native); ok {
				f = n.form
			}
		}
		if h.Status < 400 && aws.Streams(h) {
			if f == nil {
				f = nova
			}
			f.stream(h, body, yield)
			return
		}
		v, failure := readBody(h, body)
		switch {
		case failure != nil:
			yield(wire.Event{}, failure)
		case f != nil:
			f.whole(h, v, yield)
		default:
			answerForm(v).whole(h, v, yield)
		}
	}
}

// answerForm tells the form of a whole answer.
func answerForm(v jsonx.Value) *form {
	switch {
	case v.Get("generation").Exists():
		return llama
	case v.Get("outputs").Exists():
		return mistralText
	case v.Get("choices").Exists():
		return mistralChat
	case v.Get("results").Exists():
		return titan
	}
	return nova
}

// novaForm is Amazon Nova's: Converse's messages and blocks (docs.aws.amazon.com/nova/latest/userguide, 2025).
func novaForm() *form {
	return &form{
		name: "nova", families: []string{"amazon.nova"}, missing: "messages",
		knows: func(body jsonx.Value) bool {
			return body.Get("schemaVersion").Exists() || body.At("messages", 0, "content").Kind() == jsonx.Array
		},
		decode: decodeConversation,
		fit:    func(c *wire.Call, r wire.Reply) (wire.Reply, []error) { return fitBlocks(c, r, true) },
		encode: func(c *wire.Call) wire.Encoder { return newEncoder(c, true) },
		whole:  readBlocks,
		stream: readBlockStream,
	}
}
