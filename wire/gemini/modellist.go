package gemini

import (
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// model is what the list says of a model (recorded 2026-08).
type model struct {
	name, version, display string
	input, output          int
	methods                methods
	topK                   int
	thinking               bool
}

type methods uint8

const (
	chats methods = iota
	embeds
)

var methodNames = [...]string{
	chats:  `["generateContent","countTokens","createCachedContent","batchGenerateContent"]`,
	embeds: `["embedContent","countTextTokens","countTokens","asyncBatchEmbedContent"]`,
}

const million = 1048576

// knownModels are the models that code asks for most, newest first, and older ones behind them.
var knownModels = [...]model{
	{"gemini-3.8-flash", "3.8-flash-11-2026", "Gemini 3.8 Flash", million, 65536, chats, 64, true},
	{"gemini-3.6-flash", "3.6-flash-07-2026", "Gemini 3.6 Flash", million, 65536, chats, 64, true},
	{"gemini-3.5-flash", "3.5-flash-05-2026", "Gemini 3.5 Flash", million, 65536, chats, 64, true},
	{"gemini-3.1-pro-preview", "3.1-pro-preview-01-2026", "Gemini 3.1 Pro Preview", million, 65536, chats, 64, true},
	{"gemini-3.1-flash-lite", "3.1-flash-lite-05-2026", "Gemini 3.1 Flash Lite", million, 65536, chats, 64, true},
	{"gemini-3-flash-preview", "3-flash-preview-12-2025", "Gemini 3 Flash Preview", million, 65536, chats, 64, true},
	{"gemini-2.5-pro", "2.5", "Gemini 2.5 Pro", million, 65536, chats, 64, true},
	{"gemini-2.5-flash", "001", "Gemini 2.5 Flash", million, 65536, chats, 64, true},
	{"gemini-2.5-flash-lite", "001", "Gemini 2.5 Flash-Lite", million, 65536, chats, 64, true},
	{"gemini-embedding-2", "2", "Gemini Embedding 2", 8192, 1, embeds, 0, false},
	{"gemini-embedding-001", "001", "Gemini Embedding 001", 2048, 1, embeds, 0, false},
	{"gemini-2.0-flash", "2.0", "Gemini 2.0 Flash", million, 8192, chats, 40, false},
	{"gemini-2.0-flash-lite", "2.0", "Gemini 2.0 Flash-Lite", million, 8192, chats, 40, false},
}

const listed = 11 // of knownModels, from the front

// UsualModels are the models of a list that nobody gave.
func (provider) UsualModels() []string {
	names := make([]string, listed)
	for i := range names {
		names[i] = knownModels[i].name
	}
	return names
}

// known finds a model by its name, or by the name without what follows it: gemini-2.5-flash-001.
func known(name string) (model, bool) {
	best, found := model{}, false
	for _, m := range knownModels {
		if strings.HasPrefix(name, m.name) && len(m.name) > len(best.name) {
			best, found = m, true
		}
	}
	return best, found
}

// describe is what the list says of any name.
func describe(name string) model {
	if m, ok := known(name); ok && m.name == name {
		return m
	}
	m := model{name: name, version: "001", display: displayName(name), input: million, output: 65536, topK: 64, thinking: true}
	if strings.Contains(name, "embedding") {
		m.methods, m.input, m.output, m.topK, m.thinking = embeds, 2048, 1, 0, false
	}
	return m
}

// displayName is "Gemini 2.5 Flash" for gemini-2.5-flash.
func displayName(name string) string {
	words := strings.Split(name, "-")
	for i, w := range words {
		if w != "" && w[0] >= 'a' && w[0] <= 'z' {
			words[i] = string(w[0]-'a'+'A') + w[1:]
		}
	}
	return strings.Join(words, " ")
}

func appendModel(b []byte, m model) []byte {
	b = appendString(append(b, `{"name": `...), "models/"+m.name)
	b = appendString(append(b, `,"version": `...), m.version)
	b = appendString(append(b, `,"displayName": `...), m.display)
	b = appendString(append(b, `,"description": `...), m.display)
	b = appendInt(append(b, `,"inputTokenLimit": `...), m.input)
	b = appendInt(append(b, `,"outputTokenLimit": `...), m.output)
	b = append(append(b, `,"supportedGenerationMethods": `...), methodNames[m.methods]...)
	if m.methods == chats {
		b = appendInt(append(b, `,"temperature": 1,"topP": 0.95,"topK": `...), m.topK)
		b = append(b, `,"maxTemperature": 2`...)
	}
	if m.thinking {
		b = append(b, `,"thinking": true`...)
	}
	return append(b, '}')
}

// appendPublisherModel writes a model of Vertex's Model Garden (discovery document of aiplatform v1beta1, PublisherModel).
func appendPublisherModel(b []byte, m model) []byte {
	b = appendString(append(b, `{"name": `...), "publishers/google/models/"+m.name)
	b = appendString(append(b, `,"versionId": `...), "default")
	return append(b, `,"openSourceCategory": "PROPRIETARY","launchStage": "GA"}`...)
}

var _ wire.Lister = provider{}
