package gemini

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func benchmarkRender(b *testing.B, target string, r wire.Reply) {
	b.Helper()
	c, _, err := wiretest.Call(Provider(), probe(target, hello))
	if err != nil {
		b.Fatal(err)
	}
	events := 0
	b.ReportAllocs()
	for b.Loop() {
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
		if events = len(resp.Frames); events+len(resp.Body) == 0 {
			b.Fatal("nothing")
		}
	}
	if events > 0 {
		b.ReportMetric(float64(events), "events")
	}
}

func BenchmarkWhole(b *testing.B) { benchmarkRender(b, unary, one(text)) }

func BenchmarkStream200(b *testing.B) {
	benchmarkRender(b, streamSSE, one(wire.Text{Text: strings.Repeat("word ", 200)}))
}

func BenchmarkArray200(b *testing.B) {
	benchmarkRender(b, array3, one(wire.Text{Text: strings.Repeat("word ", 200)}))
}

func BenchmarkDecode(b *testing.B) {
	turn := `{"role":"user","parts":[{"text":"` + strings.Repeat("word ", 200) + `"}]},`
	for name, body := range map[string]string{
		"2KB":   strings.Replace(hello, "Hi", strings.Repeat("Where ", 330), 1),
		"200KB": `{"contents":[` + strings.Repeat(turn, 195) + `{"role":"user","parts":[{"text":"Hi"}]}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				c, f, err := wiretest.Call(Provider(), probe(unary, body))
				if err != nil || f != nil {
					b.Fatal(err, f)
				}
				for v := range c.Endpoint.Codec.Check(c) {
					b.Fatal(v.Failure)
				}
			}
		})
	}
}
