package openai

import (
	"math/rand/v2"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// family is what is known of models whose names begin alike. The longest prefix counts; a name that fits none is
// treated as a model of the usual kind.
type family struct {
	prefix string
	// quiet models have no logprobs key in their choices: reasoning, audio and search models (recorded 2025-2026).
	quiet bool
	// noFingerprint models send null as system_fingerprint.
	noFingerprint bool
	// search models send an empty fingerprint and no service_tier.
	search bool
}

func families() [17]family {
	return [...]family{
		{prefix: "gpt-5", quiet: true, noFingerprint: true},
		{prefix: "gpt-5-chat"},
		{prefix: "gpt-5-search", quiet: true, search: true},
		{prefix: "o1", quiet: true, noFingerprint: true},
		{prefix: "o3", quiet: true, noFingerprint: true},
		{prefix: "o4", quiet: true, noFingerprint: true},
		{prefix: "gpt-4", noFingerprint: true},
		{prefix: "gpt-4-turbo"},
		{prefix: "gpt-4o"},
		{prefix: "gpt-4.1"},
		{prefix: "gpt-3.5", noFingerprint: true},
		{prefix: "gpt-35", noFingerprint: true}, // as deployments on Azure are named
		{prefix: "gpt-4o-search", quiet: true, search: true},
		{prefix: "gpt-4o-mini-search", quiet: true, search: true},
		{prefix: "gpt-4o-audio", quiet: true},
		{prefix: "gpt-4o-mini-audio", quiet: true},
		{prefix: "gpt-audio", quiet: true},
	}
}

func familyOf(model string) family {
	var best family
	model = baseModel(model)
	for _, f := range families() {
		if len(f.prefix) > len(best.prefix) && strings.HasPrefix(model, f.prefix) {
			best = f
		}
	}
	return best
}

// baseModel takes off what names a fine-tune or a publisher: "ft:gpt-4o-mini:org::id" and "openai/gpt-4o-mini".
func baseModel(model string) string {
	if rest, ok := strings.CutPrefix(model, "ft:"); ok {
		model, _, _ = strings.Cut(rest, ":")
	}
	return strings.TrimPrefix(model, "openai/")
}

// snapshot is the dated name that OpenAI answers under, where the alias is known (recorded, or else
// general knowledge of 2026); any other name is said as it was asked for.
func snapshot(model string) string {
	switch model {
	case "gpt-5", "gpt-5-mini", "gpt-5-nano":
		return model + "-2025-08-07"
	case "gpt-5.1":
		return "gpt-5.1-2025-11-13"
	case "gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano":
		return model + "-2025-04-14"
	case "gpt-4o":
		return "gpt-4o-2024-08-06"
	case "gpt-4o-mini":
		return "gpt-4o-mini-2024-07-18"
	case "gpt-4o-search-preview", "gpt-4o-mini-search-preview":
		return model + "-2025-03-11"
	case "gpt-4o-mini-audio-preview":
		return "gpt-4o-mini-audio-preview-2024-12-17"
	case "gpt-4-turbo":
		return "gpt-4-turbo-2024-04-09"
	case "gpt-4":
		return "gpt-4-0613"
	case "gpt-3.5-turbo":
		return "gpt-3.5-turbo-0125"
	case "o1":
		return "o1-2024-12-17"
	case "o3", "o4-mini":
		return model + "-2025-04-16"
	case "o3-mini":
		return "o3-mini-2025-01-31"
	}
	return model
}

// fingerprint is the same for each answer of a model: "fp_" and 10 hexadecimal digits.
func fingerprint(model string) string {
	h := uint64(14695981039346656037)
	for i := range len(model) {
		h = (h ^ uint64(model[i])) * 1099511628211
	}
	var src rand.PCG
	src.Seed(h, 0)
	return string(wire.AppendRandom([]byte("fp_"), &src, wire.Hex, 10))
}
