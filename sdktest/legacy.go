//nolint:staticcheck // the functions of before there were tools: deprecated, still answered, and so still tested
package sdktest

import "github.com/openai/openai-go/v3"

// functionMessage is what a function gave.
func functionMessage(asked openai.ChatCompletionMessage, result string) openai.ChatCompletionMessageParamUnion {
	return openai.ChatCompletionMessageParamUnion{OfFunction: &openai.ChatCompletionFunctionMessageParam{
		Name: asked.FunctionCall.Name, Content: openai.String(result),
	}}
}

func addFunction(p *openai.ChatCompletionNewParams, name string, t tool) {
	p.Functions = append(p.Functions, openai.ChatCompletionNewParamsFunction{
		Name: name, Description: openai.String(t.Description), Parameters: object(t.Parameters),
	})
}

func functionCall(m openai.ChatCompletionMessage) []call {
	if m.FunctionCall.Name == "" {
		return nil
	}
	return []call{{name: m.FunctionCall.Name, arguments: m.FunctionCall.Arguments}}
}
