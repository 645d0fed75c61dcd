package ollama_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
)

func benchmarkRender(b *testing.B, body string, r wire.Reply) {
	b.Helper()
	c := open(b, post(chatPath, body))
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
		if size = len(resp.Frames) + len(resp.Body); size == 0 {
			b.Fatal("nothing")
		}
	}
	if c.Request.Stream {
		b.ReportMetric(float64(size), "events")
	}
}

func BenchmarkWhole(b *testing.B) { benchmarkRender(b, askWhole, hello) }

func BenchmarkStream200(b *testing.B) {
	benchmarkRender(b, askChat, one(wire.Text{Text: strings.Repeat("word ", 199)}))
}

func BenchmarkDecode(b *testing.B) {
	for name, body := range map[string]string{
		"2KB":   strings.Replace(askWhole, "Where", strings.Repeat("Where ", 330), 1),
		"200KB": `{"model":"m","messages":[` + strings.Repeat(`{"role":"user","content":"`+strings.Repeat("word ", 200)+`"},`, 190) + `{"role":"user","content":"Hi"}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				c := open(b, post(chatPath, body))
				for v := range c.Endpoint.Codec.Check(c) {
					b.Fatal(v.Failure)
				}
			}
		})
	}
}
