package sdktest

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// long is what most rows say. The faults among them come after six events.
const (
	long = "Your parcel PX-AI-8102 is out for delivery in Leipzig and arrives today."
	six  = 6
)

// builders are the rows: what each builder and each method of the Go library makes, said once for all endpoints.
func builders() []*built {
	return slices.Concat(answers(), sideEffects(), failures(), faults(), steps(), bytesAndFunctions())
}

func says(text string) want { return want{wantChoice: wantChoice{Text: text}} }

func calls(text string, c ...wantCall) want {
	return want{wantChoice: wantChoice{Text: text, Calls: c}}
}

func tracked(id string) wantCall {
	return wantCall{ID: id, Name: "track_parcel", Arguments: json.RawMessage(`{"reference":"PX-AI-8102"}`)}
}

const tracking = `{"reference":"PX-AI-8102"}`

var (
	withTool = ask{User: "Where is PX-AI-8102?", Tools: []string{"track_parcel"}}
	thinking = ask{User: "Is it late?", Reasoning: "medium"}

	// asText is what becomes of a refusal where the wire has none.
	asText = []otherwise{
		{selectors{"messages"}, "Messages tells a refusal by its reason to stop; the words are text", refusalAsText},
		{selectors{"generate", "converse", "native"}, "the wire has no refusals; the words are text", refusalAsText},
	}

	// hidden is what becomes of reasoning where it does not travel whole.
	hidden = []otherwise{
		{selectors{"chat"}, "Chat Completions never shows what a model thought", func(w *want) {
			w.Reasoning, w.Signature, w.Parts = "", false, nil
		}},
		{selectors{"native"}, "Ollama has no signatures", func(w *want) { w.Signature = false }},
	}

	// objects is what becomes of arguments that are no JSON.
	objects = []otherwise{
		{selectors{"messages whole", "converse whole", "generate", "native"}, "arguments are an object there, which a text that is no JSON cannot be", func(w *want) {
			w.Calls = []wantCall{{Name: "track_parcel", Arguments: json.RawMessage(`{"unparsed_arguments":"{\"reference\":"}`)}}
		}},
		{selectors{"messages stream"}, "the SDK's accumulator empties an input that is no JSON once its block has ended", func(w *want) {
			w.Calls = []wantCall{{Name: "track_parcel", Arguments: json.RawMessage(`{}`)}}
		}},
	}
)

func refusalAsText(w *want) { w.Text, w.Refusal, w.Parts = w.Refusal, "", []string{"text"} }

