package mimus_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
)

func TestScript(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Text("a stub, which is never asked"))
	m.Script(mimus.Text("one"), mimus.RateLimited())
	m.Script(mimus.Text("three"))
	if got := askChat(t, m.Client(), "").text(t); got != "one" {
		t.Errorf("got %q", got)
	}
	if got := askStream(t, m.Client(), ""); got.status != http.StatusTooManyRequests {
		t.Errorf("got %+v", got)
	}
	if got := do(m.Client(), question(t, "anthropic.messages", true, "")).textOf(t, "anthropic.messages", true); got != "three" {
		t.Errorf("got %q", got)
	}
}

func TestScriptTooShort(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft, mimus.AllowUnmatched())
	m.On().Reply(mimus.Text("a script never falls through"))
	m.Script(mimus.Text("one"))
	askChat(t, m.Client(), "").text(t)
	got := askChat(t, m.Client(), "And my other parcel?")
	if got.status != http.StatusNotFound || got.header.Get("X-Mimus-Reason") != "script" || got.header.Get("X-Should-Retry") != "false" || !strings.Contains(got.body, "one more call than the script has replies") {
		t.Errorf("got %+v", got)
	}
	ft.end()
	ft.wantFailure(t, "one more call than the script has replies", "all 1 were given", "And my other parcel?")
}

func TestScriptTooLong(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.Script(mimus.Text("one"), mimus.CallTool("track", "{}"))
	askChat(t, m.Client(), "").text(t)
	ft.end()
	ft.wantFailure(t, "script of 2 replies was not used up", "reply 2 of the script, a call of track")
}

func TestScriptLeavesEveryReplyThatIsLeftOver(t *testing.T) {
	t.Parallel()
	replies := map[string]mimus.Replier{
		"the text \"Hello\"":                            mimus.Text("Hello"),
		"an empty answer":                               mimus.Text(""),
		"the refusal \"no\"":                            mimus.Refusal("no"),
		"reasoning, the text \"x\"":                     mimus.Text("x").Reasoning("hm"),
		"the failure rate_limit":                        mimus.RateLimited(),
		"a function of the request":                     mimus.Func(nil),
		"a stream by hand":                              mimus.Stream(),
		"raw bytes \"data: \"":                          mimus.Raw("da", "ta: "),
		"an embedding":                                  mimus.Embedding(1),
		"the models a, b":                               mimus.Models("a", "b"),
		"a blocked prompt":                              mimus.PromptBlocked(),
		"a rejected call: no route to host":             mimus.Reject(errors.New("no route to host")),
		"a call of f, a call of g":                      mimus.CallTools(mimus.Call{Name: "f"}, mimus.Call{Name: "g"}),
		"the text \"" + strings.Repeat("a", 60) + "…\"": mimus.Text(strings.Repeat("a", 70)),
	}
	for words, r := range replies {
		ft := fake(t)
		mimus.New(ft).Script(r)
		ft.end()
		ft.wantFailure(t, words)
	}
}

// A request that doesn't fit the next step uses nothing up.
func TestExchange(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.Script(mimus.Exchange(mimus.All(mimus.About("parcel"), mimus.Wire("openai")), mimus.Text("one")), mimus.Text("two"))
	got := askChat(t, m.Client(), "the weather")
	if got.status != http.StatusNotFound || !strings.Contains(got.body, "step 1 of 2") {
		t.Errorf("got %+v", got)
	}
	for _, want := range []string{"one", "two"} {
		if text := askChat(t, m.Client(), "my parcel").text(t); text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	ft.end()
	ft.wantFailure(t, "does not fit step 1 of 2 of the script", `the text "one"`, `about wants "parcel"`, "the weather")
}

// An embedding fits no chat, and a text no request for embeddings.
func TestScriptOfKinds(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.Script(mimus.Embedding(1, 0), mimus.Overloaded(), mimus.Text("two"))
	if got := askChat(t, m.Client(), ""); got.status != http.StatusNotFound {
		t.Errorf("got %+v", got)
	}
	if got := do(m.Client(), question(t, "openai.embeddings", false, "")); got.status != 200 {
		t.Errorf("got %+v", got)
	}
	if got := do(m.Client(), question(t, "openai.models", false, "")); got.status != 200 {
		t.Errorf("a model list is no part of a script: %+v", got)
	}
	if got := do(m.Client(), question(t, "openai.embeddings", false, "")); got.status != http.StatusServiceUnavailable {
		t.Errorf("a failure fits every kind: %+v", got)
	}
	askChat(t, m.Client(), "").text(t)
	ft.end()
	ft.wantFailure(t, "endpoint wants embeddings, got chat")
}

// Concurrent callers are served in the order in which they arrived, however long the answers take.
func TestScriptOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		const n = 20
		var replies []mimus.Replier
		for i := range n {
			replies = append(replies, mimus.Text(strconv.Itoa(i)).Delay(time.Duration(n-i)*time.Minute))
		}
		m.Script(replies...)
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				if got := askChat(t, m.Client(), fmt.Sprint("caller ", i)).text(t); got != strconv.Itoa(i) {
					t.Errorf("caller %d got %q", i, got)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
	})
}

