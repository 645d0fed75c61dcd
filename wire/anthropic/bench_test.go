package anthropic_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/anthropic"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func benchmarkRender(b *testing.B, body string, r wire.Reply) {
	b.Helper()
	probe := post(messagesPath, body)
	c, _, err := wiretest.Call(anthropic.Provider(), probe)
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, r, wire.Split{}, wire.NoCut())
		if size = len(resp.Frames) + len(resp.Body); size == 0 {
			b.Fatal("nothing")
		}
	}
	if strings.Contains(body, `"stream"`) {
		b.ReportMetric(float64(size), "events")
	}
}

func BenchmarkWhole(b *testing.B) { benchmarkRender(b, askWhole, hello) }

func BenchmarkStream200(b *testing.B) {
	benchmarkRender(b, askStream, one(wire.Text{Text: strings.Repeat("word ", 194)}))
}

func BenchmarkDecode(b *testing.B) {
	for name, body := range map[string]string{
		"2KB":   strings.Replace(askWhole, "Where", strings.Repeat("Where ", 330), 1),
		"200KB": `{"model":"m","max_tokens":1,"messages":[` + strings.Repeat(`{"role":"user","content":[{"type":"text","text":"`+strings.Repeat("word ", 200)+`"}]},`, 190) + `{"role":"user","content":"Hi"}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				c := open(b, post(messagesPath, body))
				if got := first(c); got != "" {
					b.Fatal(got)
				}
			}
		})
	}
}