// answers are the rows of what a model says.
func answers() []*built {
	half := `{"reference":`
	refused := want{wantChoice: wantChoice{Refusal: "I can't help with that.", Finish: "refusal", Parts: []string{"refusal"}}}
	thought := want{wantChoice: wantChoice{Reasoning: "The user wants\n\nthe truth.", Signature: true, Text: "It is late.", Parts: []string{"reasoning", "text"}}}
	return []*built{
		{proves: "Text", reply: mimus.Text("Out for delivery in Köln 🚚."), want: says("Out for delivery in Köln 🚚.")},
		{proves: "Text", name: "empty", reply: mimus.Text(""), want: says("")},
		{proves: "JSON", reply: mimus.JSON(map[string]any{"b": 1, "a": nil}), want: want{wantChoice: wantChoice{JSON: json.RawMessage(`{"a":null,"b":1}`)}}},
		{proves: "CallTool", reply: mimus.CallTool("track_parcel", tracking), ask: withTool, want: calls("", tracked(""))},
		{
			proves: "CallTool", name: "arguments that are no JSON", reply: mimus.CallTool("track_parcel", half), ask: withTool,
			want: calls("", wantCall{Name: "track_parcel", ArgumentsText: &half}), but: objects,
		},
		{
			proves: "CallTools", ask: withTool, want: calls("", tracked(""), tracked("call_mine")),
			reply: mimus.CallTools(mimus.Call{Name: "track_parcel", Arguments: tracking}, mimus.Call{ID: "call_mine", Name: "track_parcel", Arguments: tracking}),
		},
		{proves: "Reply.CallTool", reply: mimus.Text("I look.").CallTool("track_parcel", tracking), ask: withTool, want: calls("I look.", tracked(""))},
		{proves: "Reply.Text", reply: mimus.Text("One. ").Text("Two."), want: says("One. Two.")},
		{proves: "Reasoning Reply.Text", reply: mimus.Reasoning("The user wants\n\nthe truth.").Text("It is late."), ask: thinking, want: thought, but: hidden},
		{proves: "Reply.Reasoning", reply: mimus.Text("It is late.").Reasoning("The user wants\n\nthe truth."), ask: thinking, want: thought, but: hidden},
		{proves: "Refusal", reply: mimus.Refusal("I can't help with that."), want: refused, but: asText},
		{
			proves: "Parts", reply: mimus.Parts(wire.Text{Text: "First, "}, wire.ToolCall{Name: "track_parcel", Arguments: tracking}, wire.Text{Text: "then this."}),
			ask: withTool, want: want{wantChoice: wantChoice{Text: "First, then this.", Calls: []wantCall{tracked("")}, Parts: []string{"text", "call", "text"}}},
			but: []otherwise{{selectors{"native whole"}, "a whole message has one text, before the calls", func(w *want) { w.Parts = []string{"text", "call"} }}},
		},
		{
			proves: "Choices", reply: mimus.Choices(mimus.Text("Heads."), mimus.Text("Tails.")), ask: ask{User: "Flip a coin.", Choices: 2},
			want:   want{Choices: []wantChoice{{Text: "Heads."}, {Text: "Tails."}}},
			except: []exception{{selectors{"responses", "messages", "native", "converse"}, "they give one answer to a request"}},
		},
		{
			proves: "OutputLimited", reply: mimus.OutputLimited("This goes on and"), ask: ask{User: "Tell a long story.", MaxTokens: 16},
			want: want{wantChoice: wantChoice{Text: "This goes on and", Finish: "length"}},
		},
		{proves: "ContentFiltered", reply: mimus.ContentFiltered("How to build"), want: want{wantChoice: wantChoice{Text: "How to build", Finish: "safety"}}},
		{proves: "InvalidOutput", reply: mimus.InvalidOutput(), want: says("this is not valid structured output")},
		{
			proves: "InvalidOutput", name: "where a schema is asked for", reply: mimus.InvalidOutput(), ask: ask{User: "Where is it?", Schema: "parcel"},
			want: says("this is not valid structured output"),
		},
		{
			proves: "PromptBlocked", reply: mimus.PromptBlocked(), want: want{Error: &failure{Kind: "content_filter"}},
			but: []otherwise{
				{selectors{"messages"}, "Anthropic has no such error; the nearest is a refusal that says nothing", func(w *want) { w.Error, w.Finish = nil, "refusal" }},
				{selectors{"generate"}, "Gemini tells it in an answer without candidates", func(w *want) { w.Error, w.None, w.Status = nil, true, "SAFETY" }},
				{selectors{"converse"}, "a guardrail answers in the place of the model", func(w *want) {
					w.Error, w.Text, w.Finish = nil, "Sorry, the model cannot answer this question.", "guardrail"
				}},
			},
		},
		{
			proves: "Reply.Stop", reply: mimus.Text("This goes on and").Stop(wire.StopLength),
			want: want{wantChoice: wantChoice{Text: "This goes on and", Finish: "length"}},
		},
		{
			proves: "Reply.StopSequence", reply: mimus.Text("One, two").StopSequence("three"), ask: ask{User: "Count to ten.", Stop: []string{"three"}},
			want: want{wantChoice: wantChoice{Text: "One, two", Finish: "stop_sequence", Sequence: "three"}},
			but: []otherwise{
				{selectors{"chat", "generate", "native"}, "a stop sequence is told as any stop is, and not which", func(w *want) { w.Sequence = "" }},
				{selectors{"responses"}, "Responses has no stop sequences", func(w *want) { w.Sequence, w.Finish = "", "complete" }},
			},
		},
		{
			proves: "Embedding", reply: mimus.Embedding(0.5, -0.25, 1), ask: ask{Op: "embed", Model: "text-embedding-3-small", User: "Lindenweg 14"},
			where: selectors{"openai.chat whole", "azure.chat whole", "generate whole", "native whole", "converse whole"},
			want:  want{Vectors: [][]float64{{0.5, -0.25, 1}}},
		},
		{
			proves: "Reply.Dimensions", reply: mimus.Embedding().Dimensions(8), ask: ask{Op: "embed", Model: "text-embedding-3-small", User: "Lindenweg 14, 04109 Leipzig"},
			where: selectors{"openai.chat whole", "azure.chat whole", "generate whole", "native whole"}, want: want{Vectors: [][]float64{golden(32)}},
			but: []otherwise{{selectors{"chat"}, "openai-go reads numbers of 64 bits", func(w *want) { w.Vectors = [][]float64{golden(64)} }}},
		},
		{
			proves: "Models", reply: mimus.Models("parrot-1", "mynah-2"), ask: ask{Op: "list_models"}, want: want{Models: []string{"parrot-1", "mynah-2"}, Pages: 1},
			where:  selectors{"chat whole", "messages whole", "generate whole", "native whole"},
			except: []exception{{selectors{"bedrock"}, "the runtime of Bedrock lists no models"}, {selectors{"vertex"}, "the SDK would send the request to a path that Google has not"}},
		},
	}
}

