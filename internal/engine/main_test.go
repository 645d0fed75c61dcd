package engine

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// chatRequest is a request that asks a model something.
func chatRequest(text string) *wire.Request {
	return &wire.Request{
		Endpoint: "openai.chat", Provider: "openai", Kind: wire.Chat, Model: "gpt-4.1-mini", Choices: 1,
		Messages: []wire.Message{{Role: wire.User, Parts: []wire.Part{wire.Text{Text: text}}}},
		Probe:    &wire.Probe{Method: "POST", Path: "/v1/chat/completions", Body: []byte(text)},
	}
}

// textStub answers requests that meet the conditions.
func textStub(name string, when ...stub.Condition) *stub.Stub {
	return &stub.Stub{Name: name, Priority: stub.DefaultPriority, Origin: stub.File, When: when, Answers: []stub.Answer{textAnswer(name)}}
}

func textAnswer(text string) stub.Answer {
	return stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: text}}}}}
}

// said is an answer's text.
func said(a *stub.Answer) string { return a.Choices[0].Parts[0].(wire.Text).Text }

// ask takes the answer of a request, as the pipeline does; "" is no stub.
func ask(s *Space, r *wire.Request) (*Lease, string) {
	key := s.Key(r.Probe)
	for {
		m := s.Peek(r, key)
		if m == nil {
			return nil, ""
		}
		if l := s.Commit(m, key); l != nil {
			return l, said(l.Answer)
		}
	}
}
