package openai

import "strings"

// respFacts is what the response object says of a model where the request does not.
type respFacts struct {
	// reasons says that the model thinks; known, that the table knows it.
	reasons, known bool
	effort         string
	topP           float64
	// retention is prompt_cache_retention.
	retention string
	// phase says that messages name their phase.
	phase bool
}

// respModelFacts are recorded 2025-11 to 2026-08; the longest prefix counts. An unknown name is a model that does not
// think.
func respModelFacts(model string) respFacts {
	name := strings.ToLower(model)
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimPrefix(name, "ft:")
	for _, m := range []struct {
		prefix string
		facts  respFacts
	}{
		{"gpt-5.6", respFacts{true, true, "medium", 0.98, "24h", true}},
		{"gpt-5.5", respFacts{true, true, "medium", 0.98, "24h", true}},
		{"gpt-5.4", respFacts{true, true, "none", 0.98, "24h", true}},
		{"gpt-5.3", respFacts{true, true, "medium", 0.98, "24h", true}},
		{"gpt-5.2-codex", respFacts{true, true, "medium", 0.98, "24h", false}},
		{"gpt-5.2", respFacts{true, true, "none", 0.98, "24h", false}},
		{"gpt-5.1-codex", respFacts{true, true, "medium", 1, "24h", false}},
		{"gpt-5.1", respFacts{true, true, "none", 1, "24h", false}},
		{"gpt-5-chat", respFacts{false, true, "", 1, "in_memory", false}},
		{"gpt-5", respFacts{true, true, "medium", 1, "in_memory", false}},
		{"gpt-oss", respFacts{true, true, "medium", 1, "in_memory", false}},
		{"o1", respFacts{true, true, "medium", 1, "in_memory", false}},
		{"o3", respFacts{true, true, "medium", 1, "in_memory", false}},
		{"o4", respFacts{true, true, "medium", 1, "in_memory", false}},
		{"gpt-4", respFacts{false, true, "", 1, "in_memory", false}},
		{"gpt-3.5", respFacts{false, true, "", 1, "in_memory", false}},
	} {
		if strings.HasPrefix(name, m.prefix) {
			return m.facts
		}
	}
	return respFacts{topP: 1, retention: "in_memory"}
}
