package ollama

import (
	"slices"
	"strconv"
	"strings"
)

// family is what is known of a model by its name.
type family struct {
	// model is the model part of the name.
	model string
	// arch is the architecture, which is also the family that lists name.
	arch string
	// billions is how many parameters the tag "latest" has.
	billions float64
	context  int
	// width is the length of an embedding.
	width int
	can   []string
}

// What a model can do, in Ollama's words and order.
const (
	canComplete = "completion"
	canTools    = "tools"
	canInsert   = "insert"
	canSee      = "vision"
	canEmbed    = "embedding"
	canThink    = "thinking"
)

// families are models of ollama.com/library, as their pages describe them (Aug 2026).
var families = [...]family{
	{"gpt-oss", "gptoss", 20.9, 131072, 2880, []string{canComplete, canTools, canThink}},
	{"qwen3", "qwen3", 8.2, 40960, 4096, []string{canComplete, canTools, canThink}},
	{"qwen3-coder", "qwen3moe", 30.5, 262144, 2048, []string{canComplete, canTools}},
	{"qwen2.5", "qwen2", 7.6, 32768, 3584, []string{canComplete, canTools}},
	{"qwen2.5-coder", "qwen2", 7.6, 32768, 3584, []string{canComplete, canTools, canInsert}},
	{"deepseek-r1", "qwen3", 8.2, 131072, 4096, []string{canComplete, canTools, canThink}},
	{"gemma4", "gemma4", 8.0, 131072, 2560, []string{canComplete, canSee, canTools, canThink}},
	{"gemma3", "gemma3", 4.3, 131072, 2560, []string{canComplete, canSee}},
	{"llama3.3", "llama", 70.6, 131072, 8192, []string{canComplete, canTools}},
	{"llama3.2", "llama", 3.2, 131072, 3072, []string{canComplete, canTools}},
	{"llama3.1", "llama", 8.0, 131072, 4096, []string{canComplete, canTools}},
	{"llama3", "llama", 8.0, 8192, 4096, []string{canComplete}},
	{"llama2", "llama", 6.7, 4096, 4096, []string{canComplete}},
	{"mistral", "llama", 7.2, 32768, 4096, []string{canComplete, canTools}},
	{"phi4", "phi3", 14.7, 16384, 5120, []string{canComplete}},
	{"codellama", "llama", 6.7, 16384, 4096, []string{canComplete, canInsert}},
	{"llava", "llama", 7.2, 32768, 4096, []string{canComplete, canSee}},
	{"nomic-embed-text", "nomic-bert", 0.137, 2048, 768, []string{canEmbed}},
	{"mxbai-embed-large", "bert", 0.334, 512, 1024, []string{canEmbed}},
	{"all-minilm", "bert", 0.023, 512, 384, []string{canEmbed}},
	{"bge-m3", "bert", 0.567, 8192, 1024, []string{canEmbed}},
	{"snowflake-arctic-embed", "bert", 0.334, 512, 1024, []string{canEmbed}},
	{"embeddinggemma", "gemma3", 0.308, 2048, 768, []string{canEmbed}},
	{"qwen3-embedding", "qwen3", 7.6, 40960, 4096, []string{canEmbed}},
}

// familyOf is the family of that very name in Ollama's own library. Models that users make may be anything.
func familyOf(n name) (family, bool) {
	if n.host != registry || n.namespace != library {
		return family{}, false
	}
	for _, f := range families {
		if strings.EqualFold(f.model, n.model) {
			return f, true
		}
	}
	return family{}, false
}

// lacks says whether a model is known not to have a capability.
func lacks(n name, capability string) bool {
	f, ok := familyOf(n)
	if !ok {
		return false
	}
	return !slices.Contains(f.can, capability)
}

// describe is the family, or the nearest by the beginning of its name, or something small that can do everything usual.
func describe(n name) family {
	if f, ok := familyOf(n); ok {
		return f
	}
	best := family{"", "llama", 8.0, 131072, 4096, []string{canComplete, canTools}}
	for _, f := range families {
		if strings.HasPrefix(strings.ToLower(n.model), f.model) && len(f.model) > len(best.model) {
			best = f
		}
	}
	return best
}

// usualWidth is the length of a model's vectors: what its page says, else 768.
func usualWidth(model string) int {
	n, _ := nameOf(model)
	f, ok := familyOf(n)
	for _, c := range f.can {
		if ok && c == canEmbed {
			return f.width
		}
	}
	return 768
}

// parameters counts a model's parameters in billions: the tag says it ("llama3.2:1b", "qwen3:0.6b-q8_0"), or the family.
func parameters(n name) float64 {
	size, _, _ := strings.Cut(strings.ToLower(n.tag), "-")
	for unit, factor := range map[string]float64{"b": 1, "m": 0.001} {
		if text, ok := strings.CutSuffix(size, unit); ok {
			if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 && f < 1e5 {
				return f * factor
			}
		}
	}
	return describe(n).billions
}

// parameterSize is how lists write it: "8.2B", "137M".
func parameterSize(billions float64) string {
	if billions < 1 {
		return strconv.FormatFloat(billions*1000, 'f', -1, 64) + "M"
	}
	return strconv.FormatFloat(billions, 'f', 1, 64) + "B"
}
