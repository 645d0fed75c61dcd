// Package all is the one list of the providers that mimus speaks for.
//
// Nothing registers itself: a new wire is one folder beside this one, and one line in [Providers].
package all

import (
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/bedrock"
	"github.com/mimus-go/mimus/wire/gemini"
	"github.com/mimus-go/mimus/wire/ollama"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/scripted"
	"github.com/mimus-go/mimus/wire/typesafe"
)

// AsOf is the month that the knowledge of the providers' APIs is of: their published documents and their recorded
// answers.
const AsOf = "2026-08"

// Providers are all providers. Where a request could be meant for several, the one that is surest wins, then the first.
func Providers() []wire.Provider {
	return []wire.Provider{
		openai.Provider(),
		anthropic.Provider(),
		gemini.Provider(),
		bedrock.Provider(),
		ollama.Provider(),
		scripted.Provider(),
		typesafe.Provider(),
	}
}

// Codecs are the codecs of all endpoints that have one, by the endpoint's name: "openai.chat".
func Codecs() map[string]wire.Codec {
	codecs := map[string]wire.Codec{}
	for _, p := range Providers() {
		for _, e := range p.Endpoints() {
			if e.Codec != nil {
				codecs[e.Name] = named{e.Codec, e.Name}
			}
		}
	}
	return codecs
}

// named is a codec that knows which endpoint it was taken for. Endpoints share codecs: Anthropic's messages are the same
// on Vertex AI and on Bedrock, but for ids, frames and errors, which go by the request.
type named struct {
	wire.Codec
	name string
}

// Endpoint is the name of the codec's endpoint.
func (n named) Endpoint() string { return n.name }
