package gemini

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed schema/request.txt
var requestSchema string

// kind is the type of a field.
type kind uint8

const (
	anyKind kind = iota
	objectKind
	stringKind
	bytesKind
	boolKind
	floatKind
	doubleKind
	int32Kind
	int64Kind
	enumKind
	messageKind
)

var scalarKinds = [...]struct {
	name string
	kind kind
	word string // in errors
}{
	{"any", anyKind, ""},
	{"object", objectKind, "google.protobuf.Struct"},
	{"string", stringKind, "TYPE_STRING"},
	{"bytes", bytesKind, "TYPE_BYTES"},
	{"bool", boolKind, "TYPE_BOOL"},
	{"float", floatKind, "TYPE_FLOAT"},
	{"double", doubleKind, "TYPE_DOUBLE"},
	{"int32", int32Kind, "TYPE_INT32"},
	{"int64", int64Kind, "TYPE_INT64"},
}

// fieldType is one field of a message. word is the type's name in errors, that of an enum or a message without its package.
type fieldType struct {
	name         string
	kind         kind
	list, mapped bool
	word         string
	values       []string // of an enum
	message      *messageType
}

type messageType struct {
	name   string
	fields []fieldType
}

// The messages that bodies are.
const (
	generateRequest = "GenerateContentRequest"
	countRequest    = "CountTokensRequest"
)

var embedMessages = [...]string{single: "EmbedContentRequest", batch: "BatchEmbedContentsRequest", predicted: "PredictRequest"}

// messageTypes reads the embedded schema, once.
var messageTypes = sync.OnceValue(func() map[string]*messageType {
	types := map[string]*messageType{}
	enums := map[string][]string{}
	for line := range strings.Lines(requestSchema) {
		if name, _, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(line, "#") {
			types[name] = &messageType{name: name}
		} else if words := strings.Fields(line); len(words) > 1 && words[0] == "enum" {
			enums[words[1]] = words[2:]
		}
	}
	for line := range strings.Lines(requestSchema) {
		name, list, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		if !ok || strings.HasPrefix(line, "#") || list == "" {
			continue
		}
		m := types[name]
		for entry := range strings.SplitSeq(list, ", ") {
			m.fields = append(m.fields, parseField(entry, types, enums))
		}
	}
	return types
})

func parseField(entry string, types map[string]*messageType, enums map[string][]string) fieldType {
	name, word, _ := strings.Cut(entry, " ")
	f := fieldType{name: name}
	word, f.list = strings.CutPrefix(word, "[]")
	word, f.mapped = strings.CutPrefix(word, "map:")
	f.word = word
	for _, s := range scalarKinds {
		if s.name == word {
			f.kind, f.word = s.kind, s.word
			return f
		}
	}
	if values, ok := enums[word]; ok {
		f.kind, f.values = enumKind, values
		return f
	}
	f.kind, f.message = messageKind, types[word]
	return f
}

func (m *messageType) field(name string) *fieldType {
	for i := range m.fields {
		if m.fields[i].name == name {
			return &m.fields[i]
		}
	}
	for i := range m.fields {
		if sameName(name, m.fields[i].name) {
			return &m.fields[i]
		}
	}
	return nil
}
