package mimus_test

import (
	"fmt"
	"net/http"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

func ExampleGuard() {
	t := begin()
	defer t.end()

	mimus.Guard(t)

	// The code under test has a client of its own, which nobody gave the mock's transport.
	resp, err := http.Get("https://api.openai.com/v1/models")
	if err == nil {
		_ = resp.Body.Close()
	}
	fmt.Println(err != nil)
	// Output:
	// true
	// the test fails: mimus: Example asked a real provider, GET https://api.openai.com/v1/models, which mimus.Guard forbids: give the code under test m.Client()
}

func ExampleAllowUnmatched() {
	t := begin()
	defer t.end()

	m := mimus.New(t, mimus.AllowUnmatched())

	fmt.Println(chat(m.Client(), "Is anybody there?"))
	// Output: 404 Not Found
}

func ExampleReply_Header() {
	reply := mimus.Text("Out for delivery.").Usage(180, 24).Header("X-Team", "parcels").Stop(wire.StopLength)

	whole, err := mimus.LowerWhole(all.Codecs()["ollama.chat"], reply)
	fmt.Println(whole.Header.Get("X-Team"), err)
	// Output: parcels <nil>
}

func ExampleRefusal() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On(mimus.Wire("openai")).Reply(mimus.Refusal("I can't help with that."))
	m.On(mimus.Wire("anthropic")).Reply(mimus.Text("I can't help with that.").Stop(wire.StopRefusal))

	fmt.Printf("%q\n", chat(m.Client(), "Do something bad."))
	// Output: ""
}

func ExampleReasoning() {
	_, err := mimus.Lower(all.Codecs()["anthropic.messages"], mimus.Reasoning("The user is in a hurry.").Text("Out for delivery."))
	fmt.Println(err)
	// Output: <nil>
}

func ExampleReply_DropAfter() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").DropAfter(3))

	for event := range stream(m.Client(), "My parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Out
	// for
	// [unexpected EOF]
}

func ExampleReply_SplitBytes() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.Text("Köln 🚚").SplitBytes(1))

	for event := range stream(m.Client(), "Where is my parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Köln
	// 🚚
	// [the end]
}

func ExampleStreamError() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.StreamError(mimus.Text("Out for"), "server_error", "Something broke."))

	for event := range stream(m.Client(), "My parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Out
	// for
	// [the error "Something broke."]
}

func ExampleStatusError() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.On().Reply(mimus.StatusError(http.StatusTeapot, "Short and stout."))

	fmt.Println(chat(m.Client(), "Coffee?"))
	// Output: 418 I'm a teapot
}

func ExampleAsked_Retried() {
	t := begin()
	defer t.end()

	m := mimus.New(t)
	m.Script(mimus.Overloaded(), mimus.Text("Out for delivery."))
	for range 2 { // a retry policy
		fmt.Println(chat(m.Client(), "My parcel?"))
	}

	m.Asked().Retried(1) // and with waits: Retried(1, 2*time.Second)
	// Output:
	// 503 Service Unavailable
	// Out for delivery.
}

func ExampleReply_StallAfter() {
	t := begin()
	defer t.end()

	// Inside testing/synctest, an hour is as good as a millisecond.
	m := mimus.New(t)
	m.On().Reply(mimus.Text("Out for delivery.").StallAfter(2, time.Millisecond))

	for event := range stream(m.Client(), "My parcel?") {
		fmt.Println(event)
	}
	// Output:
	// Out
	// for
	// delivery.
	// [the end]
}
