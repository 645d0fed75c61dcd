package jsonx_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
)

const smallDoc = `{"model":"gpt-4o-mini","temperature":0.7,"stream":true,"max_tokens":256,` +
	`"messages":[{"role":"system","content":"You are a helpful assistant."},` +
	`{"role":"user","content":"What is the capital of France?\nAnswer in one word."}],` +
	`"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object"}}}]}`

// chatDoc is a conversation of about a megabyte with messages of 2 kB.
func chatDoc() string {
	text := strings.Repeat("Some prose of a usual length, with a line break and a “quote” now and then.\n", 26)
	b := []byte(`{"model":"m","stream":false,"messages":[`)
	for len(b) < 1<<20 {
		b = append(b, `{"role":"user","content":`...)
		b = append(jsonx.AppendString(b, text), "},"...)
	}
	return string(append(b, `{"role":"user","content":"end"}]}`...))
}

var benchDocs = []struct{ name, doc string }{
	{"small", smallDoc},
	{"chat1MB", chatDoc()},
	{"embedding", "[" + strings.Repeat("-0.0123456789,", 1535) + "1]"},
}

func BenchmarkParse(b *testing.B) {
	for _, bb := range benchDocs {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonx.Parse(bb.doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStdUnmarshal(b *testing.B) {
	for _, bb := range benchDocs {
		b.Run(bb.name, func(b *testing.B) {
			doc := []byte(bb.doc)
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				var v any
				if err := json.Unmarshal(doc, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStdValid(b *testing.B) {
	for _, bb := range benchDocs {
		b.Run(bb.name, func(b *testing.B) {
			doc := []byte(bb.doc)
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if !json.Valid(doc) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

func BenchmarkGet(b *testing.B) {
	v := mustParse(b, smallDoc)
	b.ReportAllocs()
	for b.Loop() {
		if v.At("messages", 1, "role").Str() != "user" {
			b.Fatal("not found")
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	text := mustParse(b, chatDoc()).At("messages", 0, "content").Str()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = jsonx.AppendString(buf[:0], text)
	}
}

func BenchmarkAppendCompact(b *testing.B) {
	for _, bb := range benchDocs {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.doc)))
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf = jsonx.AppendCompact(buf[:0], bb.doc)
			}
		})
	}
}
