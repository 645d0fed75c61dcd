package stub_test

import (
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// FuzzDecodeAnswer decodes any JSON as an answer and as a stub: nothing panics, problems name a place in the tree, and
// an answer without any gives a reply to every kind of request.
func FuzzDecodeAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a","toolCalls":[{"name":"f","arguments":{"a":[null]}}],"reasoning":{"text":"b","signature":"c"}}`,
		`{"parts":[{"text":"a"},{"redacted":true,"signature":"x"},{"block":{"type":"t"}}],"stop":{"sequence":"END"}}`,
		`{"choices":[{"refusal":"no"},{}],"usage":{"inputTokens":1e2},"headers":{"a":["b",1]}}`,
		`{"error":{"type":"rate_limit","retryAfter":"1h","afterEvents":0}}`,
		`{"raw":{"chunks":["a"]},"splitBytes":1}`, `{"embedding":[1e39],"dimensions":9}`, `{"models":[""],"stallAfter":0,"stallFor":1e9}`,
		`{"when":{"about":["a",{"matches":"("}],"endpoint":"models"},"answers":[{}],"pace":{"jitter":2}}`, `[]`, `null`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		v, err := jsonx.Parse(doc)
		if err != nil {
			return
		}
		a, problems := stub.DecodeAnswer(v)
		check(t, v, problems)
		if len(problems) == 0 {
			for _, r := range []*wire.Request{{Kind: wire.Chat, Choices: 2}, {Kind: wire.Embeddings, Inputs: []string{"a"}}, {Kind: wire.Models}} {
				a.Reply(r)
			}
			a.Cut()
		}
		s, problems := stub.Decode(v, stub.DecodeOptions{})
		check(t, v, problems)
		for _, c := range s.Conditions() {
			c.Match(&wire.Request{Choices: 1, Probe: &wire.Probe{}})
		}
	})
}

// check looks each problem up in the tree.
func check(t *testing.T, v jsonx.Value, problems stub.Problems) {
	t.Helper()
	for _, p := range problems {
		if !v.At(p.Path...).Exists() || p.Message == "" {
			t.Errorf("%v is nowhere in %s", p, v.Raw())
		}
		if !strings.HasSuffix(p.String(), p.Message) {
			t.Errorf("%v lacks its message %q", p, p.Message)
		}
	}
}
