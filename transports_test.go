package mimus_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus"
)

// A way is one of those in which a client can reach a mock.
type way struct {
	name string
	opts []mimus.Option
	// client is one for the mock, and turns a request to its real host into one that goes this way.
	client func(t *testing.T, m *mimus.Mock) (client *http.Client, turn func(*http.Request))
}

func ways() []way {
	socket := func(protocols func(*http.Protocols)) func(*testing.T, *mimus.Mock) (*http.Client, func(*http.Request)) {
		return func(t *testing.T, m *mimus.Mock) (*http.Client, func(*http.Request)) {
			t.Helper()
			transport := &http.Transport{Protocols: new(http.Protocols)}
			protocols(transport.Protocols)
			t.Cleanup(transport.CloseIdleConnections)
			return &http.Client{Transport: transport}, func(r *http.Request) {
				r.Host = r.URL.Host
				r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(m.URL, "http://")
			}
		}
	}
	return []way{
		{"in memory", nil, func(_ *testing.T, m *mimus.Mock) (*http.Client, func(*http.Request)) {
			return m.Client(), func(*http.Request) {}
		}},
		{"over HTTP/1.1", []mimus.Option{mimus.Listen()}, socket(func(p *http.Protocols) { p.SetHTTP1(true) })},
		{"over h2c", []mimus.Option{mimus.Listen()}, socket(func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) })},
	}
}

// TestSameBytesOnEveryWay sends every kind of reply in memory, over HTTP/1.1 and over h2c: with the same clock, the bytes
// are the same, and an answer that breaks off breaks off at the same byte.
func TestSameBytesOnEveryWay(t *testing.T) {
	t.Parallel()
	text := mimus.Text("Out for delivery in Köln 🚚.")
	replies := map[string]mimus.Replier{
		"a text": text, "reasoning": text.Reasoning("Hm."), "calls": text.CallTool("track", `{"n":1}`).CallTool("track", `{"n":2}`),
		"usage": text.Usage(180, 24), "the limit": mimus.OutputLimited("Out"), "split": text.SplitBytes(7),
		"cut": text.CutAfter(3), "an error inside": text.ErrorAfter(3, mimus.Overloaded()), "malformed": text.Malformed(),
		"rate limited": mimus.RateLimited().RetryAfter(7 * time.Second), "overloaded": mimus.Overloaded(), "raw": mimus.Raw("data: a", "b\n\n"),
		"interrupted": text.Interrupted(), "dropped": text.DropAfter(2), "a stall": text.StallAfter(2, 10*time.Millisecond),
	}
	at := mimus.At(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	for name, reply := range replies {
		for _, endpoint := range chatEndpoints {
			for _, stream := range []bool{false, true} {
				t.Run(name+"/"+endpoint+streamWord(stream), func(t *testing.T) {
					t.Parallel()
					var first answer
					for i, w := range ways() {
						m := mimus.New(t, append(w.opts, at)...)
						m.On().Reply(reply)
						client, turn := w.client(t, m)
						r := question(t, endpoint, stream, "")
						turn(r)
						got := do(client, r)
						if i == 0 {
							first = got
							continue
						}
						if got.status != first.status || got.body != first.body || (got.err != nil) != (first.err != nil) {
							t.Errorf("%s:\n%+v\nin memory:\n%+v", w.name, got, first)
						}
						for _, h := range []string{"Content-Type", "Date", "Retry-After", "X-Request-Id", "Request-Id"} {
							if got.header.Get(h) != first.header.Get(h) {
								t.Errorf("%s: %s is %q, in memory %q", w.name, h, got.header.Get(h), first.header.Get(h))
							}
						}
					}
				})
			}
		}
	}
}

// TestStepsOnEveryWay plays a script, and looks at what was asked.
func TestStepsOnEveryWay(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			m := mimus.New(t, w.opts...)
			m.Script(mimus.RateLimited(), mimus.Text("half").Interrupted(), mimus.Text("whole"))
			client, turn := w.client(t, m)
			var got []answer
			for range 3 {
				r := question(t, "openai.chat", true, "")
				turn(r)
				got = append(got, do(client, r))
			}
			if got[0].status != 429 || got[1].err == nil || got[2].text(t) != "whole" {
				t.Errorf("got %+v", got)
			}
			asked := m.Asked(mimus.About("parcel"))
			asked.Times(3)
			asked.Retried(2)
			asked.Contains("PX-AI-8102")
			asked.Omits("Lindenweg")
		})
	}
}
