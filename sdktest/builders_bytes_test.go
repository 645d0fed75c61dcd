package sdktest

import (
	"strconv"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// codecs are the names of the codecs that speak the endpoints; a stream of one is what its SDK reads.
var codecs = map[string]string{
	"openai.chat": "openai.chat", "azure.chat": "openai.chat", "openai.responses": "openai.responses", "azure.responses": "openai.responses",
	"anthropic.messages": "anthropic.messages", "vertex.messages": "anthropic.vertex", "bedrock.messages": "anthropic.bedrock",
	"bedrock.converse": "bedrock.converse", "gemini.generate": "gemini.generate", "aiplatform.generate": "gemini.generate", "ollama.native": "ollama.chat",
}

// lowered is a reply in the bytes of an endpoint.
func lowered(endpoint string, streams bool, r mimus.Replier) *mimus.Lowered {
	lower := mimus.LowerWhole
	if streams {
		lower = mimus.Lower
	}
	l, err := lower(all.Codecs()[codecs[endpoint]], r)
	if err != nil {
		return &mimus.Lowered{Status: 500, Chunks: [][]byte{[]byte(err.Error())}}
	}
	return l
}

// bytesAndFunctions are the rows of replies that are given in bytes, made by a function, or bound to a request.
func bytesAndFunctions() []*built {
	page := "<html><body><h1>502 Bad Gateway</h1></body></html>"
	gateway := []otherwise{
		{selectors{"generate", "native"}, "the SDK asks once, unless it is told to try again, and takes the page for the message", func(w *want) {
			w.Requests, w.Error = 1, &failure{Status: 502, Message: page}
		}},
		{selectors{"generate"}, "the code is the status line there", func(w *want) { w.Error.Code = "502 Bad Gateway" }},
		{selectors{"converse"}, "the AWS SDK looks for its own envelope in the page", func(w *want) { w.Error, w.Symptom = nil, "bad json" }},
	}
	bad := want{Error: &failure{Status: 502, Message: "-"}, Requests: 3}
	return []*built{
		{
			proves: "Raw", where: selectors{"stream"}, want: says("Hello there."),
			of: func(endpoint string) mimus.Replier {
				l := lowered(endpoint, true, mimus.Text("Hello there."))
				// In two pieces, of which the first ends inside an event.
				b := string(l.Bytes())
				raw := mimus.Raw(b[:len(b)/2+3], b[len(b)/2+3:])
				for name := range l.Header {
					raw = raw.Header(name, l.Header.Get(name))
				}
				return raw
			},
		},
		{proves: "RawBody", reply: mimus.RawBody(502, page).Header("Content-Type", "text/html"), want: bad, but: gateway},
		{proves: "Reply.Status", reply: mimus.Raw(page).Status(502).Header("Content-Type", "text/html"), want: bad, but: gateway},
		{
			proves: "Lower", where: selectors{"stream"}, want: says("Hello there."),
			of: func(endpoint string) mimus.Replier { return lowered(endpoint, true, mimus.Text("Hello there.")) },
		},
		{
			proves: "LowerWhole", where: selectors{"whole"}, want: says("Hello there."),
			of: func(endpoint string) mimus.Replier { return lowered(endpoint, false, mimus.Text("Hello there.")) },
		},
		{
			proves: "Exchange", script: true, want: says("Only for PX-AI-8102."),
			replies: []mimus.Replier{mimus.Exchange(mimus.About("PX-AI-8102"), mimus.Text("Only for PX-AI-8102."))},
		},
		{
			proves: "Func", want: says("You said 20 letters."),
			reply: mimus.Func(func(r *wire.Request) mimus.Replier {
				return mimus.Text("You said " + strconv.Itoa(len(r.LastUser())) + " letters.")
			}),
		},
	}
}
