package bedrock

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// appendWord writes a reason to stop, or null in a chunk that is not the last.
func appendWord(b []byte, word string) []byte {
	if word == "" {
		return append(b, "null"...)
	}
	return jsonx.AppendString(b, word)
}

// prompted reads a request whose conversation is one prompt.
func prompted(key string) func(*wire.Request, jsonx.Value) {
	return func(r *wire.Request, body jsonx.Value) {
		if s, ok := body.Get(key).Text(); ok {
			r.Messages = []wire.Message{{Role: wire.User, Parts: []wire.Part{wire.Text{Text: s}}}}
		}
		s := &r.Settings
		s.Temperature, s.TopP, s.TopK = floatOf(body.Get("temperature")), floatOf(body.Get("top_p")), intOf(body.Get("top_k"))
		if s.MaxTokens = intOf(body.Get("max_gen_len")); s.MaxTokens == nil {
			s.MaxTokens = intOf(body.Get("max_tokens"))
		}
		s.Stop = textsOf(body.Get("stop"))
		if config := body.Get("textGenerationConfig"); config.Exists() {
			s.Temperature, s.TopP = floatOf(config.Get("temperature")), floatOf(config.Get("topP"))
			s.MaxTokens, s.Stop = intOf(config.Get("maxTokenCount")), textsOf(config.Get("stopSequences"))
		}
	}
}

func (t *textual) form(f form) *form {
	f.fit, f.encode, f.whole, f.stream = t.fit, t.encode, t.whole, t.stream
	return &f
}

// llamaForm is Meta's (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-meta.html, 2025): in a stream the
// prompt is counted in the first chunk only.
func llamaForm() *form {
	t := &textual{
		stops: []stopName{{wire.StopComplete, "stop"}, {wire.StopLength, "length"}},
		appendWhole: func(b []byte, text, word string, u wire.Usage) []byte {
			b = jsonx.AppendString(append(b, `{"generation":`...), text)
			b = appendInt(append(b, `,"prompt_token_count":`...), u.Input)
			b = appendInt(append(b, `,"generation_token_count":`...), u.Output)
			return append(jsonx.AppendString(append(b, `,"stop_reason":`...), word), '}')
		},
		appendPiece: func(b []byte, p piece) []byte {
			b = jsonx.AppendString(append(b, `"generation":`...), p.text)
			b = append(b, `,"prompt_token_count":`...)
			if p.first {
				b = appendInt(b, p.usage.Input)
			} else {
				b = append(b, "null"...)
			}
			b = appendInt(append(b, `,"generation_token_count":`...), p.tokens)
			return appendWord(append(b, `,"stop_reason":`...), p.word)
		},
	}
	t.readPiece = func(v jsonx.Value, u *wire.Usage) (text, word string, ok bool) {
		text, ok = v.Get("generation").Text()
		u.Input = count(v.Get("prompt_token_count"), u.Input)
		u.Output = count(v.Get("generation_token_count"), u.Output)
		return text, v.Get("stop_reason").Str(), ok
	}
	t.readWhole = t.readPiece
	return t.form(form{
		name: "llama", families: []string{"meta.llama"}, missing: "prompt", decode: prompted("prompt"),
		knows: func(body jsonx.Value) bool {
			return body.Get("max_gen_len").Exists() && body.Get("prompt").Kind() == jsonx.String
		},
	})
}

// mistralTextForm is that of Mistral's older models (docs.aws.amazon.com/bedrock/latest/userguide/
// model-parameters-mistral-text-completion.html, 2025). Tokens are counted in headers and metrics only.
func mistralTextForm() *form {
	t := &textual{
		stops: []stopName{{wire.StopComplete, "stop"}, {wire.StopLength, "length"}},
		appendWhole: func(b []byte, text, word string, _ wire.Usage) []byte {
			b = jsonx.AppendString(append(b, `{"outputs":[{"text":`...), text)
			return append(jsonx.AppendString(append(b, `,"stop_reason":`...), word), `}]}`...)
		},
		appendPiece: func(b []byte, p piece) []byte {
			b = jsonx.AppendString(append(b, `"outputs":[{"text":`...), p.text)
			return append(appendWord(append(b, `,"stop_reason":`...), p.word), `}]`...)
		},
	}
	t.readPiece = func(v jsonx.Value, _ *wire.Usage) (text, word string, ok bool) {
		out := v.At("outputs", 0)
		text, ok = out.Get("text").Text()
		return text, out.Get("stop_reason").Str(), ok
	}
	t.readWhole = t.readPiece
	return t.form(form{
		name: "mistral", families: []string{"mistral."}, missing: "prompt", decode: prompted("prompt"),
		knows: func(body jsonx.Value) bool { return body.Get("prompt").Kind() == jsonx.String },
	})
}

// titanForm is that of Amazon's Titan text models (docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-text.html,
// 2025).
func titanForm() *form {
	t := &textual{
		stops: []stopName{
			{wire.StopComplete, "FINISH"},
			{wire.StopLength, "LENGTH"},
			{wire.StopSequence, "STOP_CRITERIA_MET"},
			{wire.StopSafety, "CONTENT_FILTERED"},
		},
		appendWhole: func(b []byte, text, word string, u wire.Usage) []byte {
			b = appendInt(append(b, `{"inputTextTokenCount":`...), u.Input)
			b = appendInt(append(b, `,"results":[{"tokenCount":`...), u.Output)
			b = jsonx.AppendString(append(b, `,"outputText":`...), text)
			return append(jsonx.AppendString(append(b, `,"completionReason":`...), word), `}]}`...)
		},
		appendPiece: func(b []byte, p piece) []byte {
			b = jsonx.AppendString(append(b, `"outputText":`...), p.text)
			b = append(b, `,"index":0`...)
			b = appendInt(append(b, `,"totalOutputTextTokenCount":`...), p.tokens)
			b = appendWord(append(b, `,"completionReason":`...), p.word)
			return appendInt(append(b, `,"inputTextTokenCount":`...), p.usage.Input)
		},
		readWhole: func(v jsonx.Value, u *wire.Usage) (text, word string, ok bool) {
			result := v.At("results", 0)
			text, ok = result.Get("outputText").Text()
			u.Input = count(v.Get("inputTextTokenCount"), u.Input)
			u.Output = count(result.Get("tokenCount"), u.Output)
			return text, result.Get("completionReason").Str(), ok
		},
		readPiece: func(v jsonx.Value, u *wire.Usage) (text, word string, ok bool) {
			text, ok = v.Get("outputText").Text()
			u.Input = count(v.Get("inputTextTokenCount"), u.Input)
			u.Output = count(v.Get("totalOutputTextTokenCount"), u.Output)
			return text, v.Get("completionReason").Str(), ok
		},
	}
	return t.form(form{
		name: "titan", families: []string{"amazon.titan-text", "amazon.titan-tg1"}, missing: "inputText", decode: prompted("inputText"),
		knows: func(body jsonx.Value) bool { return body.Get("textGenerationConfig").Exists() },
	})
}
