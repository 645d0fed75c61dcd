package bedrock

import "github.com/mimus-go/mimus/internal/jsonx"

// intervened is what InvokeModel adds to a model's own answer where a guardrail blocked or changed it (recorded 2025-08):
// the model's reason to stop is left as it is.
const intervened = `,"amazon-bedrock-guardrailAction":"INTERVENED"`

// appendIntervened adds it to an answer or its last chunk, before the last brace.
func appendIntervened(b []byte, trace string) []byte {
	if trace != "" {
		b = append(append(b, `,"amazon-bedrock-trace":`...), trace...)
	}
	return append(b, intervened...)
}

// hasIntervened reads it.
func hasIntervened(v jsonx.Value) bool {
	return v.Get("amazon-bedrock-guardrailAction").Str() == "INTERVENED"
}
