package mimus

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// Replier is what a stub or a script can answer with: a [Reply], a [Failure], [Func], [Stream], [Reject], a [Lowered]
// reply, and in a script an [Exchange].
type Replier interface{ reply() given }

// given is a reply as the engine takes it.
type given struct {
	answer stub.Answer
	// kind is what kind of endpoint it answers; any says that it fits every kind.
	kind wire.Kind
	any  bool
	// matchers are those of an Exchange.
	matchers []Matcher
}

// Reply is an answer. Its methods return changed copies.
type Reply struct {
	a    stub.Answer
	kind wire.Kind
	any  bool
}

func (r Reply) reply() given { return given{answer: r.a, kind: r.kind, any: r.any} }

func parts(p ...wire.Part) Reply {
	return Reply{a: stub.Answer{Choices: []wire.Answer{{Parts: p}}}}
}

// Text answers with a text.
func Text(text string) Reply {
	if text == "" {
		return parts()
	}
	return parts(wire.Text{Text: text})
}

// JSON answers with the JSON of a value, as structured outputs are. It panics where v has none, such as a channel.
func JSON(v any) Reply {
	b, err := json.Marshal(v)
	if err != nil {
		panic("mimus.JSON: " + err.Error())
	}
	return Text(string(b))
}

// Call is a tool call. Arguments is usually a JSON object, but any text can travel. Without an ID it gets one that
// depends on name, arguments and position.
type Call struct{ ID, Name, Arguments string }

// CallTool asks the client to run a tool.
func CallTool(name, arguments string) Reply { return CallTools(Call{Name: name, Arguments: arguments}) }

// CallTools asks the client to run several tools at once. To let the model say something first, begin with [Text] and go
// on with [Reply.CallTool].
func CallTools(calls ...Call) Reply {
	p := make([]wire.Part, len(calls))
	for i, c := range calls {
		p[i] = wire.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments}
	}
	return parts(p...)
}

// Refusal answers with the model's own refusal.
func Refusal(text string) Reply { return parts(wire.Refusal{Text: text}) }

// Reasoning answers with what the model thought. Go on with [Reply.Text] or [Reply.CallTool].
func Reasoning(text string) Reply { return parts(wire.Reasoning{Text: text}) }

// Parts answers with parts in their order.
func Parts(p ...wire.Part) Reply { return parts(p...) }

// Choices gives each of several answers where the request asks for several; where it asks for more, the last is repeated.
func Choices(replies ...Reply) Reply {
	var r Reply
	for _, one := range replies {
		r.a.Choices = append(r.a.Choices, one.a.Choices...)
	}
	return r
}

// Embedding answers each text to embed with this vector. Without numbers, each text gets a vector of its own, always the
// same for the same text, as long as the request or [Reply.Dimensions] says, else as the model's usually are.
func Embedding(v ...float32) Reply {
	return Reply{a: stub.Answer{Embedding: v}, kind: wire.Embeddings}
}

// Models answers lists of models.
func Models(names ...string) Reply { return Reply{a: stub.Answer{Models: names}, kind: wire.Models} }

// Raw answers with these bytes and nothing else, each chunk in a write of its own, wherever that cuts an event. It is an
// event stream with status 200 where [Reply.Header] and [Reply.Status] don't say otherwise.
func Raw(chunks ...string) Reply {
	return Reply{a: stub.Answer{Raw: &stub.Raw{Headers: contentType("text/event-stream"), Chunks: chunks}}, any: true}
}

// RawBody answers with a status and a body, JSON where it begins with a brace, and plain text else.
func RawBody(status int, body string) Reply {
	kind := "text/plain; charset=utf-8"
	if strings.HasPrefix(body, "{") {
		kind = "application/json"
	}
	return Reply{a: stub.Answer{Raw: &stub.Raw{Status: status, Headers: contentType(kind), Chunks: []string{body}}}, any: true}
}

func contentType(kind string) wire.Header { return wire.Header{{Name: "Content-Type", Value: kind}} }

// Func answers with what a function makes of the request. The function is called on goroutines of the mock, at the same
// time for requests that come at the same time.
func Func(f func(*wire.Request) Replier) Replier { return replyFunc(f) }

type replyFunc func(*wire.Request) Replier

func (f replyFunc) reply() given {
	return given{any: true, answer: stub.Answer{Make: func(r *wire.Request) stub.Answer {
		made := f(r)
		if made == nil {
			return stub.Answer{Error: &stub.Error{Kind: wire.ServerError, Message: "mimus: the function of a reply gave nil"}}
		}
		a := made.reply().answer
		if a.Make != nil {
			return a.Make(r)
		}
		return a
	}}}
}

// Reject lets the call fail with err before any response, as an error of dialling, TLS or a timeout would. Only
// [Mock.Client] gives the very error; over a socket, the connection breaks.
func Reject(err error) Replier { return rejection{err} }

type rejection struct{ err error }

func (r rejection) reply() given {
	return given{any: true, answer: stub.Answer{Fault: stub.Fault{Reject: r.err}}}
}

// OutputLimited is an answer that ended at the limit of tokens, after this much.
func OutputLimited(partial string) Reply { return Text(partial).Stop(wire.StopLength) }

// ContentFiltered is an answer that the provider's filter ended, after this much. A prompt that it refuses is
// [PromptBlocked].
func ContentFiltered(partial string) Reply { return Text(partial).Stop(wire.StopSafety) }

// InvalidOutput is a text that no schema accepts.
func InvalidOutput() Reply { return Text("this is not valid structured output") }

// PromptBlocked refuses the prompt, in the provider's way to say so.
func PromptBlocked() Reply { return Reply{a: stub.Answer{Blocked: "prompt"}} }

// StreamError sends a reply, but in place of its end an error inside the stream, with the provider's own code; the
// response then ends as usual. A request that doesn't stream gets the error response.
func StreamError(r Reply, code, message string) Reply {
	return r.ErrorAfter(math.MaxInt, failureOfCode(code, message)).unended()
}

// ResponseFailed is [StreamError] in the form that only OpenAI's Responses API has: response.failed, without an error
// event before it.
func ResponseFailed(r Reply, code, message string) Reply {
	failed := StreamError(r, code, message)
	failed.a.Quirks = json.RawMessage(`{"responsesError":"failed"}`)
	return failed
}