// golden is the vector of a text in the design: as its digits read, or as the floats of 32 bits that they stand for.
func golden(bits int) []float64 {
	v := []float64{-0.27837992, -0.2702196, 0.5262461, 0.035414863, -0.10606424, -0.5542636, -0.44410887, 0.23581019}
	if bits == 32 {
		for i := range v {
			v[i] = float64(float32(v[i]))
		}
	}
	return v
}

// sideEffects are the rows of what goes along with an answer.
func sideEffects() []*built {
	counts := mimus.Text("Counted.").UsageOf(wire.Usage{Input: 180, Output: 24, Reasoning: 7, CacheRead: 100, CacheWrite: 20})
	used := says("Counted.")
	used.Usage = &usage{Input: 180, Output: 24}
	usedOf := says("Counted.")
	usedOf.Usage = &usage{Input: 180, Output: 24, Reasoning: 7, CacheRead: 100, CacheWrite: 20}
	less := func(change func(u *usage)) func(*want) {
		return func(w *want) {
			u := *w.Usage
			change(&u)
			w.Usage = &u
		}
	}
	slow := says(long)
	slow.Elapsed = "2s"
	headed := says("Hello.")
	headed.Headers = map[string]string{"X-Team": "parcels"}
	return []*built{
		{proves: "Reply.Usage", reply: mimus.Text("Counted.").Usage(180, 24), want: used},
		{
			proves: "Reply.UsageOf", reply: counts, ask: thinking, want: usedOf,
			but: []otherwise{
				{selectors{"chat stream"}, "the SDK's accumulator leaves the tokens written to a cache out", less(func(u *usage) { u.CacheWrite = 0 })},
				{selectors{"generate"}, "Gemini does not count the tokens written to a cache", less(func(u *usage) { u.CacheWrite = 0 })},
				{selectors{"converse"}, "Converse does not count what was thought apart", less(func(u *usage) { u.Reasoning = 0 })},
				{selectors{"native"}, "Ollama counts what it read and what it wrote, and no more", less(func(u *usage) { *u = usage{Input: 180, Output: 24} })},
			},
		},
		{proves: "Reply.Header", reply: mimus.Text("Hello.").Header("x-team", "parcels"), want: headed},
		{
			proves: "Reply.RetryAfter", reply: mimus.Text("Hello.").RetryAfter(1500 * time.Millisecond),
			want: want{wantChoice: wantChoice{Text: "Hello."}, Headers: map[string]string{"Retry-After": "2"}},
		},
		{proves: "Reply.Delay", reply: mimus.Text(long).Delay(2 * time.Second), want: slow},
		{
			proves: "Reply.Pace", reply: mimus.Text(long).Pace(mimus.Pace{FirstToken: 2 * time.Second}), want: slow,
			but: []otherwise{{selectors{"whole"}, "a pace is of streams; a whole answer has a delay", func(w *want) { w.Elapsed = "0s" }}},
		},
		{proves: "Reply.SplitBytes", reply: mimus.Text("Köln 🚚 𝄞").SplitBytes(1), want: says("Köln 🚚 𝄞")},
		{
			proves: "Reply.Quirks", reply: mimus.Text("Never all of it.").ErrorAfter(4, mimus.Overloaded()).Quirks(`{"responsesError":"flat"}`),
			where: selectors{"responses stream"}, want: want{Error: &failure{Kind: "overloaded", Type: "-", InStream: true}},
		},
	}
}

// ownCode is how a provider's own code says that there were too many requests.
func ownCode(endpoint string) string {
	switch endpoint {
	case "anthropic.messages", "vertex.messages":
		return "rate_limit_error"
	case "gemini.generate", "aiplatform.generate":
		return "RESOURCE_EXHAUSTED"
	case "bedrock.messages", "bedrock.converse":
		return "ThrottlingException"
	}
	return "rate_limit_exceeded"
}
