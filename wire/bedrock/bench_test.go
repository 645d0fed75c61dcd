package bedrock_test

import (
	"io"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

// long is an answer of about two hundred events.
func long() wire.Reply { return one(wire.Text{Text: strings.Repeat("word ", 200)}) }

func BenchmarkStream(b *testing.B) {
	for name, path := range map[string]string{"converse": nova + "/converse-stream", "nova": nova + "/invoke-with-response-stream"} {
		b.Run(name, func(b *testing.B) {
			c := open(b, post(path, ask))
			reply := long()
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				resp, _, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
				for i, f := range resp.Frames {
					buf = resp.Framing.Append(buf[:0], f, i)
					_, _ = io.Discard.Write(buf)
				}
			}
		})
	}
}

func BenchmarkWhole(b *testing.B) {
	c := open(b, post(nova+"/converse", ask))
	b.ReportAllocs()
	for b.Loop() {
		wire.Render(c, c.Endpoint.Codec, hello, wire.Split{}, wire.NoCut())
	}
}

func BenchmarkDecode(b *testing.B) {
	p := post(nova+"/converse", ask)
	b.ReportAllocs()
	for b.Loop() {
		open(b, p)
	}
}
