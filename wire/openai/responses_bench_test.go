package openai_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func BenchmarkResponses(b *testing.B) {
	reply := answerOf(wire.Text{Text: strings.Repeat("A few words of an answer. ", 10)})
	for name, body := range map[string]string{"unary": `{"model":"gpt-4o","input":"Hi"}`, "stream": streamed} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, _, err := wiretest.Call(openai.Provider(), responsesProbe(http.MethodPost, "/v1/responses", body))
				if err != nil {
					b.Fatal(err)
				}
				wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
			}
		})
	}
}
