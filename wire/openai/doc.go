// Package openai speaks OpenAI's wire: Chat Completions, Responses, embeddings and model lists, and the dialects of it
// that Azure and the OpenAI-compatible vendors speak.
//
// What travels is data. Each JSON object that leaves is a layout: a JSON template whose strings "$id", "$model"… stand
// for values, in the key order of whoever is spoken for. vendors/openai.json holds OpenAI's own layouts, and every other
// file there is one vendor, as its differences from another. A stub's `quirks` change the same fields for one answer; see
// [Quirks]. So there is one encoder for each endpoint, and it asks nobody's name.
//
//	p := openai.Provider()
//	for _, e := range p.Endpoints() {
//		fmt.Println(e.Name, e.Method, e.Suffix)
//	}
package openai
