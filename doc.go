// Package mimus is a test double for LLM APIs. It answers in the wire format of any provider it knows: as strict as the
// provider, as broken as the provider when a test asks for that, and with everything that travelled open to the test.
//
//	m := mimus.New(t)
//	m.On(mimus.About("PX-AI-8102")).Reply(mimus.Text("Out for delivery."))
//	client := openai.NewClient(option.WithHTTPClient(m.Client()), option.WithAPIKey("test"))
//	… // the code under test
//	m.Asked(mimus.About("PX-AI-8102")).Times(1)
//
// [New] makes a mock that ends with its test. It lives in memory: [Mock.Client] is an HTTP client on which every host, by
// http and by https, is the mock, so the SDK under test keeps the provider's real URL. There is no socket, no port and no
// certificate; tests run in parallel, and inside a testing/synctest bubble, where what waits takes no time. Which provider
// is meant is read from each request. [Guard] fails a test whose code reaches for a real provider.
//
// # Stubs
//
// [Mock.On] begins a stub: matchers say which requests it answers, and [Stub.Reply] with what. A stub with more matchers is
// asked before one with fewer. A request that no stub answers gets a 404 in the provider's form, which names the nearest
// stubs and why they don't match, and fails the test. [Where] makes any function a matcher.
//
// # Replies
//
// [Text], [JSON], [CallTool], [CallTools], [Reasoning], [Refusal], [Parts], [Embedding], [Models], [Raw] and [Func] make
// replies. A [Reply] is a value, whose methods give changed copies: Text("Hello").Usage(12, 3).Delay(time.Second). The
// same reply is a stream or a whole answer, as each request wants.
//
// What goes wrong is part of a reply, too: [Reply.Interrupted], [Reply.CutAfter], [Reply.DropAfter], [Reply.ErrorAfter],
// [Reply.StallAfter], [Reply.Hang], [Reply.SplitBytes], [Reply.Malformed]. They count the events that the wire sends,
// those that SDKs hide included. [RateLimited], [QuotaExceeded], [Overloaded], [Unauthorized], [ContextTooLong],
// [ServerError], [StatusError], [StreamError] and [ResponseFailed] are the provider's failures; [Reject] is a call that
// never got there. [Stream] is stepped by hand.
//
// # Scripts
//
// [Mock.Script] gives replies in strict order, whoever asks. A retry after a failure gets the next reply; an answer that
// the client did not wait for is owed to the same request. A script that is too short or too long fails the test.
//
// # What was asked
//
// [Mock.Asked] looks back: [Asked.Times], [Asked.Contains], [Asked.Omits], [Asked.OfferedTool], [Asked.AskedForSchema],
// [Asked.InOrder], [Asked.Retried], [Asked.HungUp]. A check that would need a request which the mock has forgotten fails as
// not provable: nothing passes by forgetting. Failures show the nearest requests, and hide keys.
//
// # Without a mock
//
// [Lower] gives a reply in one provider's bytes, for a fake server of one's own, and [FailureOf] the failure that a client
// reads from it.
//
// # No panics, no hangs
//
// A mistake in the use of this package fails the test with a sentence that says what to do. Two functions panic, on the
// test's own goroutine, where the code itself is wrong: [JSON] of a value that has none, and [Guard] in a test that runs in
// parallel with others. A call after the test's end gets an error that says so.
//
// The package links the standard library only, so that a project that tests with it takes on no further module.
package mimus
