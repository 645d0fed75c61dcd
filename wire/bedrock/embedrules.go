package bedrock

import (
	"iter"
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// embedRules are what the schema gate refuses of a body to embed. The words are those of its JSON Schema validator, as
// clients quote them.
var embedRules = [...]rule{
	tooLarge,
	{"fields", true, func(x *exam, report func(string)) {
		switch askedOf(x.call).form {
		case cohereEmbed:
			checkCohere(x, report)
		case novaEmbed:
			if !x.body.Get("singleEmbeddingParams").Exists() {
				report(missingKey("#", "singleEmbeddingParams"))
			}
		case titanEmbedImage:
			if !x.body.Get("inputText").Exists() && !x.body.Get("inputImage").Exists() {
				report(missingKey("#", "inputText"))
			}
		default:
			text := x.body.Get("inputText")
			switch {
			case !text.Exists():
				report(missingKey("#", "inputText"))
			case text.Kind() != jsonx.String:
				report(wrongKind("#/inputText", "String", text))
			case text.Str() == "":
				report(malformed("#/inputText: expected minLength: 1, actual: 0"))
			}
		}
	}},
	{"dimensions", true, func(x *exam, report func(string)) {
		asked := askedOf(x.call)
		key, sizes := "dimensions", []int64{256, 512, 1024}
		switch asked.form {
		case titanEmbed:
		case cohereEmbed:
			key, sizes = "output_dimension", []int64{256, 512, 1024, 1536}
		default:
			return
		}
		v := x.body.Get(key)
		if !v.Exists() {
			return
		}
		n, ok := v.Int()
		for _, size := range sizes {
			if ok && n == size {
				return
			}
		}
		report(malformed("#/" + key + ": " + v.Raw() + " is not a valid enum value"))
	}},
}

func askedOf(c *wire.Call) *embedAsked {
	if a, ok := c.Request.Native.(*embedAsked); ok {
		return a
	}
	return &embedAsked{}
}

// The limits of Cohere's third generation.
const (
	cohereTexts = 96
	cohereText  = 2048
)

func checkCohere(x *exam, report func(string)) {
	texts := x.body.Get("texts")
	if !texts.Exists() && !x.body.Get("images").Exists() && !x.body.Get("inputs").Exists() {
		report(missingKey("#", "texts"))
	}
	if !x.body.Get("input_type").Exists() {
		report(missingKey("#", "input_type"))
	}
	if texts.Exists() && texts.Kind() != jsonx.Array {
		report(wrongKind("#/texts", "JSONArray", texts))
	}
	if texts.Len() > cohereTexts {
		report(malformed("#/texts: expected maximum item count: " + strconv.Itoa(cohereTexts) + ", found: " + strconv.Itoa(texts.Len())))
	}
	limited := is(x.call.Request.Model, "cohere.embed-english-v3") || is(x.call.Request.Model, "cohere.embed-multilingual-v3")
	for i, item := range texts.Items() {
		at := "#/texts/" + strconv.Itoa(i)
		if s, ok := item.Text(); !ok {
			report(wrongKind(at, "String", item))
		} else if n := len([]rune(s)); limited && n > cohereText {
			report(malformed(at + ": expected maxLength: " + strconv.Itoa(cohereText) + ", actual: " + strconv.Itoa(n)))
		}
	}
}

// Check yields what the schema gate refuses.
func (embeddings) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return violations(&exam{c, askedOf(c).body}, "embeddings.", embedRules[:])
}
