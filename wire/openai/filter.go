package openai

import "github.com/mimus-go/mimus/wire"

// Azure's verdicts, with keys in the order of the alphabet (recorded 2025-11 to 2026-06).
const (
	noVerdict   = `{}`
	safeVerdict = `{"hate":{"filtered":false,"severity":"safe"},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`
	wholeSafe   = `{"hate":{"filtered":false,"severity":"safe"},"protected_material_code":{"filtered":false,"detected":false},"protected_material_text":{"filtered":false,"detected":false},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`
	badVerdict  = `{"hate":{"filtered":true,"severity":"high"},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`
)

// filterResults is the verdict on the current choice: empty where nothing was said in it.
func (e *chatEncoder) filterResults() string {
	n := &e.now
	if n.finish == "content_filter" {
		return badVerdict
	}
	if n.answer != nil {
		for _, p := range n.answer.Parts {
			if t, ok := p.(wire.Text); ok && t.Text != "" {
				return wholeSafe
			}
		}
		return noVerdict
	}
	if n.filter && !e.p.q.AsyncFilter {
		return safeVerdict
	}
	return noVerdict
}

// asyncFilter is the chunk that Azure's asynchronous filter sends behind the text that it is about (learn.microsoft.com/
// azure/foundry/openai/concepts/content-streaming, read 2026-11, says when; the form is the offsets that Azure was recorded
// to send with its filters on Responses, and not recorded here).
func (e *chatEncoder) asyncFilter() []byte {
	end := 0
	for i := range e.choices {
		end += e.choices[i].bytes
	}
	dst := append([]byte(nil), `{"choices":[{"content_filter_offsets":{"check_offset":0,"start_offset":0,"end_offset":`...)
	dst = appendInt(dst, end)
	dst = append(dst, `},"content_filter_results":`+safeVerdict+`,"finish_reason":null,"index":0}],"created":0,"id":"","model":"","object":""}`...)
	return dst
}
