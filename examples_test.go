package mimus_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// In a test, t is the test's own *testing.T. An example has none, so these make do with one that prints.

func Example() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On(mimus.About("PX-AI-8102")).Reply(mimus.Text("Out for delivery."))

	fmt.Println(chat(m.Client(), "Where is parcel PX-AI-8102?")) // api.openai.com, as far as the code under test knows

	m.Asked(mimus.About("PX-AI-8102")).Times(1)
	// Output: Out for delivery.
}

func ExampleMock_On() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("How can I help?"))
	m.On(mimus.About("parcel")).Reply(mimus.Text("Out for delivery."))
	m.On(mimus.About("parcel", "again")).Times(1).Reply(mimus.RateLimited())

	fmt.Println(chat(m.Client(), "Hello"))
	fmt.Println(chat(m.Client(), "My parcel?"))
	fmt.Println(chat(m.Client(), "My parcel, again?"))
	fmt.Println(chat(m.Client(), "My parcel, again?"))
	// Output:
	// How can I help?
	// Out for delivery.
	// 429 Too Many Requests
	// Out for delivery.
}

func ExampleWhere() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("short"))
	m.On(mimus.Where("a long question", func(r *wire.Request) bool { return len(r.LastUser()) > 20 })).Reply(mimus.Text("long"))

	fmt.Println(chat(m.Client(), "Hello"), chat(m.Client(), "Where on earth is my parcel?"))
	// Output: short long
}

func ExampleFunc() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Func(func(r *wire.Request) mimus.Replier {
		return mimus.Text("You said: " + r.LastUser())
	}))

	fmt.Println(chat(m.Client(), "Hello"))
	// Output: You said: Hello
}

func ExampleMock_Script() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.Script(
		mimus.Overloaded(),
		mimus.Exchange(mimus.About("parcel"), mimus.Text("Out for delivery.")),
		mimus.Text("Never asked for."),
	)

	fmt.Println(chat(m.Client(), "My parcel?"))
	fmt.Println(chat(m.Client(), "My parcel?"))
	// Output:
	// 503 Service Unavailable
	// Out for delivery.
	// the test fails: mimus: the script of 3 replies was not used up; nobody asked for reply 3 of the script, the text "Never asked for."
}

func ExampleStream() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	s := mimus.Stream()
	m.On().Reply(s)

	events := stream(m.Client(), "Hello")
	s.Send("Hel")
	fmt.Println(<-events)
	s.Send("lo")
	fmt.Println(<-events)
	s.End()
	fmt.Println(<-events)
	// Output:
	// Hel
	// lo
	// [the end]
}

func ExampleReply_ErrorAfter() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").ErrorAfter(3, mimus.ServerError().Message("Something broke.")))

	for event := range stream(m.Client(), "My parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Out
	// for
	// [the error "Something broke."]
}

func ExampleReply_CutAfter() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").CutAfter(2)) // the chunk with the role, and the first word

	for event := range stream(m.Client(), "My parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Out
	// [cut off]
}

func ExampleReply_Interrupted() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").Interrupted())

	for event := range stream(m.Client(), "My parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Out
	// for
	// delivery.
	// [unexpected EOF]
}

func ExampleReply_Hang() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").Hang())
	client := m.Client()
	client.Timeout = 50 * time.Millisecond

	// net/http says "deadline exceeded", "Client.Timeout exceeded", or both.
	fmt.Println(strings.Contains(chat(client, "My parcel?"), "exceeded"))
	m.Asked().HungUp()
	// Output: true
}

func ExampleReject() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.Script(mimus.Reject(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}))

	fmt.Println(chat(m.Client(), "Hello"))
	// Output: Post "https://api.openai.com/v1/chat/completions": dial tcp: connection refused
}

func ExampleFailure_RetryAfter() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.Script(mimus.RateLimited().RetryAfter(2*time.Minute), mimus.Text("Hello"))

	resp, err := m.Client().Do(request("Hello"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = resp.Body.Close()
	fmt.Println(resp.Status, resp.Header.Get("Retry-After"))
	fmt.Println(chat(m.Client(), "Hello"))
	m.Asked().Retried(1) // …and m.Asked().Retried(1, 2*time.Minute) where the code under test waits as it is told
	// Output:
	// 429 Too Many Requests 120
	// Hello
}

func ExampleCallTool() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On(mimus.About("PX-AI-8102")).Reply(mimus.CallTool("track_parcel", `{"reference":"PX-AI-8102"}`))
	m.On(mimus.About("PX-AI-8102"), mimus.AfterTool("track_parcel")).Reply(mimus.Text("Out for delivery in Leipzig."))

	answer, err := track(m.Client(), "PX-AI-8102") // the code under test: it runs the tool and asks again
	fmt.Println(answer, err)

	asked := m.Asked(mimus.About("PX-AI-8102"))
	asked.Times(2)
	asked.OfferedTool("track_parcel")
	asked.Contains("OUT_FOR_DELIVERY")
	asked.Omits("Lindenweg 14")
	// Output: Out for delivery in Leipzig. <nil>
}

