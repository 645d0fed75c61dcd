package cli

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// What the demo asks, what its tool finds, and what the example's stub answers.
const (
	question   = "Where is my parcel PX-AI-8102?"
	arguments  = `{"reference":"PX-AI-8102"}`
	found      = `{"status":"OUT_FOR_DELIVERY","city":"Leipzig"}`
	answerText = "Your parcel PX-AI-8102 is out for delivery in Leipzig and arrives today."
)

// demoWire is how the loop goes on one wire.
type demoWire struct {
	endpoint, path string
	header         [][2]string
	question       string
	// result is the request that carries the tool's result: {id} stands for the answer's id, {call} for the call's.
	resultBody string
}

func (w demoWire) result(id, call string) string {
	return strings.NewReplacer("{id}", id, "{call}", call).Replace(w.resultBody)
}

func quoted(s string) string { return string(jsonx.AppendString(nil, s)) }

// demoWires are the three wires most spoken. Every request is one that the provider would accept.
func demoWires() []demoWire {
	const (
		key        = "demo-key"
		about      = `"description":"Looks a parcel up by its reference."`
		parameters = `{"type":"object","properties":{"reference":{"type":"string"}},"required":["reference"],"additionalProperties":false}`
		openai     = `{"model":"gpt-4.1-mini",`
		claude     = `{"model":"claude-haiku-4-5","max_tokens":1024,`
		chatTools  = `"tools":[{"type":"function","function":{"name":"track_parcel",` + about + `,"parameters":` + parameters + `}}]`
		respTools  = `"tools":[{"type":"function","name":"track_parcel",` + about + `,"parameters":` + parameters + `,"strict":true}]`
		messTools  = `"tools":[{"name":"track_parcel",` + about + `,"input_schema":` + parameters + `}]`
		user       = `{"role":"user","content":"` + question + `"}`
	)
	bearer := [][2]string{{"Authorization", "Bearer " + key}}
	return []demoWire{
		{
			endpoint: "openai.chat", path: "/v1/chat/completions", header: bearer,
			question: openai + `"messages":[` + user + `],` + chatTools + `}`,
			resultBody: openai + `"messages":[` + user + `,` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"{call}","type":"function","function":{"name":"track_parcel","arguments":` + quoted(arguments) + `}}]},` +
				`{"role":"tool","tool_call_id":"{call}","content":` + quoted(found) + `}],` + chatTools + `,"stream":true,"stream_options":{"include_usage":true}}`,
		},
		{
			endpoint: "openai.responses", path: "/v1/responses", header: bearer,
			question: openai + `"input":"` + question + `",` + respTools + `}`,
			resultBody: openai + `"previous_response_id":"{id}","input":[{"type":"function_call_output","call_id":"{call}","output":` + quoted(found) + `}],` +
				respTools + `,"stream":true}`,
		},
		{
			endpoint: "anthropic.messages", path: "/v1/messages", header: [][2]string{{"X-Api-Key", key}, {"Anthropic-Version", "2023-06-01"}},
			question: claude + `"messages":[` + user + `],` + messTools + `}`,
			resultBody: claude + `"messages":[` + user + `,` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"{call}","name":"track_parcel","input":` + arguments + `}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"{call}","content":` + quoted(found) + `}]}],` + messTools + `,"stream":true}`,
		},
	}
}