// However many call at the same moment, each reply is given once.
func TestScriptRace(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	const n = 50
	var replies []mimus.Replier
	for i := range n {
		replies = append(replies, mimus.Text(strconv.Itoa(i)))
	}
	m.Script(replies...)
	var mu sync.Mutex
	seen := map[string]int{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			got := askChat(t, m.Client(), "").text(t)
			mu.Lock()
			defer mu.Unlock()
			seen[got]++
		})
	}
	wg.Wait()
	if len(seen) != n {
		t.Errorf("got %d different replies, want %d: %v", len(seen), n, seen)
	}
}

// A whole answer that did not leave whole is owed to the same request; others go on. A failure is a step.
func TestScriptAndRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.Script(mimus.ServerError(), mimus.Text("slow").Delay(time.Hour), mimus.Text("for another"))
		if got := askChat(t, m.Client(), ""); got.status != 500 {
			t.Errorf("got %+v", got)
		}
		impatient := m.Client()
		impatient.Timeout = time.Minute
		if got := askChat(t, impatient, ""); got.err == nil {
			t.Errorf("got %+v", got)
		}
		if got := askChat(t, m.Client(), "somebody else").text(t); got != "for another" {
			t.Errorf("got %q", got)
		}
		if got := askChat(t, m.Client(), "").text(t); got != "slow" {
			t.Errorf("got %q", got)
		}
		m.Asked(mimus.About("parcel")).Retried(2)
		m.Asked(mimus.About("parcel")).HungUp()
	})
}

func TestReject(t *testing.T) {
	t.Parallel()
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	tls := x509.UnknownAuthorityError{}
	m := mimus.New(t)
	m.Script(mimus.Text("first, so that the connection is used again"), mimus.Reject(dial), mimus.Reject(tls), mimus.Reject(context.DeadlineExceeded), mimus.Text("last"))
	askChat(t, m.Client(), "").text(t)
	client := m.Client()
	for _, want := range []error{dial, tls, context.DeadlineExceeded} {
		r := question(t, "openai.chat", false, "")
		r.Header.Set("Idempotency-Key", "abc") // which lets net/http try again by itself
		a := do(client, r)
		if !errors.Is(a.err, want) {
			t.Errorf("got %v, want %v", a.err, want)
		}
		var timeout net.Error
		if is := errors.As(a.err, &timeout) && timeout.Timeout(); is != errors.Is(want, context.DeadlineExceeded) {
			t.Errorf("%v: a timeout: %t", want, is)
		}
	}
	if got := askChat(t, client, "").text(t); got != "last" {
		t.Errorf("got %q", got)
	}
	m.Asked().Times(5)
}

func TestRejectOnOtherConnections(t *testing.T) {
	t.Parallel()
	want := errors.New("no route to host")
	m := mimus.New(t, mimus.Listen())
	m.On().Reply(mimus.Reject(want))
	if a := askChat(t, &http.Client{Transport: m.Transport()}, ""); !errors.Is(a.err, want) {
		t.Errorf("a bare transport gives %v", a.err)
	}
	r := question(t, "openai.chat", false, "")
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(m.URL, "http://")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	if a := do(&http.Client{Transport: transport}, r); a.err == nil {
		t.Errorf("a socket gives %+v", a)
	}
}