func ExampleAsked() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Hello"))
	chat(m.Client(), "Where is my parcel?")

	m.Asked(mimus.About("weather")).Times(1)
	// Output:
	// the test fails: mimus: want 1 request with about "weather", got 0
	// the nearest of 1 request:
	// - request 1, openai.chat gpt-4.1-mini, user "Where is my parcel?"
	//     about wants "weather", got "Where is my parcel?"
}

func ExampleJSON() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.JSON(map[string]int{"days": 2}))

	fmt.Println(chat(m.Client(), "When does it arrive?"))
	// Output: {"days":2}
}

func ExampleEmbedding() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On(mimus.About("Leipzig")).Reply(mimus.Embedding(0.5, -0.5))
	m.On(mimus.Embeddings()).Reply(mimus.Embedding().Dimensions(8)) // always the same for the same text

	fmt.Println(embed(m.Client(), "04109 Leipzig"), len(embed(m.Client(), "50667 Köln")))
	// Output: [0.5 -0.5] 8
}

func ExampleRaw() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.RawBody(502, "<html>Bad gateway</html>"))

	fmt.Println(chat(m.Client(), "Hello"))
	// Output: 502 Bad Gateway
}

func ExampleListen() {
	t := begin()
	defer t.end()

	m := mimus.New(t, mimus.Listen())
	m.On().Reply(mimus.Text("Hello"))

	r := request("Hello")
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(m.URL, "http://") // for code that takes nothing but a base URL
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	fmt.Println(resp.Status)
	// Output: 200 OK
}

func ExampleLower() {
	lowered, err := mimus.Lower(all.Codecs()["anthropic.messages"], mimus.Text("Hello").Interrupted())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lowered.Status, len(lowered.Chunks), lowered.Interrupted)
	server := httptest.NewServer(lowered) // or write the chunks with a server of your own
	defer server.Close()

	_, err = mimus.Lower(all.Codecs()["anthropic.messages"], mimus.Refusal("No."))
	fmt.Println(errors.Is(err, mimus.ErrNotOnWire), err)
	// Output:
	// 200 5 true
	// true mimus: lower to anthropic.messages: a refusal is sent as text: not on this wire
}

func ExampleLowered_Response() {
	lowered, err := mimus.Lower(all.Codecs()["openai.chat"], mimus.QuotaExceeded())
	if err != nil {
		fmt.Println(err)
		return
	}
	resp := lowered.Response()
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	fmt.Println(resp.Status, strings.Contains(string(body), "insufficient_quota"), err)
	// Output: 429 Too Many Requests true <nil>
}

func ExampleFailureOf() {
	codec := all.Codecs()["openai.chat"]
	for _, r := range []mimus.Replier{
		mimus.RateLimited().RetryAfter(7 * time.Second),
		mimus.QuotaExceeded(),
		mimus.Text("Out for").Interrupted(),
		mimus.Reject(context.Canceled),
	} {
		f, err := mimus.FailureOf(codec, r)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s, %s, partial output %t: a retry %s, wait %s\n", f.Kind, f.Sent, f.PartialOutput, f.Advice().Prospect, f.Advice().Delay)
	}
	// Output:
	// rate_limit, completed, partial output false: a retry may help, wait 7s
	// quota, completed, partial output false: a retry will not help, wait 0s
	// transport, maybe sent, partial output true: a retry may help, wait 0s
	// canceled, not sent, partial output false: a retry will not help, wait 0s
}

// A test of code that speaks a provider of its own, in the neutral dialect of package wire/scripted.
func Example_providerNobodyKnows() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On(mimus.Wire("mimus.scripted")).Reply(mimus.Text("Hello").Usage(12, 3))

	resp, err := m.Client().Post("https://scripted.mimus.invalid/scripted", "application/json",
		strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[],"output":null}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	fmt.Print(string(body), err)
	// Output:
	// event: usage
	// data: {"input_tokens":12,"output_tokens":3,"total_tokens":15}
	//
	// event: text
	// data: {"text":"Hello"}
	//
	// event: end
	// data: {"stop":"complete","reason":null}
	//
	// <nil>
}

// A classification is one call that asks typed questions; the reply is the JSON of the answers.
func Example_classification() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On(mimus.Wire("typesafe")).Reply(mimus.JSON(map[string]any{"lost": map[string]any{"type": "noul", "noul": 0.25}}).Usage(30, 4))

	r, err := http.NewRequest(http.MethodPost, "https://api.typesafe.ai/v1/systemone",
		strings.NewReader(`{"model":"m","state":"Seen in Leipzig.","questions":{"lost":{"type":"noul","instructions":"Is it lost?"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Header.Set("Authorization", "Bearer test")
	resp, err := m.Client().Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	fmt.Println(string(body), err)
	// Output: {"model":"m","answers":{"lost":{"noul":0.25,"type":"noul"}},"usage":{"input_tokens":30,"output_tokens":4}} <nil>
}
